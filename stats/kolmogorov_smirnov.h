#ifndef STATS_KOLMOGOROV_SMIRNOV_H
#define STATS_KOLMOGOROV_SMIRNOV_H

#include <stddef.h>

#include "estimate.h"

/* Up to this many pairs of values p is exact. */
#define KOLMOGOROV_SMIRNOV_EXACT_PAIRS 1000000

/* Two-sample Kolmogorov-Smirnov test, two-sided. The statistic is D, the largest distance between the two empirical
 * distribution functions. p is exact, ties or not, where nx * ny <= KOLMOGOROV_SMIRNOV_EXACT_PAIRS: the share of all
 * splits of these values that reach D. Beyond, the limit distribution's. in:     work of
 * kolmogorov_smirnov_work_bytes() flags:  TOO_FEW (an empty side), NOT_FINITE: NaN; CONSTANT: p is 1 if the sides are
 * equal, else NaN source: Kolmogorov 1933, Smirnov 1939; R psmirnov, ks.test(x, y, exact = ...) */
struct test kolmogorov_smirnov(const double *x, size_t nx, const double *y, size_t ny, void *work);
size_t kolmogorov_smirnov_work_bytes(size_t nx, size_t ny);

/* The limit distribution whatever the number of values. in: work of 24 * (nx + ny) bytes
 * source: R ks.test(x, y, exact = FALSE) */
struct test kolmogorov_smirnov_limit(const double *x, size_t nx, const double *y, size_t ny, void *work);

#endif
