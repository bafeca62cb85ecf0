#ifndef PANEL_H
#define PANEL_H

#include <glib.h>

#include "../src/metric.h"
#include "picture.h"

struct analysis;
struct estimate_row;

/* Charts of estimates: a panel for each workload x metric, since units differ, below each other. */

struct panel {
	const char *workload;
	struct metric metric;
	GPtrArray *rows; /* const struct estimate_row * */
};
/* In order of appearance: struct panel *. */
GPtrArray *panels_of(const struct analysis *estimates);
const char *panel_title(const struct panel *panel); /* the workload, or where there is none the metric */

const char *panel_treatment(const struct estimate_row *row); /* its name, never empty */
/* "n = 5 in 3 boots, 2 failed", newly allocated: runs, what they were put together by for the interval, failures. */
char *panel_count(const struct estimate_row *row);
/* Name and count for a legend, and whether all runs are alike: "6.12 (n = 5, all alike)"; newly allocated. */
char *panel_legend(const struct estimate_row *row);

/* note, and after it the caveats that some estimate carries and no chart shows in another way; char *. */
GPtrArray *panels_notes(const struct analysis *estimates, const char *note);

/* Charts that have, in each panel, a row for each treatment with n at the right, and values along x. */

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

/* Fills the picture; note explains the marks, one line. Usage errors: no estimate at all, too many panels or rows. */
gboolean panels_draw(const struct analysis *estimates, const struct panel_style *style, const char *note,
		     struct picture *picture, GError **error);

#endif
