#ifndef STATS_CHANGE_H
#define STATS_CHANGE_H

#include <stddef.h>
#include <stdint.h>

/* A change of distribution in a series: values before index are unlike those from it on. */
struct change {
	size_t index; /* first value after the change */
	double gain;  /* what the split is worth: q of edivisive.h, or the cost saved of pelt.h */
	double p;     /* share of permutations with a split worth as much, (b + 1) / (m + 1) */
};

struct change_settings {
	double alpha;        /* of one change too many */
	size_t permutations; /* m, so that 1 / (m + 1) is well below alpha */
	size_t min_length;   /* of a segment, 2 at least */
	uint64_t seed;
};

/* For a list of changes that is rarely wrong: in pure noise it holds one in 2% of series. */
extern const struct change_settings change_settings_usual;

/* Up to so many values changes are found by edivisive(), which sees any change of distribution but takes O(n^2); above
 * by pelt_confirmed() with pelt_penalty(), which sees changes of mean and variance. */
#define CHANGE_EDIVISIVE_UP_TO 4000

/* Work area in bytes, aligned as malloc does. */
size_t change_points_bytes(size_t n);

/* The changes of x[n] in time order, unmodified. Noise is taken to be independent: drift and autocorrelation are
 * changes too. out: changes[max], ascending   return: how many; 0 where a value is not finite */
size_t change_points(const double *x, size_t n, const struct change_settings *settings, struct change *changes,
		     size_t max, void *work);

#endif
