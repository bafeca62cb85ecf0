#include "analyse_trend.h"

#include <math.h>

#include "../stats/autocorrelation.h"
#include "../stats/change_between.h"
#include "../stats/describe.h"
#include "../stats/edivisive.h"
#include "../stats/moments.h"
#include "../stats/ttest.h"
#include "analyse.h"
#include "analyse_sample.h"
#include "analyse_treatment.h"
#include "dataset.h"
#include "err.h"
#include "names.h"
#include "operand.h"
#include "shared.h"

#define AUTOCORRELATED_P 0.05
#define LONG_SERIES 10000 /* PELT takes the square of it where nothing changes: seconds */

static void trend_change_free(struct trend_change *change)
{
	g_free(change->at);
	g_free(change);
}

static void trend_series_free(struct trend_series *series)
{
	g_free(series->treatment);
	g_array_unref(series->levels);
	g_array_unref(series->values);
	g_ptr_array_unref(series->labels);
	g_array_unref(series->starts);
	g_array_unref(series->segments);
	g_ptr_array_unref(series->changes);
	g_free(series);
}

void trend_analysis_free(struct trend_analysis *analysis)
{
	if (!analysis)
		return;
	g_ptr_array_unref(analysis->series);
	g_free(analysis);
}

static const double *data(const GArray *values)
{
	return (const double *)(gconstpointer)values->data;
}

/* Rows in the order of the labels, those of one label as they were run; rows with none of these labels are left out. */
static GArray *rows_in_order(const GArray *rows, const struct trend_options *trend)
{
	GArray *ordered;

	if (!trend->order)
		return g_array_copy(shared(rows));
	ordered = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < trend->order->len; i++)
		for (guint j = 0; j < rows->len; j++) {
			guint row = g_array_index(rows, guint, j);

			if (g_strcmp0(column_get(trend->labels, row), g_ptr_array_index(trend->order, i)) == 0)
				g_array_append_val(ordered, row);
		}
	return ordered;
}

/* Where the runs of each label begin. */
static GArray *starts_of(const struct sample *sample, const struct column *labels)
{
	GArray *starts = g_array_new(FALSE, FALSE, sizeof(gsize));

	for (gsize i = 0; i < sample->rows->len; i++)
		if (i == 0 || column_get(labels, g_array_index(sample->rows, guint, i)) !=
				  column_get(labels, g_array_index(sample->rows, guint, i - 1)))
			g_array_append_val(starts, i);
	return starts;
}

static GArray *changes_of_short(const double *x, gsize n)
{
	g_autofree void *work = g_malloc(change_points_bytes(n));
	GArray *changes = g_array_new(FALSE, FALSE, sizeof(struct change));

	g_array_set_size(changes, (guint)n);
	g_array_set_size(changes, (guint)change_points(x, n, &change_settings_usual,
						       (struct change *)(gpointer)changes->data, n, work));
	return changes;
}

/* Of a series too long to be searched value by value by the means of so many neighbours that LONG_SERIES are left, and
 * the place of each change by the values around it. */
static GArray *changes_anywhere(const double *x, gsize n)
{
	gsize size = (n + LONG_SERIES - 1) / LONG_SERIES, least = 0;
	g_autofree double *means = NULL;
	GArray *changes;

	if (size < 2)
		return changes_of_short(x, n);
	means = g_new(double, n / size);
	for (gsize i = 0; i < n / size; i++)
		means[i] = moments(x + i * size, size, 0).mean;
	changes = changes_of_short(means, n / size);
	for (guint i = 0; i < changes->len; i++) {
		struct change *change = &g_array_index(changes, struct change, i);
		gsize from = MAX((change->index - 1) * size, least), to = MIN((change->index + 1) * size, n);
		g_autofree void *work = g_malloc(edivisive_bytes(to - from));

		change->index = from + best_split(x + from, to - from, 2, work).index;
		least = change->index;
	}
	return changes;
}

/* Of long series by the means of labels, whose indices become those of runs. */
static GArray *changes_of_means(const double *x, gsize n, const GArray *starts)
{
	g_autofree double *means = g_new(double, starts->len);
	GArray *changes;

	for (guint i = 0; i < starts->len; i++) {
		gsize from = g_array_index(starts, gsize, i);
		gsize to = i + 1 < starts->len ? g_array_index(starts, gsize, i + 1) : n;

		means[i] = moments(x + from, to - from, 0).mean;
	}
	changes = changes_anywhere(means, starts->len);
	for (guint i = 0; i < changes->len; i++) {
		struct change *change = &g_array_index(changes, struct change, i);

		change->index = g_array_index(starts, gsize, change->index);
	}
	return changes;
}

static GArray *changes_between(const double *x, gsize n, const GArray *starts)
{
	g_autofree void *work = NULL;
	GArray *changes;

	if (n > CHANGE_EDIVISIVE_UP_TO)
		return changes_of_means(x, n, starts);
	work = g_malloc(change_between_bytes(n, starts->len));
	changes = g_array_new(FALSE, FALSE, sizeof(struct change));
	g_array_set_size(changes, starts->len);
	g_array_set_size(changes, (guint)change_between(x, n, (const size_t *)(gconstpointer)starts->data, starts->len,
							&change_settings_usual,
							(struct change *)(gpointer)changes->data, starts->len, work));
	return changes;
}

static gboolean all_positive(const double *x, gsize n)
{
	for (gsize i = 0; i < n; i++)
		if (!(x[i] > 0))
			return FALSE;
	return TRUE;
}

/* Whether the interval leaves out "no difference", and on which side: the sign. */
static int side_of(double low, double high, double none)
{
	return low > none ? 1 : high < none ? -1 : 0;
}

/* x: the nx runs before the change, and after them the ny ones up to the next. */
static void compare_sides(struct trend_change *change, const struct metric *metric, const double *x, gsize nx, gsize ny,
			  double level)
{
	g_autofree double *work = g_new(double, nx + ny);
	struct contrast raw = welch(x, nx, x + nx, ny), logs;
	int side;

	change->difference = (struct interval_estimate){.estimate = raw.estimate, .level = level, .method = "welch"};
	contrast_interval(&raw, level, &change->difference.low, &change->difference.high);
	side = side_of(change->difference.low, change->difference.high, 0);
	change->ratio = (struct interval_estimate){.estimate = NAN, .low = NAN, .high = NAN, .level = level};
	if (all_positive(x, nx + ny)) {
		logs = welch_log(x, nx, x + nx, ny, work);
		contrast_interval(&logs, level, &change->ratio.low, &change->ratio.high);
		side = side_of(change->ratio.low, change->ratio.high, 0);
		change->ratio.estimate = exp(logs.estimate);
		change->ratio.low = exp(change->ratio.low);
		change->ratio.high = exp(change->ratio.high);
		change->ratio.method = "welch-log";
	}
	change->verdict = side == 0 || metric->better == BETTER_NONE        ? VERDICT_CHANGED
			  : (side > 0) == (metric->better == BETTER_HIGHER) ? VERDICT_BETTER
									    : VERDICT_WORSE;
}

static char *place_of(const struct dataset *dataset, guint row, guint index, const struct trend_options *trend)
{
	gint64 started_us = dataset_started_us(dataset, row);
	g_autoptr(GDateTime) start = started_us ? g_date_time_new_from_unix_utc(started_us / G_USEC_PER_SEC) : NULL;

	if (trend->order)
		return g_strdup(column_get(trend->labels, row));
	return start ? g_date_time_format(start, "%Y-%m-%dT%H:%M:%SZ") : g_strdup_printf("run %u", index + 1);
}

static void add_changes(struct trend_series *series, const struct dataset *dataset, const struct sample *sample,
			const GArray *found, const struct trend_options *trend, double level)
{
	g_autoptr(GPtrArray) labels = levels_among(trend->labels, sample->rows);
	gboolean is_varied = labels->len > 1;

	for (guint i = 0; i < found->len; i++) {
		const struct change *at = &g_array_index(found, struct change, i);
		gsize from = i ? g_array_index(found, struct change, i - 1).index : 0;
		gsize to = i + 1 < found->len ? g_array_index(found, struct change, i + 1).index : sample->values->len;
		struct trend_change *change = g_new0(struct trend_change, 1);
		guint row = g_array_index(sample->rows, guint, at->index);

		change->index = (guint)at->index;
		change->at = place_of(dataset, row, change->index, trend);
		change->label = is_varied ? column_get(trend->labels, row) : NULL;
		change->p = at->p;
		change->n_before = (guint)(at->index - from);
		change->n_after = (guint)(to - at->index);
		change->before = moments(data(sample->values) + from, change->n_before, 0).mean;
		change->after = moments(data(sample->values) + at->index, change->n_after, 0).mean;
		compare_sides(change, &series->metric, data(sample->values) + from, change->n_before, change->n_after,
			      level);
		g_ptr_array_add(series->changes, change);
	}
}

static void add_segments(struct trend_series *series, double level)
{
	struct trend_segment segment = {0};

	for (guint i = 0; i <= series->changes->len && series->values->len; i++) {
		guint to = i < series->changes->len
			       ? ((const struct trend_change *)g_ptr_array_index(series->changes, i))->index
			       : series->values->len;

		segment.n = to - segment.from;
		segment.mean = mean_interval(data(series->values) + segment.from, segment.n, level);
		g_array_append_val(series->segments, segment);
		segment.from = to;
	}
}

/* Of what is left when each stretch between changes has lost its mean. */
static void measure_autocorrelation(struct trend_series *series)
{
	guint n = series->values->len;
	g_autofree double *rest = g_new(double, n + 1);
	struct test test;

	for (guint i = 0, next = 0; i < n; i++) {
		const struct trend_change *change;
		double mean;

		while (next < series->changes->len &&
		       ((const struct trend_change *)g_ptr_array_index(series->changes, next))->index <= i)
			next++;
		change = series->changes->len ? g_ptr_array_index(series->changes, next ? next - 1 : 0) : NULL;
		mean = change ? (next ? change->after : change->before) : 0;
		rest[i] = g_array_index(series->values, double, i) - mean;
	}
	test = lag_one(rest, n);
	series->lag_one = test.statistic;
	series->is_autocorrelated = test.statistic > 0 && test.p < AUTOCORRELATED_P;
}

static struct trend_series *series_of(const struct dataset *dataset, const struct treatment_group *group,
				      const struct values *values, const struct trend_options *trend, double level)
{
	struct trend_series *series = g_new0(struct trend_series, 1);
	g_autoptr(GArray) rows = rows_in_order(group->rows, trend), found = NULL;
	struct sample sample;

	sample_init(&sample, dataset, rows, values);
	series->metric = values->metric;
	series->treatment = g_strdup(group->name);
	series->levels = g_array_ref(group->levels);
	series->values = g_array_ref(sample.values);
	series->failed = sample.failed;
	series->flags = sample.flags;
	series->changes = g_ptr_array_new_with_free_func((GDestroyNotify)trend_change_free);
	series->labels = g_ptr_array_new();
	series->segments = g_array_new(FALSE, FALSE, sizeof(struct trend_segment));
	series->starts = trend->order ? starts_of(&sample, trend->labels) : g_array_new(FALSE, FALSE, sizeof(gsize));
	series->n_labels = series->starts->len;
	for (guint i = 0; i < series->n_labels; i++) {
		gsize start = g_array_index(series->starts, gsize, i);

		names_add(series->labels, column_get(trend->labels, g_array_index(sample.rows, guint, start)));
	}
	found = trend->order ? changes_between(data(sample.values), sample.values->len, series->starts)
			     : changes_anywhere(data(sample.values), sample.values->len);
	add_changes(series, dataset, &sample, found, trend, level);
	add_segments(series, level);
	measure_autocorrelation(series);
	sample_clear(&sample);
	return series;
}

static void add_workload(struct trend_analysis *analysis, const struct naming *naming,
			 const struct workload_rows *workload, const struct trend_options *trend,
			 const struct analyse_options *options)
{
	g_autoptr(GPtrArray) groups = treatments_of(naming, workload->rows);
	g_autoptr(GPtrArray) metrics = choose_metrics(naming->dataset, workload->rows, workload->name, options, TRUE);

	for (guint i = 0; i < metrics->len; i++)
		for (guint j = 0; j < groups->len; j++) {
			struct trend_series *series = series_of(naming->dataset, g_ptr_array_index(groups, j),
								g_ptr_array_index(metrics, i), trend, options->level);

			series->workload = text_kept(workload->name);
			g_ptr_array_add(analysis->series, series);
		}
}

struct trend_analysis *analyse_trend(const struct dataset *dataset, const GArray *rows,
				     const struct trend_options *trend, const struct analyse_options *options,
				     GError **error)
{
	g_autoptr(GPtrArray) workloads = choose_workloads(dataset, rows, options, error);
	g_autoptr(TrendAnalysis) analysis = NULL;
	struct naming naming;

	if (!workloads)
		return NULL;
	naming_init(&naming, dataset, rows, trend->labels);
	analysis = g_new0(struct trend_analysis, 1);
	analysis->level = options->level;
	analysis->by_label = trend->order != NULL;
	analysis->series = g_ptr_array_new_with_free_func((GDestroyNotify)trend_series_free);
	for (guint i = 0; i < workloads->len; i++)
		add_workload(analysis, &naming, g_ptr_array_index(workloads, i), trend, options);
	naming_clear(&naming);
	if (analysis->series->len)
		return g_steal_pointer(&analysis);
	err_usage(error, "no series to look at: none of the metrics asked for was measured in these runs");
	return NULL;
}
