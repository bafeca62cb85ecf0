#ifndef CGROUP_H
#define CGROUP_H

#include <glib.h>

/* A memory cgroup at the top of the hierarchy, of either version.
 * source: Documentation/admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst of Linux */

struct cgroup {
	char *path;        /* "/sys/fs/cgroup/vmstat-bench.0123456789abcdef" */
	const char *limit; /* the file in it that takes the limit */
};

/* Finds where one of that name can be made, and changes nothing. Errors say what to do about it. */
gboolean cgroup_find(const char *name, struct cgroup *cgroup, GError **error);
void cgroup_clear(struct cgroup *cgroup);

/* Makes it, with a limit. *limit_bytes becomes what the kernel made of it, *procs_fd the cgroup.procs that "0" is
 * written to by who enters. */
gboolean cgroup_make(const struct cgroup *cgroup, guint64 *limit_bytes, int *procs_fd, GError **error);

/* Kills what is left in it and removes it; does nothing where there is none. */
gboolean cgroup_remove(const char *path, GError **error);

#endif
