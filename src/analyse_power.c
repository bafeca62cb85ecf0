#include "analyse_power.h"

#include <math.h>

#include "../stats/moments.h"
#include "../stats/power.h"
#include "analyse.h"
#include "analyse_sample.h"
#include "analyse_treatment.h"
#include "dataset.h"
#include "err.h"

#define SIDES 2
#define NEEDED_MIN 3 /* fewer are never tested */

static const double sizes[] = {3, 5, 10, 20, 30};

static void power_row_free(struct power_row *row)
{
	g_free(row->treatment);
	if (row->levels)
		g_array_unref(row->levels);
	g_array_unref(row->points);
	g_free(row);
}

void power_analysis_free(struct power_analysis *analysis)
{
	if (!analysis)
		return;
	g_ptr_array_unref(analysis->rows);
	g_free(analysis);
}

static struct power_analysis *analysis_new(const struct power_options *power, double level)
{
	struct power_analysis *analysis = g_new0(struct power_analysis, 1);

	analysis->level = level;
	analysis->power = power->power;
	analysis->detect_pct = power->detect_pct;
	analysis->rows = g_ptr_array_new_with_free_func((GDestroyNotify)power_row_free);
	return analysis;
}

/* A difference in % as the scale of the row has it, and back. */
static double delta_of(const struct power_row *row, double percent)
{
	return row->is_raw ? percent / 100 : log1p(percent / 100);
}

static double percent_of(const struct power_row *row, double delta)
{
	return row->is_raw ? 100 * delta : 100 * expm1(delta);
}

static void add_point(struct power_row *row, double n, const struct power_analysis *analysis)
{
	double alpha = 1 - analysis->level, delta = delta_of(row, analysis->detect_pct);
	struct power_point point = {
	    .n = n,
	    .detectable_pct = percent_of(row, power_detectable(n, row->cv, alpha, analysis->power, POWER_UNPAIRED)),
	    .power = power_t(n, delta, row->cv, alpha, POWER_UNPAIRED),
	    .cost_s = SIDES * n * row->run_s};

	g_array_append_val(row->points, point);
}

/* All that follows from n, cv and run_s. */
static void settle(struct power_row *row, const struct power_analysis *analysis)
{
	double alpha = 1 - analysis->level, delta = delta_of(row, analysis->detect_pct);
	gboolean is_added = FALSE;

	row->points = g_array_new(FALSE, FALSE, sizeof(struct power_point));
	row->detectable_pct =
	    percent_of(row, power_detectable(row->n, row->cv, alpha, analysis->power, POWER_UNPAIRED));
	row->runs_needed = row->runs_needed_90 = row->cost_s = NAN;
	if (!(row->cv > 0)) {
		row->detectable_pct = NAN;
		return;
	}
	row->runs_needed = fmax(ceil(power_n(delta, row->cv, alpha, analysis->power, POWER_UNPAIRED)), NEEDED_MIN);
	row->runs_needed_90 = fmax(ceil(power_n(delta, row->cv, alpha, 0.9, POWER_UNPAIRED)), NEEDED_MIN);
	row->cost_s = SIDES * row->runs_needed * row->run_s;
	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
		if (!is_added && row->runs_needed <= sizes[i]) {
			is_added = TRUE;
			if (row->runs_needed < sizes[i])
				add_point(row, row->runs_needed, analysis);
		}
		add_point(row, sizes[i], analysis);
	}
	if (!is_added && isfinite(row->runs_needed))
		add_point(row, row->runs_needed, analysis);
}

static void measure_spread(struct power_row *row, const struct dataset *dataset, const struct sample *sample)
{
	const struct column *column = sample_replicate(dataset, &sample, 1);
	g_autofree double *values = NULL;
	struct units units;
	struct moments m;

	row->is_raw = !sample_is_positive(sample);
	units_init(&units, sample, column, !row->is_raw);
	row->unit = !column ? "run" : column == dataset->boot ? "boot" : "sitting";
	row->n = units.values->len;
	values = g_new(double, row->n + 1);
	for (guint i = 0; i < row->n; i++) {
		double value = g_array_index(units.values, double, i);

		values[i] = row->is_raw ? value : log(value);
	}
	m = moments(values, row->n, !row->is_raw);
	row->cv = row->is_raw ? m.sd / fabs(m.mean) : m.sd;
	if (row->n)
		row->flags |= m.flags | (row->is_raw ? EST_NOT_POSITIVE : 0);
	units_clear(&units);
}

/* Mean time from the start of a run of the workload to the start of the next run of its sitting, whatever that is; 0
 * where no such start is known. */
static double mean_gap_s(const struct dataset *dataset, const char *workload)
{
	double sum = 0;
	guint n = 0;

	for (guint row = 0; row + 1 < dataset->n_runs; row++) {
		gint64 start = dataset_started_us(dataset, row), next = dataset_started_us(dataset, row + 1);

		if (!start || next <= start || !dataset_ok(dataset, row) ||
		    !g_str_equal(row_workload(dataset, row), workload) ||
		    g_strcmp0(column_get(dataset->sitting, row), column_get(dataset->sitting, row + 1)) != 0)
			continue;
		sum += (double)(next - start) / 1e6;
		n++;
	}
	return n ? sum / n : 0;
}

/* Mean of the metric elapsed of the runs of one workload; NaN where there is none. */
static double mean_elapsed_s(const struct dataset *dataset, const GArray *rows)
{
	const struct values *elapsed = dataset_find_metric(dataset, run_metrics[RUN_ELAPSED].name);
	struct sample sample;
	double mean;

	if (!elapsed || !g_str_equal(elapsed->metric.unit, run_metrics[RUN_ELAPSED].unit))
		return NAN;
	sample_init(&sample, dataset, rows, elapsed);
	mean = moments((const double *)(gconstpointer)sample.values->data, sample.values->len, 0).mean;
	sample_clear(&sample);
	return mean;
}

/* The machine time of one replicate: boots and sittings hold several runs. */
static double replicate_s(const struct power_row *row, double run_s, guint n_runs)
{
	return row->n ? run_s * n_runs / row->n : run_s;
}

static void add_row(struct power_analysis *analysis, const struct dataset *dataset, const char *workload,
		    const struct treatment_group *group, const struct values *values, double run_s)
{
	struct power_row *row = g_new0(struct power_row, 1);
	struct sample sample;

	sample_init(&sample, dataset, group->rows, values);
	row->workload = text_kept(workload);
	row->metric = values->metric;
	row->treatment = g_strdup(group->name);
	row->levels = g_array_ref(group->levels);
	row->failed = sample.failed;
	row->flags = sample.flags;
	measure_spread(row, dataset, &sample);
	row->run_s = replicate_s(row, run_s, sample.values->len);
	settle(row, analysis);
	g_ptr_array_add(analysis->rows, row);
	sample_clear(&sample);
}

static void add_workload(struct power_analysis *analysis, const struct naming *naming,
			 const struct workload_rows *workload, const struct analyse_options *options)
{
	const struct dataset *dataset = naming->dataset;
	g_autoptr(GPtrArray) groups = treatments_of(naming, workload->rows);
	g_autoptr(GPtrArray) metrics = choose_metrics(dataset, workload->rows, workload->name, options, TRUE);
	double run_s = mean_gap_s(dataset, workload->name);

	if (run_s == 0)
		run_s = mean_elapsed_s(dataset, workload->rows);
	for (guint i = 0; i < metrics->len; i++)
		for (guint j = 0; j < groups->len; j++)
			add_row(analysis, dataset, workload->name, g_ptr_array_index(groups, j),
				g_ptr_array_index(metrics, i), run_s);
}

struct power_analysis *analyse_power(const struct dataset *dataset, const GArray *rows,
				     const struct power_options *power, const struct analyse_options *options,
				     GError **error)
{
	g_autoptr(GPtrArray) workloads = choose_workloads(dataset, rows, options, error);
	g_autoptr(PowerAnalysis) analysis = NULL;
	struct naming naming;

	if (!workloads)
		return NULL;
	analysis = analysis_new(power, options->level);
	naming_init(&naming, dataset, rows, NULL);
	for (guint i = 0; i < workloads->len; i++)
		add_workload(analysis, &naming, g_ptr_array_index(workloads, i), options);
	naming_clear(&naming);
	if (analysis->rows->len)
		return g_steal_pointer(&analysis);
	err_usage(error, "no spread to go by: none of the metrics asked for was measured in these runs");
	return NULL;
}

struct power_analysis *analyse_power_of_sd(double sd_pct, const struct power_options *power, double level)
{
	struct power_analysis *analysis = analysis_new(power, level);
	struct power_row *row = g_new0(struct power_row, 1);

	row->workload = "";
	row->treatment = g_strdup("");
	row->unit = "run";
	row->cv = sd_pct / 100;
	row->is_raw = TRUE;
	row->run_s = NAN;
	settle(row, analysis);
	g_ptr_array_add(analysis->rows, row);
	return analysis;
}
