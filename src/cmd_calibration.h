#ifndef CMD_CALIBRATION_H
#define CMD_CALIBRATION_H

#include <glib.h>

struct dataset;

/* The calibration in the store that runs came from, by whose facts it is found to be theirs. TRUE with NULL where they
 * have no facts, or there is no store. */
gboolean cmd_load_calibration(const struct dataset *runs, const char *store_path, struct dataset **calibration,
			      GError **error);

/* Appends, where the store holds a calibration of their workloads on their machine, how many pairs find pct. */
gboolean cmd_append_advice(const struct dataset *runs, const char *store_path, double pct, GString *out,
			   GError **error);

#endif
