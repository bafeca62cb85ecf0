#ifndef ANALYSE_COMPARISON_H
#define ANALYSE_COMPARISON_H

#include "analyse_design.h"

struct analyse_options;
struct comparison;
struct selection;
struct side;

/* A side before it is compared: counts, mean, and what its values look like. */
void side_init(struct side *side, const struct dataset *dataset, const struct selection *selection,
	       const struct sample *sample, const struct analyse_options *options);
void side_clear(struct side *side);

/* Two sides and their caveats; the verdict is still to come. The sides are copied. */
struct comparison *comparison_new(const struct side *baseline, const struct side *other, const struct design *design);
void comparison_free(struct comparison *comparison);

/* Drift and autocorrelation of each side, or of the paired differences: pairs of one time take out what both have. */
void comparison_add_series(struct comparison *comparison, const struct design *design);

/* Fisher's test of the failures of each comparison (struct comparison *), Holm's correction over the pairs of sides and
 * workloads among them. */
void failures_compare(const GPtrArray *comparisons);

#endif
