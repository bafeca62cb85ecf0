#include "signed_rank.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "moments.h"
#include "rank.h"
#include "sides.h"
#include "statistic.h"

#define LEVEL_TOLERANCE 1e-12

size_t signed_rank_work_bytes(size_t n)
{
	size_t probabilities = n <= SIGNED_RANK_EXACT ? n * (n + 1) + 1 : 0;

	return n * (2 * sizeof(double) + 2 * sizeof(size_t)) + probabilities * sizeof(double);
}

/* ties: the sum of t^3 - t */
static double sigma(double n, double ties)
{
	return sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48);
}

static double exact_p(const size_t *ranks, size_t n, size_t observed, double *probabilities)
{
	size_t limit = n * (n + 1);
	double below = 0, above = 0;

	signed_sum_probabilities(ranks, n, limit, probabilities);
	for (size_t sum = 0; sum <= limit; sum++) {
		if (sum <= observed)
			below += probabilities[sum];
		if (sum >= observed)
			above += probabilities[sum];
	}
	return fmin(1, 2 * fmin(below, above));
}

struct test signed_rank(const double *x, const double *y, size_t n, void *work)
{
	struct moments m = moments_of_differences(x, y, n, 0);
	struct test t = test_unanswered(2 * n, m.flags & ~(unsigned)EST_TOO_FEW);
	double *sizes = work, *values = sizes + n, ties, distance;
	size_t *ranks = (size_t *)(void *)(values + n), *order = ranks + n, kept = 0, positive = 0;

	if (n == 0)
		t.flags = EST_TOO_FEW;
	if (t.flags == EST_CONSTANT && m.mean == 0) {
		t.statistic = 0;
		t.p = 1;
	}
	if (t.flags)
		return t;
	for (size_t i = 0; i < n; i++) {
		if (y[i] != x[i])
			sizes[kept++] = fabs(y[i] / 2 - x[i] / 2);
	}
	ties = doubled_midranks(sizes, kept, NULL, 0, ranks, values, order);
	for (size_t i = 0, j = 0; i < n; i++) {
		if (y[i] != x[i] && y[i] > x[i])
			positive += ranks[j];
		j += y[i] != x[i];
	}
	t.statistic = (double)positive / 2;
	distance = fabs(t.statistic - (double)kept * ((double)kept + 1) / 4);
	if (n <= SIGNED_RANK_EXACT)
		t.p = exact_p(ranks, kept, positive, (double *)(void *)(order + n));
	else
		t.p = fmin(1, 2 * gsl_cdf_ugaussian_Q(fmax(0, distance - 0.5) / sigma((double)kept, ties)));
	return t;
}

size_t signed_rank_critical(size_t n, double alpha, double *level, void *work)
{
	size_t *ranks = work, k = 0;
	double *probabilities = (double *)(void *)(ranks + n), tail = 0, s = sigma((double)n, 0);

	if (n > SIGNED_RANK_EXACT) {
		double middle = (double)n * ((double)n + 1) / 4 + 0.5;

		k = (size_t)(middle + s * gsl_cdf_ugaussian_Pinv(alpha / 2));
		*level = 1 - 2 * gsl_cdf_ugaussian_P(((double)k - middle) / s);
		return k;
	}
	for (size_t i = 0; i < n; i++)
		ranks[i] = i + 1;
	signed_sum_probabilities(ranks, n, n * (n + 1) / 2, probabilities);
	for (; 2 * (tail + probabilities[k]) <= alpha * (1 + LEVEL_TOLERANCE); k++)
		tail += probabilities[k];
	*level = 1 - 2 * tail;
	return k;
}

static size_t work_bytes(const struct statistic_input *in)
{
	return signed_rank_work_bytes(in->samples[0].n);
}

static void compute(const struct statistic_input *in, union statistic_result *out)
{
	out->test = signed_rank(in->samples[0].x, in->samples[1].x, in->samples[0].n, in->work);
}

const struct statistic statistic_signed_rank = {
    .name = "signed-rank",
    .help = "whether pairs differ, by the ranks of their differences (Wilcoxon)",
    .kind = STATISTIC_TEST,
    .is_paired = true,
    .min_n = 1,
    .work_bytes = work_bytes,
    .compute = compute,
};
