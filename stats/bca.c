#include "bca.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>

#include "describe.h"
#include "moments.h"
#include "sides.h"
#include "statistic.h"
#include "stream.h"

/* Sums of squares and cubes of one side's influence values, each over its power of n. */
struct influence {
	double squares, cubes;
};

static void influence_add(struct influence *sum, const double *values, size_t n, double scale)
{
	for (size_t i = 0; i < n; i++) {
		double u = scale * values[i] / (double)n;

		sum->squares += u * u;
		sum->cubes += u * u * u;
	}
}

static double acceleration(const struct influence *sum)
{
	return sum->squares > 0 ? sum->cubes / (6 * sum->squares * sqrt(sum->squares)) : 0;
}

/* Median of sorted[n] less its i-th value. */
static double median_without(const double *sorted, size_t n, size_t i)
{
	size_t upper = (n - 1) / 2, lower = (n - 2) / 2;

	return sorted[lower + (lower >= i)] / 2 + sorted[upper + (upper >= i)] / 2;
}

static double median_acceleration(const double *sorted, size_t n)
{
	/* Few values are possible; scaled by their spread, or their cubes overflow. */
	double spread = sorted[n - 1] / 2 - sorted[0] / 2, middle = sorted[n / 2], mean = 0;
	struct influence sum = {0, 0};

	for (size_t i = 0; i < n; i++)
		mean += (median_without(sorted, n, i) / 2 - middle / 2) / spread / (double)n;
	for (size_t i = 0; i < n; i++) {
		double u = mean - (median_without(sorted, n, i) / 2 - middle / 2) / spread;

		influence_add(&sum, &u, 1, 1);
	}
	return sum.squares > DBL_EPSILON * DBL_EPSILON * (double)n ? acceleration(&sum) : 0;
}

static void centre(const double *x, size_t n, double *deviations, double *mean)
{
	*mean = moments(x, n, 0).mean;
	for (size_t i = 0; i < n; i++)
		deviations[i] = x[i] - *mean;
}

/* Jackknife values of mean ratios are not linear in the value left out: each is worked out. */
static double ratio_acceleration(const struct bca *b)
{
	struct influence sum = {0, 0};
	double nx = (double)b->nx, ny = (double)b->ny, dot = 0, spread_x = 0;

	/* The mean of y enters as it is: influence of y[j] is its deviation over the mean of x. */
	influence_add(&sum, b->y, b->ny, 1 / b->centre_y);
	for (size_t i = 0; i < b->nx; i++)
		dot += 1 / (1 - b->x[i] / b->centre_x / (nx - 1)) / nx;
	for (size_t i = 0; i < b->nx; i++) {
		spread_x = (nx - 1) * (dot - 1 / (1 - b->x[i] / b->centre_x / (nx - 1))) / nx;
		sum.squares += spread_x * spread_x;
		sum.cubes += spread_x * spread_x * spread_x;
	}
	(void)ny;
	return acceleration(&sum);
}
