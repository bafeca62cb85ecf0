#ifndef STATS_TTEST_H
#define STATS_TTEST_H

#include "estimate.h"

/* All return y minus x; values in any order, unmodified. Where there is no variation (both sides constant; all paired
 * differences alike but for rounding): flag CONSTANT, se 0, and p is 1 if the sides are equal, else NaN: such data
 * cannot be tested. A Welch contrast has no df then (0/0). flags: TOO_FEW (NaN se, df, t, p) below two values a side or
 * two pairs; NOT_FINITE (all NaN), also where the result is beyond what a double holds. */

/* Welch's unequal-variances t test, Satterthwaite degrees of freedom: n - 1 of the other side where one is constant.
 * source: Welch 1947; R t.test(y, x) */
struct contrast welch(const double *x, size_t nx, const double *y, size_t ny);

/* Paired t test: x[i] and y[i] belong together.   source: R t.test(y, x, paired = TRUE) */
struct contrast paired(const double *x, const double *y, size_t n);

/* The same of logarithms: exp of the estimate and its interval is the ratio y / x of geometric means. Better than
 * passing logarithms in: near 1 those are small, and rounding of the values beside them is not. in: work[nx + ny],
 * work[2 * n]   flags: as above, NOT_POSITIVE (all NaN) */
struct contrast welch_log(const double *x, size_t nx, const double *y, size_t ny, double *work);
struct contrast paired_log(const double *x, const double *y, size_t n, double *work);

#endif
