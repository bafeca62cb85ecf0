#ifndef STATS_PELT_H
#define STATS_PELT_H

#include <stddef.h>

#include "change.h"

/* 15 ln n: what a change must be worth to be believed, in units of twice the log likelihood. */
double pelt_penalty(size_t n);

/* Work area of all here, in bytes, aligned as malloc does. */
size_t pelt_bytes(size_t n);

/* Changes of mean or variance of x[n] in time order, unmodified: the segmentation with the smallest sum over segments
 * of C + penalty, exactly. C = m (log v + s^2 / v) of a segment of m values, s^2 its variance (denominator m) and v =
 * s^2, but not below g^2 / 12, where g is the smallest distance between distinct values: alike values are not known
 * better than that. Segments have min_length values or more (2 at least; 1 is taken for 2). Shifts up to 10^5 times the
 * noise. out:    changes[]: first index of each segment but the first, ascending; room for n / min_length return: how
 * many; 0 where n < 2 min_length or a value is not finite source: Killick, Fearnhead & Eckley 2012; O(n) where changes
 * are spread over the series, O(n^2) at worst */
size_t pelt(const double *x, size_t n, double penalty, size_t min_length, size_t *changes, void *work);

/* What pelt() makes smallest, of changes[n_changes] given. NaN where pelt() would not answer. */
double pelt_cost(const double *x, size_t n, double penalty, const size_t *changes, size_t n_changes, void *work);

/* The changes of pelt() with pelt_penalty(), from the first to the last, that stand up to permutation: the best split
 * of the segments on both sides of the change together saves more than it does, searched anew, in all but a share alpha
 * of orders of their values. O(permutations n).   out: changes[max], ascending; gain: the cost saved by that best split
 * return: how many */
size_t pelt_confirmed(const double *x, size_t n, const struct change_settings *settings, struct change *changes,
		      size_t max, void *work);

#endif
