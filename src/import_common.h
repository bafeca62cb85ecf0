#ifndef IMPORT_COMMON_H
#define IMPORT_COMMON_H

#include <glib.h>

struct dataset;
struct metric;

/* What importers do alike with the runs that a file tells of. */

/* Adds a run of the workload and returns its row. */
guint import_run(struct dataset *dataset, const char *workload);

/* Names the workload of a run that has none yet, and the primary metric of a workload. */
void import_workload(struct dataset *dataset, guint row, const char *workload);
void import_primary(struct dataset *dataset, const char *workload, const char *metric);

/* Says that the run failed: its values are not to be set. */
void import_failed(struct dataset *dataset, guint row);

/* Makes the metric known, and the primary one of the row's workload where that has none yet. For runs that failed, so
 * that it is seen where all did. */
void import_metric(struct dataset *dataset, guint row, const struct metric *metric);

/* The same and sets the row's value, unless that is NaN: then nothing is done. */
void import_value(struct dataset *dataset, guint row, const struct metric *metric, double value);

/* When the run began, in microseconds since 1970. */
void import_started(struct dataset *dataset, guint row, gint64 started_us);

/* The beginning of a text of that many bytes, printable, for a message. */
char *import_quote(const char *text, gsize length);

#endif
