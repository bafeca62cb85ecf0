#ifndef PANEL_H
#define PANEL_H

#include <glib.h>

#include "gnuplot.h"

struct analysis;
struct estimate_row;

/* Charts of estimates: a panel for each workload x metric, since units differ, below each other; in it a row for each
 * treatment, named at the left, so that long names are readable, with n at the right; values along x. */

#define PANELS_MAX 40
#define PANEL_HEIGHT_MAX 20000 /* pixels of a whole picture; cairo draws up to 32767 */

/* One treatment in one panel. The same treatment looks the same in every panel. */
struct panel_row {
	const struct estimate_row *estimate;
	double y;       /* its row, from 1 at the top, one unit a row */
	guint32 colour; /* 0xRRGGBB, of a palette that the colour-blind can tell apart */
	int shape;      /* gnuplot's point type */
};

/* The plot elements of the panel being drawn. */
struct panel_plot {
	struct picture *picture;
	GString *elements;
};

/* Adds the records (lines of numbers) as a block of data, and a plot element that reads them: style is all that follows
 * "using" in gnuplot's words. Nothing where there is no record. comment names the columns. */
void panel_plot_add(struct panel_plot *plot, const GString *records, const char *comment, const char *style);

/* Appends numbers as one record, all digits, whatever the locale. */
void panel_record(GString *records, const double *value, guint n);

struct panel_style {
	guint row_height; /* pixels */
	/* Widens [*low, *high] to what the row needs; false where it has nothing that can be drawn. */
	gboolean (*range)(const struct estimate_row *row, double *low, double *high);
	/* The marks of the rows (struct panel_row) that can be drawn, at least one. */
	void (*plot)(const GArray *rows, struct panel_plot *plot);
};

/* Widens [*low, *high] to value; false where no axis can hold it. */
gboolean panel_widen(double value, double *low, double *high);

/* Fills the picture; note explains the marks, one line. Usage errors: no estimate at all, too many panels or rows. */
gboolean panels_draw(const struct analysis *analysis, const struct panel_style *style, const char *note,
		     struct picture *picture, GError **error);

#endif
