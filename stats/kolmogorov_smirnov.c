#include "kolmogorov_smirnov.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "rank.h"
#include "sides.h"
#include "statistic.h"

static bool is_exact(size_t nx, size_t ny)
{
	return nx <= KOLMOGOROV_SMIRNOV_EXACT_PAIRS && ny <= KOLMOGOROV_SMIRNOV_EXACT_PAIRS &&
	       nx * ny <= KOLMOGOROV_SMIRNOV_EXACT_PAIRS;
}

size_t kolmogorov_smirnov_work_bytes(size_t nx, size_t ny)
{
	return (nx + ny) * (2 * sizeof(size_t) + sizeof(double)) + (is_exact(nx, ny) ? (ny + 1) * sizeof(double) : 0);
}

struct ks {
	size_t nx, ny;
	const size_t *ranks, *order; /* equal ranks are tied */
};

/* Whether the distribution functions have a value between the i-th and the next of all in ascending order: not in a
 * tie. */
static bool is_step(const struct ks *ks, size_t i)
{
	return i == ks->nx + ks->ny || ks->ranks[ks->order[i]] != ks->ranks[ks->order[i - 1]];
}

/* Distance times nx * ny, a whole number, with i values of x and j of y passed. */
static double distance(const struct ks *ks, size_t i, size_t j)
{
	return fabs((double)i * (double)ks->ny - (double)j * (double)ks->nx);
}

static double largest_distance(const struct ks *ks)
{
	double largest = 0;
	size_t passed[2] = {0, 0};

	for (size_t i = 0; i < ks->nx + ks->ny; i++) {
		passed[ks->order[i] >= ks->nx]++;
		if (is_step(ks, i + 1))
			largest = fmax(largest, distance(ks, passed[0], passed[1]));
	}
	return largest;
}

/* The probability that a path through the grid, each way to mix the sides being as likely as the next, ever gets as far
 * as d from the diagonal at a step: what gets there is taken out and added up, so that a small p keeps its digits. */
static double exact_p(const struct ks *ks, double d, double *here)
{
	double p = 0, all = (double)(ks->nx + ks->ny);

	memset(here, 0, (ks->ny + 1) * sizeof *here);
	for (size_t i = 0; i <= ks->nx; i++) {
		for (size_t j = 0; j <= ks->ny; j++) {
			double left = all - (double)(i + j) + 1, mass = 0;

			if (i + j == 0)
				mass = 1;
			if (i > 0)
				mass += here[j] * (double)(ks->nx - i + 1) / left;
			if (j > 0)
				mass += here[j - 1] * (double)(ks->ny - j + 1) / left;
			if (i + j > 0 && is_step(ks, i + j) && distance(ks, i, j) >= d) {
				p += mass;
				mass = 0;
			}
			here[j] = mass;
		}
	}
	return fmin(1, p);
}

/* P(K >= x) of the Kolmogorov distribution: the series that converges faster of the two. */
static double limit_p(double x)
{
	double sum = 0;

	if (x < 0.05)
		return 1;
	if (x < 1) {
		for (int k = 1; k < 20; k += 2)
			sum += exp(-k * k * M_PI * M_PI / (8 * x * x));
		return 1 - sqrt(2 * M_PI) / x * sum;
	}
	for (int k = 10; k > 0; k--)
		sum = exp(-2 * k * k * x * x) - sum;
	return fmin(1, 2 * sum);
}

static struct test test_of(const double *x, size_t nx, const double *y, size_t ny, bool exact, void *work)
{
	size_t n = nx + ny, *ranks = work, *order = ranks + n;
	double *values = (double *)(void *)(order + n), pairs = (double)nx * (double)ny, d;
	struct ks ks = {.nx = nx, .ny = ny, .ranks = ranks, .order = order};
	struct test t;

	if (sides_decide(x, nx, y, ny, sides_flags(x, nx, y, ny, 1), &t))
		return t;
	doubled_midranks(x, nx, y, ny, ranks, values, order);
	d = largest_distance(&ks);
	t.statistic = d / pairs;
	t.p = exact ? exact_p(&ks, d, values) : limit_p(sqrt(pairs / (double)n) * t.statistic);
	return t;
}

struct test kolmogorov_smirnov(const double *x, size_t nx, const double *y, size_t ny, void *work)
{
	return test_of(x, nx, y, ny, is_exact(nx, ny), work);
}

struct test kolmogorov_smirnov_limit(const double *x, size_t nx, const double *y, size_t ny, void *work)
{
	return test_of(x, nx, y, ny, false, work);
}

static size_t work_bytes(const struct statistic_input *in)
{
	return kolmogorov_smirnov_work_bytes(in->samples[0].n, in->samples[1].n);
}

static void compute(const struct statistic_input *in, union statistic_result *out)
{
	const struct values *s = in->samples;

	out->test = kolmogorov_smirnov(s[0].x, s[0].n, s[1].x, s[1].n, in->work);
}

const struct statistic statistic_kolmogorov_smirnov = {
    .name = "kolmogorov-smirnov",
    .help = "whether two distributions differ anywhere, by the largest distance between them",
    .kind = STATISTIC_TEST,
    .min_n = 1,
    .work_bytes = work_bytes,
    .compute = compute,
};
