#ifndef STATS_DENSITY_H
#define STATS_DENSITY_H

#include <stddef.h>

/* What pictures of one sample draw. All take ascending, finite sorted[n]. */

/* Width of a Gaussian kernel: 0.9 min(sd, IQR / 1.34) n^(-1/5), of sd alone where the quartiles are alike; 0 where all
 * values are (R then takes the first one), NaN for n < 2.   source: Silverman 1986, eq. 3.31; R bw.nrd0 */
double bandwidth_nrd0(const double *sorted, size_t n);

/* Density at a point with Gaussian kernels of a standard deviation of bandwidth > 0; values more than 8.5 of it away
 * count nothing. Unit: one over that of the values.   source: R mean(dnorm(at, x, bandwidth)) */
double density_at(const double *sorted, size_t n, double bandwidth, double at);

/* Number of bins of equal width for a histogram, n > 0: the larger of Sturges's log2(n) + 1 and what Freedman and
 * Diaconis's width of 2 IQR n^(-1/3) makes, rounded up, but 200 at most; 1 where all values are alike.
 * source: Sturges 1926; Freedman & Diaconis 1981; NumPy's histogram_bin_edges "auto" */
size_t histogram_bins(const double *sorted, size_t n);

/* Standard normal quantile at R's ppoints(n)[i], i from 0: where the i-th value would be expected.   source: R qqnorm
 */
double normal_score(size_t i, size_t n);

/* The line through the quartiles (type 7) of values and normal distribution: value = *intercept + *slope * score.
 * NaN for n == 0.   source: R qqline */
void normal_line(const double *sorted, size_t n, double *intercept, double *slope);

#endif
