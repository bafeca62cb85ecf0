#ifndef CHART_H
#define CHART_H

#include <glib.h>

struct analysis;

/* One chart. A file chart_*.c exports one, chart.c has a row for each. */
struct chart {
	const char *name;
	const char *summary;
	/* Writes the plot commands (not the terminal and output) to script and the data blocks they read to data; both are
	 * files beside each other, the data's name is data.dat. Every text goes through gnuplot_quote(). */
	void (*draw)(const struct analysis *analysis, GString *script, GString *data);
};

extern const struct chart *const chart_table[]; /* ends with NULL */
const struct chart *chart_find(const char *name, GError **error);

#endif
