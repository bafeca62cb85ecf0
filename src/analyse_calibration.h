#ifndef ANALYSE_CALIBRATION_H
#define ANALYSE_CALIBRATION_H

#include <glib.h>

#include "analyse_sample.h"

struct comparison;
struct noise;
struct trial;

/* Sittings from which on a calibration knows how far two of them are apart. */
#define CALIBRATION_SITTINGS 3

/* What the calibration (NULL: there is none) knows of the comparison's workload and metric on the machine that the runs
 * of both samples were made on. A calibration without facts (a file) is taken to be of it, one without workloads to be
 * of any, and where it has a single metric that is taken for the one compared. NULL where nothing fits. */
struct noise *calibration_find(const struct dataset *calibration, const struct comparison *comparison,
			       const struct dataset *dataset, const struct sample samples[2]);

/* Widens the contrasts of a comparison that drift can spoil, single runs of one side before those of the other or in
 * other sittings, to what the noise says of batches of such sizes: never makes them narrower. Sets FLAG_CALIBRATED;
 * takes FLAG_CROSS_SITTING away where the noise holds CALIBRATION_SITTINGS or more. */
void trial_calibrate(struct trial *trial);

#endif
