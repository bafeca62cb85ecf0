#ifndef STATS_AUTOCORRELATION_H
#define STATS_AUTOCORRELATION_H

#include "estimate.h"

/* All take x[n] in time order, unmodified.   flags: TOO_FEW, CONSTANT, NOT_FINITE: everything NaN */

/* Sum of (x[i] - mean)(x[i + lag] - mean) over sum of (x[i] - mean)^2; NaN where it is not defined: lag >= n, constant
 * or not finite values. 13 digits on NIST's univariate sets.   source: NIST StRD r(1); R acf(x, lag) */
double autocorrelation(const double *x, size_t n, size_t lag);

/* statistic: autocorrelation at lag 1. p: by the normal distribution with the mean -1/n and the variance
 * (n-2)^2 / (n^2 (n-1)) that r(1) has in white normal noise; n >= 3. Of white series 3% (n = 5) to 5% (n = 30) have
 * p <= .05.   source: Moran 1948; Dufour & Roy 1985 */
struct test lag_one(const double *x, size_t n);

/* statistic: n (n+2) sum of r(k)^2 / (n-k) over lags 1 to lags, chi-squared with df = lags; needs n > lags >= 1 and
 * n >= 3.   source: Ljung & Box 1978; R Box.test(x, lags, "Ljung-Box") */
struct test ljung_box(const double *x, size_t n, size_t lags);

#endif
