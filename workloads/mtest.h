#ifndef MTEST_H
#define MTEST_H

#include "memory.h"

/* The bytes to fill: that percentage of the free RAM, or what brings RAM and swap to be used to that percentage, which
 * is 0 where they are already. */
guint64 mtest_bytes(const struct memory *memory, guint64 percent, gboolean of_free);

#endif
