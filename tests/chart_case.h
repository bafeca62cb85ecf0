#ifndef CHART_CASE_H
#define CHART_CASE_H

/* What tests of charts share: an analysis made by hand, drawn with the real gnuplot, and read back. */

#include "check.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../plots/chart.h"
#include "../plots/gnuplot.h"
#include "../plots/label.h"
#include "../src/analyse.h"
#include "../src/err.h"
#include "../src/flag.h"
#include "svg.h"

static char folder[] = "/tmp/test_plots-XXXXXX";

static const struct metric bandwidth = {"bandwidth", "MB/s", BETTER_HIGHER, NULL};
static const struct metric elapsed = {"elapsed", "s", BETTER_LOWER, NULL};
static const struct metric cpu = {"cpu", "%", BETTER_NONE, NULL};

/* Charts compute nothing: what they are to show is put in by hand. */
struct row {
	const char *workload, *treatment;
	const struct metric *metric;
	guint n, failed;
	const double *samples;
	double mean, low, high;
	double min, q1, median, q3, max;
	flag_set flags;
	const char *ci_method;
};

static inline void free_row(gpointer data)
{
	struct estimate_row *row = data;

	g_array_unref(row->samples);
	g_free(row->treatment);
	g_free(row);
}

static inline void init(struct analysis *analysis)
{
	*analysis = (struct analysis){.level = 0.95, .margin_pct = 5};
	analysis->estimates = g_ptr_array_new_with_free_func(free_row);
}

static inline void clear(struct analysis *analysis)
{
	g_ptr_array_unref(analysis->estimates);
}

static inline void add(struct analysis *analysis, const struct row *from)
{
	struct estimate_row *row = g_new0(struct estimate_row, 1);

	row->workload = from->workload ? from->workload : "dd1";
	row->metric = from->metric ? *from->metric : bandwidth;
	row->treatment = g_strdup(from->treatment ? from->treatment : "6.1");
	row->n = from->n;
	row->failed = from->failed;
	row->summary = (struct description){
	    .n = from->n, .mean = from->mean, .median = from->median, .min = from->min, .max = from->max};
	row->q1 = from->q1;
	row->q3 = from->q3;
	row->ci =
	    (struct estimate){.value = from->mean, .low = from->low, .high = from->high, .level = 0.95, .n = from->n};
	row->flags = from->flags;
	row->ci_method = from->ci_method ? from->ci_method : "t";
	row->samples = g_array_new(FALSE, FALSE, sizeof(double));
	if (from->n)
		g_array_append_vals(row->samples, from->samples, from->n);
	g_ptr_array_add(analysis->estimates, row);
}

/* R: x <- c(14, 10, 18, 12, 16); t.test(x)$conf.int is 10.07352 17.92648; quantile(x) is 10 12 14 16 18. */
static const double five[] = {14, 10, 18, 12, 16};
#define FIVE                                                                                                           \
	.n = 5, .samples = five, .mean = 14, .low = 10.07352, .high = 17.92648, .min = 10, .q1 = 12, .median = 14,     \
	.q3 = 16, .max = 18

/* One value: no interval, all summaries are the value. */
#define ONE(value)                                                                                                     \
	.n = 1, .samples = &(const double){value}, .mean = (value), .low = -INFINITY, .high = INFINITY,                \
	.min = (value), .q1 = (value), .median = (value), .q3 = (value), .max = (value)

/* What analyse says of a treatment without one complete run. */
#define NOTHING                                                                                                        \
	.n = 0, .mean = NAN, .low = -INFINITY, .high = INFINITY, .min = NAN, .q1 = NAN, .median = NAN, .q3 = NAN,      \
	.max = NAN, .flags = FLAG_NO_DATA

#define ALIKE(count, array, value)                                                                                     \
	.n = (count), .samples = (array), .mean = (value), .low = (value), .high = (value), .min = (value),            \
	.q1 = (value), .median = (value), .q3 = (value), .max = (value)

/* Charts of estimates alone in turn; others have tests of their own. */
#define for_charts(chart)                                                                                              \
	for (const struct chart *const *chart = chart_table; *chart; chart++)                                          \
		if ((*chart)->needs == CHART_ESTIMATES)

/* An analysis made by hand, whatever it is of. */
static inline gboolean fill(const struct chart *chart, struct analysis *analysis, struct picture *picture,
			    GError **error)
{
	const struct chart_data data = {.estimates = analysis, .comparisons = analysis, .profiles = analysis};

	return chart->draw(&data, picture, error);
}

static inline char *draw_to(const struct chart *chart, const struct chart_data *data, const char *ending)
{
	char *path = g_strdup_printf("%s/picture.%s", folder, ending);
	g_autoptr(GError) error = NULL;
	g_autofree char *warnings = NULL;
	struct picture picture;
	gboolean ok;

	picture_init(&picture, PICTURE_PAGE);
	ok = chart->draw(data, &picture, &error) &&
	     gnuplot_run(&picture, &(struct gnuplot_arg){.output = path}, &warnings, &error);
	if (!ok)
		fail_msg("%s: %s", chart->name, error->message);
	if (warnings)
		fail_msg("%s: gnuplot warns: %s", chart->name, warnings);
	picture_clear(&picture);
	return path;
}

/* Draws both formats without a word from gnuplot and reads the SVG back. */
static inline void draw_data(const struct chart *chart, const struct chart_data *data, struct svg *svg)
{
	g_autofree char *png = draw_to(chart, data, "png");
	g_autofree char *path = draw_to(chart, data, "svg");
	g_autoptr(GError) error = NULL;

	if (!svg_read(path, svg, &error))
		fail_msg("%s: %s", chart->name, error->message);
}

static inline void draw(const struct chart *chart, struct analysis *analysis, struct svg *svg)
{
	draw_data(chart,
		  &(struct chart_data){.estimates = analysis, .comparisons = analysis, .profiles = analysis}, svg);
}

static inline void assert_shows(const struct svg *svg, const char *text, guint times)
{
	if (svg_count(svg, text) != times)
		fail_msg("'%s' is in the picture %u times, not %u", text, svg_count(svg, text), times);
}

static inline struct svg_mark mark(const struct svg *svg, guint i)
{
	return g_array_index(svg->marks, struct svg_mark, i);
}

static inline const struct chart *chart_named(const char *name)
{
	const struct chart *chart = chart_find(name, NULL);

	assert_non_null(chart);
	return chart;
}

static inline void remove_pictures(void)
{
	static const char *const names[] = {"picture.svg", "picture.png"};

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(folder, names[i], NULL);

		unlink(path);
	}
	rmdir(folder);
}

/* The tests' exit code: skipped without gnuplot. */
#define run_chart_tests(tests)                                                                                         \
	(chart_case_begin() ? chart_case_end(cmocka_run_group_tests(tests, NULL, NULL)) : EXIT_SKIPPED)

static inline gboolean chart_case_begin(void)
{
	g_autofree char *gnuplot = g_find_program_in_path("gnuplot");

	if (!gnuplot)
		puts("no gnuplot here");
	return gnuplot && mkdtemp(folder);
}

static inline int chart_case_end(int failed)
{
	remove_pictures();
	return failed;
}

#endif
