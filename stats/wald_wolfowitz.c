#include "wald_wolfowitz.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>

#include "describe.h"
#include "series.h"
#include "statistic.h"

#define COUNTED_UP_TO 1000

static double log_choose(size_t n, size_t k)
{
	return k > n ? -INFINITY : gsl_sf_lnchoose((unsigned)n, (unsigned)k);
}

/* In how many ways n values make k stretches is C(n - 1, k - 1). */
static double probability(size_t above, size_t below, size_t stretches, double log_orders)
{
	size_t half = stretches / 2;

	if (half == 0)
		return 0;
	if (stretches % 2 == 0)
		return 2 * exp(log_choose(above - 1, half - 1) + log_choose(below - 1, half - 1) - log_orders);
	return exp(log_choose(above - 1, half) + log_choose(below - 1, half - 1) - log_orders) +
	       exp(log_choose(above - 1, half - 1) + log_choose(below - 1, half) - log_orders);
}

void stretches_tails(size_t above, size_t below, size_t stretches, double *at_most, double *at_least)
{
	double log_orders = log_choose(above + below, above);

	*at_most = *at_least = 0;
	for (size_t i = 2; i <= above + below; i++) {
		double p = probability(above, below, i, log_orders);

		if (i <= stretches)
			*at_most += p;
		if (i >= stretches)
			*at_least += p;
	}
}

static double p_value(size_t above, size_t below, size_t stretches)
{
	double a = (double)above, b = (double)below, n = a + b, product = 2 * a * b, at_most, at_least, sd;

	if (above == 0 || below == 0)
		return 1;
	if (above + below <= COUNTED_UP_TO) {
		stretches_tails(above, below, stretches, &at_most, &at_least);
		return fmin(1, 2 * fmin(at_most, at_least));
	}
	sd = sqrt(product * (product - n) / (n * n * (n - 1)));
	return 2 * gsl_cdf_ugaussian_Q(fabs((double)stretches - product / n - 1) / sd);
}

struct test wald_wolfowitz(const double *x, size_t n, double *work)
{
	size_t sides[2] = {0, 0}, stretches = 0;
	int last = -1;
	double median;
	struct test t;

	if (!series_is_testable(x, n, 2, &t))
		return t;
	memcpy(work, x, n * sizeof *x);
	gsl_sort(work, 1, n);
	median = quantile_sorted(work, n, 0.5);
	for (size_t i = 0; i < n; i++) {
		int side = x[i] > median;

		if (x[i] == median)
			continue;
		sides[side]++;
		stretches += side != last;
		last = side;
	}
	t.statistic = (double)stretches;
	t.p = p_value(sides[1], sides[0], stretches);
	return t;
}

static size_t wald_wolfowitz_bytes(const struct statistic_input *in)
{
	return in->samples[0].n * sizeof(double);
}

static void wald_wolfowitz_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->test = wald_wolfowitz(in->samples[0].x, in->samples[0].n, in->work);
}

const struct statistic statistic_wald_wolfowitz = {
    .name = "runs-about-median",
    .help = "whether values above and below the median alternate as if shuffled",
    .kind = STATISTIC_SERIES,
    .min_n = 2,
    .work_bytes = wald_wolfowitz_bytes,
    .compute = wald_wolfowitz_compute,
};
