#ifndef ANALYSE_SAMPLE_H
#define ANALYSE_SAMPLE_H

#include <glib.h>

#include "dataset.h"
#include "flag.h"

struct analyse_options;

/* What analyse_*.c share: which workloads and metrics are looked at, and the values behind one estimate or side. */

/* The complete runs that have a value. */
struct sample {
	GArray *rows;   /* guint, in run order; may be shared: not to be written to */
	GArray *values; /* double, parallel to rows */
	guint n_runs;   /* runs of whatever outcome */
	guint n_ok;     /* of these, complete, with a value or not */
	guint failed;   /* of these, neither ok nor skipped */
	flag_set flags;  /* of the runs used, and FLAG_FAILURES, FLAG_NO_DATA */
};

void sample_init(struct sample *sample, const struct dataset *dataset, const GArray *rows, const struct values *values);
void sample_clear(struct sample *sample);
gboolean sample_is_positive(const struct sample *sample); /* each value has a logarithm */

/* A column by which runs are put together: every run for itself where column is NULL. */
struct units {
	GArray *code;   /* guint32: levels of the column in order of appearance; row numbers where there is no column */
	GArray *values; /* double, parallel, may be shared: mean of the unit's values, or their geometric mean */
};

void units_init(struct units *units, const struct sample *sample, const struct column *column, gboolean is_geometric);
void units_clear(struct units *units);

/* How many levels of the column the sample has; 0 where one of its runs has none. */
guint sample_count_levels(const struct sample *sample, const struct column *column);
/* The boot or the sitting, whichever is the replicate of these samples (three levels or more in each); else NULL. */
const struct column *sample_replicate(const struct dataset *dataset, const struct sample *const *samples, guint n);

/* The workload of a run, "" where it has none. */
const char *row_workload(const struct dataset *dataset, guint row);
GArray *rows_of_workload(const struct dataset *dataset, const GArray *rows, const char *workload);

gboolean rows_have_ok_run(const struct dataset *dataset, const GArray *rows);

struct workload_rows {
	const char *name;
	GArray *rows; /* guint */
};
/* Workloads (struct workload_rows *, owned) among the rows and wanted by the options, in the order in which the dataset
 * lists them. NULL with a usage error where the options name one, or a metric, that the dataset does not have. */
GPtrArray *choose_workloads(const struct dataset *dataset, const GArray *rows, const struct analyse_options *options,
			    GError **error);
/* Metrics (const struct values *, not owned) measured in these rows of one workload and wanted, its primary one first;
 * only_primary where the options name none. */
GPtrArray *choose_metrics(const struct dataset *dataset, const GArray *rows, const char *workload,
			  const struct analyse_options *options, gboolean only_primary);

#endif
