#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <glib.h>

#include "../src/metric.h"

/* The contract of a workload: a file in this folder exports const struct workloads, workload.c has a row for each. */

struct workload_config;

enum option_type {
	OPTION_COUNT, /* 1 .. 2^32 */
	OPTION_SIZE,  /* bytes, size_parse() */
	OPTION_BOOL,  /* yes or no */
	OPTION_TEXT
};

/* An option of a workload and so a possible factor. The default is text that the same parser reads. */
struct workload_option {
	const char *name;
	enum option_type type;
	const char *value; /* default; NULL: unset text */
	const char *help;
};

/* What one run gets; made by the runner in the run's own process. */
struct workload_env {
	const struct workload_config *config;
	int dirfd;       /* a private, empty directory on the filesystem under test: open relative to it, O_NOFOLLOW */
	guint64 nonce;   /* differs from run to run: stamp data with it */
	double *values;  /* one per metric of the workload, in their order; NaN until set */
	int child_status; /* wait status of a child of the workload that a signal ended, else 0: an OOM kill shows here */
	void *state;     /* the workload's own, from set_up to the end of run */
};

struct workload {
	const char *name;
	const char *summary; /* one line */
	const struct workload_option *options; /* ends with a NULL name; NULL: none */
	const char *preset;  /* "name=value:name=value" laid over the defaults, or NULL */
	const struct metric *metrics; /* its own, beside run_metrics; ends with a NULL name; NULL: none */
	const char *primary; /* the metric a comparison looks at: one of metrics or run_metrics */

	/* A reason why this cannot be measured in that directory, newly allocated, or NULL. Asked before the first run. */
	char *(*unsupported)(const struct workload_config *config, int dirfd);
	/* Bytes that it will need on the filesystem; NULL: none. */
	guint64 (*space)(const struct workload_config *config);

	/* Either a body in C, in a process of its own. set_up is not timed and may be NULL. What is left in the directory is
	 * removed by the runner. */
	gboolean (*set_up)(struct workload_env *env, GError **error);
	gboolean (*run)(struct workload_env *env, GError **error);

	/* Or a command: a NULL-terminated argument vector owned by the config, whose first entry is an absolute path. */
	char *const *(*argv)(const struct workload_config *config);
};

/* A value that a command prints: --metric NAME=UNIT[,higher|lower]:REGEX. The first group of the last match counts. */
struct output_metric {
	struct metric metric;
	GRegex *regex;
};

union option_value {
	guint64 number; /* OPTION_COUNT, OPTION_SIZE */
	gboolean flag;
	char *text;
};

/* A workload with its options settled. */
struct workload_config {
	const struct workload *workload;
	char *spec;                  /* as the user named it: what tables and the store call the workload */
	union option_value *values;  /* in the order of workload->options */
	GPtrArray *outputs;          /* struct output_metric *, of --metric; commands only */
	char **argv;                 /* commands only */
};

extern const struct workload *const workload_table[]; /* ends with NULL */
const struct workload *workload_find(const char *name);

/* SPEC: a name, or name:option=value:option=value, or cmd:COMMAND. Usage errors name the spec and list what exists. */
struct workload_config *workload_config_parse(const char *spec, GError **error);
void workload_config_free(struct workload_config *config);

/* Sets an option from text; a usage error where there is no such option or the value cannot be read. */
gboolean workload_config_set(struct workload_config *config, const char *option, const char *value, GError **error);
/* The value of an option that the workload is known to have (aborts where not). */
const union option_value *workload_option_value(const struct workload_config *config, const char *option);
gboolean workload_has_option(const struct workload *workload, const char *option);

/* --metric's text into an output metric; a usage error where it cannot be read. */
struct output_metric *output_metric_parse(const char *text, GError **error);
void output_metric_free(struct output_metric *output);

/* All options as "name=value name=value", sizes in bytes: stored beside the runs. */
char *workload_config_describe(const struct workload_config *config);

#endif
