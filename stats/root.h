#ifndef STATS_ROOT_H
#define STATS_ROOT_H

/* The zero of a continuous f between low and high, where its signs differ, within tolerance. Where they do not differ,
 * the end at which f is nearer to zero.   source: Chandrupatla 1997 */
double root(double (*f)(double x, const void *context), const void *context, double low, double high, double tolerance);

#endif
