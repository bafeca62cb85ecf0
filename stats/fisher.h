#ifndef STATS_FISHER_H
#define STATS_FISHER_H

#include "estimate.h"

/* Fisher's exact test of a 2 x 2 table: failed_x of nx against failed_y of ny. p is the probability of all tables with
 * the same margins that are no likelier than this one. The statistic is the ratio of the odds of failure, y to x (0,
 * infinity, or NaN where both have none or all). n: nx + ny, below 2^31. flags:  TOO_FEW (an empty side, or more
 * failures than runs): p NaN source: R fisher.test */
struct test fisher(unsigned failed_x, unsigned nx, unsigned failed_y, unsigned ny);

#endif
