#ifndef ALONE_H
#define ALONE_H

#include <glib.h>

/* Benchmarks that run at the same time disturb each other. Claims this machine until the process ends, by a socket whose name
 * leaves nothing behind. */
void alone_claim(void);

#define ALONE_WARNING "another vmstat-bench is running on this machine: they disturb each other"

/* Whether no other process has claimed it now. */
gboolean alone_is(void);

#endif
