#ifndef STATS_CHI_H
#define STATS_CHI_H

/* For s, the root of chi-squared(df) / df, which is the error of an estimated standard deviation; df >= 0.5, finite. */

/* chi_scale(df) * chi_shape(y, df) is the density of y = log(s), which has no singularity at any df. */
double chi_shape(double y, double df);
double chi_scale(double df);

/* Mean of f(s). f: falls from 1 at s = 0; reach: some s where it is still of order 1, so that what small s add to a
 * small mean is not lost; smooth: a length of log(s) over which f is smooth. Relative error below 1e-12. */
double chi_mean(double (*f)(double s, const void *context), const void *context, double df, double reach,
		double smooth);

#endif
