#include "pool.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "../src/err.h"
#include "workload.h"

#define HUGE_PAGE (G_GUINT64_CONSTANT(2) << 20)

#define ROUND_UP(value, unit) (((value) + (unit)-1) / (unit) * (unit))

/* SplitMix64 (Steele, Lea, Flood 2014). */
guint64 random_next(guint64 *state)
{
	guint64 z = *state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

gboolean pool_open(struct pool *pool, guint parts, gsize size, gboolean zero, GError **error)
{
	gsize spacing = ROUND_UP(size, PAGE);
	gsize used = ROUND_UP(spacing * parts, HUGE_PAGE), memory_size = used + HUGE_PAGE;
	unsigned char *data;
	guint64 seed;
	void *memory;

	if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
		return err_errno(error, errno, "cannot get a random seed");
	memory = mmap(NULL, memory_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return err_errno(error, errno, "cannot allocate %zu bytes of buffers", memory_size);
	data = (unsigned char *)ROUND_UP((guintptr)memory, HUGE_PAGE);
	/* a kernel without huge pages refuses: small pages serve, slower */
	madvise(data, used, MADV_HUGEPAGE);
	for (gsize at = 0; at < used; at += sizeof(guint64))
		*(guint64 *)(void *)(data + at) = zero ? 0 : random_next(&seed);
	*pool = (struct pool){data, spacing, memory, memory_size};
	return TRUE;
}

void pool_close(struct pool *pool)
{
	if (pool->memory)
		munmap(pool->memory, pool->memory_size);
	*pool = (struct pool){.data = NULL};
}

unsigned char *pool_part(const struct pool *pool, guint part)
{
	return pool->data + part * pool->spacing;
}

gboolean pool_source(const struct workload_config *config, gboolean *zero, GError **error)
{
	const char *source = workload_option_value(config, "source")->text;

	*zero = strcmp(source, "zero") == 0;
	return *zero || strcmp(source, "random") == 0 ||
	       err_usage(error, "option 'source': '%s' is neither random nor zero", source);
}

void pool_stamp(unsigned char *data, gsize size, guint64 offset, guint64 nonce, guint64 number)
{
	guint64 end = offset + size;

	for (guint64 page = offset / PAGE * PAGE; page < end; page += PAGE) {
		const guint64 stamp[] = {nonce, number, page};
		guint64 from = MAX(page, offset), to = MIN(page + sizeof stamp, end);

		if (from < to)
			memcpy(data + (from - offset), (const unsigned char *)stamp + (from - page), to - from);
	}
}
