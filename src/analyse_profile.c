#include "profile.h"

#include <math.h>

#include "../stats/autocorrelation.h"
#include "../stats/describe.h"
#include "../stats/dip.h"
#include "../stats/mann_kendall.h"
#include "../stats/power.h"
#include "analyse.h"
#include "analyse_calibration.h"
#include "analyse_noise.h"
#include "err.h"

#define ALPHA 0.05
#define POWER 0.8
#define PAIRS_MIN 3 /* fewer are no blocked design */
#define DIP_SIMULATIONS 1999
#define DIP_SEED 1
/* An Allan variance of so many pairs is known within a third; a larger block must be worth more than such chance. */
#define BLOCK_PAIRS_MIN 20
#define BLOCK_GAIN 0.75

static void profile_free(struct profile *profile)
{
	g_free(profile->instrument);
	g_array_unref(profile->allan);
	g_array_unref(profile->advice);
	g_free(profile);
}

/* About the mean of each sitting: what is between sittings is a component of its own. */
static double *centred(const struct calibration *c, gsize n)
{
	double *x = g_new(double, n + 1);
	gsize at = 0;

	for (gsize i = 0; i < c->n_sittings; at += c->sittings[i++]) {
		double mean = mean_interval(c->values + at, c->sittings[i], 1 - ALPHA).value;

		for (gsize j = at; j < at + c->sittings[i]; j++)
			x[j] = c->values[j] - mean;
	}
	return x;
}

static void add_drift(struct profile *profile, const struct calibration *c, gsize n)
{
	g_autofree double *work = g_new(double, 2 * n + 1);
	gsize at = 0;

	profile->drift = (struct test){NAN, NAN, NAN, NAN, 0, EST_TOO_FEW};
	profile->tau = NAN;
	for (gsize i = 0; i < c->n_sittings; at += c->sittings[i++]) {
		gsize size = c->sittings[i];
		struct test test = mann_kendall(c->values + at, size, work);

		test.p = fmin(1, test.p * (double)c->n_sittings);
		if (isnan(test.p) || test.p >= profile->drift.p)
			continue;
		profile->drift = test;
		profile->tau = test.statistic / ((double)size * (double)(size - 1) / 2);
	}
}

static void add_values(struct profile *profile, const struct calibration *c, gsize n)
{
	g_autofree double *x = g_new(double, 2 * n + 1);
	g_autofree double *about = centred(c, n);
	g_autofree void *work = g_malloc(dip_test_bytes(n));
	struct description summary;

	for (gsize i = 0; i < n; i++)
		x[i] = exp(c->values[i]);
	summary = describe(x, n, x + n);
	profile->mean = summary.mean;
	profile->cv = summary.cv;
	profile->flags |= summary.flags;
	profile->lag_one = lag_one(about, n);
	profile->modes = dip_test(about, n, DIP_SIMULATIONS, DIP_SEED, work);
}

static void add_allan(struct profile *profile, const struct calibration *c, gsize n)
{
	static const guint steps[] = {1, 2, 3, 5};

	profile->allan = g_array_new(FALSE, FALSE, sizeof(struct allan_point));
	for (guint power = 1; power <= n; power *= 10)
		for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
			struct allan_point point = {.size = steps[i] * power};
			gsize pairs;

			point.deviation = allan_deviation(c, point.size, &pairs);
			point.pairs = (guint)pairs;
			if (pairs > 0)
				g_array_append_val(profile->allan, point);
		}
}

static const struct allan_point *point_at(const struct profile *profile, guint i)
{
	return &g_array_index(profile->allan, struct allan_point, i);
}

/* What a block of so many runs costs in variance of the final mean for the same number of runs. */
static double cost(const struct allan_point *point)
{
	return point->size * point->deviation * point->deviation;
}

static const struct allan_point *cheapest_block(const struct profile *profile)
{
	const struct allan_point *best = NULL;

	for (guint i = 0; i < profile->allan->len; i++) {
		const struct allan_point *point = point_at(profile, i);

		if (!best || (point->pairs >= BLOCK_PAIRS_MIN && cost(point) < BLOCK_GAIN * cost(best)))
			best = point;
	}
	return best;
}

double profile_pairs(const struct profile *profile, double pct)
{
	double n = ceil(power_n(log1p(pct / 100), profile->block_sd, ALPHA, POWER, POWER_PAIRED));

	return n < PAIRS_MIN ? PAIRS_MIN : n;
}

static void add_advice(struct profile *profile)
{
	static const double wanted[] = {10, 5, 2, 1};
	const struct allan_point *block = cheapest_block(profile);

	profile->advice = g_array_new(FALSE, FALSE, sizeof(struct advice));
	profile->block_size = block ? block->size : 1;
	profile->block_sd = block ? M_SQRT2 * block->deviation : NAN;
	for (guint i = 0; block && i < G_N_ELEMENTS(wanted); i++) {
		struct advice advice = {wanted[i], profile_pairs(profile, wanted[i])};

		g_array_append_val(profile->advice, advice);
	}
}

/* Of a difference with that variance, known with df degrees of freedom. */
static double detectable_pct(double variance, double df)
{
	double n = df + 1;

	return 100 * expm1(power_detectable(n, sqrt(variance * n), ALPHA, POWER, POWER_PAIRED));
}

static void add_sequential(struct profile *profile, const struct calibration *c)
{
	double best = NAN;

	profile->sitting_pct = NAN;
	for (guint i = 0; i < profile->allan->len; i++) {
		struct allan_point *point = &g_array_index(profile->allan, struct allan_point, i);
		struct spread spread = calibration_spread(c, point->size, point->size, FALSE);

		point->sequential_pct = detectable_pct(spread.variance, spread.df);
		if (isnan(point->sequential_pct) || point->sequential_pct >= best)
			continue;
		best = point->sequential_pct;
		profile->sequential_size = point->size;
	}
	if (c->n_sittings >= CALIBRATION_SITTINGS && profile->sequential_size) {
		struct spread spread = calibration_spread(c, profile->sequential_size, profile->sequential_size, TRUE);

		profile->sitting_pct = detectable_pct(spread.variance, spread.df);
	}
}

static struct profile *profile_new(const struct noise *noise)
{
	struct profile *profile = g_new0(struct profile, 1);
	struct calibration c = noise_calibration(noise);
	gsize n = noise->logs->len;

	profile->n = (guint)n;
	profile->n_sittings = (guint)c.n_sittings;
	profile->sitting_sd = sqrt(calibration_spread(&c, 1, 1, TRUE).between / 2);
	add_values(profile, &c, n);
	add_drift(profile, &c, n);
	add_allan(profile, &c, n);
	add_advice(profile);
	add_sequential(profile, &c);
	return profile;
}

double profile_sequential_pct(const struct profile *profile, guint n)
{
	double best = NAN;

	for (guint i = 0; i < profile->allan->len && point_at(profile, i)->size <= n; i++)
		best = fmin(best, point_at(profile, i)->sequential_pct);
	return best;
}

double profile_interleaved_pct(const struct profile *profile, guint n)
{
	guint pairs = n / profile->block_size;

	return 100 * expm1(power_detectable(pairs, profile->block_sd, ALPHA, POWER, POWER_PAIRED));
}

/* The rows of one workload by machine: instrument -> GArray of guint; "" where the data does not say. */
static GHashTable *rows_by_instrument(const struct dataset *dataset, const GArray *rows, const char *workload,
				      GPtrArray *order)
{
	GHashTable *groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);

	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		char *instrument = instrument_of_row(dataset, row, workload);
		GArray *group;

		if (!instrument)
			instrument = g_strdup("");
		group = g_hash_table_lookup(groups, instrument);
		if (group) {
			g_free(instrument);
		} else {
			group = g_array_new(FALSE, FALSE, sizeof(guint));
			g_hash_table_insert(groups, instrument, group);
			g_ptr_array_add(order, instrument);
		}
		g_array_append_val(group, row);
	}
	return groups;
}

static gboolean holds_for(const char *instrument, const char *workload, const struct dataset *like)
{
	for (guint row = 0; row < like->n_runs; row++) {
		g_autofree char *other = instrument_of_row(like, row, workload);

		if (g_str_equal(row_workload(like, row), workload) && g_strcmp0(other, instrument) == 0)
			return TRUE;
	}
	return FALSE;
}

static char *instrument_text(const char *instrument)
{
	g_auto(GStrv) parts = g_strsplit(instrument, "\n", -1);
	GString *text = g_string_new(NULL);

	for (char **part = parts; *part; part++)
		if (**part)
			g_string_append_printf(text, "%s%s", text->len ? ", " : "", *part);
	return g_string_free(text, FALSE);
}

static void add_profile(struct analysis *analysis, const struct dataset *dataset, const GArray *rows,
			const char *workload, const char *instrument, const struct values *values)
{
	struct noise *noise = noise_new(dataset, rows, values);
	struct profile *profile;
	struct sample sample;

	if (!noise)
		return;
	profile = profile_new(noise);
	sample_init(&sample, dataset, rows, values);
	profile->workload = text_kept(workload);
	profile->metric = values->metric;
	profile->instrument = *instrument ? instrument_text(instrument) : NULL;
	profile->failed = sample.failed;
	profile->flags |= sample.flags;
	g_ptr_array_add(analysis->profiles, profile);
	sample_clear(&sample);
	noise_free(noise);
}

static void profile_workload(struct analysis *analysis, const struct dataset *dataset, const struct workload_rows *rows,
			     const struct dataset *like, const struct analyse_options *options)
{
	const char *workload = rows->name;
	g_autoptr(GPtrArray) metrics = choose_metrics(dataset, rows->rows, workload, options, TRUE);
	g_autoptr(GPtrArray) order = g_ptr_array_new();
	g_autoptr(GHashTable) groups = rows_by_instrument(dataset, rows->rows, workload, order);

	for (guint i = 0; i < order->len; i++) {
		const char *instrument = g_ptr_array_index(order, i);

		for (guint j = 0; j < metrics->len; j++)
			if (!like || holds_for(instrument, workload, like))
				add_profile(analysis, dataset, g_hash_table_lookup(groups, instrument), workload,
					    instrument, g_ptr_array_index(metrics, j));
	}
}

struct analysis *analyse_profile(const struct dataset *calibration, const GArray *rows, const struct dataset *like,
				 const struct analyse_options *options, GError **error)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autoptr(Analysis) analysis = g_new0(struct analysis, 1);
	g_autoptr(GPtrArray) workloads = NULL;

	for (guint row = 0; row < calibration->n_runs; row++)
		g_array_append_val(all, row);
	if (!rows)
		rows = all;
	workloads = choose_workloads(calibration, rows, options, error);
	if (!workloads)
		return NULL;
	analysis->level = options->level;
	analysis->margin_pct = options->margin_pct;
	analysis->profiles = g_ptr_array_new_with_free_func((GDestroyNotify)profile_free);
	for (guint i = 0; i < workloads->len; i++)
		profile_workload(analysis, calibration, g_ptr_array_index(workloads, i), like, options);
	if (!like && !analysis->profiles->len) {
		err_usage(error, "no noise to describe: there is no complete run with a value above 0");
		return NULL;
	}
	return g_steal_pointer(&analysis);
}
