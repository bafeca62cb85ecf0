#ifndef CHART_H
#define CHART_H

#include <glib.h>

struct analysis;
struct picture;

/* One chart. A file chart_*.c exports one, chart.c has a row for each. */
struct chart {
	const char *name;
	const char *summary;
	gboolean of_profiles; /* draws analysis->profiles; else analysis->estimates */
	/* Fills an empty picture. Every text goes through gnuplot_quote(). Usage errors: nothing to plot, more than a
	 * picture holds. */
	gboolean (*draw)(const struct analysis *analysis, struct picture *picture, GError **error);
};

extern const struct chart *const chart_table[]; /* ends with NULL */
/* A usage error that lists the charts where there is none of that name. */
const struct chart *chart_find(const char *name, GError **error);

#endif
