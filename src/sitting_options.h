#ifndef SITTING_OPTIONS_H
#define SITTING_OPTIONS_H

#include <glib.h>

/* The options of a sitting as they were given, on the command line or in a job file; NULL: not given. */
struct sitting_options {
	char **workloads, **metrics, **factors, **sets, **probes, **kernels, **guest_files;
	const char *repeat_name; /* of the option behind repeat, for messages; NULL: --repeat */
	char *repeat, *warmup, *label, *dir, *image, *device, *size, *reset, *order, *seed, *settle, *timeout, *until, *max_time;
	char *runs_per_boot;
	char *job, *store; /* where they are read from and where runs go: no part of what is run */
	gboolean yes_destroy, yes_reboot, quiet;
	gboolean in_guest; /* kernels are names, and nothing of them is here */
};
void sitting_options_clear(struct sitting_options *options);

/* The option that is written --name on the command line and name in the section [run] of a job file: the place of its text or
 * of its list, the other is NULL. False where there is none. */
gboolean sitting_options_find(struct sitting_options *options, const char *name, char ***text, char ****list);
/* The list whose items are the keys of a section of their own in a job file; NULL where that is no such section. */
char ***sitting_options_section(struct sitting_options *options, const char *section);
/* Moves into options what these lack and the others have. */
void sitting_options_fill(struct sitting_options *options, struct sitting_options *others);
/* Their names, a comma list, for messages. */
char *sitting_options_names(void);

/* As JSON, for the store; and back, into options that are all NULL. False where the text is not what the former wrote. */
char *sitting_options_encode(const struct sitting_options *options);
gboolean sitting_options_decode(const char *json, struct sitting_options *options);

#endif
