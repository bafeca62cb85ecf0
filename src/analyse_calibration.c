#include "analyse_calibration.h"

#include <math.h>

#include "analyse_verdict.h"
#include "flag.h"

static const struct values *metric_of(const struct dataset *calibration, const struct metric *metric)
{
	for (guint i = 0; i < calibration->metrics->len; i++) {
		const struct values *values = g_ptr_array_index(calibration->metrics, i);

		if (g_str_equal(values->metric.name, metric->name) && g_str_equal(values->metric.unit, metric->unit))
			return values;
	}
	/* a store always says what was measured, a column of numbers need not */
	return !calibration->facts && calibration->metrics->len == 1 ? g_ptr_array_index(calibration->metrics, 0)
								     : NULL;
}

/* The machine on which all runs of both samples were made; NULL where that is not known or not one. */
static char *common_instrument(const struct dataset *dataset, const struct sample samples[2], const char *workload)
{
	g_autofree char *common = NULL;

	for (guint side = 0; side < 2; side++)
		for (guint i = 0; i < samples[side].rows->len; i++) {
			guint row = g_array_index(samples[side].rows, guint, i);
			g_autofree char *instrument = instrument_of_row(dataset, row, workload);

			if (!instrument || (common && !g_str_equal(common, instrument)))
				return NULL;
			if (!common)
				common = g_steal_pointer(&instrument);
		}
	return g_steal_pointer(&common);
}

struct noise *calibration_find(const struct dataset *calibration, const struct comparison *comparison,
			       const struct dataset *dataset, const struct sample samples[2])
{
	const struct values *values = calibration ? metric_of(calibration, &comparison->metric) : NULL;
	g_autoptr(GArray) rows = NULL;
	g_autofree char *wanted = NULL;

	if (!values)
		return NULL;
	rows = g_array_new(FALSE, FALSE, sizeof(guint));
	wanted = common_instrument(dataset, samples, comparison->workload);
	for (guint row = 0; row < calibration->n_runs; row++) {
		g_autofree char *instrument = instrument_of_row(calibration, row, comparison->workload);

		if (calibration->workload && !g_str_equal(row_workload(calibration, row), comparison->workload))
			continue;
		if (!instrument || g_strcmp0(instrument, wanted) == 0)
			g_array_append_val(rows, row);
	}
	return noise_new(calibration, rows, values);
}

static struct contrast widen(const struct contrast *contrast, const struct spread *spread)
{
	struct contrast wide = calibrated(contrast, spread, NULL);

	/* a larger error with more degrees of freedom behind it may make the narrower interval */
	return wide.p < contrast->p ? *contrast : wide;
}

static double mean_of(const GArray *values)
{
	double sum = 0;

	for (guint i = 0; i < values->len; i++)
		sum += g_array_index(values, double, i) / values->len;
	return sum;
}

static gboolean can_drift(const struct trial *trial)
{
	const struct design *design = &trial->design;

	return trial->comparison->flags & (FLAG_ORDER_CONFOUNDED | FLAG_CROSS_SITTING) && !design->is_paired &&
	       design->is_log && g_str_equal(design->unit, "run");
}

void trial_calibrate(struct trial *trial)
{
	struct comparison *c = trial->comparison;
	const struct design *design = &trial->design;
	gboolean has_sittings, is_across;
	struct calibration calibration;
	struct spread spread;
	double level;

	if (!trial->noise || !can_drift(trial))
		return;
	calibration = noise_calibration(trial->noise);
	has_sittings = calibration.n_sittings >= CALIBRATION_SITTINGS;
	is_across = has_sittings && c->flags & FLAG_CROSS_SITTING;
	spread = calibration_spread(&calibration, design->baseline->len, design->other->len, is_across);
	if (isnan(spread.variance))
		return;
	trial->contrast = widen(&trial->contrast, &spread);
	level = (mean_of(design->raw_baseline) + mean_of(design->raw_other)) / 2;
	spread.variance *= level * level;
	trial->raw = widen(&trial->raw, &spread);
	c->flags |= FLAG_CALIBRATED;
	if (has_sittings)
		c->flags &= ~(flag_set)FLAG_CROSS_SITTING;
}
