#ifndef POOL_H
#define POOL_H

#include <glib.h>

struct workload_config;

/* Memory that workloads write from, filled before the timed window. */

/* Stamps are so far apart, and nothing is divided into smaller parts than these. */
#define PAGE 4096

/* Data repeats, but for its stamps, after this: further than filesystems look back when they compress. */
#define POOL_MIN (G_GUINT64_CONSTANT(1) << 20)

/* Parts of equal size, a thread each, on huge pages where there are any: direct writes are fastest from memory that is
 * contiguous for the device. */
struct pool {
	unsigned char *data;
	gsize spacing; /* of the parts: their size in whole pages */
	void *memory;
	gsize memory_size;
};

/* Random data, which nothing can compress, or zeros. On false there is nothing to close. */
gboolean pool_open(struct pool *pool, guint parts, gsize size, gboolean zero, GError **error);
void pool_close(struct pool *pool);
unsigned char *pool_part(const struct pool *pool, guint part);

/* Reads the option 'source' of a workload that writes from a pool only: random, or zero. */
gboolean pool_source(const struct workload_config *config, gboolean *zero, GError **error);

/* Makes every 4 KiB of a file differ, within a run and between runs, at the price of one store a page, so that nothing
 * can deduplicate it: data, which is or will be at this offset of the file of that number, gets the stamps that lie
 * there, whole or in part. */
void pool_stamp(unsigned char *data, gsize size, guint64 offset, guint64 nonce, guint64 number);

/* The next of a sequence of random numbers, which state (any number) determines. */
guint64 random_next(guint64 *state);

#endif
