#ifndef STATS_SELECT_H
#define STATS_SELECT_H

#include <stddef.h>

/* Reorders x[n], which holds no NaN, so that x[k] is the value that sorting would put there, smaller ones and its
 * equals before it, larger ones and its equals behind; k < n. In time proportional to n but for rare orders, n log n at
 * worst. source: Hoare 1961 */
void select_nth(double *x, size_t n, size_t k);

/* What quantile_sorted() says of x[n] in ascending order, without sorting all of it. Reorders x. */
double quantile_select(double *x, size_t n, double p);

#endif
