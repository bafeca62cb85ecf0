#include "rows.h"

#include "axis.h"
#include "label.h"
#include "picture.h"

#define NAME_COLUMNS 40
#define UNCUT (G_MAXUINT / 4)

void rows_init(struct rows *rows, struct picture *picture, guint row_height)
{
	guint line = picture->line;

	*rows = (struct rows){
	    .frame = {.picture = picture},
	    .row_height = picture->size == PICTURE_TEXT ? (row_height + line - 1) / line * line : row_height,
	    .left = 10,
	    .right = 8,
	    .name_columns = MIN(NAME_COLUMNS, picture_columns(picture, picture->width) / 3),
	};
}

/* In a text gnuplot's frame reaches half a line beyond, which must not be the title's. */
static guint head_height(const struct picture *picture)
{
	return picture->size == PICTURE_TEXT ? picture->line : 0;
}

void rows_measure(struct rows *rows, const char *name, const char *right)
{
	g_autofree char *cut = label_cut(name, rows->name_columns), *printable = label_cut(right, UNCUT);

	rows->left = MAX(rows->left, text_width(cut));
	rows->right = MAX(rows->right, text_width(printable));
	rows->n_rows++;
}

gboolean rows_begin(struct rows *rows, guint n_panels, const GPtrArray *notes, GError **error)
{
	struct frame *frame = &rows->frame;
	const struct picture *picture = frame->picture;
	g_autofree char *advice = g_strdup_printf(
	    "%u rows are more than a picture holds: choose with --metric, --workload or NAME=LEVEL", rows->n_rows);
	gboolean ok;

	frame->left = (guint)((rows->left + 3) * picture->column);
	frame->right = (guint)((rows->right + 3) * picture->column);
	frame->n_panels = n_panels;
	frame->notes = notes;
	frame->advice = advice;
	frame->height = n_panels * (frame_title_height(picture) + head_height(picture) + frame_axis_height(picture)) +
			rows->n_rows * rows->row_height;
	ok = frame_begin(frame, error);
	frame->advice = NULL;
	return ok;
}

void rows_panel(struct rows *rows, const char *title, guint n_rows)
{
	struct picture *picture = rows->frame.picture;

	frame_panel(&rows->frame, title, head_height(picture), n_rows * rows->row_height, frame_axis_height(picture));
	g_string_append_printf(picture->script, "unset ytics\nset yrange [%u.5:0.5]\n", n_rows);
}

void rows_text(struct rows *rows, guint y, const char *name, const char *right, const char *empty)
{
	struct picture *picture = rows->frame.picture;
	g_autofree char *at_left = g_strdup_printf("graph 0, first %u", y);
	g_autofree char *at_right = g_strdup_printf("graph 1, first %u", y);
	g_autofree char *middle = g_strdup_printf("graph 0.5, first %u", y);

	picture_text(picture, name, rows->name_columns, at_left, "right offset -1,0");
	picture_text(picture, right, UNCUT, at_right, "left offset 1,0" PICTURE_GREY);
	if (empty)
		picture_text(picture, empty, UNCUT, middle, "center" PICTURE_GREY);
}

guint rows_columns(const struct rows *rows)
{
	const struct picture *picture = rows->frame.picture;

	return picture_columns(picture, (double)picture->width - rows->frame.left - rows->frame.right);
}

void rows_axis(struct rows *rows, const struct axis *axis, const char *label)
{
	axis_set(axis, 'x', rows->frame.picture->script);
	frame_x_label(&rows->frame, label);
}
