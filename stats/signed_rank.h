#ifndef STATS_SIGNED_RANK_H
#define STATS_SIGNED_RANK_H

#include <stddef.h>

#include "estimate.h"

/* Up to this many pairs p is exact, ties or not. */
#define SIGNED_RANK_EXACT 200

/* Wilcoxon signed rank test of y[i] - x[i]. The statistic is V, the sum of the ranks of the positive differences; pairs
 * without a difference are left out, ties have midranks. p is twice the smaller tail, exact up to SIGNED_RANK_EXACT
 * differences, beyond that normal, corrected for ties and continuity.
 * in:     work of signed_rank_work_bytes()
 * flags:  TOO_FEW (no pair), NOT_FINITE: NaN; CONSTANT (all differences alike): p is 1 if they are zero, else NaN.
 *         n counts the values: 2 n
 * source: Wilcoxon 1945; R wilcox.test(y, x, paired = TRUE), with ties scipy permutation_test */
struct test signed_rank(const double *x, const double *y, size_t n, void *work);
size_t signed_rank_work_bytes(size_t n);

/* Largest k with 2 P(V <= k - 1) <= alpha, no ties, 0 if there is none: the k-th Walsh averages from either end are the
 * ends of an interval; *level is its level. in: work of signed_rank_work_bytes() */
size_t signed_rank_critical(size_t n, double alpha, double *level, void *work);

#endif
