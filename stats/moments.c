#include "moments.h"

#include <float.h>
#include <math.h>

#include "estimate.h"
#include "sum.h"

/* How far apart two values may be, in units of the last place, and still be the same one computed in two ways. */
#define ROUNDING_ULPS 64

/* The sample x, or y - x where y is not NULL, times scale, a power of two: exact but for what is subnormal beside the
 * largest. */
struct source {
	const double *x, *y;
	size_t n;
	double scale;
};

static double source_value(const struct source *s, size_t i)
{
	double x = s->x[i] * s->scale;

	return s->y ? s->y[i] * s->scale - x : x;
}

static double largest(const double *x, size_t n)
{
	double magnitude = 0;
	bool is_finite = true;

	for (size_t i = 0; i < n; i++) {
		double size = fabs(x[i]);

		is_finite &= size <= DBL_MAX;
		magnitude = size > magnitude ? size : magnitude;
	}
	return is_finite ? magnitude : NAN;
}

bool is_rounding(double difference, double magnitude)
{
	return fabs(difference) <= ROUNDING_ULPS * DBL_EPSILON * magnitude;
}

static double source_mean(const struct source *s, double *min, double *max)
{
	struct compensated sum = {0, 0};

	*min = INFINITY;
	*max = -INFINITY;
	for (size_t i = 0; i < s->n; i++) {
		double value = source_value(s, i);

		*min = value < *min ? value : *min;
		*max = value > *max ? value : *max;
		compensated_add(&sum, value);
	}
	return compensated_value(&sum) / (double)s->n;
}

/* The second term takes out what the mean's own rounding adds.   source: Chan, Golub & LeVeque 1983 */
static double source_sd(const struct source *s, double mean)
{
	struct compensated squares = {0, 0}, deviations = {0, 0};
	double n = (double)s->n, bias;

	for (size_t i = 0; i < s->n; i++) {
		double d = source_value(s, i) - mean;

		compensated_add(&squares, d * d);
		compensated_add(&deviations, d);
	}
	bias = compensated_value(&deviations);
	return sqrt((compensated_value(&squares) - bias * bias / n) / (n - 1));
}

static struct moments moments_of(struct source *s, double magnitude, double unit)
{
	struct moments m = {.n = s->n, .mean = NAN, .sd = NAN, .min = NAN, .max = NAN, .magnitude = magnitude};
	double mean, min, max, resolution = fmax(magnitude, unit);
	int exponent;

	if (s->n < 2)
		m.flags |= EST_TOO_FEW;
	if (isnan(magnitude))
		m.flags |= EST_NOT_FINITE;
	if (s->n == 0 || isnan(magnitude))
		return m;
	frexp(magnitude, &exponent);
	/* Of subnormal values alone the reciprocal would be too large. */
	exponent = exponent < -1000 ? -1000 : exponent;
	s->scale = ldexp(1, -exponent);
	mean = source_mean(s, &min, &max);
	resolution = ldexp(resolution, -exponent);
	if (s->y && is_rounding(min, resolution) && is_rounding(max, resolution))
		min = max = mean = 0;
	m.mean = ldexp(mean, exponent);
	m.min = ldexp(min, exponent);
	m.max = ldexp(max, exponent);
	if (s->n < 2)
		return m;
	m.sd = is_rounding(max - min, resolution) ? 0 : ldexp(source_sd(s, mean), exponent);
	if (m.sd == 0)
		m.flags |= EST_CONSTANT;
	return m;
}

struct moments moments(const double *x, size_t n, double unit)
{
	struct source s = {.x = x, .n = n};

	return moments_of(&s, largest(x, n), unit);
}

struct moments moments_of_differences(const double *x, const double *y, size_t n, double unit)
{
	struct source s = {.x = x, .y = y, .n = n};
	double of_x = largest(x, n), of_y = largest(y, n);

	return moments_of(&s, isnan(of_x) || isnan(of_y) ? NAN : fmax(of_x, of_y), unit);
}

unsigned logarithms(const double *x, size_t n, double *logs)
{
	unsigned flags = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			flags |= EST_NOT_FINITE;
		else if (x[i] <= 0)
			flags |= EST_NOT_POSITIVE;
		else
			logs[i] = log(x[i]);
	}
	return flags;
}
