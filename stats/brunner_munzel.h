#ifndef STATS_BRUNNER_MUNZEL_H
#define STATS_BRUNNER_MUNZEL_H

#include <stddef.h>
#include <stdint.h>

#include "estimate.h"

/* Brunner-Munzel test of P(x < y) + P(x = y) / 2 = 1/2, spreads and shapes being free. The statistic is positive where
 * y is larger. p by Student's t with Satterthwaite's degrees of freedom: too small below 10 a side or so, see the next.
 * in:     work of brunner_munzel_work_bytes()
 * flags:  TOO_FEW (a side below 2), NOT_FINITE: NaN; CONSTANT: p is 1 if the sides are equal, else NaN; UNBOUNDED: the
 *         sides do not overlap, the statistic is infinite and has no t: p is NaN, take the next
 * source: Brunner & Munzel 2000; scipy brunnermunzel(x, y) */
struct test brunner_munzel(const double *x, size_t nx, const double *y, size_t ny, void *work);
size_t brunner_munzel_work_bytes(size_t nx, size_t ny);

/* p by the permutation distribution of the same statistic: all splits up to SPLITS_EXACT (splits.h), else `resamples`
 * are drawn from the seed. Sides that do not overlap are the extreme splits. source: Neubert & Brunner 2007; scipy
 * permutation_test */
struct test brunner_munzel_permuted(const double *x, size_t nx, const double *y, size_t ny, size_t resamples,
				    uint64_t seed, void *work);

#endif
