#ifndef TARGET_H
#define TARGET_H

#include <glib.h>

/* New files in the private directory. */

/* Opened with these flags (O_WRONLY, O_DIRECT, ...) besides those that make it a new one; -1 with errno. */
int target_create(int dirfd, const char *name, int flags);

/* Whether the filesystem keeps files in memory only. */
gboolean target_in_memory(int dirfd);

/* A reason, newly allocated, why files there cannot be written or read with O_DIRECT in multiples of these sizes;
 * else NULL. */
char *target_direct_unsupported(int dirfd, guint64 size, guint64 block);

#endif
