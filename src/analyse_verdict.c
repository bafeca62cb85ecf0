#include "analyse_verdict.h"

#include <math.h>

#include "../stats/adjust.h"
#include "../stats/describe.h"
#include "../stats/moments.h"
#include "../stats/power.h"
#include "../stats/ttest.h"
#include "analyse_calibration.h"
#include "analyse_crosscheck.h"
#include "analyse_family.h"
#include "flag.h"

#define REPLICATES_MIN 3
#define POWER 0.8

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
	    [VERDICT_BETTER] = "better", [VERDICT_WORSE] = "worse",         [VERDICT_CHANGED] = "changed",
	    [VERDICT_SAME] = "same",     [VERDICT_UNDECIDED] = "undecided", [VERDICT_UNTESTABLE] = "untestable",
	};

	return names[verdict];
}

static const double *data(const GArray *values)
{
	return (const double *)(gconstpointer)values->data;
}

static struct contrast contrast_of(const GArray *x, const GArray *y, gboolean is_paired)
{
	return is_paired ? paired(data(x), data(y), x->len) : welch(data(x), x->len, data(y), y->len);
}

static struct contrast log_contrast_of(const GArray *x, const GArray *y, gboolean is_paired)
{
	g_autofree double *work = g_new(double, x->len + y->len + 1);

	return is_paired ? paired_log(data(x), data(y), x->len, work)
			 : welch_log(data(x), x->len, data(y), y->len, work);
}

static double sd_of_logs(const GArray *x)
{
	g_autofree double *logs = g_new(double, x->len + 1);

	for (guint i = 0; i < x->len; i++)
		logs[i] = log(data(x)[i]);
	return moments(logs, x->len, 0).sd;
}

static double sd_of(const GArray *x)
{
	return moments(data(x), x->len, 0).sd;
}

static gboolean most_failed(const struct side *side)
{
	return side->failed > side->n;
}

static const char *untestable_reason(const struct trial *trial)
{
	const struct comparison *c = trial->comparison;
	const struct design *design = &trial->design;

	if (!c->baseline.n || !c->other.n)
		return c->baseline.runs == c->baseline.failed || c->other.runs == c->other.failed
			   ? "a side has no complete run"
			   : "a side has no value of this metric";
	if (most_failed(&c->baseline) || most_failed(&c->other))
		return "most runs of a side failed";
	if (c->baseline.n_units < REPLICATES_MIN || c->other.n_units < REPLICATES_MIN)
		return "fewer than three replicates a side";
	if (is_constant(data(design->raw_baseline), design->raw_baseline->len) &&
	    is_constant(data(design->raw_other), design->raw_other->len))
		return "neither side varies";
	return isnan(trial->contrast.p) ? "the difference does not vary" : NULL;
}

/* The standard error is that of all sides of the family where there is one. */
static void trial_contrast(struct trial *trial)
{
	const struct design *design = &trial->design;
	struct comparison *c = trial->comparison;

	if (trial->family && family_has(trial->family, trial->sides)) {
		trial->contrast = family_contrast(trial->family, trial->sides, FALSE);
		trial->raw = family_contrast(trial->family, trial->sides, TRUE);
		c->baseline.n_units = (guint)trial->contrast.nx;
		c->other.n_units = (guint)trial->contrast.ny;
		return;
	}
	trial->contrast =
	    (design->is_log ? log_contrast_of : contrast_of)(design->baseline, design->other, design->is_paired);
	trial->raw = contrast_of(design->raw_baseline, design->raw_other, design->is_paired);
}

void trial_test(struct trial *trial, double margin_pct)
{
	struct comparison *c = trial->comparison;
	struct design *design = &trial->design;
	double mean = NAN, bound;

	trial_contrast(trial);
	for (guint i = 0; i < design->raw_baseline->len; i++)
		mean = (i ? mean : 0) + data(design->raw_baseline)[i] / design->raw_baseline->len;
	bound = design->is_log ? log1p(margin_pct / 100) : margin_pct / 100 * fabs(mean);
	trial->margin = bound > 0 ? bound : NAN;

	c->flags |= trial->contrast.flags | design->flags;
	trial_calibrate(trial);
	if (c->baseline.n_units < REPLICATES_MIN || c->other.n_units < REPLICATES_MIN)
		c->flags |= EST_TOO_FEW;
	if (c->flags & FLAG_NO_DATA)
		c->flags &= ~(flag_set)(EST_TOO_FEW | EST_CONSTANT | EST_NOT_POSITIVE);
	c->p = c->equivalence_p = NAN;
	c->reason = untestable_reason(trial);
	if (c->reason)
		return;
	c->p = trial->contrast.p;
	if (isnan(trial->margin))
		return;
	/* Pairs that are alike to the last digit leave no room for doubt, and no standard error to divide by. */
	c->equivalence_p =
	    trial->contrast.se > 0 ? contrast_tost_p(&trial->contrast, -trial->margin, trial->margin) : 0;
}

static struct trial *trial_at(const GArray *trials, guint i)
{
	return &g_array_index(trials, struct trial, i);
}

guint trials_count_families(const GArray *trials)
{
	const struct family *last = NULL;
	guint n = 0;

	for (guint i = 0; i < trials->len; i++) {
		const struct trial *trial = trial_at(trials, i);

		if (trial->comparison->reason || (n && trial->family == last))
			continue;
		last = trial->family;
		n++;
	}
	return MAX(n, 1);
}

/* Holm's over all of the command; of a family its own times the number of families (Bonferroni's). Equivalence is by
 * Holm always. */
static void adjust(GArray *trials, guint n_families)
{
	g_autofree double *p = g_new0(double, 4 * (gsize)trials->len + 1);
	g_autofree size_t *work = g_new(size_t, trials->len + 1);
	size_t n = trials->len;

	for (guint i = 0; i < n; i++) {
		p[i] = trial_at(trials, i)->comparison->p;
		p[n + i] = trial_at(trials, i)->comparison->equivalence_p;
	}
	holm(p, n, p + 2 * n, work);
	holm(p + n, n, p + 3 * n, work);
	for (guint i = 0; i < n; i++) {
		struct trial *trial = trial_at(trials, i);
		struct comparison *c = trial->comparison;

		c->p_adjusted = p[2 * n + i];
		c->equivalence_p_adjusted = p[3 * n + i];
		if (trial->family && !c->reason)
			c->p_adjusted = fmin(1, n_families * family_p(trial->family, trial->sides, &trial->contrast));
	}
}

/* No bounds where they would only say that nothing was seen to vary. */
static struct interval_estimate interval(const struct contrast *contrast, double level, const char *method,
					 gboolean is_log, gboolean is_testable)
{
	struct interval_estimate result = {contrast->estimate, NAN, NAN, level, method};

	contrast_interval(contrast, level, &result.low, &result.high);
	if (!isfinite(result.low) || !isfinite(result.high) || !(contrast->se > 0 || is_testable))
		result.low = result.high = NAN;
	if (is_log) {
		result.estimate = exp(result.estimate);
		result.low = exp(result.low);
		result.high = exp(result.high);
	}
	return result;
}

static const char *method_of(const struct trial *trial, gboolean is_log)
{
	if (trial->family && family_has(trial->family, trial->sides))
		return family_method(trial->family, !is_log);
	if (trial->design.is_paired)
		return is_log ? "paired-log" : "paired";
	return is_log ? "welch-log" : "welch";
}

static void settle_intervals(struct trial *trial, double level)
{
	struct comparison *c = trial->comparison;

	c->difference = interval(&trial->raw, level, method_of(trial, FALSE), FALSE, !c->reason);
	if (trial->design.is_log)
		c->ratio = interval(&trial->contrast, level, method_of(trial, TRUE), TRUE, !c->reason);
	else
		c->ratio = (struct interval_estimate){NAN, NAN, NAN, level, NULL};
}

/* Of one value a side, or of one paired difference. */
static double spread(const struct trial *trial)
{
	const struct design *design = &trial->design;
	double x, y;

	if (design->is_paired)
		return trial->contrast.se * sqrt((double)trial->contrast.nx);
	if (trial->contrast.nx == trial->contrast.ny)
		return trial->contrast.se * sqrt((double)trial->contrast.nx / 2);
	x = (design->is_log ? sd_of_logs : sd_of)(design->baseline);
	y = (design->is_log ? sd_of_logs : sd_of)(design->other);
	return sqrt((x * x + y * y) / 2);
}

/* The same standard error and degrees of freedom as those of sides of one size and spread. */
static double detectable(const struct trial *trial, double alpha)
{
	const struct contrast *contrast = &trial->contrast;
	double n = trial->design.is_paired ? contrast->df + 1 : contrast->df / 2 + 1;
	double sd = contrast->se * sqrt(trial->design.is_paired ? n : n / 2);

	return power_detectable(n, sd, alpha, POWER, trial->design.is_paired ? POWER_PAIRED : POWER_UNPAIRED);
}

static void settle_power(struct trial *trial, double alpha, double margin_pct)
{
	struct comparison *c = trial->comparison;
	enum power_design design = trial->design.is_paired ? POWER_PAIRED : POWER_UNPAIRED;
	double delta, n, n_units;

	if (!(trial->contrast.se > 0))
		return;
	delta = detectable(trial, alpha);
	c->detectable_pct = trial->design.is_log ? 100 * expm1(delta) : delta / trial->margin * margin_pct;
	/* beside a calibrated drift more runs of one side need not help */
	if (isnan(trial->margin) || c->flags & FLAG_CALIBRATED)
		return;
	n = ceil(power_n(trial->margin, spread(trial), alpha, POWER, design));
	n = n < REPLICATES_MIN ? REPLICATES_MIN : n;
	/* Sides of unequal spread find less than two of the same spread would. */
	n_units = MIN(c->baseline.n_units, c->other.n_units);
	c->runs_needed = delta > trial->margin && n <= n_units ? n_units + 1 : n;
}

static enum verdict direction(const struct trial *trial)
{
	enum better better = trial->comparison->metric.better;

	if (better == BETTER_NONE)
		return VERDICT_CHANGED;
	return (trial->contrast.estimate > 0) == (better == BETTER_HIGHER) ? VERDICT_BETTER : VERDICT_WORSE;
}

static void settle_verdict(struct trial *trial, double level, double used_level)
{
	struct comparison *c = trial->comparison;
	double alpha = 1 - level, low, high;
	gboolean is_equivalent = c->equivalence_p_adjusted < alpha;

	if (c->p_adjusted < alpha)
		c->verdict = direction(trial);
	else
		c->verdict = is_equivalent ? VERDICT_SAME : VERDICT_UNDECIDED;
	contrast_interval(&trial->contrast, used_level, &low, &high);
	if (is_equivalent)
		c->material = MATERIAL_NO;
	else if (c->p_adjusted < alpha && (low > trial->margin || high < -trial->margin))
		c->material = MATERIAL_YES;
}

/* A level at which an interval excludes "no difference" just where the verdict does: from Holm's multiplier, or from
 * the family's critical value. */
static double used_level(const struct trial *trial, double level, guint n_tests, guint n_families)
{
	const struct comparison *c = trial->comparison;
	double share = c->p > 0 ? c->p / c->p_adjusted : 1.0 / n_tests;

	if (c->reason)
		return level;
	if (trial->family && trial->contrast.se > 0)
		return family_level(trial->family, trial->sides, &trial->contrast, (1 - level) / n_families);
	return share < 1 ? 1 - (1 - level) * share : level;
}

void trials_settle(GArray *trials, double level, double margin_pct)
{
	guint n_tests = 0, n_families = trials_count_families(trials);

	adjust(trials, n_families);
	for (guint i = 0; i < trials->len; i++)
		n_tests += !trial_at(trials, i)->comparison->reason;
	for (guint i = 0; i < trials->len; i++) {
		struct trial *trial = trial_at(trials, i);
		struct comparison *c = trial->comparison;
		double own_level = used_level(trial, level, n_tests, n_families);

		c->detectable_pct = c->runs_needed = NAN;
		c->verdict = VERDICT_UNTESTABLE;
		c->material = MATERIAL_UNKNOWN;
		settle_intervals(trial, own_level);
		trial_cross_check(trial, 1 - level, own_level, !trial->verdict_only);
		if (c->reason)
			continue;
		if (!trial->verdict_only)
			settle_power(trial, 1 - own_level, margin_pct);
		settle_verdict(trial, level, own_level);
	}
}
