#ifndef STATS_ANOVA_H
#define STATS_ANOVA_H

#include <stddef.h>

#include "estimate.h"
#include "statistic.h"

/* One line of an analysis of variance. Unit of ss and ms: that of the data, squared; they may over- or underflow where
 * f and p do not. f and p are NaN on the line of the error, and everything but df where the data cannot say. */
struct anova_term {
	double ss, df, ms, f, p;
};

struct one_way {
	struct anova_term between, within;
	size_t n;
	unsigned flags;
};

/* In all: groups[k] of values in any order, unmodified. unit: 0, or 1 where the values are logarithms, as in moments.h.
 * flags: TOO_FEW for k < 2, an empty group, or none of two values; NOT_FINITE; CONSTANT where no group varies beyond
 * rounding: then f is 0 and p 1 if all are equal too, else both NaN. Means and deviations are compensated and taken
 * about a value of the data: F on NIST's SmLs01-03 has 14 digits, on SmLs04-06 9, on SmLs07-09 3. */

/* One-way analysis of variance; a group may have one value.   source: Fisher 1925; R anova(lm(y ~ g)), NIST StRD */
struct one_way one_way(const struct values *groups, size_t k, double unit);

/* The F test alone. */
struct test anova(const struct values *groups, size_t k, double unit);

/* Unequal variances. flags: TOO_FEW also for a group of one value; CONSTANT also where one group of several is
 * constant, NaN: its weight would be infinite.   source: Welch 1951; R oneway.test(y ~ g) */
struct test welch_anova(const struct values *groups, size_t k, double unit);

/* Group `other` minus group `base`, the standard error from the variance within all k groups: what Tukey's and
 * Dunnett's procedures compare. Answers no variation as welch() does.   source: R lm(y ~ g) */
struct contrast pooled_contrast(const struct values *groups, size_t k, size_t base, size_t other, double unit);

#endif
