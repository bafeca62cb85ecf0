#ifndef STATS_TTEST_H
#define STATS_TTEST_H

#include "estimate.h"

/* Both return y minus x; values in any order, unmodified. Where there is no variation (both sides constant; all paired
 * differences alike): flag CONSTANT, se 0, and p is 1 if the sides are equal, else NaN: such data cannot be tested.
 * flags: TOO_FEW (NaN se, p) below two values a side or two pairs; NOT_FINITE. */

/* Welch's unequal-variances t test, Satterthwaite degrees of freedom.   source: Welch 1947; R t.test(y, x) */
struct contrast welch(const double *x, size_t nx, const double *y, size_t ny);

/* Paired t test: x[i] and y[i] belong together.   source: R t.test(y, x, paired = TRUE) */
struct contrast paired(const double *x, const double *y, size_t n);

#endif
