#include "analyse_distribution.h"

#include <math.h>

#include "../stats/density.h"
#include "../stats/sort.h"
#include "analyse.h"
#include "err.h"

#define STEP 0.25 /* of the bandwidth, from one point of the density to the next */
#define REACH 4.0 /* of it, beyond which a value's part of the density cannot be seen */

void distribution_free(struct distribution *distribution)
{
	g_array_unref(distribution->values);
	g_array_unref(distribution->scores);
	g_array_unref(distribution->bins);
	g_array_unref(distribution->density);
	g_free(distribution);
}

static double value_at(const GArray *values, guint i)
{
	return g_array_index(values, double, i);
}

static void add_bins(struct distribution *distribution)
{
	const GArray *values = distribution->values;
	double low = value_at(values, 0), high = value_at(values, values->len - 1);
	guint n = (guint)histogram_bins((const double *)(gconstpointer)values->data, values->len);

	distribution->bin_width = high / n - low / n;
	g_array_set_size(distribution->bins, n);
	for (guint i = 0; i < values->len; i++) {
		guint bin = MIN(n - 1, (guint)((value_at(values, i) - low) / distribution->bin_width));

		g_array_index(distribution->bins, double, bin) += 1 / distribution->bin_width / values->len;
	}
}

/* Where no value is near there are no points between the ends of what is near one. */
static void add_density(struct distribution *distribution)
{
	const GArray *values = distribution->values;
	double width = distribution->bandwidth, at = value_at(values, 0) - REACH * width;
	guint next = 0; /* the first value that the point may not yet have left behind */

	while (next < values->len) {
		struct density_point point = {
		    at, density_at((const double *)(gconstpointer)values->data, values->len, width, at)};

		g_array_append_val(distribution->density, point);
		/* a step that is less than the rounding of a large value would go nowhere */
		at = fmax(at + STEP * width, nextafter(at, INFINITY));
		while (next < values->len && value_at(values, next) + REACH * width < at)
			next++;
		if (next < values->len)
			at = fmax(at, value_at(values, next) - REACH * width);
	}
}

/* scale: the values, or their logarithms. */
static void add_scores(struct distribution *distribution, const double *scale, gboolean is_log)
{
	guint n = distribution->values->len;
	double intercept, slope, score;

	normal_line(scale, n, &intercept, &slope);
	for (guint i = 0; i < n; i++) {
		score = normal_score(i, n);
		g_array_append_val(distribution->scores, score);
	}
	for (guint i = 0; i < 2; i++) {
		score = n ? value_at(distribution->scores, i ? n - 1 : 0) : NAN;
		distribution->line[i] = intercept + slope * score;
		if (is_log)
			distribution->line[i] = exp(distribution->line[i]);
	}
}

struct distribution *distribution_of(const struct estimate_row *row, gboolean is_log, GError **error)
{
	struct distribution *distribution = g_new0(struct distribution, 1);
	GArray *values = g_array_copy(row->samples);
	double *x = (double *)(gpointer)values->data;
	g_autofree double *logs = g_new(double, values->len + 1);

	sort_values(x, values->len);
	distribution->values = values;
	distribution->scores = g_array_new(FALSE, FALSE, sizeof(double));
	distribution->bins = g_array_new(FALSE, TRUE, sizeof(double));
	distribution->density = g_array_new(FALSE, FALSE, sizeof(struct density_point));
	if (is_log && values->len && !(x[0] > 0)) {
		distribution_free(distribution);
		err_usage(error,
			  "--scale log: a value of '%s' is zero or negative and has no logarithm: use --scale raw",
			  row->metric.name);
		return NULL;
	}
	for (guint i = 0; is_log && i < values->len; i++)
		logs[i] = log(x[i]);
	add_scores(distribution, is_log ? logs : x, is_log);
	distribution->bandwidth = values->len > 1 ? bandwidth_nrd0(x, values->len) : 0;
	if (distribution->bandwidth > 0) {
		add_bins(distribution);
		add_density(distribution);
	}
	return distribution;
}
