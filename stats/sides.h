#ifndef STATS_SIDES_H
#define STATS_SIDES_H

#include <stdbool.h>
#include <stddef.h>

#include "estimate.h"

/* What the tests of two samples share. */

/* NOT_FINITE; TOO_FEW where a side has fewer than min_n values; CONSTANT, only beside neither of these, where no side
 * varies beyond rounding though one has two values or more. */
unsigned sides_flags(const double *x, size_t nx, const double *y, size_t ny, size_t min_n);

/* Whether two sides without variation are equal but for rounding. */
bool sides_equal(const double *x, size_t nx, const double *y, size_t ny);

/* A test of n values that was not carried out: all NaN. */
struct test test_unanswered(size_t n, unsigned flags);

/* True where the flags decide the test, which is then filled in: NaN, but statistic 0 and p 1 for two sides that are
 * constant and equal. */
bool sides_decide(const double *x, size_t nx, const double *y, size_t ny, unsigned flags, struct test *test);

#endif
