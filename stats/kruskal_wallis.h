#ifndef STATS_KRUSKAL_WALLIS_H
#define STATS_KRUSKAL_WALLIS_H

#include <stddef.h>

#include "estimate.h"
#include "statistic.h"

/* Whether k samples have one location, by ranks: H with the correction for ties and chi-squared with k - 1 degrees of
 * freedom, an approximation also for small samples, where the exact p is smaller as a rule.
 * in:     groups[k] any order, unmodified; a group may have one value; work: kruskal_wallis_bytes()
 * flags:  TOO_FEW for k < 2, an empty group, or none of two values; NOT_FINITE; CONSTANT where no group varies beyond
 *         rounding: ranks can be tested all the same, unless all values are equal (H 0, p 1)
 * source: Kruskal & Wallis 1952; R kruskal.test() */
struct test kruskal_wallis(const struct values *groups, size_t k, void *work);
size_t kruskal_wallis_bytes(const struct values *groups, size_t k);

#endif
