#ifndef STATS_DESCRIBE_H
#define STATS_DESCRIBE_H

#include <stdbool.h>

#include "estimate.h"

/* Summary of one sample. NaN where undefined: everything for n == 0, sd and cv for n == 1, cv for mean 0. sd, cv and
 * mad are 0 where is_constant(). sd has denominator n - 1; cv = sd / |mean|; mad is the raw median absolute deviation,
 * unscaled. */
struct description {
	size_t n;
	double mean, sd, cv, median, mad, min, max;
	unsigned flags;
};

/* in: x[n] any order, unmodified; work[n]   flags: TOO_FEW (n < 2), CONSTANT, NOT_FINITE (all fields NaN)
 * The mean and sd reach 13 digits on NIST's univariate sets (two passes, compensated). */
struct description describe(const double *x, size_t n, double *work);

/* Whether all values are alike but for rounding: max - min <= 64 epsilon of the largest magnitude. False for n == 0
 * and where a value is not finite. */
bool is_constant(const double *x, size_t n);

/* Quantile of ascending sorted[n], type 7; NaN for n == 0 and p outside [0,1].   source: Hyndman & Fan 1996; R
 * quantile() */
double quantile_sorted(const double *sorted, size_t n, double p);

/* Student's t interval of the mean.   source: R t.test(x)
 * flags: TOO_FEW and an unbounded interval for n < 2; CONSTANT and a zero-width one for no variation; NOT_FINITE, NaN
 */
struct estimate mean_interval(const double *x, size_t n, double level);

/* Geometric mean with exp of the t interval on logs. in: work[n]   flags: as above, NOT_POSITIVE (value NaN)
 * source: R exp(t.test(log(x))) */
struct estimate geometric_interval(const double *x, size_t n, double level, double *work);

#endif
