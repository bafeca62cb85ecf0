#ifndef STATS_TDIST_H
#define STATS_TDIST_H

/* Student's t distribution, central and noncentral. Above 30 degrees of freedom GSL's own is off by up to 1e-6 of a
 * small tail (and its quantile is wrong or infinite for a p below 1e-9 or so); these keep 12 digits at any p a double
 * can hold. Degrees of freedom: finite, 0.5 or more (no test here has fewer than 1). Outside the domain, NaN. */

/* P(T > t). */
double student_t_tail(double t, double df);

/* The t with P(T > t) = p, for p in [0,1]: infinity at 0, -infinity at 1. */
double student_t_critical(double p, double df);

/* P(|T'| > t) where T' = (Z + noncentrality) / sqrt(chi2 / df), t >= 0: both tails. Absolute error below 1e-12.
 * source: Johnson, Kotz & Balakrishnan 1995, chapter 31 */
double noncentral_t_tails(double t, double df, double noncentrality);

#endif
