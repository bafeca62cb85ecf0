#ifndef GUESTS_H
#define GUESTS_H

#include <glib.h>

struct run_result;
struct sitting;
struct sitting_options;
struct store;

/* Runs in virtual machines, each group of a plan in a fresh one. What is in a guest is this program (guest_init.h),
 * which makes the same plan from the same options and is told which of its runs to make. */

struct guests;

/* Finds qemu, the kernels with their modules, and makes what guests boot from: all that can be found wrong without one.
 * NULL on error. sitting and store outlive it. */
struct guests *guests_new(const struct sitting *sitting, struct store *store, GError **error);
void guests_free(struct guests *guests); /* ends the one that is left; NULL is allowed */

/* Called about once a second while a guest boots or runs, and with what is odd and yet no failure. */
void guests_watch(struct guests *guests, void (*tick)(void *data), void (*warn)(void *data, const char *text),
		  void *data);

/* plan->runs[index], in the guest of the run before it where they are of one boot. The store is told of each boot.
 * *made is false where we were asked to stop; that a guest did not come up, panicked, hung or was killed is an outcome,
 * with the last lines of its console as messages. False where the guest says that the plan cannot be run. */
gboolean guests_run(struct guests *guests, guint index, gboolean *made, struct run_result *result, GError **error);

#endif
