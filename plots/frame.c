#include "frame.h"

#include "../src/err.h"
#include "../src/flag.h"
#include "gnuplot.h"
#include "label.h"
#include "picture.h"

#define PANELS_MAX 40
#define MARGIN 16

guint frame_title_height(const struct picture *picture)
{
	return 2 * picture->line;
}

guint frame_axis_height(const struct picture *picture)
{
	return 3 * picture->line;
}

static GPtrArray *wrap(const struct frame *frame)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
	const struct picture *picture = frame->picture;
	/* letters of 11 points for 12 */
	double width = (picture->width - 2 * MARGIN) * (picture->size == PICTURE_TEXT ? 1 : 12 / 11.0);

	for (guint i = 0; i < frame->notes->len; i++)
		label_wrap(frame->notes->pdata[i], picture_columns(picture, width), lines);
	return lines;
}

gboolean frame_begin(struct frame *frame, GError **error)
{
	struct picture *picture = frame->picture;
	g_autofree char *left = NULL, *right = NULL;
	guint height;

	if (!frame->n_panels)
		return err_usage(error, "nothing to plot");
	if (frame->n_panels > PANELS_MAX)
		return err_usage(
		    error, "%u panels are more than the %d that a picture holds: choose with --metric or --workload",
		    frame->n_panels, PANELS_MAX);
	frame->foot = wrap(frame);
	height = frame->height + frame->foot->len * picture->line + MARGIN;
	if (!picture_fit(picture, height)) {
		g_clear_pointer(&frame->foot, g_ptr_array_unref);
		return err_usage(error, "%s", frame->advice);
	}
	/* a slide that became wider may need fewer lines for the notes: they then stand a little higher */
	frame->extra = picture->size == PICTURE_SLIDE ? (picture->height - height) / frame->n_panels : 0;
	frame->top = 0;
	left = picture_from_left(picture, frame->left);
	right = picture_from_left(picture, picture->width - frame->right);
	g_string_append_printf(picture->script,
			       "set multiplot\nunset key\nset border 3 lc rgb '#444444'\n"
			       "set lmargin at %s\nset rmargin at %s\n",
			       left, right);
	/* in letters a grid cannot be told from what is drawn, and ends of bars are as high as a row */
	g_string_append(picture->script,
			picture->size == PICTURE_TEXT ? "set bars 0\n" : "set grid lt 1 lc rgb '#dddddd'\n");
	return TRUE;
}

guint frame_panel(struct frame *frame, const char *title, guint head, guint height, guint foot)
{
	struct picture *picture = frame->picture;
	guint title_height = frame_title_height(picture), below_title = frame->top + title_height;
	g_autofree char *plot_top = picture_from_top(picture, below_title + head);
	g_autofree char *bottom = picture_from_top(picture, below_title + head + height + frame->extra);
	g_autofree char *left = picture_from_left(picture, frame->left);
	g_autofree char *middle = picture_from_top(picture, below_title - 0.75 * picture->line);
	g_autofree char *at = g_strdup_printf("%s, %s", left, middle);

	g_string_append_printf(picture->script,
			       "\nunset label\nunset arrow\nunset object\nset tmargin at %s\n"
			       "set bmargin at %s\n",
			       plot_top, bottom);
	/* letters of 14 points for 12 */
	picture_text(picture, title, picture_columns(picture, (picture->width - frame->left - MARGIN) / 1.2), at,
		     "left font ',14'");
	frame->top = below_title + head + height + frame->extra + foot;
	frame->n_panels--;
	return below_title;
}

void frame_x_label(struct frame *frame, const char *label)
{
	const struct picture *picture = frame->picture;
	/* it may be wider than the axis by the smaller margin on either side */
	double width = picture->width - (double)MAX(frame->left, frame->right) + MIN(frame->left, frame->right);
	g_autofree char *cut = label_cut(label, picture_columns(picture, width - 2 * picture->column));
	g_autofree char *quoted = gnuplot_quote(cut);

	g_string_append_printf(picture->script, "set xlabel %s noenhanced\n", quoted);
}

static void add_notes(struct frame *frame)
{
	struct picture *picture = frame->picture;
	guint top = picture->height - MARGIN / 2 - frame->foot->len * picture->line;
	g_autofree char *left = picture_from_left(picture, MARGIN);

	for (guint i = 0; i < frame->foot->len; i++) {
		g_autofree char *middle = picture_from_top(picture, top + (i + 0.5) * picture->line);
		g_autofree char *at = g_strdup_printf("%s, %s", left, middle);

		picture_text(picture, frame->foot->pdata[i], G_MAXUINT / 4, at, "left" PICTURE_GREY " font ',11'");
	}
}

void frame_plot(struct frame *frame, const GString *elements)
{
	if (!frame->n_panels)
		add_notes(frame);
	/* Without a mark a line outside of the range makes gnuplot draw the frame. */
	g_string_append_printf(frame->picture->script, "plot %s\n", elements->len ? elements->str : "NaN notitle");
}

void frame_end(struct frame *frame)
{
	g_string_append(frame->picture->script, "unset multiplot\n");
	g_clear_pointer(&frame->foot, g_ptr_array_unref);
}

void frame_add_caveats(GPtrArray *notes, guint64 flags)
{
	const flag_set shown = EST_TOO_FEW | EST_CONSTANT | FLAG_NO_DATA | FLAG_FAILURES;

	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (flags & ~shown & info->flag)
			g_ptr_array_add(notes, g_strdup_printf("Caveat: %s (%s).", info->text, info->name));
}
