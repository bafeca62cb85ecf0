#include "mann_kendall.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>

#include "series.h"
#include "statistic.h"

/* Below this many values the distribution of S is counted, as R does. */
#define EXACT_BELOW 50
#define EXACT_PAIRS ((EXACT_BELOW - 1) * (EXACT_BELOW - 2) / 2)

/* Merges the ascending halves x[0..half) and x[half..n); returns the pairs of which the left one is greater. */
static double merge(double *x, size_t half, size_t n, double *work)
{
	size_t left = 0, right = half;
	double falling = 0;

	for (size_t i = 0; i < n; i++) {
		if (right == n || (left < half && x[left] <= x[right])) {
			work[i] = x[left++];
		} else {
			falling += (double)(half - left);
			work[i] = x[right++];
		}
	}
	memcpy(x, work, n * sizeof *x);
	return falling;
}

/* Sorts x and returns how many pairs were falling. */
static double sort_counting(double *x, size_t n, double *work)
{
	double falling = 0;

	for (size_t width = 1; width < n; width *= 2) {
		for (size_t i = 0; i + width < n; i += 2 * width)
			falling += merge(x + i, width, n - i < 2 * width ? n - i : 2 * width, work);
	}
	return falling;
}

/* P(as few as that many falling pairs in a random order of n): orders of k values are those of k - 1 with the last put
 * before 0 to k - 1 of them. */
static double exact_tail(size_t n, size_t falling)
{
	double p[EXACT_PAIRS + 1] = {1}, cumulated[EXACT_PAIRS + 1], tail = 0;

	for (size_t k = 2; k <= n; k++) {
		cumulated[0] = p[0];
		for (size_t i = 1; i <= falling; i++)
			cumulated[i] = cumulated[i - 1] + p[i];
		for (size_t i = 0; i <= falling; i++)
			p[i] = (cumulated[i] - (i >= k ? cumulated[i - k] : 0)) / (double)k;
	}
	for (size_t i = 0; i <= falling; i++)
		tail += p[i];
	return tail;
}

struct test mann_kendall(const double *x, size_t n, double *work)
{
	double size = (double)n, pairs = size * (size - 1) / 2, tied = 0, variance, falling, z;
	struct test t;

	if (!series_is_testable(x, n, 2, &t))
		return t;
	memcpy(work, x, n * sizeof *x);
	falling = sort_counting(work, n, work + n);
	variance = size * (size - 1) * (2 * size + 5);
	for (size_t i = 0, end = 0; i < n; i = end) {
		double alike;

		while (end < n && work[end] == work[i])
			end++;
		alike = (double)(end - i);
		tied += alike * (alike - 1) / 2;
		variance -= alike * (alike - 1) * (2 * alike + 5);
	}
	t.statistic = pairs - tied - 2 * falling;
	if (n < EXACT_BELOW && tied == 0) {
		t.p = fmin(1, 2 * exact_tail(n, (size_t)fmin(falling, pairs - falling)));
	} else {
		z = fmax(0, fabs(t.statistic) - 1) / sqrt(variance / 18);
		t.p = 2 * gsl_cdf_ugaussian_Q(z);
	}
	return t;
}

static size_t mann_kendall_bytes(const struct statistic_input *in)
{
	return 2 * in->samples[0].n * sizeof(double);
}

static void mann_kendall_compute(const struct statistic_input *in, union statistic_result *out)
{
	out->test = mann_kendall(in->samples[0].x, in->samples[0].n, in->work);
}

const struct statistic statistic_mann_kendall = {
    .name = "mann-kendall",
    .help = "rising or falling trend in time",
    .kind = STATISTIC_SERIES,
    .min_n = 2,
    .work_bytes = mann_kendall_bytes,
    .compute = mann_kendall_compute,
};
