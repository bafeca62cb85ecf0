#ifndef STATS_MEDIAN_H
#define STATS_MEDIAN_H

#include "estimate.h"

/* Median with the interval of two order statistics, the k-th from either end; level is the one that was reached, never
 * less than the one asked for. in: work[n] flags:  TOO_FEW and an unbounded interval where none exists (below n = 6 at
 * 95%), NOT_FINITE (value NaN), CONSTANT source: 1 - 2 P(Bin(n, 1/2) < k); R qbinom */
struct estimate median_interval(const double *x, size_t n, double level, double *work);

#endif
