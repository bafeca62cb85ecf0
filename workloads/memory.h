#ifndef MEMORY_H
#define MEMORY_H

#include <glib.h>

/* How much memory this process may come to have. */
struct memory {
	guint64 ram, ram_free;   /* bytes: of the machine, or of the memory cgroup where that has less; page cache that
				  * can   be dropped counts as free on the machine, not in the cgroup */
	guint64 swap, swap_free; /* bytes: of the machine */
};

gboolean memory_read(struct memory *memory, GError **error);

#endif
