#include "adjust.h"

#include <math.h>

#include <gsl/gsl_sort.h>

#include "statistic.h"

/* Copies p, order into work; what is no test sorts last. Returns how many are one. */
static size_t sort_tests(const double *p, size_t m, double *adjusted, size_t *work)
{
	size_t tests = 0;

	for (size_t i = 0; i < m; i++) {
		int is_test = p[i] >= 0 && p[i] <= 1;

		adjusted[i] = is_test ? p[i] : INFINITY;
		tests += (size_t)is_test;
	}
	gsl_sort_index(work, adjusted, 1, m);
	return tests;
}

void holm(const double *p, size_t m, double *adjusted, size_t *work)
{
	size_t tests = sort_tests(p, m, adjusted, work);
	double largest = 0;

	for (size_t rank = 0; rank < m; rank++) {
		double *a = &adjusted[work[rank]];

		if (rank < tests)
			largest = fmax(largest, fmin(1, (double)(tests - rank) * *a));
		*a = rank < tests ? largest : NAN;
	}
}

void benjamini_hochberg(const double *p, size_t m, double *adjusted, size_t *work)
{
	size_t tests = sort_tests(p, m, adjusted, work);
	double smallest = 1;

	for (size_t rank = m; rank-- > 0;) {
		double *a = &adjusted[work[rank]];

		if (rank < tests)
			smallest = fmin(smallest, (double)tests / (double)(rank + 1) * *a);
		*a = rank < tests ? smallest : NAN;
	}
}

static size_t adjust_work_bytes(const struct statistic_input *in)
{
	return in->samples[0].n * sizeof(size_t);
}

static void holm_compute(const struct statistic_input *in, union statistic_result *out)
{
	holm(in->samples[0].x, in->samples[0].n, in->values, in->work);
}

static void benjamini_hochberg_compute(const struct statistic_input *in, union statistic_result *out)
{
	benjamini_hochberg(in->samples[0].x, in->samples[0].n, in->values, in->work);
}

const struct statistic statistic_holm = {
    .name = "holm",
    .help = "Holm's step-down adjustment of p values for many comparisons",
    .kind = STATISTIC_ADJUSTMENT,
    .min_n = 1,
    .work_bytes = adjust_work_bytes,
    .compute = holm_compute,
};

const struct statistic statistic_benjamini_hochberg = {
    .name = "benjamini-hochberg",
    .help = "Benjamini and Hochberg's adjustment of p values for the rate of false discoveries",
    .kind = STATISTIC_ADJUSTMENT,
    .min_n = 1,
    .work_bytes = adjust_work_bytes,
    .compute = benjamini_hochberg_compute,
};
