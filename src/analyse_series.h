#ifndef ANALYSE_SERIES_H
#define ANALYSE_SERIES_H

#include <glib.h>

#include "flag.h"

/* What a sample looks like, and what a mean and its interval would hide. Each flag is raised for about 1% of samples
 * of independent normal values, or fewer. */

/* FLAG_DRIFT and FLAG_AUTOCORRELATED of values in run order. */
flag_set series_flags(const double *x, guint n);

/* FLAG_OUTLIERS and FLAG_MODES of values; *outliers is the number of those that stand out. */
flag_set shape_flags(const double *x, guint n, guint *outliers);
/* Their places (guint), in no order. */
GArray *outlying_values(const double *x, guint n);

#endif
