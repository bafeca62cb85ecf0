#ifndef ROWS_H
#define ROWS_H

#include <glib.h>

#include "frame.h"

struct axis;
struct picture;

/* A picture of panels of rows: each has a name at the left, so that long ones are readable, a mark along x, and words
 * at the right. First rows_measure() for every row, then rows_begin(), and for each panel rows_panel(), rows_text() for
 * each row, rows_axis(), frame_plot(); in the end frame_end(). */
struct rows {
	struct frame frame;
	guint row_height;   /* pixels */
	guint left, right;  /* columns of the widest texts */
	guint name_columns; /* of a name that is longer it is cut */
	guint n_rows;
};

/* Begins an empty picture: row_height in pixels, as rounded to whole lines of a text. */
void rows_init(struct rows *rows, struct picture *picture, guint row_height);
void rows_measure(struct rows *rows, const char *name, const char *right);
/* notes: const char *, wrapped to the picture. Usage errors as of frame_begin(). */
gboolean rows_begin(struct rows *rows, guint n_panels, const GPtrArray *notes, GError **error);
void rows_panel(struct rows *rows, const char *title, guint n_rows);
/* Row y, from 1 at the top, one unit each. empty: why it has no mark; NULL where it has one. */
void rows_text(struct rows *rows, guint y, const char *name, const char *right, const char *empty);
/* The x axis, with a label of plain text. */
void rows_axis(struct rows *rows, const struct axis *axis, const char *label);
/* Columns of text for the numbers of the x axis. */
guint rows_columns(const struct rows *rows);

#endif
