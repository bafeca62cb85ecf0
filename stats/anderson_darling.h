#ifndef STATS_ANDERSON_DARLING_H
#define STATS_ANDERSON_DARLING_H

#include <stddef.h>

#include "estimate.h"
#include "statistic.h"

/* Anderson-Darling test of k samples: whether they have one distribution; it sees tails better than Kolmogorov-Smirnov.
 * The statistic is the midrank A2akN, less its mean k - 1, over its standard deviation. p is that of the limit
 * distribution with the same standardised value, not read off a table: right to 1e-11 (below 1e-10 the leading term of
 * the tail, a few per cent off), but as an approximation for few values it is only good to a few per cent of itself.
 * in:     groups[k] any order, unmodified; a group may have one value; work of anderson_darling_bytes()
 * flags:  TOO_FEW for k < 2, an empty group, or fewer than 4 values in all; NOT_FINITE: NaN; CONSTANT where no group
 * varies: p is 1 if all are equal, else NaN source: Scholz & Stephens 1987, equation 7; scipy anderson_ksamp */
struct test anderson_darling(const struct values *groups, size_t k, void *work);
size_t anderson_darling_bytes(const struct values *groups, size_t k);

/* P(sum of Y(j) / (j (j + 1)) > x), the Y independent chi-squared with m degrees of freedom: of m = 1 the limit of the
 * one-sample Anderson-Darling statistic.   source: Gil-Pelaez 1951, by inversion */
double anderson_darling_tail(double x, unsigned m);

#endif
