#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/err.h"
#include "copy.h"
#include "pool.h"
#include "target.h"

/* A file of holes is mapped and written through the mapping, at the price of a page fault and an allocation a page. */

#define FILE_NAME "mmap.0"

enum { RATE, WRITE_RATE, READ_RATE };

struct mapping {
	guint64 nonce, size;
	unsigned char *data;
	int fd;
	struct pool pool;
};

static guint64 mmap_space(const struct workload_config *config)
{
	return workload_option_value(config, "size")->number;
}

static void unmap_free(struct workload_env *env)
{
	struct mapping *mapping = env->state;

	if (mapping->data)
		munmap(mapping->data, mapping->size);
	if (mapping->fd >= 0)
		close(mapping->fd);
	pool_close(&mapping->pool);
	g_free(mapping);
	env->state = NULL;
}

static gboolean prepare(struct mapping *mapping, int dirfd, GError **error)
{
	void *data;

	mapping->fd = target_create(dirfd, FILE_NAME, O_RDWR);
	if (mapping->fd < 0)
		return err_errno(error, errno, "cannot create '%s'", FILE_NAME);
	if (ftruncate(mapping->fd, (off_t)mapping->size) < 0)
		return err_errno(error, errno, "cannot set the length of '%s'", FILE_NAME);
	data = mmap(NULL, mapping->size, PROT_READ | PROT_WRITE, MAP_SHARED, mapping->fd, 0);
	if (data == MAP_FAILED)
		return err_errno(error, errno, "cannot map '%s'", FILE_NAME);
	mapping->data = data;
	return pool_open(&mapping->pool, 1, POOL_MIN, FALSE, error);
}

static gboolean mmap_set_up(struct workload_env *env, GError **error)
{
	struct mapping *mapping = g_new0(struct mapping, 1);

	env->state = mapping;
	mapping->fd = -1;
	mapping->nonce = env->nonce;
	mapping->size = mmap_space(env->config);
	if (prepare(mapping, env->dirfd, error))
		return TRUE;
	unmap_free(env);
	return FALSE;
}

/* What the file holds at offset: up to POOL_MIN bytes, size of them. */
static const unsigned char *make_data(const struct mapping *mapping, guint64 offset, gsize *size)
{
	unsigned char *data = pool_part(&mapping->pool, 0);

	*size = MIN(POOL_MIN, mapping->size - offset);
	pool_stamp(data, *size, offset, mapping->nonce, 0);
	return data;
}

static gboolean write_all(const struct mapping *mapping, GError **error)
{
	for (guint64 offset = 0; offset < mapping->size; offset += POOL_MIN) {
		gsize size;
		const unsigned char *data = make_data(mapping, offset, &size);

		memcpy(mapping->data + offset, data, size);
	}
	return msync(mapping->data, mapping->size, MS_SYNC) == 0 ||
	       err_errno(error, errno, "cannot sync '%s'", FILE_NAME);
}

static gboolean verify_all(const struct mapping *mapping, GError **error)
{
	for (guint64 offset = 0; offset < mapping->size; offset += POOL_MIN) {
		gsize size, at = 0;
		const unsigned char *data = make_data(mapping, offset, &size);

		if (memcmp(mapping->data + offset, data, size) == 0)
			continue;
		while (at < size - 1 && mapping->data[offset + at] == data[at])
			at++;
		return err_runtime(error,
				   "'%s' does not hold at %" G_GUINT64_FORMAT
				   " what was written: memory, filesystem or device at fault",
				   FILE_NAME, offset + at);
	}
	return TRUE;
}

static gboolean unmap(struct mapping *mapping, GError **error)
{
	unsigned char *data = mapping->data;

	mapping->data = NULL;
	return munmap(data, mapping->size) == 0 || err_errno(error, errno, "cannot unmap '%s'", FILE_NAME);
}

static gboolean mmap_run(struct workload_env *env, GError **error)
{
	struct mapping *mapping = env->state;
	double megabytes = (double)mapping->size / 1e6, start_s = clock_monotonic_s(), written_s = 0, read_s = 0;
	gboolean ok = write_all(mapping, error);

	if (ok) {
		written_s = clock_monotonic_s();
		ok = verify_all(mapping, error);
	}
	if (ok) {
		read_s = clock_monotonic_s();
		ok = unmap(mapping, error);
	}
	if (ok) {
		env->values[RATE] = 2 * megabytes / (clock_monotonic_s() - start_s);
		env->values[WRITE_RATE] = megabytes / (written_s - start_s);
		env->values[READ_RATE] = megabytes / (read_s - written_s);
	}
	unmap_free(env);
	return ok;
}

static const struct workload_option mmap_options[] = {{"size", OPTION_SIZE, COPY_SIZE, "bytes of the file"},
						      {.name = NULL}};

static const struct metric mmap_metrics[] = {
    [RATE] = {"rate", "MB/s", BETTER_HIGHER, "bytes written and read back per time to write, sync, read and unmap"},
    [WRITE_RATE] = {"write_rate", "MB/s", BETTER_HIGHER, "bytes per time to write them and msync"},
    [READ_RATE] = {"read_rate", "MB/s", BETTER_HIGHER, "bytes per time to read them back and compare"},
    {.name = NULL}};

const struct workload workload_mmap = {
    .name = "mmap",
    .summary = "writes every byte of a new mapped file (MAP_SHARED), msync, reads it back, munmap",
    .options = mmap_options,
    .metrics = mmap_metrics,
    .primary = "rate",
    .space = mmap_space,
    .set_up = mmap_set_up,
    .run = mmap_run,
};
