#ifndef FACTS_H
#define FACTS_H

#include <glib.h>

/* The fact that holds the options of a workload is named so, with the workload behind it. */
#define OPTIONS_OF "options of "

/* What the machine is, and the filesystem behind dirfd, as key -> value: kernel, command line, processor, memory, swap,
 * filesystem, device, scheduler, write-back settings, virtualisation, this program. What cannot be read is left out. */
GHashTable *facts_collect(int dirfd);

/* The kernel's identity of this boot; "" where it has none. */
const char *facts_boot_id(void);

/* Bytes that may be dirty before writers are made to wait, now; 0 where the kernel does not say. */
guint64 facts_dirty_threshold(void);

/* Bytes of memory; 0 where unknown. */
guint64 facts_memory(void);

#endif
