#ifndef STATS_EFFECT_SIZE_H
#define STATS_EFFECT_SIZE_H

#include <stddef.h>

#include "estimate.h"

/* Hedges' g: the difference of means, y minus x, in pooled standard deviations, corrected for bias by
 * J = gamma(v / 2) / (sqrt(v / 2) gamma((v - 1) / 2)), v = nx + ny - 2. The interval is the large-sample normal one,
 * variance (nx + ny) / (nx ny) + g^2 / (2 (nx + ny)). flags:  TOO_FEW (a side below 2, or nx + ny < 4), NOT_FINITE:
 * value NaN; CONSTANT: 0 if the sides are equal, else NaN source: Hedges 1981; Hedges & Olkin 1985 */
struct estimate hedges_g(const double *x, size_t nx, const double *y, size_t ny, double level);

/* Cliff's delta: P(y > x) - P(y < x) over all pairs, from -1 to 1, 2 U / (nx ny) - 1. The interval is the asymmetric
 * one from the unbiased variance; where the sides do not overlap, one end is (m - z^2) / (m + z^2), m the smaller n.
 * in:     work of cliff_delta_work_bytes()
 * flags:  TOO_FEW (a side below 2), NOT_FINITE: value NaN; CONSTANT beside the same answer
 * source: Cliff 1996; Feng & Cliff 2004 */
struct estimate cliff_delta(const double *x, size_t nx, const double *y, size_t ny, double level, void *work);
size_t cliff_delta_work_bytes(size_t nx, size_t ny);

#endif
