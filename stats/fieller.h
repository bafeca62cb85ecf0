#ifndef STATS_FIELLER_H
#define STATS_FIELLER_H

#include <stddef.h>

#include "estimate.h"

/* Ratio of arithmetic means, y to x, with Fieller's interval: all r that a Welch t test of mean(y) - r mean(x) = 0 does
 * not reject, with Satterthwaite's degrees of freedom at the estimate. A value may be of any sign. flags:  UNBOUNDED
 * and an interval without ends where mean(x) is not told from 0, t(mean of x) <= critical t: then no, or nearly no,
 * ratio can be excluded (value NaN where mean(x) is 0); TOO_FEW (a side below 2); NOT_FINITE (value NaN); CONSTANT
 * (zero width, or NaN and unbounded where x is 0) source: Fieller 1954, by solving the equation of the t test */
struct estimate fieller(const double *x, size_t nx, const double *y, size_t ny, double level);

#endif
