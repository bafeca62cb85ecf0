#ifndef STATS_ADJUST_H
#define STATS_ADJUST_H

#include <stddef.h>

/* Holm's step-down adjustment of p[m] into adjusted[m]; what is not in [0,1], a NaN above all, is no test: it becomes
 * NaN and is not counted. adjusted may be p itself.
 * in: work[m] of indices   source: Holm 1979; R p.adjust(method = "holm") */
void holm(const double *p, size_t m, double *adjusted, size_t *work);

/* Benjamini and Hochberg's: holds the rate of false discoveries among what is declared, not the chance of any. As
 * above. source: Benjamini & Hochberg 1995; R p.adjust(method = "BH") */
void benjamini_hochberg(const double *p, size_t m, double *adjusted, size_t *work);

#endif
