#ifndef SITTING_H
#define SITTING_H

#include <glib.h>

#include "plan.h"
#include "runner.h"
#include "until.h"

struct reset;

/* One invocation that runs a plan: what the commands that run things share. */

/* The options as they were given; NULL: not given. */
struct sitting_options {
	char **workloads, **metrics;
	const char *repeat_name; /* of the option behind repeat, for messages; NULL: --repeat */
	char *repeat, *warmup, *label, *dir, *size, *reset, *order, *seed, *settle, *timeout, *until, *max_time, *store;
	gboolean quiet;
};
void sitting_options_clear(struct sitting_options *options);

#define SITTING_REPEAT "10"        /* the defaults of --repeat: without a rule, */
#define SITTING_REPEAT_UNTIL "100" /* and as the most that a rule gets */

/* What was made of them. */
struct sitting {
	struct plan *plan;
	char *label, *dir;
	const char *store_path;
	const struct reset *reset;
	double settle_s, timeout_s, max_time_s; /* 0: none */
	struct stopping_rule rule;
	gboolean quiet;
	char *command; /* the command line, for people; NULL: not told */
	void (*warn)(const char *format, ...) G_GNUC_PRINTF(1, 2);
};

/* Turns the texts of the options into a plan, or says what is wrong with them. usual: workloads where none is given,
 * ends with NULL. The sitting is to be cleared even where it fails. */
gboolean sitting_init(struct sitting *sitting, const struct sitting_options *options, enum plan_purpose purpose,
		      const char *const *usual, GError **error);
void sitting_clear(struct sitting *sitting);

/* "plan: 20 runs, label ...", and what each workload is. */
void sitting_describe(const struct sitting *sitting, GString *out);

/* Checks the directory and runs the plan into the store, which is then open as *store (NULL where it could not be
 * opened). The private directory is gone on return, whatever happened. */
gboolean sitting_execute(const struct sitting *sitting, struct runner_summary *summary, struct store **store,
			 GError **error);

/* What ended the sitting before its last run, a line each; nothing where nothing did. */
void sitting_describe_end(const struct sitting *sitting, const struct runner_summary *summary, GString *out);

/* The command line as one that a shell would read so. */
char *sitting_join_command(char *const *argv);

#endif
