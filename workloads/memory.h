#ifndef MEMORY_H
#define MEMORY_H

#include <glib.h>

/* How much memory this process may come to have: what the machine has, or its memory cgroup where that has less.
 * source: Documentation/admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst of Linux */
struct memory {
	guint64 ram,
	    ram_free; /* bytes; page cache that can be dropped counts as free on the machine, not in a cgroup */
	guint64 swap, swap_free;
};

gboolean memory_read(struct memory *memory, GError **error);

#endif
