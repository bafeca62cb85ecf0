#include "density.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#include "describe.h"
#include "moments.h"

#define BINS_MAX 200
#define REACH 8.5 /* of a kernel: beyond it is less than the rounding of its middle */

static double quartile_distance(const double *sorted, size_t n)
{
	return quantile_sorted(sorted, n, 0.75) - quantile_sorted(sorted, n, 0.25);
}

double bandwidth_nrd0(const double *sorted, size_t n)
{
	double sd, low;

	if (n < 2)
		return NAN;
	sd = moments(sorted, n, 0).sd;
	low = fmin(sd, quartile_distance(sorted, n) / 1.34);
	return 0.9 * (low > 0 ? low : sd) * pow((double)n, -0.2);
}

/* The first value that is not below the limit. */
static size_t first_from(const double *sorted, size_t n, double limit)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sorted[middle] < limit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

double density_at(const double *sorted, size_t n, double bandwidth, double at)
{
	double sum = 0;

	for (size_t i = first_from(sorted, n, at - REACH * bandwidth); i < n && sorted[i] <= at + REACH * bandwidth;
	     i++)
		sum += gsl_ran_ugaussian_pdf((sorted[i] - at) / bandwidth);
	return sum / (double)n / bandwidth;
}

size_t histogram_bins(const double *sorted, size_t n)
{
	double width = 2 * quartile_distance(sorted, n) / cbrt((double)n), bins = ceil(log2((double)n) + 1);

	if (is_constant(sorted, n))
		return 1;
	if (width > 0)
		bins = fmax(bins, ceil((sorted[n - 1] - sorted[0]) / width));
	return (size_t)fmin(bins, BINS_MAX);
}

double normal_score(size_t i, size_t n)
{
	double a = n <= 10 ? 3. / 8 : 0.5;

	return gsl_cdf_ugaussian_Pinv(((double)i + 1 - a) / ((double)n + 1 - 2 * a));
}

void normal_line(const double *sorted, size_t n, double *intercept, double *slope)
{
	double score = gsl_cdf_ugaussian_Pinv(0.75);

	*slope = quartile_distance(sorted, n) / (2 * score);
	*intercept = quantile_sorted(sorted, n, 0.25) + *slope * score;
}
