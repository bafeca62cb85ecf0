#ifndef STORE_REBOOT_H
#define STORE_REBOOT_H

#include <glib.h>

struct store;

/* Where a plan is that goes on with reboots of this machine, in the store before each reboot and after it. */
struct store_reboot {
	gint64 plan;
	guint boots;   /* of these so far without a finished run, the present one included */
	guint left;    /* runs without a result when they were counted */
	char *boot_id; /* the boot in which this was written: the next one is to be another */
	char *kernel;  /* the release that the next boot is to have; NULL: any */
	char *trouble; /* what was wrong with the last boot; NULL: nothing */
	char *stopped; /* why there are no more reboots; NULL: there are */
};
void store_reboot_clear(struct store_reboot *reboot);

/* Of the plan; reboot->plan is 0 where there is none. */
gboolean store_reboot_read(struct store *store, gint64 plan, struct store_reboot *reboot, GError **error);
/* Durable on return. A reason to stop that is stored stays, */
gboolean store_reboot_write(struct store *store, const struct store_reboot *reboot, GError **error);
/* until the plan's row is gone. */
gboolean store_reboot_forget(struct store *store, gint64 plan, GError **error);
/* The plan of the last store_reboot_write() that has not stopped; 0: none. */
gboolean store_reboot_plan(struct store *store, gint64 *plan, GError **error);

#endif
