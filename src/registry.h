#ifndef REGISTRY_H
#define REGISTRY_H

#include <glib.h>

#include "process.h"

/* Which stores of this machine hold something that is to be put back: each knows what its own runs have changed, and
 * there is one kernel. It lies below /run, and so ends when the kernel's settings do. Only root has it; others, who can
 * change nothing, find it empty. */

struct registered {
	char *path;            /* of the store, absolute, without symlinks */
	struct account caller; /* whom root acted for when it noted it */
};

/* As long as it is locked no other process puts back, notes or looks for what is to be put back. Calls may be nested.
 * An error where what is in its place is not of root alone; none where it cannot be made: it is empty then. */
gboolean registry_lock(GError **error);
void registry_unlock(void);

/* With the lock. A store may be added, and removed, again and again. */
gboolean registry_add(const char *path, GError **error);
gboolean registry_remove(const char *path, GError **error);
/* With the lock: struct registered *, owned. NULL on error. */
GPtrArray *registry_list(GError **error);

/* For tests: its directory, of which only the last component is made. */
void registry_move(const char *directory);

#endif
