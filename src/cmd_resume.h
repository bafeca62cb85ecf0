#ifndef CMD_RESUME_H
#define CMD_RESUME_H

#include <glib.h>

struct store_plan;

struct resume_options {
	char *store, *format;
	gboolean quiet, yes_destroy, yes_reboot;
	gboolean after_boot, status;
};

/* Goes on with a plan of the store and prints what it says; *status: an exit code. An error, which is not printed, where the plan
 * cannot be made again from what is stored. */
gboolean cmd_resume_plan(const struct store_plan *plan, const char *store, const struct resume_options *options,
			 char *const *argv, int *status, GError **error);

#endif
