#ifndef STATS_FDIST_H
#define STATS_FDIST_H

/* P(F > f) with df1 and df2 degrees of freedom, real-valued, finite and above 0; NaN outside. GSL's own is off, or 0,
 * where df2 is above 2e5; this keeps 11 digits down to the smallest double.
 * source: Abramowitz & Stegun 26.5.8 (the incomplete beta function as a continued fraction); R pf() */
double f_tail(double f, double df1, double df2);

#endif
