#ifndef ANALYSE_VARIANCE_H
#define ANALYSE_VARIANCE_H

#include <glib.h>

#include "variance.h"

struct dataset;
struct sample;

/* The components of a sample of three boots or more with two runs or more in one of them; NULL of another. is_log: of
 * logarithms, as a ratio is made of. half_pct and level: the interval that is wanted. */
struct variance_report *variance_report_new(const struct dataset *dataset, const struct sample *sample, gboolean is_log,
					    double half_pct, double level);

/* The same from values that lie boot by boot, sizes[] in each: everything but the costs, which are read. */
void variance_report_fill(struct variance_report *report, const double *y, const gsize *sizes, double centre);

#endif
