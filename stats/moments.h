#ifndef STATS_MOMENTS_H
#define STATS_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>

/* What the t procedures need of a sample. sd has denominator n - 1, is NaN for n < 2 and exactly 0 where is_constant.
 */
struct moments {
	size_t n;
	double mean, sd, min, max;
	double magnitude; /* largest |value| that went in: rounding errors are relative to it */
	unsigned flags;   /* EST_TOO_FEW (n < 2), EST_CONSTANT, EST_NOT_FINITE (everything else NaN) */
};

/* Two passes, compensated (Neumaier), scaled by a power of two so that nothing over- or underflows on the way.
 * unit: the size below which rounding errors do not shrink with the values: 0, or 1 for logarithms. */
struct moments moments(const double *x, size_t n, double unit);

/* Of y[i] - x[i]. Alike but for the rounding of x and y is constant; zero but for that is zero. */
struct moments moments_of_differences(const double *x, const double *y, size_t n, double unit);

/* Whether a difference between values of that magnitude may be rounding and nothing else. */
bool is_rounding(double difference, double magnitude);

/* Logarithms of x[n] into logs[n]. Flags: EST_NOT_FINITE, EST_NOT_POSITIVE; then logs is not to be used. */
unsigned logarithms(const double *x, size_t n, double *logs);

#endif
