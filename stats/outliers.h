#ifndef STATS_OUTLIERS_H
#define STATS_OUTLIERS_H

#include <stddef.h>

/* Marks, never removals: marks[i] = 1 where x[i] stands out, else 0. x[n] in any order, unmodified. All return the
 * number marked; none of values that are scarce, alike or not all finite. */

struct gesd_step {
	size_t index;  /* of the value farthest from the mean of those left */
	double r;      /* its distance, in standard deviations of those left */
	double lambda; /* beyond which it is an outlier, with all before it */
};

/* Generalised extreme studentised deviate: up to max outliers (at most n - 2 are looked for), steps[max] filled in
 * order of removal; returns how many of them, from the first, are outliers. For n of 25 or more (15 will do).
 * in: work[n], order[n]; alpha in (0,1). O(n (max + log n))   source: Rosner 1983; NIST handbook 1.3.5.17.3 */
size_t gesd(const double *x, size_t n, size_t max, double alpha, struct gesd_step *steps, double *work, size_t *order);

/* |0.6745 (x - median) / MAD| > 3.5. Where the MAD is 0 (half of the values alike) the mean absolute deviation from the
 * median times 1.2533 stands for MAD / 0.6745. in: work[n], n >= 3   source: Iglewicz & Hoaglin 1993 */
size_t mad_outliers(const double *x, size_t n, double *marks, double *work);

/* Beyond the quartiles (type 7) by more than 1.5 times their distance. in: work[n], n >= 3   source: Tukey 1977 */
size_t fence_outliers(const double *x, size_t n, double *marks, double *work);

#endif
