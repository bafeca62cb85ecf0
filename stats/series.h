#ifndef STATS_SERIES_H
#define STATS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "estimate.h"

/* What the tests of one series share: whether it can be tested. If not, *t is NaN with the flag that says why, and
 * false: fewer than min_n values, a value that is not finite, no variation. Else everything in *t but n is NaN. */
bool series_is_testable(const double *x, size_t n, size_t min_n, struct test *t);

#endif
