#ifndef STATS_WALD_WOLFOWITZ_H
#define STATS_WALD_WOLFOWITZ_H

#include "estimate.h"

/* Whether values above and below the median follow each other as if shuffled. x[n] in time order, unmodified; work[n].
 * Values equal to the median are left out. statistic: the number of unbroken stretches on one side (a "run" of the
 * literature). p: twice the smaller tail, at most 1; counted up to 1000 values beside the median, normal without
 * correction above; 1 where only one side is left.
 * flags: TOO_FEW (n < 2), CONSTANT, NOT_FINITE: everything NaN
 * source: Wald & Wolfowitz 1940; R tseries::runs.test has the normal approximation */
struct test wald_wolfowitz(const double *x, size_t n, double *work);

/* P(at most that many stretches) and P(at least that many) of above and below values in random order, counted. */
void stretches_tails(size_t above, size_t below, size_t stretches, double *at_most, double *at_least);

#endif
