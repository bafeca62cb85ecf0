#include "mann_whitney.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

#include "rank.h"
#include "sides.h"
#include "statistic.h"

/* Equal but for the rounding of a tail's sum. */
#define LEVEL_TOLERANCE 1e-12

static bool is_exact(size_t nx, size_t ny)
{
	return nx <= MANN_WHITNEY_EXACT_PAIRS && ny <= MANN_WHITNEY_EXACT_PAIRS && nx * ny <= MANN_WHITNEY_EXACT_PAIRS;
}

static size_t smaller(size_t nx, size_t ny)
{
	return nx < ny ? nx : ny;
}

/* Largest sum of the smaller side's ranks, doubled, each less the two that is the least. */
static size_t largest_sum(size_t nx, size_t ny)
{
	size_t m = smaller(nx, ny);

	return m > 0 ? 2 * nx * ny + m * (m - 1) : 0;
}

size_t mann_whitney_work_bytes(size_t nx, size_t ny)
{
	size_t counts = is_exact(nx, ny) ? (smaller(nx, ny) + 1) * (largest_sum(nx, ny) + 1) : 0;

	return (nx + ny) * (2 * sizeof(size_t) + sizeof(double)) + counts * sizeof(double);
}

static double sigma(size_t nx, size_t ny, double ties)
{
	double m = (double)nx, n = (double)ny, all = m + n;

	return sqrt(m * n / 12 * (all + 1 - ties / (all * (all - 1))));
}

static double normal_p(double u, size_t nx, size_t ny, double ties)
{
	double distance = fabs(u - (double)nx * (double)ny / 2);

	return fmin(1, 2 * gsl_cdf_ugaussian_Q(fmax(0, distance - 0.5) / sigma(nx, ny, ties)));
}

static double exact_p(size_t *ranks, size_t nx, size_t ny, double *counts)
{
	size_t m = smaller(nx, ny), limit = largest_sum(nx, ny), first = nx <= ny ? 0 : nx, observed = 0;
	double below = 0, above = 0;
	const double *ways;

	for (size_t i = 0; i < nx + ny; i++)
		ranks[i] -= 2;
	for (size_t i = 0; i < m; i++)
		observed += ranks[first + i];
	ways = subset_sum_counts(ranks, nx + ny, m, limit, counts);
	for (size_t sum = 0; sum <= limit; sum++) {
		if (sum <= observed)
			below += ways[sum];
		if (sum >= observed)
			above += ways[sum];
	}
	return fmin(1, 2 * fmin(below, above) / (below + above - ways[observed]));
}

static struct test test_of(const double *x, size_t nx, const double *y, size_t ny, bool exact, void *work)
{
	size_t n = nx + ny, *ranks = work, *order = ranks + n, rank_sum = 0;
	double *values = (double *)(void *)(order + n), ties;
	struct test t;

	if (sides_decide(x, nx, y, ny, sides_flags(x, nx, y, ny, 1), &t)) {
		if (!isnan(t.p))
			t.statistic = (double)nx * (double)ny / 2;
		return t;
	}
	ties = doubled_midranks(x, nx, y, ny, ranks, values, order);
	for (size_t i = 0; i < ny; i++)
		rank_sum += ranks[nx + i];
	t.statistic = (double)(rank_sum - ny * (ny + 1)) / 2;
	t.p = exact ? exact_p(ranks, nx, ny, values + n) : normal_p(t.statistic, nx, ny, ties);
	return t;
}

struct test mann_whitney(const double *x, size_t nx, const double *y, size_t ny, void *work)
{
	return test_of(x, nx, y, ny, is_exact(nx, ny), work);
}

struct test mann_whitney_normal(const double *x, size_t nx, const double *y, size_t ny, void *work)
{
	return test_of(x, nx, y, ny, false, work);
}

size_t mann_whitney_critical(size_t nx, size_t ny, double alpha, double *level, void *work)
{
	size_t n = nx + ny, m = smaller(nx, ny), limit = nx * ny + m * (m - 1) / 2, *ranks = work, k;
	double *counts = (double *)(void *)(ranks + n), tail = 0, total = 0, s = sigma(nx, ny, 0);
	const double *ways;

	if (!is_exact(nx, ny)) {
		double edge = ((double)nx * (double)ny + 1) / 2 + s * gsl_cdf_ugaussian_Pinv(alpha / 2);

		k = edge >= 1 ? (size_t)edge : 0;
		*level = 1 - 2 * gsl_cdf_ugaussian_P(((double)k - ((double)nx * (double)ny + 1) / 2) / s);
		return k;
	}
	for (size_t i = 0; i < n; i++)
		ranks[i] = i;
	ways = subset_sum_counts(ranks, n, m, limit, counts) + m * (m - 1) / 2;
	for (size_t i = 0; i <= nx * ny; i++)
		total += ways[i];
	for (k = 0; 2 * (tail + ways[k]) <= alpha * total * (1 + LEVEL_TOLERANCE); k++)
		tail += ways[k];
	*level = 1 - 2 * tail / total;
	return k;
}

static size_t work_bytes(const struct statistic_input *in)
{
	return mann_whitney_work_bytes(in->samples[0].n, in->samples[1].n);
}

static void compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->test = mann_whitney(s[0].x, s[0].n, s[1].x, s[1].n, in->work);
}

const struct statistic statistic_mann_whitney = {
    .name = "mann-whitney",
    .help = "whether one side tends to larger values, by ranks (Mann-Whitney)",
    .kind = STATISTIC_TEST,
    .min_n = 1,
    .work_bytes = work_bytes,
    .compute = compute,
};
