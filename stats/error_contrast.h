#ifndef STATS_ERROR_CONTRAST_H
#define STATS_ERROR_CONTRAST_H

#include <stddef.h>

#include "anova.h"
#include "estimate.h"

/* Mean y of ny values minus mean x of nx values, the standard error from the error line of an analysis of variance that
 * both are part of: cells of a design, for Tukey's and Dunnett's procedures. Groups alone: pooled_contrast().
 * flags:  TOO_FEW where the error has no degree of freedom or a mean no value; NOT_FINITE; CONSTANT where the error is
 * 0 source: Tukey 1949; R: (mean(y) - mean(x)) / (sigma(lm) sqrt(1 / nx + 1 / ny)) with df.residual(lm) */
struct contrast error_contrast(double mean_x, size_t nx, double mean_y, size_t ny, const struct anova_term *error);

#endif
