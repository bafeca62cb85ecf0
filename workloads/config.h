#ifndef CONFIG_H
#define CONFIG_H

#include <glib.h>

struct workload;

union option_value {
	guint64 number; /* OPTION_COUNT, OPTION_NUMBER, OPTION_SIZE (0: unset) */
	double seconds; /* OPTION_DURATION (0: unset) */
	gboolean flag;  /* OPTION_BOOL */
	char *text;     /* OPTION_TEXT; NULL: unset */
};

/* A workload with its options settled. */
struct workload_config {
	const struct workload *workload;
	char *spec;                 /* as the user named it: what tables and the store call the workload */
	union option_value *values; /* in the order of workload->options */
	GPtrArray *outputs;         /* struct output_metric *, of --metric; commands only */
	char **argv;                /* commands only */
	char **prepare;             /* commands only, as argv: run before, untimed, in the private directory; what it leaves
				       there is on the device and out of the page cache when argv runs; NULL: none */
	const char *primary;        /* interned: the metric that a comparison looks at in place of the workload's; NULL: that */
};

/* SPEC: a name, or name:option=value:option=value, or cmd:COMMAND, where all that follows is the command. Usage errors
 * name the spec and list what exists. */
struct workload_config *workload_config_parse(const char *spec, GError **error);
void workload_config_free(struct workload_config *config);
/* Its own options and command, and the same outputs. */
struct workload_config *workload_config_copy(const struct workload_config *config);

/* Sets an option from text; a usage error where there is no such option or the value cannot be read, and then the
 * config may only be freed. */
gboolean workload_config_set(struct workload_config *config, const char *option, const char *value, GError **error);
/* The value of an option that the workload is known to have (aborts where not). */
const union option_value *workload_option_value(const struct workload_config *config, const char *option);
gboolean workload_has_option(const struct workload *workload, const char *option);

/* The metric that a comparison looks at: the first of --metric, else the workload's own. */
const char *workload_config_primary(const struct workload_config *config);

/* All options as "name=value name=value", sizes in bytes, durations in seconds: stored beside the runs. */
char *workload_config_describe(const struct workload_config *config);

#endif
