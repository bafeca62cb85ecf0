#include "analyse.h"

#include <math.h>
#include <string.h>

#include "../stats/select.h"
#include "dataset.h"
#include "err.h"
#include "analyse_design.h"
#include "analyse_sample.h"
#include "analyse_series.h"
#include "analyse_treatment.h"
#include "analyse_variance.h"

static void estimate_row_free(struct estimate_row *row)
{
	g_free(row->treatment);
	g_array_unref(row->levels);
	g_array_unref(row->samples);
	g_array_unref(row->rows);
	g_array_unref(row->failed_rows);
	g_array_unref(row->outlying);
	g_free(row->variance);
	g_free(row);
}

static void describe_sample(struct estimate_row *row)
{
	guint n = row->samples->len;
	const double *x = (const double *)(gconstpointer)row->samples->data;
	g_autofree double *work = g_new(double, n + 1);

	row->summary = describe(x, n, work);
	/* one value has no spread, though its median absolute deviation is 0 */
	if (n < 2)
		row->summary.mad = NAN;
	if (n)
		memcpy(work, x, n * sizeof(double));
	row->q1 = quantile_select(work, n, 0.25);
	row->q3 = quantile_select(work, n, 0.75);
}

static void estimate_mean(struct estimate_row *row, const struct dataset *dataset, const struct sample *sample,
			  double level)
{
	const struct column *column = sample_replicate(dataset, &sample, 1);
	struct units units;
	const double *x;

	units_init(&units, sample, column, FALSE);
	x = (const double *)(gconstpointer)units.values->data;
	row->ci = mean_interval(x, units.values->len, level);
	row->flags |= series_flags(x, units.values->len);
	row->ci_method = !column ? "t" : column == dataset->boot ? "t-boot" : "t-sitting";
	/* the mean and its interval must speak of the same: each boot or sitting counts once */
	if (column)
		row->summary.mean = row->ci.value;
	units_clear(&units);
}

static GArray *failed_among(const struct dataset *dataset, const GArray *rows, guint n)
{
	GArray *failed = g_array_sized_new(FALSE, FALSE, sizeof(guint), n);

	for (guint i = 0; n && i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);

		if (!dataset_ok(dataset, row) && !dataset_skipped(dataset, row))
			g_array_append_val(failed, row);
	}
	return failed;
}

static struct estimate_row *estimate(const struct dataset *dataset, const struct treatment_group *group,
				     const char *workload, const struct values *values,
				     const struct analyse_options *options)
{
	struct estimate_row *row = g_new0(struct estimate_row, 1);
	struct sample sample;

	sample_init(&sample, dataset, group->rows, values);
	row->workload = text_kept(workload);
	row->metric = values->metric;
	row->treatment = g_strdup(group->name);
	row->levels = g_array_ref(group->levels);
	row->samples = g_array_ref(sample.values);
	row->rows = g_array_ref(sample.rows);
	row->failed_rows = failed_among(dataset, group->rows, sample.failed);
	row->n = sample.values->len;
	row->failed = sample.failed;
	describe_sample(row);
	row->flags = sample.flags;
	row->flags |= shape_flags((const double *)(gconstpointer)sample.values->data, row->n, &row->outliers);
	row->outlying = outlying_values((const double *)(gconstpointer)sample.values->data, row->n);
	estimate_mean(row, dataset, &sample, options->level);
	row->variance = variance_report_new(dataset, &sample, FALSE, options->margin_pct, options->level);
	if (row->n)
		row->flags |= row->summary.flags | row->ci.flags;
	if (facts_are_mixed(dataset, &sample, workload))
		row->flags |= FLAG_MIXED_FACTS;
	sample_clear(&sample);
	return row;
}

static void show_workload(struct analysis *analysis, const struct naming *naming, const struct workload_rows *workload,
			  const struct analyse_options *options)
{
	const struct dataset *dataset = naming->dataset;
	g_autoptr(GPtrArray) groups = treatments_of(naming, workload->rows);
	g_autoptr(GPtrArray) metrics =
	    choose_metrics(dataset, workload->rows, workload->name, options, options->primary_only);
	struct analyse_options all_metrics = *options;
	guint before = analysis->estimates->len;

	for (guint i = 0; i < metrics->len; i++)
		for (guint j = 0; j < groups->len; j++) {
			const struct treatment_group *group = g_ptr_array_index(groups, j);
			struct estimate_row *row =
			    estimate(dataset, group, workload->name, g_ptr_array_index(metrics, i), options);

			/* A treatment whose runs are complete but have no such metric has nothing to say about it. */
			if (!row->n && rows_have_ok_run(dataset, group->rows))
				estimate_row_free(row);
			else
				g_ptr_array_add(analysis->estimates, row);
		}
	/* complete runs without the metric that they were made for: then what they have */
	all_metrics.primary_only = FALSE;
	if (options->primary_only && analysis->estimates->len == before)
		show_workload(analysis, naming, workload, &all_metrics);
}

struct analysis *analyse_show(const struct dataset *dataset, const GArray *rows, const struct analyse_options *options,
			      GError **error)
{
	g_autoptr(GPtrArray) workloads = choose_workloads(dataset, rows, options, error);
	g_autoptr(Analysis) analysis = g_new0(struct analysis, 1);
	struct naming naming;

	if (!workloads)
		return NULL;
	naming_init(&naming, dataset, rows, NULL);
	analysis->level = options->level;
	analysis->margin_pct = options->margin_pct;
	analysis->estimates = g_ptr_array_new_with_free_func((GDestroyNotify)estimate_row_free);
	analysis->comparisons = g_ptr_array_new();
	for (guint i = 0; i < workloads->len; i++)
		show_workload(analysis, &naming, g_ptr_array_index(workloads, i), options);
	naming_clear(&naming);
	if (!analysis->estimates->len) {
		err_usage(error, "nothing to show: none of the metrics asked for was measured in these runs");
		return NULL;
	}
	return g_steal_pointer(&analysis);
}
