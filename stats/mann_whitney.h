#ifndef STATS_MANN_WHITNEY_H
#define STATS_MANN_WHITNEY_H

#include <stdbool.h>
#include <stddef.h>

#include "estimate.h"

/* Up to this many pairs of values p is exact, ties or not: 50 a side, or 10 against 250. */
#define MANN_WHITNEY_EXACT_PAIRS 2500

/* Mann-Whitney test. The statistic is U, the number of pairs in which y is larger than x, ties counted half. p is twice
 * the smaller tail. Exact (conditional on the ties, by counting all splits) where nx * ny <= MANN_WHITNEY_EXACT_PAIRS,
 * beyond it normal, corrected for ties and continuity.
 * in:     work of mann_whitney_work_bytes(): 3 MB at most, or 24 bytes a value where normal
 * flags:  TOO_FEW (an empty side), NOT_FINITE: NaN; CONSTANT: p is 1 if the sides are equal, else NaN
 * source: Mann & Whitney 1947; R wilcox.test(y, x), with ties scipy permutation_test of U */
struct test mann_whitney(const double *x, size_t nx, const double *y, size_t ny, void *work);
size_t mann_whitney_work_bytes(size_t nx, size_t ny);

/* The normal approximation whatever the number of values. in: work of 24 * (nx + ny) bytes
 * source: R wilcox.test(y, x, exact = FALSE) */
struct test mann_whitney_normal(const double *x, size_t nx, const double *y, size_t ny, void *work);

/* Largest k with 2 P(U <= k - 1) <= alpha, no ties, 0 if there is none: of the sorted nx * ny differences the k-th from
 * either end are the ends of an interval at 1 - alpha or more; *level is what that is. Exact and normal as above.
 * in: work of mann_whitney_work_bytes() */
size_t mann_whitney_critical(size_t nx, size_t ny, double alpha, double *level, void *work);

#endif
