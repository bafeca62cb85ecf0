#ifndef REBOOTS_H
#define REBOOTS_H

#include <glib.h>

struct runner_summary;
struct sitting;
struct store;

/* A plan whose groups of runs each have a fresh boot of this machine. A process makes one group: `run` and `resume`
 * begin, then a unit of systemd starts 'resume --after-boot' with each boot, which goes on. */

#define REBOOTS_MAX 3                    /* boots in a row without a finished run: then it stops */
#define REBOOTS_STOP "vmstat-bench.stop" /* on the kernel's command line */

/* Whether the plan could begin: all that can be found wrong while nothing is changed. */
gboolean reboots_check(const struct sitting *sitting, GError **error);

/* An error where a plan of this machine goes on with reboots: nothing else may run then. */
gboolean reboots_check_none(GError **error);

/* Installs the unit and makes ready for the boot of plan->runs[index]; the store's plan has begun or goes on. *verb:
 * for machine_reboot(). */
gboolean reboots_begin(const struct sitting *sitting, struct store *store, guint index, const char **verb,
		       GError **error);

/* What 'resume --after-boot' finds. */
enum reboots_found {
	REBOOTS_RUN,    /* the next runs are to be made */
	REBOOTS_AGAIN,  /* this boot is no good: *verb boots another */
	REBOOTS_STOPPED /* *why: the unit is gone, what is left of the plan stays pending */
};
/* Counts this boot before all else, waits until it has come to rest, and looks at it. *plan: that goes on. An error
 * where there is no such plan or this is no other boot than that in which the reboot was asked for. */
gboolean reboots_enter(struct store *store, gint64 *plan, enum reboots_found *found, const char **verb, char **why,
		       GError **error);

/* After a group of runs: makes ready for the boot of plan->runs[index], unless somebody has cancelled the plan: *verb
 * is NULL then. */
gboolean reboots_next(const struct sitting *sitting, struct store *store, gint64 plan, guint index, const char **verb,
		      GError **error);

/* No more reboots: why, and the unit is gone; takes a choice of the next kernel back. */
gboolean reboots_end(struct store *store, gint64 plan, const char *why, GError **error);

/* The same from another process, which ends the one that is at it. *plan: that was cancelled; 0: there is none. */
gboolean reboots_cancel(struct store *store, gint64 *plan, GError **error);

#endif
