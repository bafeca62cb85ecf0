#ifndef STATS_MANN_KENDALL_H
#define STATS_MANN_KENDALL_H

#include "estimate.h"

/* Trend of x[n] in time order, unmodified. in: work[2 * n]
 * statistic: Kendall's S, rising pairs minus falling ones; tau is S / (n (n-1) / 2).
 * p: exact for n < 50 without ties, else normal with the variance for ties and a continuity correction of 1. O(n log
 * n). flags: TOO_FEW (n < 2), CONSTANT, NOT_FINITE: everything NaN source: Mann 1945, Kendall 1975; R
 * cor.test(seq_along(x), x, method = "kendall", continuity = TRUE) */
struct test mann_kendall(const double *x, size_t n, double *work);

#endif
