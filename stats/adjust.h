#ifndef STATS_ADJUST_H
#define STATS_ADJUST_H

#include <stddef.h>

/* Holm's step-down adjustment of p[m] into adjusted[m]; NaN entries are no tests: they stay NaN and are not counted.
 * in: work[m] of indices   source: Holm 1979; R p.adjust(method = "holm") */
void holm(const double *p, size_t m, double *adjusted, size_t *work);

#endif
