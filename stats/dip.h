#ifndef STATS_DIP_H
#define STATS_DIP_H

#include "estimate.h"

/* Work areas of the two, in bytes, aligned as malloc does. */
size_t dip_bytes(size_t n);
size_t dip_test_bytes(size_t n);

/* Hartigan's dip: the largest distance between the distribution function of ascending sorted[n] and the nearest one
 * with a single mode; 1 / (2n) at least, and that where all values are alike; NaN for n == 0. O(n) a narrowing of the
 * interval of the mode, of which there are few.   source: Hartigan & Hartigan 1985, whose AS 217 (1985) is used as
 * corrected: the convex and concave parts both count, before the mode and after it */
double dip_sorted(const double *sorted, size_t n, void *work);

/* statistic: the dip of x[n], in any order, unmodified. p: share of as large ones in samples of the uniform
 * distribution, (b + 1) / (simulations + 1), which is conservative for other single modes. Above n = 1000 samples of
 * that size stand for larger ones, and sqrt(n) dip is compared.   flags: TOO_FEW (n < 4: the dip is 1 / (2n) then),
 * CONSTANT, NOT_FINITE: everything NaN */
struct test dip_test(const double *x, size_t n, size_t simulations, unsigned long seed, void *work);

#endif
