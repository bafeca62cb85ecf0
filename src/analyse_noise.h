#ifndef ANALYSE_NOISE_H
#define ANALYSE_NOISE_H

#include <glib.h>

#include "../stats/calibration.h"
#include "dataset.h"

/* Values of one workload and metric while nothing was changed: what a profile and a calibrated comparison are made of.
 */
struct noise {
	GArray *logs;     /* double, logarithms in run order, sitting after sitting */
	GArray *sittings; /* gsize: how many values each has */
};

/* Of the complete runs among the rows. NULL where there is none, or a value has no logarithm. */
struct noise *noise_new(const struct dataset *dataset, const GArray *rows, const struct values *values);
void noise_free(struct noise *noise); /* NULL: nothing to do */
struct calibration noise_calibration(const struct noise *noise);

/* What the noise depends on, as text: host, processor, disk, filesystem and the options of the workload, from the facts
 * of a run. NULL where it has none. */
char *instrument_of_row(const struct dataset *dataset, guint row, const char *workload);

#endif
