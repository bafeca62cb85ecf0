#ifndef STATS_STUDENTIZED_RANGE_H
#define STATS_STUDENTIZED_RANGE_H

#include <stddef.h>

#include "estimate.h"

/* P(Q > q) where Q is the range of k >= 2 independent normal values by an estimate of their standard deviation with df
 * degrees of freedom (0.5 or more, or infinity). Relative error below 1e-11, also of a small tail. NaN outside.
 * source: Copenhaver & Holland 1988; scipy.stats.studentized_range */
double studentized_range_tail(double q, size_t k, double df);

/* The q with P(Q > q) = p, p in [0,1]; relative error below 1e-11. */
double studentized_range_critical(double p, size_t k, double df);

/* Tukey's and Games and Howell's honest p and interval for one difference among all pairs of k treatments: the former
 * from pooled_contrast() (Tukey & Kramer for unequal n), the latter from welch(). NaN and unbounded where the contrast
 * has no p or no standard error; zero width where that is 0.
 * source: Kramer 1956; Games & Howell 1976; scipy.stats.tukey_hsd
 * in: critical: studentized_range_critical(1 - level, k, c->df); one for all pairs where df is the same */
double tukey_p(const struct contrast *c, size_t k);
void tukey_interval(const struct contrast *c, double critical, double *low, double *high);

#endif
