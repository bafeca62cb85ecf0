#include "components.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "moments.h"
#include "sum.h"
#include "tdist.h"

/* Replaces the units of a level by the means of those they are in, and sums up how they differ from them. */
static size_t climb(double *units, const size_t *sizes, size_t n_units, double *ss, double *df, double *inverse)
{
	struct compensated squares = {0, 0};
	size_t groups = 0, first = 0;

	*df = *inverse = 0;
	for (; first < n_units; groups++) {
		struct moments m = moments(units + first, sizes[groups], 0);
		double free = (double)sizes[groups] - 1;

		if (free > 0)
			compensated_add(&squares, free * m.sd * m.sd);
		*df += free;
		*inverse += 1 / (double)sizes[groups];
		units[groups] = m.mean;
		first += sizes[groups];
	}
	*ss = compensated_value(&squares);
	return groups;
}

/* Mean of 1 / size over the units of a level, each weighted as it is in the mean square of the level above: by
 * 1 - 1 / m where it is one of m. */
static double mean_inverse(const size_t *sizes, const size_t *above, size_t n_units)
{
	double sum = 0, weights = 0;
	size_t group = 0, left = above[0];

	for (size_t i = 0; i < n_units; i++, left--) {
		double weight;

		if (left == 0)
			left = above[++group];
		weight = 1 - 1 / (double)above[group];
		sum += weight / (double)sizes[i];
		weights += weight;
	}
	return sum / weights;
}

struct components components(const struct nested *data, double *work)
{
	struct moments all = moments(data->y, data->n, 0);
	struct components c = {.levels = data->levels, .flags = all.flags};
	size_t units = data->n;
	int exponent = 0;

	for (size_t i = 0; i < COMPONENTS_MAX; i++)
		c.mean_square[i] = c.variance[i] = c.repeats[i] = c.df[i] = NAN;
	if (c.flags & EST_NOT_FINITE || data->n == 0)
		return c;
	frexp(all.sd > 0 ? all.sd : 1, &exponent);
	for (size_t i = 0; i < data->n; i++)
		work[i] = ldexp(data->y[i], -exponent) - ldexp(data->y[0], -exponent);
	for (size_t i = 0; i < data->levels; i++) {
		double ss, inverse;
		size_t groups = climb(work, data->sizes[i], units, &ss, &c.df[i], &inverse);

		c.mean_square[i] = c.df[i] > 0 ? ss / c.df[i] : NAN;
		c.repeats[i] = i + 1 < data->levels ? 1 / mean_inverse(data->sizes[i], data->sizes[i + 1], groups)
						    : (double)groups / inverse;
		if (c.df[i] == 0)
			c.flags |= EST_TOO_FEW;
		c.variance[i] = c.mean_square[i] - (i > 0 ? c.mean_square[i - 1] / c.repeats[i - 1] : 0);
		units = groups;
	}
	for (size_t i = 0; i < data->levels; i++) {
		c.mean_square[i] = ldexp(c.mean_square[i], 2 * exponent);
		c.variance[i] = ldexp(c.variance[i], 2 * exponent);
	}
	return c;
}

void components_split(const struct components *c, const double *cost, double *repeats)
{
	for (size_t i = 0; i + 1 < c->levels; i++) {
		double below = c->variance[i], above = c->variance[i + 1];

		if (isnan(below) || isnan(above) || !(cost[i] > 0) || !(cost[i + 1] > 0))
			repeats[i] = NAN;
		else if (below <= 0)
			repeats[i] = 1;
		else if (above <= 0)
			repeats[i] = INFINITY;
		else
			repeats[i] = ceil(sqrt(cost[i + 1] / cost[i] * (below / above)));
	}
}

double components_variance(const struct components *c, const double *repeats)
{
	double variance = 0;

	for (size_t i = 0; i < c->levels; i++) {
		double each = isnan(c->variance[i]) ? NAN : fmax(0, c->variance[i]);

		variance = (i > 0 ? variance / repeats[i - 1] : 0) + each;
	}
	return variance;
}

double components_units(double variance, double half, double level)
{
	double low = 1, high = 2;

	if (!(variance >= 0 && half >= 0 && level > 0 && level < 1))
		return NAN;
	if (half == 0)
		return INFINITY;
	/* The half-width falls with n: double until it is small enough, then bisect. */
	while (student_t_critical((1 - level) / 2, high - 1) * sqrt(variance / high) > half) {
		low = high;
		high *= 2;
		if (high > 0x1p52)
			return INFINITY;
	}
	while (high - low > 1) {
		double middle = floor((low + high) / 2);

		if (student_t_critical((1 - level) / 2, middle - 1) * sqrt(variance / middle) > half)
			low = middle;
		else
			high = middle;
	}
	return high;
}
