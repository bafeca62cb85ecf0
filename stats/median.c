#include "median.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

#include "describe.h"
#include "statistic.h"

/* P(Bin(n, 1/2) < k) */
static double below(size_t k, size_t n)
{
	return k > 0 ? gsl_cdf_binomial_P((unsigned)k - 1, 0.5, (unsigned)n) : 0;
}

/* Largest k with 2 P(Bin(n, 1/2) < k) <= alpha, 0 if there is none. */
static size_t critical(size_t n, double alpha)
{
	size_t low = 0, high = (n + 1) / 2;

	while (low < high) {
		size_t middle = high - (high - low) / 2;

		if (2 * below(middle, n) <= alpha * (1 + 1e-12))
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

struct estimate median_interval(const double *x, size_t n, double level, double *work)
{
	struct estimate e = {.value = NAN, .low = -INFINITY, .high = INFINITY, .level = level, .n = n};
	size_t k = critical(n, 1 - level);

	e.flags = k == 0 ? EST_TOO_FEW : 0;
	for (size_t i = 0; i < n; i++)
		e.flags |= isfinite(x[i]) ? 0 : EST_NOT_FINITE;
	if (n == 0 || e.flags & EST_NOT_FINITE)
		return e;
	memcpy(work, x, n * sizeof *x);
	gsl_sort(work, 1, n);
	e.value = quantile_sorted(work, n, 0.5);
	if (k == 0)
		return e;
	e.low = work[k - 1];
	e.high = work[n - k];
	e.level = 1 - 2 * below(k, n);
	e.flags |= is_constant(x, n) ? EST_CONSTANT : 0;
	return e;
}

static size_t work_bytes(const struct statistic_input *in)
{
	return in->samples[0].n * sizeof(double);
}

static void compute(const struct statistic_input *in, union statistic_result *out)
{
	out->estimate = median_interval(in->samples[0].x, in->samples[0].n, in->level, in->work);
}

const struct statistic statistic_median = {
    .name = "median",
    .help = "median with the interval of two order statistics",
    .kind = STATISTIC_ESTIMATE,
    .min_n = 6,
    .work_bytes = work_bytes,
    .compute = compute,
};
