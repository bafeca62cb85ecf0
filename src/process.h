#ifndef PROCESS_H
#define PROCESS_H

#include <glib.h>

/* Which process something belongs to, as it can be told later: numbers come again, but not with the same start time, and
 * start times not in the same boot. */

/* The start time of this process, in the kernel's clock ticks since boot. */
gboolean process_start_time(gint64 *start, GError **error);

/* Whether a process that was noted in that boot with that start time is still there. */
gboolean process_lives(const char *boot_id, gint64 pid, gint64 start);

struct account {
	guint32 uid, gid;
};
/* The account that this process acts for as root: that which sudo was called from, else root itself (0). */
struct account process_caller(void);

#endif
