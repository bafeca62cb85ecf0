#ifndef STATS_RANK_H
#define STATS_RANK_H

#include <stddef.h>

/* Doubled midranks, which are whole numbers: of tied values each has the sum of the first and the last rank of the
 * tie. x[nx] and y[ny] are ranked together: ranks[0 .. nx) are those of x, ranks[nx .. nx + ny) of y (y may be NULL
 * with ny 0). Finite values only. in: values[nx + ny], order[nx + ny] work areas; on return order sorts ranks
 * ascending. Returns the sum of t^3 - t over the ties of t values. */
double doubled_midranks(const double *x, size_t nx, const double *y, size_t ny, size_t *ranks, double *values,
			size_t *order);

/* Number of ways to choose m of the n whole numbers in a[n], by their sum: counts[s] for s = 0 .. limit, in a double
 * (exact to 2^53, then to 1e-13 or so). in: counts[(m + 1) * (limit + 1)], of which the last limit + 1 hold the result,
 * which is returned.   source: Streitberg & Roehmel 1986 */
const double *subset_sum_counts(const size_t *a, size_t n, size_t m, size_t limit, double *counts);

/* The same for any number of them, all 2^n ways, each divided by 2^n: probabilities[limit + 1]. */
void signed_sum_probabilities(const size_t *a, size_t n, size_t limit, double *probabilities);

#endif
