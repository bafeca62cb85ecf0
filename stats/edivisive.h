#ifndef STATS_EDIVISIVE_H
#define STATS_EDIVISIVE_H

#include <stddef.h>

#include "change.h"

/* Work area of all here, in bytes, aligned as malloc does. */
size_t edivisive_bytes(size_t n);

/* The split of x[n] that makes gain q = (a b / (a + b)) (2 mean|x - y| - mean|x - x'| - mean|y - y'|) largest, x the a
 * values before the split and y the b values from it to any end, means over pairs of different values. p is NaN. index
 * is n and gain is NaN for n < 2 min_length. O(n^2) time.   source: Matteson & James 2014, exponent 1 */
struct change best_split(const double *x, size_t n, size_t min_length, void *work);

/* Splits one segment after the other, the best split first, as long as fewer than a share alpha of permutations of the
 * values within the segments have a best split, searched anew, as good. x[n] in time order, unmodified, taken to be
 * exchangeable between changes: autocorrelated noise gives false ones.
 * out:    changes[max], ascending: p is that of the step that found it
 * return: how many; 0 where a value is not finite. O(permutations n^2) a step, less where nothing is found
 * source: Matteson & James 2014 */
size_t edivisive(const double *x, size_t n, const struct change_settings *settings, struct change *changes, size_t max,
		 void *work);

#endif
