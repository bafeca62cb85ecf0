#ifndef STATS_TWO_WAY_H
#define STATS_TWO_WAY_H

#include <stdbool.h>
#include <stddef.h>

#include "additive.h"
#include "anova.h"
#include "estimate.h"

/* Two-way analysis of variance of a crossed layout, balanced or not, cells empty or not. */
struct two_way {
	struct anova_term a;         /* alone: the first line of R's aov(y ~ a + b) */
	struct anova_term b;         /* given a: its second line; type II */
	struct anova_term a_given_b; /* type II; the same as a where the layout is balanced */
	struct anova_term
	    interaction; /* given both: the third line of aov(y ~ a * b); df 0 and NaN where not separated */
	struct anova_term error;
	struct test nonadditivity;
	size_t n, cells;
	unsigned flags;
};

/* The interaction is separated from the error where with_interaction and a cell has two values, else it is the error.
 * Tukey's test of non-additivity asks for the one degree of freedom in which the effects multiply, against the rest of
 * what the additive model leaves (with replication: interaction and error together); NaN with TOO_FEW where nothing is
 * left, with CONSTANT where a factor has no effect at all or the rest is rounding.
 * in:     work[two_way_work()]; data unmodified
 * flags:  TOO_FEW where the error has no degree of freedom or a factor only one level (their lines NaN); NOT_FINITE;
 *         CONSTANT where the error is rounding (all f and p NaN)
 * source: Fisher 1925; Tukey 1949; R anova(lm(y ~ a * b)), and with the product of the fitted effects added */
struct two_way two_way(const struct crossed *data, bool with_interaction, double *work);
size_t two_way_work(size_t levels_a, size_t levels_b);

/* Randomised blocks, complete or not, treatments in a and blocks in b: treatment `other` minus `base` within blocks,
 * the standard error from what treatments and blocks leave. A complete layout of two treatments is the paired t test.
 * two_way() is its table. nx and ny: values of base and other.
 * flags:  TOO_FEW (NaN) where no chain of blocks connects the two or the error has no degree of freedom; others as
 *         paired()
 * source: Fisher 1935; R aov(y ~ trt + block), incomplete: lm(y ~ block + trt) */
struct contrast block_contrast(const struct crossed *data, size_t base, size_t other, double *work);

#endif
