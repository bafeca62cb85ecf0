#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <glib.h>

#include "../src/metric.h"
#include "config.h"
#include "output.h"

/* The contract of a workload: a file in this folder exports const struct workloads named workload_NAME, with '_'
 * for '-' in NAME; workload.c has a row for each. */

enum option_type {
	OPTION_COUNT, /* 1 .. 2^32 */
	OPTION_NUMBER, /* 0 .. 2^32 */
	OPTION_SIZE,  /* bytes, size_parse() */
	OPTION_DURATION, /* seconds, duration_parse() */
	OPTION_BOOL,  /* yes or no */
	OPTION_TEXT
};

/* An option of a workload and so a possible factor. The default is text that the same parser reads. */
struct workload_option {
	const char *name;
	enum option_type type;
	const char *value; /* default; NULL: unset, which is NULL or 0 */
	const char *help;
};

/* What one run gets; made by the runner in the run's own process. */
struct workload_env {
	const struct workload_config *config;
	int dirfd;        /* a private, empty directory on the filesystem under test: open relative to it, O_NOFOLLOW */
	guint64 nonce;    /* differs from run to run: stamp data with it */
	double *values;   /* one per metric of the workload, in their order; NaN until set */
	int child_status; /* wait status of a child of the workload that a signal ended, else 0: an OOM kill shows here
			   */
	void *state;      /* the workload's own, from set_up to the end of run */
};

struct workload {
	const char *name;
	const char *summary;                   /* one line */
	const struct workload_option *options; /* ends with a NULL name; NULL: none */
	const char *preset;                    /* "name=value:name=value" laid over the defaults, or NULL */
	const char
	    *whole; /* the option that all of a spec's text behind the name is; NULL: option=value:option=value */
	const struct metric *metrics; /* its own, beside run_metrics; ends with a NULL name; NULL: none */
	const char *primary;          /* the metric a comparison looks at: one of metrics or run_metrics */

	/* Checks each option's value by itself and derives what follows from it, such as argv. Called after the options
	 * of a spec were read and after each workload_config_set(). NULL: nothing to do. */
	gboolean (*resolve)(struct workload_config *config, GError **error);
	/* A reason why this cannot be measured in that directory, newly allocated, or NULL. Asked before the first run.
	 */
	char *(*unsupported)(const struct workload_config *config, int dirfd);
	/* Bytes that it will need on the filesystem; NULL: none. */
	guint64 (*space)(const struct workload_config *config);

	/* Either a body in C, in a process of its own. set_up is not timed and may be NULL. What is left in the
	 * directory is removed by the runner, what is left in memory after an error by the end of the process. */
	gboolean (*set_up)(struct workload_env *env, GError **error);
	gboolean (*run)(struct workload_env *env, GError **error);

	/* Or a command: a NULL-terminated argument vector owned by the config, whose first entry is an absolute path.
	 * It runs in the private directory, or where the user is; the former's path is in VMSTAT_BENCH_DIR. */
	char *const *(*argv)(const struct workload_config *config);
	gboolean here; /* where the user is */
	/* The importer (src/import.h) that reads what the command prints, of one run; the workload's metrics have that
	 * importer's names and units. NULL: nothing is read but what --metric asks for. */
	const char *output_format;
	/* Its output may lack the primary metric, as where a program leaves out what was too fast for it: a value of any
	 * metric makes the run one that counts. */
	gboolean sparse;
	/* A regular expression: the first line of the output that it matches says why the command failed. NULL, or none
	 * matches: the last line does. */
	const char *complaint;
	/* What the exit status of a command that failed means, beyond that; NULL, itself or its answer: nothing. */
	const char *(*explain)(int status);
	/* The argument with which the command tells its version, and does nothing else; NULL: it has none. */
	const char *version;
	/* Called by the runner after such a command ended well and its output was read into values: what is left to do
	 * in the directory and to measure, which elapsed does not hold. NULL: nothing. */
	gboolean (*finish)(struct workload_env *env, GError **error);
};

extern const struct workload *const workload_table[]; /* ends with NULL */
const struct workload *workload_find(const char *name);

#endif
