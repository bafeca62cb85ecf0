#include "cmd_chart.h"

#include "../plots/chart.h"
#include "analyse_distribution.h"
#include "analyse_effects.h"
#include "analyse_trend.h"
#include "better.h"
#include "cmd.h"
#include "cmd_analyse.h"
#include "cmd_reading.h"
#include "dataset.h"
#include "err.h"
#include "operand.h"
#include "profile.h"
#include "run_series.h"
#include "store.h"
#include "unit.h"

void chart_options_clear(struct chart_options *options)
{
	g_free(options->by);
	g_free(options->baseline);
	g_free(options->margin);
	g_free(options->order);
	g_free(options->scale);
	g_free(options->run);
}

/* Options are refused by charts that they would change nothing of. */
static gboolean check(guint needs, const struct chart_options *options, GError **error)
{
	const struct {
		const char *name, *value;
		guint needs;
	} uses[] = {
	    {"--by", options->by, CHART_COMPARISONS | CHART_EFFECTS | CHART_TREND | CHART_FACTOR},
	    {"--baseline", options->baseline, CHART_COMPARISONS},
	    {"--margin", options->margin, CHART_COMPARISONS},
	    {"--order", options->order, CHART_TREND},
	    {"--scale", options->scale, CHART_EFFECTS | CHART_SCALE},
	    {"--run", options->run, CHART_SERIES},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(uses); i++)
		if (uses[i].value && !(needs & uses[i].needs))
			return err_usage(error, "%s is nothing to this chart: leave it out", uses[i].name);
	return !(needs & CHART_FACTOR) || options->by ||
	       err_usage(error, "plot against what? name a factor or numeric column with --by");
}

/* Of the calibrations in the store, or of the runs that the operands name. */
static struct analysis *profile(struct reading *reading, GError **error)
{
	g_autoptr(Dataset) calibration = NULL;
	g_autoptr(Store) store = NULL;

	if (*reading->operand)
		return analyse_profile(reading->operands->dataset, operands_rows(reading->operands), NULL,
				       &reading->analyse, error);
	store = store_open(cmd_store_path(reading->store), STORE_READ, error);
	calibration = store ? store_load_calibration(store, error) : NULL;
	if (!calibration)
		return NULL;
	if (calibration->n_runs)
		return analyse_profile(calibration, NULL, NULL, &reading->analyse, error);
	err_usage(error, "no calibration in the store '%s': make one with 'vmstat-bench calibrate -w SPEC'",
		  cmd_store_path(reading->store));
	return NULL;
}

static struct analysis *estimate(struct reading *reading, guint needs, GError **error)
{
	reading->analyse.primary_only = !(needs & CHART_ALL_METRICS);
	return analyse_show(reading->operands->dataset, operands_rows(reading->operands), &reading->analyse, error);
}

static struct analysis *compare(struct reading *reading, const struct chart_options *options, GError **error)
{
	const struct compare_options compare = {
	    .by = options->by, .baseline = options->baseline, .margin = options->margin};

	return cmd_compare_check(reading, &compare, error) ? cmd_compare_analyse(reading, &compare, error) : NULL;
}

static struct effects_analysis *effects(struct reading *reading, const struct chart_options *options, GError **error)
{
	char *by[] = {options->by, NULL};
	const struct effects_options effects = {.by = options->by ? by : NULL, .scale = options->scale};

	return cmd_effects_analyse(reading, &effects, error);
}

static struct trend_analysis *trend(struct reading *reading, const struct chart_options *options, GError **error)
{
	const struct trend_command_options trend = {.order = options->order, .by = options->by};

	return cmd_trend_analyse(reading, &trend, error);
}

static gboolean distribute(struct chart_data *data, const struct chart_options *options, GError **error)
{
	if (!cmd_scale_parse(options->scale, &data->is_log, error))
		return FALSE;
	data->distributions = g_ptr_array_new_with_free_func((GDestroyNotify)distribution_free);
	for (guint i = 0; i < data->estimates->estimates->len; i++) {
		struct distribution *distribution =
		    distribution_of(g_ptr_array_index(data->estimates->estimates, i), data->is_log, error);

		if (!distribution)
			return FALSE;
		g_ptr_array_add(data->distributions, distribution);
	}
	return TRUE;
}

static gint by_row(gconstpointer a, gconstpointer b)
{
	const struct run_series *const *x = a, *const *y = b;

	return (*x)->row < (*y)->row ? -1 : (*x)->row > (*y)->row;
}

/* Those of the store, and of files that export wrote, which have them all in memory. */
static GPtrArray *load_series(struct reading *reading, GError **error)
{
	const struct dataset *dataset = reading->operands->dataset;
	const GArray *rows = operands_rows(reading->operands);
	g_autoptr(Store) store = NULL;
	GPtrArray *all;

	if (dataset->store_run && !(store = store_open(cmd_store_path(reading->store), STORE_READ, error)))
		return NULL;
	all = store ? store_load_series(store, dataset, rows, error)
		    : g_ptr_array_new_with_free_func((GDestroyNotify)run_series_free);
	for (guint i = 0; all && i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		const struct run_detail *detail = dataset_find_detail(dataset, row);

		if (detail && detail->columns)
			g_ptr_array_add(all, run_series_of_detail(row, detail));
	}
	if (all)
		g_ptr_array_sort(all, by_row);
	return all;
}

/* The run that --run names. */
static gboolean parse_run(const struct chart_options *options, gint64 *run, GError **error)
{
	guint64 number = 0;

	if (options->run && !count_parse(options->run, "--run", 1, G_MAXINT64, &number, error))
		return FALSE;
	*run = (gint64)number;
	return TRUE;
}

/* A factor comes first: a numeric column that it was made of is no metric any more. */
static gboolean prepare_runs(struct chart_data *data, guint needs, struct reading *reading,
			     const struct chart_options *options, GError **error)
{
	if (!reading->operands && !reading_load(reading, error))
		return FALSE;
	if (needs & CHART_FACTOR && !(data->factor = operands_factor(reading->operands, options->by, error)))
		return FALSE;
	data->runs = reading->operands->dataset;
	data->rows = operands_rows(reading->operands);
	return better_apply(reading->operands->dataset, reading->better, error);
}

gboolean chart_data_prepare(struct chart_data *data, guint needs, struct reading *reading,
			    const struct chart_options *options, GError **error)
{
	*data = (struct chart_data){0};
	return check(needs, options, error) && parse_run(options, &data->run, error) &&
	       ((!*reading->operand && needs == CHART_PROFILES) ||
		prepare_runs(data, needs, reading, options, error)) &&
	       (!(needs & CHART_PROFILES) || (data->profiles = profile(reading, error))) &&
	       (!(needs & CHART_COMPARISONS) || (data->comparisons = compare(reading, options, error))) &&
	       (!(needs & CHART_EFFECTS) || (data->effects = effects(reading, options, error))) &&
	       (!(needs & CHART_TREND) || (data->trend = trend(reading, options, error))) &&
	       (!(needs & CHART_ESTIMATES) || (data->estimates = estimate(reading, needs, error))) &&
	       (!(needs & CHART_DISTRIBUTIONS) || distribute(data, options, error)) &&
	       (!(needs & CHART_SERIES) || (data->series = load_series(reading, error)));
}

void chart_data_clear(struct chart_data *data)
{
	g_clear_pointer(&data->estimates, analysis_free);
	g_clear_pointer(&data->comparisons, analysis_free);
	g_clear_pointer(&data->profiles, analysis_free);
	g_clear_pointer(&data->effects, effects_analysis_free);
	g_clear_pointer(&data->trend, trend_analysis_free);
	g_clear_pointer(&data->series, g_ptr_array_unref);
	g_clear_pointer(&data->distributions, g_ptr_array_unref);
}
