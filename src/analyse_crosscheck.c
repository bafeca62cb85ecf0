#include "analyse_crosscheck.h"

#include <math.h>

#include "../stats/hodges_lehmann.h"
#include "../stats/permutation.h"
#include "../stats/splits.h"
#include "analyse_verdict.h"
#include "bootstrap.h"
#include "flag.h"

#define BCA_MIN 20 /* below, its intervals are much too narrow */
#define SEED 1
#define DRAWN_ERRORS 3 /* a drawn p this many standard errors from the limit is on its side of it */

/* What the verdict rests on: logarithms where it does. */
struct view {
	double *x, *y;
	gsize nx, ny;
	gboolean is_paired, is_log;
};

static double *copy_of(const GArray *values, gboolean is_log)
{
	double *copy = g_new(double, values->len + 1);

	for (guint i = 0; i < values->len; i++)
		copy[i] = is_log ? log(g_array_index(values, double, i)) : g_array_index(values, double, i);
	return copy;
}

static struct interval_estimate interval_of(const struct estimate *e, const struct view *v, const char *method)
{
	struct interval_estimate result = {e->value, e->low, e->high, e->level, method};

	if (!isfinite(e->low) || !isfinite(e->high))
		result.low = result.high = NAN;
	if (v->is_log) {
		result.estimate = exp(result.estimate);
		result.low = exp(result.low);
		result.high = exp(result.high);
	}
	return result;
}

/* The interval's own level is higher than the one asked for, since ranks are whole numbers: where it does not exclude
 * "no difference" the verdict's test must do so at that level too before the two disagree. */
static void check_shift(const struct trial *trial, const struct view *v, double alpha, double level)
{
	struct comparison *c = trial->comparison;
	gsize bytes = v->is_paired ? hodges_lehmann_paired_work_bytes(v->nx) : hodges_lehmann_work_bytes(v->nx, v->ny);
	g_autofree void *work = g_malloc(bytes);
	struct estimate e = v->is_paired ? hodges_lehmann_paired(v->x, v->y, v->nx, level, work)
					 : hodges_lehmann(v->x, v->nx, v->y, v->ny, level, work);

	c->cross_check.hodges_lehmann = interval_of(&e, v, "hodges-lehmann");
	if (!isfinite(e.low) || !isfinite(e.high))
		return;
	if (e.low > 0 || e.high < 0)
		c->cross_check.hodges_lehmann_disagrees = c->p_adjusted >= alpha;
	else
		c->cross_check.hodges_lehmann_disagrees = c->p_adjusted < alpha && c->p < 1 - e.level;
}

static void check_permutation(const struct trial *trial, const struct view *v, double alpha, double own_alpha)
{
	struct comparison *c = trial->comparison;
	struct cross_check *check = &c->cross_check;
	gsize bytes = v->is_paired ? v->nx * sizeof(double) : permutation_work_bytes(v->nx, v->ny);
	g_autofree void *work = g_malloc(bytes);
	double least = v->is_paired ? permutation_paired_least_p(v->nx, PERMUTATION_RESAMPLES)
				    : permutation_least_p(v->nx, v->ny, PERMUTATION_RESAMPLES);
	double error;

	check->least_p = least;
	if (!(least < own_alpha))
		return;
	check->permutation_p = v->is_paired
				   ? permutation_paired(v->x, v->y, v->nx, PERMUTATION_RESAMPLES, SEED, work).p
				   : permutation(v->x, v->nx, v->y, v->ny, PERMUTATION_RESAMPLES, SEED, work).p;
	check->is_exact = v->is_paired ? v->nx <= PERMUTATION_PAIRED_EXACT : splits_count(v->nx, v->ny) <= SPLITS_EXACT;
	error = check->is_exact ? 0 : sqrt(own_alpha * (1 - own_alpha) / PERMUTATION_RESAMPLES);
	if (fabs(check->permutation_p - own_alpha) > DRAWN_ERRORS * error || check->is_exact)
		check->permutation_disagrees = (check->permutation_p < own_alpha) != (c->p_adjusted < alpha);
}

static void add_bca(const struct trial *trial, const struct view *v, double level)
{
	const struct design *design = &trial->design;
	g_autofree double *differences = g_new(double, v->nx);
	struct estimate e;

	for (gsize i = 0; i < v->nx && v->is_paired; i++)
		differences[i] = v->y[i] - v->x[i];
	if (v->is_paired)
		e = bootstrap_bca(BCA_MEAN, differences, v->nx, NULL, 0, BCA_REPLICATES, level, SEED, 0);
	else
		e = bootstrap_bca(BCA_GEOMETRIC_RATIO, (const double *)(gconstpointer)design->baseline->data, v->nx,
				  (const double *)(gconstpointer)design->other->data, v->ny, BCA_REPLICATES, level,
				  SEED, 0);
	/* a ratio comes as one, the mean of differences of logarithms does not */
	trial->comparison->cross_check.bca =
	    interval_of(&e, &(struct view){.is_log = v->is_paired && v->is_log}, "bca");
}

void trial_cross_check(struct trial *trial, double alpha, double level, gboolean is_wanted)
{
	const struct design *design = &trial->design;
	struct comparison *c = trial->comparison;
	const struct interval_estimate none = {NAN, NAN, NAN, NAN, NULL};
	struct view view;

	c->cross_check = (struct cross_check){none, none, NAN, NAN, FALSE, FALSE, FALSE};
	/* A calibrated interval allows for drift, of which these know nothing. */
	if (!is_wanted || c->reason || c->flags & FLAG_CALIBRATED ||
	    MAX(design->baseline->len, design->other->len) > CROSS_CHECK_MAX)
		return;
	view = (struct view){.x = copy_of(design->baseline, design->is_log),
			     .y = copy_of(design->other, design->is_log),
			     .nx = design->baseline->len,
			     .ny = design->other->len,
			     .is_paired = design->is_paired,
			     .is_log = design->is_log};
	check_shift(trial, &view, alpha, level);
	check_permutation(trial, &view, alpha, 1 - level);
	if (MIN(view.nx, view.ny) >= BCA_MIN && (view.is_paired || view.is_log))
		add_bca(trial, &view, level);
	if (c->cross_check.hodges_lehmann_disagrees || c->cross_check.permutation_disagrees)
		c->flags |= FLAG_FRAGILE;
	g_free(view.x);
	g_free(view.y);
}
