#ifndef STATS_ANYTIME_H
#define STATS_ANYTIME_H

#include "estimate.h"

/* A paired t test that may be looked at after every pair: P(E >= 1 / alpha at any look) <= alpha where nothing differs.
 * statistic: log of E = (1 + n g)^(-1/2) ((1 + t^2 / (v (1 + n g))) / (1 + t^2 / v))^(-(v + 1) / 2), v = n - 1, which
 * neither over- nor underflows.   p: min(1, 1 / E), valid at any look; stop when p <= alpha.
 * in: the contrast of the pairs so far, of paired() or paired_log(); g > 0 is the variance of the effects looked for,
 * in units of the variance of one pair's difference (1: those as large as the noise). flags: those of the contrast; NaN
 * where it has no t source: Lai 1976; Wang & Ramdas 2023 (t test mixture with a scale-invariant prior) */
struct test anytime_t(const struct contrast *pairs, double g);

/* The t beyond which log E reaches -log(alpha) with n pairs: infinity where n is too few for any t. For drawing limits
 * and for planning. alpha in (0,1). */
double anytime_t_limit(size_t n, double g, double alpha);

#endif
