#include "xy.h"

#include <math.h>
#include <string.h>

#include "frame.h"
#include "gnuplot.h"
#include "label.h"
#include "look.h"
#include "picture.h"

#define HEIGHT_LINES 17  /* of a plot, */
#define SLIDE_LINES 10   /* and of one on a slide, where it grows as there is room */
#define ENTRY_MARK 5     /* columns that the mark of an entry takes */
#define ENTRY_COLUMNS 70 /* of its text */

struct xy_entry {
	guint number;
	enum xy_look look;
	char *text;
};

static void entry_free(gpointer data)
{
	struct xy_entry *entry = data;

	g_free(entry->text);
	g_free(entry);
}

struct xy *xy_new(struct picture *picture, const char *title, const char *x_label, const char *y_label)
{
	struct xy *xy = g_new(struct xy, 1);

	*xy = (struct xy){
	    .picture = picture,
	    .title = g_strdup(title),
	    .x_label = g_strdup(x_label),
	    .y_label = g_strdup(y_label),
	    .x_low = INFINITY,
	    .x_high = -INFINITY,
	    .y_low = INFINITY,
	    .y_high = -INFINITY,
	    .empty = "no data",
	    .setup = g_string_new(NULL),
	    .elements = g_string_new(NULL),
	    .legend = g_ptr_array_new_with_free_func(entry_free),
	};
	return xy;
}

void xy_free(struct xy *xy)
{
	g_free(xy->title);
	g_free(xy->x_label);
	g_free(xy->y_label);
	g_string_free(xy->setup, TRUE);
	g_string_free(xy->elements, TRUE);
	g_ptr_array_unref(xy->legend);
	g_free(xy);
}

gboolean xy_see(struct xy *xy, double x, double y)
{
	double x_low = xy->x_low, x_high = xy->x_high;

	if (!axis_see(xy->x_scale, x, &x_low, &x_high) || !axis_see(xy->y_scale, y, &xy->y_low, &xy->y_high))
		return FALSE;
	xy->x_low = x_low;
	xy->x_high = x_high;
	return TRUE;
}

void xy_divide(struct xy *xy, guint before, const char *style)
{
	g_string_append_printf(xy->setup,
			       "set arrow from first %u.5, graph 0 to first %u.5, graph %s nohead %s front\n", before,
			       before, xy->picture->size == PICTURE_TEXT ? "0.95" : "1", style);
}

void xy_plot(struct xy *xy, const GString *records, const char *comment, const char *style)
{
	picture_plot(xy->picture, xy->elements, records, comment, style);
}

void xy_plot_look(struct xy *xy, const GString *records, const char *comment, const char *with, guint number)
{
	/* gnuplot warns of a point type where there is no point */
	g_autofree char *shape = strstr(with, "points") ? g_strdup_printf(" pt %d", look_shape(number)) : g_strdup("");
	g_autofree char *style = g_strdup_printf("1:2 with %s dt %d%s lc rgb '#%06x'", with, look_dash(number), shape,
						 look_colour(number));

	xy_plot(xy, records, comment, style);
}

void xy_legend(struct xy *xy, guint number, enum xy_look look, const char *text)
{
	struct xy_entry *entry = g_new(struct xy_entry, 1);

	*entry = (struct xy_entry){number, look, g_strdup(text)};
	g_ptr_array_add(xy->legend, entry);
}

void xy_cross(struct xy *xy, double x, guint number)
{
	char at[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append_printf(xy->setup,
			       "set label '' at first %s, graph 0 front point pt 2 ps 1.3 lw 2 lc rgb '#%06x'\n",
			       g_ascii_dtostr(at, sizeof at, x), look_colour(number));
}

/* Columns of one entry, its mark and a distance from the next one. */
static guint entry_columns(const struct xy *xy)
{
	guint columns = 0;

	for (guint i = 0; i < xy->legend->len; i++) {
		const struct xy_entry *entry = g_ptr_array_index(xy->legend, i);
		g_autofree char *cut = label_cut(entry->text, ENTRY_COLUMNS);

		columns = MAX(columns, text_width(cut));
	}
	return MIN(columns, ENTRY_COLUMNS) + ENTRY_MARK + 2;
}

static guint entries_a_line(const struct xy *xy)
{
	guint all = picture_columns(xy->picture, xy->picture->width) - 4;

	return MAX(1, all / entry_columns(xy));
}

static guint legend_lines(const struct xy *xy)
{
	guint n = entries_a_line(xy);

	return (xy->legend->len + n - 1) / n;
}

/* The y label, the legend, and half a line. */
static guint head_height(const struct xy *xy)
{
	return xy->picture->line * (legend_lines(xy) + 1) + xy->picture->line / 2;
}

/* In a text each panel begins with a whole line. */
static guint foot_height(const struct picture *picture)
{
	return frame_axis_height(picture) + (picture->size == PICTURE_TEXT ? picture->line / 2 : 0);
}

static guint plot_height(const struct xy *xy)
{
	const struct picture *picture = xy->picture;

	if (xy->height)
		return xy->height;
	return picture->line * (picture->size == PICTURE_SLIDE ? SLIDE_LINES : HEIGHT_LINES);
}

static void add_entry_mark(const struct xy *xy, const struct xy_entry *entry, double left, double middle)
{
	struct picture *picture = xy->picture;
	double right = left + (ENTRY_MARK - 1) * picture->column;
	g_autofree char *x = picture_from_left(picture, left), *end = picture_from_left(picture, right);
	g_autofree char *centre = picture_from_left(picture, (left + right) / 2);
	g_autofree char *y = picture_from_top(picture, middle);
	guint32 colour = look_colour(entry->number);

	/* a text has no room for both */
	if (entry->look & XY_LINE && !(entry->look & XY_POINT && picture->size == PICTURE_TEXT))
		g_string_append_printf(picture->script,
				       "set arrow from %s, %s to %s, %s nohead lw 2 dt %d lc rgb '#%06x'\n", x, y, end,
				       y, look_dash(entry->number), colour);
	if (entry->look & XY_POINT)
		g_string_append_printf(picture->script, "set label '' at %s, %s point pt %d lc rgb '#%06x'\n", centre,
				       y, look_shape(entry->number), colour);
}

/* Column by column, as text is read in a narrow list. */
static void add_legend(const struct xy *xy, guint left, guint top)
{
	struct picture *picture = xy->picture;
	guint n_lines = legend_lines(xy);
	double width = entry_columns(xy) * picture->column;
	guint columns = picture_columns(picture, picture->width - left) - ENTRY_MARK - 1;

	for (guint i = 0; i < xy->legend->len; i++) {
		const struct xy_entry *entry = g_ptr_array_index(xy->legend, i);
		guint number = i / n_lines;
		double at = left + number * width, middle = top + (i % n_lines + 0.5) * picture->line;
		g_autofree char *x = picture_from_left(picture, at + ENTRY_MARK * picture->column);
		g_autofree char *y = picture_from_top(picture, middle), *place = g_strdup_printf("%s, %s", x, y);

		add_entry_mark(xy, entry, at, middle);
		picture_text(picture, entry->text, MIN(ENTRY_COLUMNS, columns), place, "left");
	}
}

static struct axis y_axis(const struct xy *xy)
{
	return axis_make_upright(xy->y_scale, xy->y_low, xy->y_high, plot_height(xy) / xy->picture->line);
}

static gboolean is_empty(const struct xy *xy)
{
	return xy->x_low > xy->x_high || xy->y_low > xy->y_high;
}

static void add_axes(const struct xy *xy, struct frame *frame)
{
	GString *script = xy->picture->script;
	guint columns = picture_columns(xy->picture, (double)xy->picture->width - frame->left - frame->right);
	struct axis x = axis_make(xy->x_scale, xy->x_low, xy->x_high, columns), y = y_axis(xy);

	if (xy->has_whole_x)
		axis_make_whole(&x);
	axis_set(&x, 'x', script);
	axis_set(&y, 'y', script);
	frame_x_label(frame, xy->x_label);
	if (xy->x_low > xy->x_high)
		g_string_append(script, "unset xtics\n");
	if (xy->y_low > xy->y_high)
		g_string_append(script, "unset ytics\n");
}

static void draw(const struct xy *xy, struct frame *frame)
{
	struct picture *picture = xy->picture;
	guint top = frame_panel(frame, xy->title, head_height(xy), plot_height(xy), foot_height(picture));
	guint legend = legend_lines(xy) * picture->line;
	g_autofree char *left = picture_from_left(picture, picture->column);
	g_autofree char *middle = picture_from_top(picture, top + legend + 0.5 * picture->line);
	g_autofree char *at = g_strdup_printf("%s, %s", left, middle);

	add_legend(xy, frame->left, top);
	picture_text(picture, xy->y_label, picture_columns(picture, picture->width) - 2, at, "left");
	add_axes(xy, frame);
	g_string_append_len(picture->script, xy->setup->str, (gssize)xy->setup->len);
	if (is_empty(xy))
		picture_text(picture, xy->empty, picture_columns(picture, picture->width), "graph 0.5, graph 0.5",
			     "center" PICTURE_GREY);
	frame_plot(frame, xy->elements);
}

gboolean xy_draw(const GPtrArray *panels, const GPtrArray *notes, struct picture *picture, GError **error)
{
	struct frame frame = {
	    .picture = picture,
	    .n_panels = panels->len,
	    .notes = notes,
	    .advice = "the panels are more than a picture holds: choose with --metric, --workload or NAME=LEVEL"};
	guint left = 6;

	for (guint i = 0; i < panels->len; i++) {
		const struct xy *xy = g_ptr_array_index(panels, i);
		struct axis y = y_axis(xy);

		left = MAX(left, y.columns);
		frame.height +=
		    frame_title_height(picture) + head_height(xy) + plot_height(xy) + foot_height(picture);
	}
	frame.left = (guint)((left + 2) * picture->column);
	frame.right = (guint)(4 * picture->column);
	if (!frame_begin(&frame, error))
		return FALSE;
	for (guint i = 0; i < panels->len; i++)
		draw(g_ptr_array_index(panels, i), &frame);
	frame_end(&frame);
	return TRUE;
}
