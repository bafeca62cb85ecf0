#ifndef STATS_DUNNETT_H
#define STATS_DUNNETT_H

#include <stddef.h>

/* Comparisons of m treatments of n[m] values with one control of n_control values by pooled_contrast() with df degrees
 * of freedom (0.5 or more, or infinity). Two-sided; the correlation of two t values is that of unequal n. NaN where m
 * or an n is 0 and outside. Relative error below 1e-11, also of a small tail; slow where one n is beyond 1000 times
 * n_control.   source: Dunnett 1955, 1964 */

/* P(max |T_i| > t): the p value of the treatment whose |t| that is, adjusted for all m. */
double dunnett_tail(double t, const size_t *n, size_t m, size_t n_control, double df);

/* The t with dunnett_tail(t) = p, p in [0,1]: an interval of that family is estimate -+ t * se. */
double dunnett_critical(double p, const size_t *n, size_t m, size_t n_control, double df);

#endif
