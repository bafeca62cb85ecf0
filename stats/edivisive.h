#ifndef STATS_EDIVISIVE_H
#define STATS_EDIVISIVE_H

#include <stddef.h>
#include <stdint.h>

/* A change of distribution: values before index are unlike those from it on, up to the next change or earlier. */
struct change {
	size_t index; /* first value after the change */
	double q;     /* its statistic, in the unit of the data */
	double p;     /* share of permutations with one as large, (b + 1) / (m + 1) */
};

struct edivisive {
	double alpha;        /* level of each step: the chance of a change too many */
	size_t permutations; /* m; 199 or more for an alpha of .05 */
	size_t min_length;   /* of a segment, 2 at least */
	uint64_t seed;
};

/* Work area of all here, in bytes, aligned as malloc does. */
size_t edivisive_bytes(size_t n);

/* The split of x[n] that makes q = (a b / (a + b)) (2 mean|x - y| - mean|x - x'| - mean|y - y'|) largest, x the a values
 * before the split and y the b values from it to any end, means over pairs of different values. p is NaN. index is n and
 * q is NaN for n < 2 min_length. O(n^2) time.   source: Matteson & James 2014, exponent 1 */
struct change best_split(const double *x, size_t n, size_t min_length, void *work);

/* Splits one segment after the other, the best split first, as long as fewer than a share alpha of permutations of the
 * values within the segments have a best split, searched anew, as good. x[n] in time order, unmodified, taken to be
 * exchangeable between changes: autocorrelated noise gives false ones.
 * out:    changes[max], ascending: p is that of the step that found it
 * return: how many; 0 where a value is not finite. O(permutations n^2) a step, less where nothing is found
 * source: Matteson & James 2014 */
size_t edivisive(const double *x, size_t n, const struct edivisive *settings, struct change *changes, size_t max,
		 void *work);

#endif
