#include "panel.h"

#include <math.h>
#include <string.h>

#include "../src/analyse.h"
#include "../src/err.h"
#include "../src/flag.h"
#include "../src/shared.h"
#include "axis.h"
#include "frame.h"
#include "label.h"
#include "look.h"

#define LABEL_COLUMNS 40

struct panel {
	const char *workload;
	struct metric metric;
	GPtrArray *rows; /* const struct estimate_row * */
};

/* What the panels of one picture share. */
struct layout {
	const struct panel_style *style;
	struct picture *picture;
	struct frame frame;
	guint row_height;
	guint label_columns;
	GHashTable *looks; /* treatment -> its number in order of appearance */
};

static void panel_free(gpointer data)
{
	struct panel *panel = data;

	g_ptr_array_unref(panel->rows);
	g_free(panel);
}

/* In order of appearance. */
static GPtrArray *panels_of(const struct analysis *analysis)
{
	GPtrArray *panels = g_ptr_array_new_with_free_func(panel_free);

	for (guint i = 0; i < analysis->estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(analysis->estimates, i);
		struct panel *panel = NULL;

		for (guint j = 0; j < panels->len && !panel; j++) {
			struct panel *other = g_ptr_array_index(panels, j);

			if (!strcmp(other->workload, row->workload) && !strcmp(other->metric.name, row->metric.name))
				panel = other;
		}
		if (!panel) {
			panel = g_new(struct panel, 1);
			*panel = (struct panel){row->workload, row->metric, g_ptr_array_new()};
			g_ptr_array_add(panels, panel);
		}
		g_ptr_array_add(panel->rows, shared(row));
	}
	return panels;
}

static char *treatment_name(const struct layout *layout, const struct estimate_row *row)
{
	return label_cut(*row->treatment ? row->treatment : "all runs", layout->label_columns);
}

char *panel_count(const struct estimate_row *row)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_printf(text, "n = %u", row->n);
	if (row->ci_method && g_str_has_prefix(row->ci_method, "t-"))
		g_string_append_printf(text, " in %zu %ss", row->ci.n, row->ci_method + 2);
	if (row->failed)
		g_string_append_printf(text, ", %u failed", row->failed);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

/* Names at the left and n at the right of each row, and the reason where a row has no mark. */
static void add_row_texts(const struct layout *layout, const struct estimate_row *row, guint y, gboolean drawn)
{
	struct picture *picture = layout->picture;
	g_autofree char *name = treatment_name(layout, row), *count = panel_count(row);
	g_autofree char *left = g_strdup_printf("graph 0, first %u", y), *right = g_strdup_printf("graph 1, first %u", y);
	g_autofree char *middle = g_strdup_printf("graph 0.5, first %u", y);

	picture_text(picture, name, layout->label_columns, left, "right offset -1,0");
	picture_text(picture, count, G_MAXUINT / 4, right, "left offset 1,0" PICTURE_GREY);
	if (!drawn)
		picture_text(picture, row->n ? "no finite value" : "no data", G_MAXUINT / 4, middle,
			     "center" PICTURE_GREY);
}

static struct panel_row row_look(const struct layout *layout, const struct estimate_row *row, guint y)
{
	guint look = GPOINTER_TO_UINT(g_hash_table_lookup(layout->looks, row->treatment));

	return (struct panel_row){.estimate = row, .y = y, .colour = look_colour(look), .shape = look_shape(look)};
}

static void add_axes(const struct layout *layout, const struct panel *panel, double low, double high)
{
	GString *script = layout->picture->script;
	guint pixels = layout->picture->width - layout->frame.left - layout->frame.right;
	struct axis axis = axis_make(AXIS_LINEAR, low, high, picture_columns(layout->picture, pixels));
	g_autofree char *text = axis_label(&panel->metric);
	g_autofree char *cut = label_cut(text, picture_columns(layout->picture, pixels));
	g_autofree char *label = gnuplot_quote(cut);

	axis_set(&axis, 'x', script);
	g_string_append_printf(script, "set xlabel %s noenhanced\nunset ytics\nset yrange [%u.5:0.5]\n", label,
			       panel->rows->len);
	if (low > high)
		g_string_append(script, "unset xtics\n");
}

static void panel_draw(struct layout *layout, const struct panel *panel)
{
	g_autoptr(GArray) drawn = g_array_new(FALSE, FALSE, sizeof(struct panel_row));
	g_autoptr(GString) elements = g_string_new(NULL);
	double low = INFINITY, high = -INFINITY;

	frame_panel(&layout->frame, *panel->workload ? panel->workload : panel->metric.name, 0,
		    panel->rows->len * layout->row_height, frame_axis_height(layout->picture));
	for (guint i = 0; i < panel->rows->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(panel->rows, i);
		gboolean can = layout->style->range(row, &low, &high);
		struct panel_row look = row_look(layout, row, i + 1);

		if (can)
			g_array_append_val(drawn, look);
		add_row_texts(layout, row, i + 1, can);
	}
	add_axes(layout, panel, low, high);
	if (drawn->len)
		layout->style->plot(drawn, layout->picture, elements);
	frame_plot(&layout->frame, elements);
}

/* Caveats that some estimate carries and that the picture does not show in another way. */
static GPtrArray *notes_of(const struct analysis *analysis, const char *note)
{
	GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
	flag_set all = 0;

	g_ptr_array_add(notes, g_strdup(note));
	for (guint i = 0; i < analysis->estimates->len; i++)
		all |= ((const struct estimate_row *)g_ptr_array_index(analysis->estimates, i))->flags;
	frame_add_caveats(notes, all);
	return notes;
}

static void measure(struct layout *layout, const struct analysis *analysis)
{
	const struct picture *picture = layout->picture;
	guint left = 10, right = 8;

	layout->label_columns = MIN(LABEL_COLUMNS, picture_columns(picture, picture->width) / 3);
	for (guint i = 0; i < analysis->estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(analysis->estimates, i);
		g_autofree char *name = treatment_name(layout, row);
		g_autofree char *count = panel_count(row);

		left = MAX(left, label_columns(name));
		right = MAX(right, label_columns(count));
		if (!g_hash_table_contains(layout->looks, row->treatment))
			g_hash_table_insert(layout->looks, row->treatment,
					    GUINT_TO_POINTER(g_hash_table_size(layout->looks)));
	}
	layout->frame.left = (guint)((left + 3) * picture->column);
	layout->frame.right = (guint)((right + 3) * picture->column);
	layout->row_height = (layout->style->row_height + picture->line - 1) / picture->line * picture->line;
	if (picture->size != PICTURE_TEXT)
		layout->row_height = layout->style->row_height;
}

gboolean panels_draw(const struct analysis *analysis, const struct panel_style *style, const char *note,
		     struct picture *picture, GError **error)
{
	g_autoptr(GPtrArray) panels = panels_of(analysis), notes = notes_of(analysis, note);
	g_autoptr(GHashTable) looks = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree char *advice = g_strdup_printf(
	    "%u rows are more than a picture holds: choose with --metric, --workload or NAME=LEVEL",
	    analysis->estimates->len);
	struct layout layout = {
	    .style = style,
	    .picture = picture,
	    .looks = looks,
	    .frame = {.picture = picture, .n_panels = panels->len, .notes = notes, .advice = advice}};

	measure(&layout, analysis);
	layout.frame.height =
	    panels->len * (frame_title_height(picture) + frame_axis_height(picture)) +
	    analysis->estimates->len * layout.row_height;
	if (!frame_begin(&layout.frame, error))
		return FALSE;
	for (guint i = 0; i < panels->len; i++)
		panel_draw(&layout, g_ptr_array_index(panels, i));
	frame_end(&layout.frame);
	return TRUE;
}
