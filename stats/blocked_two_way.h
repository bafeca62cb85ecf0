#ifndef STATS_BLOCKED_TWO_WAY_H
#define STATS_BLOCKED_TWO_WAY_H

#include <stddef.h>

#include "two_way.h"

/* Two factors in complete blocks: value i is in block[i], which counts from 0 and is below levels_block, and each block
 * that is used has exactly one value in every cell that has any; cells may be empty in all of them. The error is what
 * cells and blocks leave; interaction is tested against it, too. blocks: their own line.
 * in:     work[blocked_two_way_work()], which also holds n indices, cell[n]
 * flags:  as two_way(); nonadditivity is that of factors without blocks, as two_way()
 * source: Fisher 1935; R anova(lm(y ~ block + a * b)) */
struct two_way blocked_two_way(const struct crossed *data, const size_t *block, size_t levels_block,
			       struct anova_term *blocks, size_t *cell, double *work);
size_t blocked_two_way_work(size_t levels_a, size_t levels_b, size_t levels_block);

#endif
