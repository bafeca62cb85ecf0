#ifndef STATS_PERMUTATION_H
#define STATS_PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

#include "estimate.h"

/* Permutation test of a difference of means, studentised: it holds its level also where the spreads differ (n large)
 * and is exact where only the labels do. The statistic is Welch's t of y minus x. All splits are tried up to
 * SPLITS_EXACT (splits.h), else `resamples` are drawn from the seed; p is twice the smaller tail and never 0. in: work
 * of permutation_work_bytes(); permutation_least_p() is the least p that these sizes can give flags:  TOO_FEW (a side
 * below 2), NOT_FINITE: NaN; CONSTANT: p is 1 if the sides are equal, else NaN source: Chung & Romano 2013; scipy
 * permutation_test */
struct test permutation(const double *x, size_t nx, const double *y, size_t ny, size_t resamples, uint64_t seed,
			void *work);
size_t permutation_work_bytes(size_t nx, size_t ny);
double permutation_least_p(size_t nx, size_t ny, size_t resamples);

/* Of pairs, by turning the signs of y[i] - x[i]: all 2^n up to n = PERMUTATION_PAIRED_EXACT, else drawn. The statistic
 * is the paired t; studentising changes nothing here, for all turns have the same sum of squares. in: work[n]   flags:
 * as above, n counts the values; CONSTANT where the differences are alike source: scipy
 * permutation_test(permutation_type = "samples") */
#define PERMUTATION_PAIRED_EXACT 17
struct test permutation_paired(const double *x, const double *y, size_t n, size_t resamples, uint64_t seed,
			       double *work);
double permutation_paired_least_p(size_t n, size_t resamples);

#define PERMUTATION_RESAMPLES 9999 /* as many as the rows of the table of statistics draw */

#endif
