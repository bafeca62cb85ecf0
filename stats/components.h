#ifndef STATS_COMPONENTS_H
#define STATS_COMPONENTS_H

#include <stddef.h>

#include "estimate.h"

#define COMPONENTS_MAX 6

/* Measurements nested in levels: level 0 the runs, level 1 the boots they were made in, and so on up. y[] lies in that
 * order, run by run, boot by boot. sizes[i][g]: how many units of level i the g-th unit of level i + 1 has; above the
 * highest level there is one unit, all of it. All sizes are 1 or more. 2 <= levels <= COMPONENTS_MAX. */
struct nested {
	const double *y;
	size_t n, levels;
	const size_t *const *sizes;
};

/* How much of the noise comes from each level. In the literature's counting of levels S1 is mean_square[0].
 *   mean_square[i]: variance of the means of units of level i about that of the unit they are in, pooled
 *   variance[i]:    what the level itself adds: mean_square[i] less mean_square[i - 1] / repeats[i - 1]; may be
 * negative repeats[i]:     units of level i in one of level i + 1: all alike, else their harmonic mean, over the units
 * that count at level i + 1 and with their weight: exact for two levels, near it for more df[i]:          degrees of
 * freedom of mean_square[i]; where 0 that is NaN, and all that rests on it */
struct components {
	double mean_square[COMPONENTS_MAX], variance[COMPONENTS_MAX], repeats[COMPONENTS_MAX], df[COMPONENTS_MAX];
	size_t levels;
	unsigned flags;
};

/* in:     work[n]
 * flags:  TOO_FEW where a level has no degree of freedom; NOT_FINITE (all NaN); CONSTANT
 * source: Kalibera & Jones 2013; balanced: mean squares of R's aov(y ~ boot) over the size of a unit */
struct components components(const struct nested *data, double *work);

/* Cheapest number of units of each level in one of the level above, for the narrowest interval at a given cost: cost[i]
 * of one more unit of level i, without what is in it. repeats[levels - 1]. 1 where the level adds nothing itself;
 * infinity where only the level above adds nothing, NaN where a variance is.   source: Kalibera & Jones 2013 */
void components_split(const struct components *c, const double *cost, double *repeats);

/* Variance of the mean of one unit of the highest level that is split so; a negative variance counts as 0. */
double components_variance(const struct components *c, const double *repeats);

/* How many such units, 2 or more, until the t interval of their mean is no wider than estimate -+ half; variance as
 * above. Infinity for half 0, NaN outside: variance < 0, half < 0, level not in (0,1). */
double components_units(double variance, double half, double level);

#endif
