#ifndef STATS_HODGES_LEHMANN_H
#define STATS_HODGES_LEHMANN_H

#include <stddef.h>

#include "estimate.h"

/* Hodges-Lehmann shift of y relative to x: the median of y[j] - x[i], its interval from two of those differences.
 * in:     work of hodges_lehmann_work_bytes(); time grows with (nx + ny) log(nx + ny), not with nx * ny
 * out:    level is the one that was reached, at least the one asked for where exact: nx * ny <=
 *         MANN_WHITNEY_EXACT_PAIRS; beyond, normal
 * flags:  TOO_FEW and an unbounded interval where none exists at this level (3 against 3 at 95%); NOT_FINITE (value
 * NaN); CONSTANT source: Hodges & Lehmann 1963; R wilcox.test(y, x, conf.int = TRUE, exact = TRUE) */
struct estimate hodges_lehmann(const double *x, size_t nx, const double *y, size_t ny, double level, void *work);
size_t hodges_lehmann_work_bytes(size_t nx, size_t ny);

/* The same of pairs: the median of the Walsh averages (d[i] + d[j]) / 2, i <= j, of d = y - x. Give x NULL for one
 * sample y. in: work of hodges_lehmann_paired_work_bytes(). TOO_FEW below 6 pairs at 95%. n counts the values: 2 n of
 * pairs. source: R wilcox.test(y, x, paired = TRUE, conf.int = TRUE, exact = TRUE) */
struct estimate hodges_lehmann_paired(const double *x, const double *y, size_t n, double level, void *work);
size_t hodges_lehmann_paired_work_bytes(size_t n);

#endif
