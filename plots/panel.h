#ifndef PANEL_H
#define PANEL_H

#include <glib.h>

#include "gnuplot.h"
#include "picture.h"

struct analysis;
struct estimate_row;

/* Charts of estimates: a panel for each workload x metric, since units differ, below each other; in it a row for each
 * treatment, named at the left, so that long names are readable, with n at the right; values along x. */

/* One treatment in one panel. The same treatment looks the same in every panel. */
struct panel_row {
	const struct estimate_row *estimate;
	double y;       /* its row, from 1 at the top, one unit a row */
	guint32 colour; /* 0xRRGGBB, of a palette that the colour-blind can tell apart */
	int shape;      /* gnuplot's point type */
};

struct panel_style {
	guint row_height; /* pixels */
	/* Widens [*low, *high] to what the row needs; false where it has nothing that can be drawn. */
	gboolean (*range)(const struct estimate_row *row, double *low, double *high);
	/* The marks of the rows (struct panel_row) that can be drawn, at least one. */
	void (*plot)(const GArray *rows, struct picture *picture, GString *elements);
};

/* "n = 5 in 3 boots, 2 failed", newly allocated. */
char *panel_count(const struct estimate_row *row);

/* Fills the picture; note explains the marks, one line. Usage errors: no estimate at all, too many panels or rows. */
gboolean panels_draw(const struct analysis *estimates, const struct panel_style *style, const char *note,
		     struct picture *picture, GError **error);

#endif
