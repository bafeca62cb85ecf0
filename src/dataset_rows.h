#ifndef DATASET_ROWS_H
#define DATASET_ROWS_H

#include <glib.h>

struct dataset;

/* Takes out the runs that are in no sample, and what then has no value. */
void dataset_keep_samples(struct dataset *dataset);
/* Takes out all but the runs of calibration; where there are none, the samples stay. */
void dataset_keep_calibration(struct dataset *dataset);

/* Takes out metrics without a value, but for primary ones (where every run failed they still say so), and factors
 * without a level. */
void dataset_drop_unused(struct dataset *dataset);

#endif
