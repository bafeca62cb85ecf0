#ifndef STATS_CHANGE_BETWEEN_H
#define STATS_CHANGE_BETWEEN_H

#include <stddef.h>

#include "change.h"

/* Work area in bytes, aligned as malloc does. */
size_t change_between_bytes(size_t n, size_t n_groups);

/* Changes that can only fall between groups of values, such as the runs of one version each: edivisive() with splits
 * and ends at the starts of groups. Group i of n_groups begins at starts[i], ascending, starts[0] = 0; none is empty.
 * in:     x[n] in time order, unmodified, exchangeable between changes
 * out:    changes[max], ascending; index counts values
 * return: how many; 0 where a value is not finite. O(permutations (n^2 + n_groups^3)) a step
 * source: Matteson & James 2014; with groups of one value edivisive() */
size_t change_between(const double *x, size_t n, const size_t *starts, size_t n_groups,
		      const struct change_settings *settings, struct change *changes, size_t max, void *work);

#endif
