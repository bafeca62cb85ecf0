#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/err.h"
#include "block.h"
#include "copy.h"
#include "pool.h"
#include "shuffle.h"
#include "target.h"
#include "team.h"

/* Streams that read the blocks of one file, cold: in order, each its own part; or in a random order that all streams go
 * through together, each block once at most, so that nothing read before is read again from memory. */

#define FILE_NAME "read.0"
#define STAMP_BYTES 24

enum { SEQ_BANDWIDTH };
enum { IOPS, RANDOM_BANDWIDTH };

struct reader {
	struct reading *reading;
	unsigned char *buffer;
	guint64 next, end, step; /* indices of blocks */
	guint64 calls, bytes;
	double finished_s; /* monotonic clock */
	char *message;     /* what went wrong, complete; NULL: nothing */
};

struct reading {
	int fd;
	guint64 nonce, size, block;
	gboolean is_random;
	guint64 n_blocks, seed; /* random only */
	double time_s;          /* a bound; 0: none */
	struct reader *readers;
	guint n_readers;
	struct pool buffers; /* a part for each reader */
	struct team *team;
	gint failed; /* atomic: a reader failed, the others may stop */
};

static guint64 number(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->number;
}

static gboolean is_direct(const struct workload_config *config)
{
	return workload_option_value(config, "direct")->flag;
}

static gboolean is_random(const struct workload_config *config)
{
	return workload_has_option(config->workload, "count");
}

static void fail(struct reader *reader, guint64 offset, const char *what)
{
	reader->message = g_strdup_printf("cannot read '%s' at %" G_GUINT64_FORMAT ": %s", FILE_NAME, offset, what);
	g_atomic_int_set(&reader->reading->failed, 1);
}

/* Looks at one stamp, which costs nothing beside the read: that these are the bytes of this place in the file, and of
 * this run. */
static gboolean verify(const struct reading *reading, const unsigned char *data, gsize size, guint64 offset)
{
	gsize at = (PAGE - offset % PAGE) % PAGE;
	unsigned char stamp[STAMP_BYTES];

	if (at + sizeof stamp > size)
		return TRUE;
	pool_stamp(stamp, sizeof stamp, offset + at, reading->nonce, 0);
	return memcmp(data + at, stamp, sizeof stamp) == 0;
}

static gboolean read_block(struct reader *reader, guint64 index)
{
	const struct reading *reading = reader->reading;
	guint64 block = reading->is_random ? shuffle(index, reading->n_blocks, reading->seed) : index;
	guint64 offset = block * reading->block;
	gsize size = MIN(reading->block, reading->size - offset);
	gssize n = block_read(reading->fd, reader->buffer, size, (gint64)offset);

	if (n < 0)
		fail(reader, offset, g_strerror(errno));
	else if ((gsize)n < size)
		fail(reader, offset, "the file ends there");
	else if (!verify(reading, reader->buffer, size, offset))
		fail(reader, offset, "not what was written: memory, filesystem or device at fault");
	reader->calls++;
	reader->bytes += size;
	return !reader->message;
}

static void run_reader(void *data)
{
	struct reader *reader = data;
	struct reading *reading = reader->reading;
	double start_s = clock_monotonic_s();

	do {
		if (!read_block(reader, reader->next))
			return;
		reader->next += reader->step;
		reader->finished_s = clock_monotonic_s();
	} while (reader->next < reader->end && !g_atomic_int_get(&reading->failed) &&
		 (reading->time_s == 0 || reader->finished_s - start_s < reading->time_s));
}

static gboolean fill(int fd, guint64 size, guint64 nonce, GError **error)
{
	struct pool pool;
	gboolean ok = TRUE;

	if (!pool_open(&pool, 1, POOL_MIN, FALSE, error))
		return FALSE;
	for (guint64 offset = 0; ok && offset < size; offset += POOL_MIN) {
		gsize n = MIN(POOL_MIN, size - offset);

		pool_stamp(pool_part(&pool, 0), n, offset, nonce, 0);
		if (block_write(fd, pool_part(&pool, 0), n, offset) < n)
			ok = err_errno(error, errno, "cannot write '%s'", FILE_NAME);
	}
	pool_close(&pool);
	return ok;
}

/* Dirty pages cannot be dropped: they are written back first. */
static gboolean forget(int fd, GError **error)
{
	int failure;

	if (fdatasync(fd) < 0)
		return err_errno(error, errno, "cannot sync '%s'", FILE_NAME);
	failure = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return !failure || err_errno(error, failure, "cannot drop '%s' from the page cache", FILE_NAME);
}

/* Makes the file, cold, and opens it for reading. */
static gboolean make_file(struct reading *reading, const struct workload_env *env, GError **error)
{
	int fd = target_create(env->dirfd, FILE_NAME, O_WRONLY), failure;
	gboolean ok;

	if (fd < 0)
		return err_errno(error, errno, "cannot create '%s'", FILE_NAME);
	ok = fill(fd, reading->size, reading->nonce, error) && forget(fd, error);
	if (close(fd) < 0 && ok)
		ok = err_errno(error, errno, "cannot write '%s'", FILE_NAME);
	if (!ok)
		return FALSE;
	reading->fd =
	    openat(env->dirfd, FILE_NAME, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (is_direct(env->config) ? O_DIRECT : 0));
	if (reading->fd < 0)
		return err_errno(error, errno, "cannot open '%s'", FILE_NAME);
	failure = reading->is_random ? posix_fadvise(reading->fd, 0, 0, POSIX_FADV_RANDOM) : 0;
	return !failure || err_errno(error, failure, "cannot switch off read-ahead for '%s'", FILE_NAME);
}

/* In order, the blocks from i/n to (i+1)/n of the file; at random, every n-th of the first count of the order. */
static void divide(struct reading *reading, guint64 count)
{
	guint64 n = reading->n_readers, blocks = (reading->size + reading->block - 1) / reading->block;

	reading->n_blocks = reading->size / reading->block;
	for (guint i = 0; i < n; i++) {
		struct reader *reader = &reading->readers[i];

		reader->next = reading->is_random ? i : blocks / n * i + MIN(i, blocks % n);
		reader->end =
		    reading->is_random ? MIN(count, reading->n_blocks) : reader->next + blocks / n + (i < blocks % n);
		reader->step = reading->is_random ? n : 1;
	}
}

static gboolean prepare(struct reading *reading, const struct workload_env *env, GError **error)
{
	divide(reading, reading->is_random ? number(env->config, "count") : 0);
	if (!make_file(reading, env, error) ||
	    !pool_open(&reading->buffers, reading->n_readers, reading->block, TRUE, error))
		return FALSE;
	for (guint i = 0; i < reading->n_readers; i++)
		reading->readers[i].buffer = pool_part(&reading->buffers, i);
	reading->team = team_new(run_reader, reading->readers, sizeof *reading->readers, reading->n_readers, error);
	return reading->team != NULL;
}

static void read_free(struct workload_env *env)
{
	struct reading *reading = env->state;

	team_free(reading->team);
	for (guint i = 0; i < reading->n_readers; i++)
		g_free(reading->readers[i].message);
	pool_close(&reading->buffers);
	if (reading->fd >= 0)
		close(reading->fd);
	g_free(reading->readers);
	g_free(reading);
	env->state = NULL;
}

static gboolean read_set_up(struct workload_env *env, GError **error)
{
	const struct workload_config *config = env->config;
	struct reading *reading = g_new0(struct reading, 1);

	env->state = reading;
	reading->fd = -1;
	reading->nonce = env->nonce;
	reading->size = number(config, "size");
	reading->block = MIN(number(config, "bs"), reading->size);
	reading->is_random = is_random(config);
	if (reading->is_random) {
		reading->seed = number(config, "seed");
		reading->time_s = workload_option_value(config, "time")->seconds;
	}
	reading->n_readers = (guint)number(config, "streams");
	reading->readers = g_new0(struct reader, reading->n_readers);
	for (guint i = 0; i < reading->n_readers; i++)
		reading->readers[i].reading = reading;
	if (prepare(reading, env, error))
		return TRUE;
	read_free(env);
	return FALSE;
}

static gboolean read_run(struct workload_env *env, GError **error)
{
	struct reading *reading = env->state;
	double start_s = team_run(reading->team), finished_s = start_s, megabytes = 0, calls = 0;
	gboolean ok = TRUE;

	for (guint i = 0; ok && i < reading->n_readers; i++) {
		const struct reader *reader = &reading->readers[i];

		finished_s = MAX(finished_s, reader->finished_s);
		megabytes += (double)reader->bytes / 1e6;
		calls += (double)reader->calls;
		if (reader->message)
			ok = err_runtime(error, "%s", reader->message);
	}
	if (ok && reading->is_random)
		env->values[IOPS] = calls / (finished_s - start_s);
	if (ok)
		env->values[reading->is_random ? RANDOM_BANDWIDTH : SEQ_BANDWIDTH] = megabytes / (finished_s - start_s);
	read_free(env);
	return ok;
}

static char *read_unsupported(const struct workload_config *config, int dirfd)
{
	guint64 size = number(config, "size"), bs = number(config, "bs"), streams = number(config, "streams");
	guint64 blocks = is_random(config) ? size / bs : (size + bs - 1) / bs;

	if (is_random(config))
		blocks = MIN(blocks, number(config, "count"));
	if (blocks < streams)
		return g_strdup_printf("%" G_GUINT64_FORMAT " blocks to read are too few for %" G_GUINT64_FORMAT
				       " streams",
				       blocks, streams);
	if (target_in_memory(dirfd))
		return g_strdup(
		    "this filesystem keeps files in memory only (tmpfs): nothing can be read from a device");
	return is_direct(config) ? target_direct_unsupported(dirfd, size, bs) : NULL;
}

static guint64 read_space(const struct workload_config *config)
{
	return number(config, "size");
}

#define FILE_HELP "bytes of the file, which is written and dropped from the page cache before"
#define BS_HELP "bytes read by one call"
#define DIRECT_HELP "read with O_DIRECT, past the page cache and its read-ahead"

static const struct workload_option seqread_options[] = {
    {"streams", OPTION_COUNT, "1", "threads, each reading a part of the file"},
    {"size", OPTION_SIZE, COPY_SIZE, FILE_HELP},
    {"bs", OPTION_SIZE, "1M", BS_HELP},
    {"direct", OPTION_BOOL, "no", DIRECT_HELP},
    {.name = NULL}};

static const struct workload_option randread_options[] = {
    {"streams", OPTION_COUNT, "1", "threads that read at the same time, one block each"},
    {"size", OPTION_SIZE, "1G", FILE_HELP},
    {"bs", OPTION_SIZE, "4K", BS_HELP},
    {"count", OPTION_COUNT, "65536", "blocks read by all streams together at most, each once at most"},
    {"time", OPTION_DURATION, "5s", "the end, where it comes first"},
    {"seed", OPTION_COUNT, "1", "of the order of the blocks"},
    {"direct", OPTION_BOOL, "no", DIRECT_HELP},
    {.name = NULL}};

static const struct metric seqread_metrics[] = {
    [SEQ_BANDWIDTH] = {"bandwidth", "MB/s", BETTER_HIGHER, "bytes read per time, all streams"}, {.name = NULL}};

static const struct metric randread_metrics[] = {
    [IOPS] = {"iops", "/s", BETTER_HIGHER, "blocks read per time, all streams"},
    [RANDOM_BANDWIDTH] = {"bandwidth", "MB/s", BETTER_HIGHER, "bytes read per time, all streams"},
    {.name = NULL}};

#define READ(id, about, first)                                                                                         \
	const struct workload workload_##id = {                                                                        \
	    .name = #id,                                                                                               \
	    .summary = about,                                                                                          \
	    .options = id##_options,                                                                                   \
	    .metrics = id##_metrics,                                                                                   \
	    .primary = first,                                                                                          \
	    .resolve = copy_resolve,                                                                                   \
	    .unsupported = read_unsupported,                                                                           \
	    .space = read_space,                                                                                       \
	    .set_up = read_set_up,                                                                                     \
	    .run = read_run,                                                                                           \
	}

READ(seqread, "streams that read a file from start to end, cold", "bandwidth");
READ(randread, "streams that read blocks of a file in random order, cold", "iops");
