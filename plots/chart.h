#ifndef CHART_H
#define CHART_H

#include <glib.h>

struct analysis;
struct column;
struct dataset;
struct distribution;
struct effects_analysis;
struct estimate_row;
struct picture;
struct trend_analysis;

/* A chart draws what was found and computes nothing. To add one: a file chart_*.c that exports a struct chart, and a
 * row in chart.c. What charts share:
 *
 * - picture.h: texts, data, plot elements; look.h: colours and shapes; axis.h: ranges and divisions
 * - panel.h: estimates, their names and n; charts of a row for each treatment, values along x
 * - rows.h: other rows that are named at the left
 * - xy.h: points and lines over two axes, with a legend
 * - frame.h: panels of another kind
 *
 * tests/test_plots_hard.c draws each chart of files with what is hard to draw; chart_file.h there is for tests of its
 * own.
 */

/* What a chart draws from, bits. */
enum chart_needs {
	CHART_ESTIMATES = 1 << 0,     /* as show finds them, of primary metrics where none are named */
	CHART_COMPARISONS = 1 << 1,   /* as compare does: --by, --baseline, --margin */
	CHART_PROFILES = 1 << 2,      /* as calibrate does */
	CHART_EFFECTS = 1 << 3,       /* as effects does: --by F1[,F2] */
	CHART_TREND = 1 << 4,         /* as trend does: --order, --by */
	CHART_RUNS = 1 << 5,          /* the runs themselves */
	CHART_SERIES = 1 << 6,        /* what was seen in the course of the runs; with CHART_RUNS */
	CHART_FACTOR = 1 << 7,        /* the factor that --by names */
	CHART_DISTRIBUTIONS = 1 << 8, /* of the values of each estimate; with CHART_ESTIMATES */
	CHART_SCALE = 1 << 9,         /* these may be of logarithms: --scale */
	CHART_ALL_METRICS = 1 << 10   /* estimates of all metrics where none are named */
};

/* What it needs is there, all else is NULL. */
struct chart_data {
	struct analysis *estimates, *comparisons, *profiles;
	struct effects_analysis *effects;
	struct trend_analysis *trend;
	const struct dataset *runs; /* all that were loaded */
	const GArray *rows;         /* guint: those of them that are meant, in the order of the dataset */
	GPtrArray *series; /* struct run_series * (run_series.h), of the runs that have any, in the order of rows */
	const struct column *factor;
	GPtrArray *distributions; /* struct distribution * (analyse_distribution.h), in the order of estimates */
	gboolean is_log;
	gint64 run; /* that --run names by its number in the store or a file; 0: none */
};

/* The distribution of one of the estimates. */
const struct distribution *chart_distribution(const struct chart_data *data, const struct estimate_row *row);

struct chart {
	const char *name;
	const char *summary;
	guint needs; /* enum chart_needs */
	/* Fills an empty picture. Every text goes through picture_text() or gnuplot_quote(). Usage errors: nothing to
	 * plot, more than a picture holds. */
	gboolean (*draw)(const struct chart_data *data, struct picture *picture, GError **error);
};

extern const struct chart *const chart_table[]; /* ends with NULL */
/* A usage error that lists the charts where there is none of that name. */
const struct chart *chart_find(const char *name, GError **error);

#endif
