#ifndef RUN_H
#define RUN_H

#include <glib.h>

#include "exec.h"
#include "flag.h"
#include "metric.h"
#include "observe.h"
#include "outcome.h"

struct workload_config;

/* What came of one run: an outcome and, where it is ok, a value for each metric. */
struct run_result {
	enum outcome outcome;
	char *message;      /* why it is not ok, NULL where it is */
	flag_set flags;      /* of flag.h */
	gint64 started_us;  /* wall clock, microseconds since 1970 */
	double values[RUN_METRICS]; /* of run_metrics */
	GArray *own;        /* double: the workload's metrics, then its output metrics; NaN where missing */
	struct observation observation; /* what was seen beside it, values of probes among its measurements */
};

/* The value that a comparison looks at; NaN where there is none. */
double run_result_primary(const struct run_result *result, const struct workload_config *config);

void run_result_clear(struct run_result *result);

/* Makes the files that a command needs beforehand, if any, in the directory behind dirfd: they are on the device then,
 * and out of the page cache. FALSE: that went wrong, and the result is that of a run that came to nothing. */
gboolean run_prepare(const struct workload_config *config, int dirfd, const struct exec_watch *watch,
		     struct run_result *result);

/* Executes one workload in a fresh process in the directory behind dirfd and waits for it. Whatever goes wrong with the
 * workload is an outcome; false only where no process could be made at all. */
gboolean run_workload(const struct workload_config *config, int dirfd, guint64 nonce, const struct exec_watch *watch,
                      struct run_result *result, GError **error);

#endif
