#ifndef SITTING_H
#define SITTING_H

#include <glib.h>

#include "place.h"
#include "plan.h"
#include "runner.h"
#include "sitting_options.h"
#include "until.h"

struct environment;
struct probes;
struct reset;
struct workload_config;

/* One invocation that runs a plan: what the commands that run things share. */

#define SITTING_REPEAT "10"        /* the defaults of --repeat: without a rule, */
#define SITTING_REPEAT_UNTIL "100" /* and as the most that a rule gets */

/* What was made of them. */
struct sitting {
	struct plan *plan;
	char *label, *dir, *device;
	struct place_options place;
	const char *store_path;
	struct probes *probes; /* NULL: none */
	const struct reset *reset;
	char **kernels;     /* the images of the levels of the factor kernel; NULL: none, or reset does not boot */
	char **guest_files; /* what else guests are to have, absolute paths; NULL: nothing */
	double settle_s, timeout_s, max_time_s; /* 0: none */
	struct stopping_rule rule;
	gboolean quiet;
	char *command; /* the command line, for people; NULL: not told */
	char *options; /* all that makes the same plan again, for resume */
	gint64 resumed; /* the stored plan that goes on; 0: a new one */
	gboolean after_boot; /* where each group of runs has a boot of this machine: this is one */
	void (*warn)(const char *format, ...) G_GNUC_PRINTF(1, 2);
};

/* Turns the texts of the options into a plan, or says what is wrong with them; changes nothing. usual: workloads where none
 * is given, ends with NULL. The sitting is to be cleared even where it fails. */
gboolean sitting_init(struct sitting *sitting, const struct sitting_options *options, enum plan_purpose purpose,
		      const char *const *usual, GError **error);
void sitting_clear(struct sitting *sitting);

/* "plan: 20 runs, label ...", and what each workload is. */
void sitting_describe(const struct sitting *sitting, GString *out);

/* Puts back what a killed run left changed, tries every treatment once, and runs the plan into the store, which is then open as
 * *store (NULL where it could not be opened). Everything is as before on return, whatever happened. */
gboolean sitting_execute(const struct sitting *sitting, struct runner_summary *summary, struct store **store,
			 GError **error);

/* The facts of the runs of a treatment, which must be applied. */
GHashTable *sitting_collect_facts(const struct sitting *sitting, const struct environment *environment);

/* Whether a workload can run in the environment, before anything has been run. */
gboolean sitting_check_workload(const struct sitting *sitting, const struct workload_config *config,
				const struct environment *environment, GError **error);

/* What ended the sitting before its last run, a line each; nothing where nothing did. */
void sitting_describe_end(const struct sitting *sitting, const struct runner_summary *summary, GString *out);

/* The command line as one that a shell would read so. */
char *sitting_join_command(char *const *argv);

#endif
