#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/err.h"

/* About 1.2 s at 1.7 GB/s: long beside what starting and stopping costs, short enough to repeat. */
#define DEFAULT_SIZE "1536M"
#define STREAMS_MAX 1024
#define BLOCK_MAX (G_GUINT64_CONSTANT(1) << 30)
#define PAGE 4096

#define ROUND_UP(value, unit) (((value) + (unit)-1) / (unit) * (unit))

enum copy_metric { BANDWIDTH, BANDWIDTH_NOSYNC, SYNC_TIME, BANDWIDTH_STREAM };

static guint64 number(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->number;
}

static gboolean copy_resolve(struct workload_config *config, GError **error)
{
	guint64 streams = number(config, "streams"), bs = number(config, "bs");

	if (streams > STREAMS_MAX)
		return err_usage(error, "option 'streams': %" G_GUINT64_FORMAT " is above %d", streams, STREAMS_MAX);
	if (bs > BLOCK_MAX)
		return err_usage(error, "option 'bs': %" G_GUINT64_FORMAT " bytes are more than 1 GiB", bs);
	return TRUE;
}

static char *copy_unsupported(const struct workload_config *config, int dirfd)
{
	guint64 size = number(config, "size"), bs = number(config, "bs"), streams = number(config, "streams");
	gboolean direct = workload_option_value(config, "direct")->flag;
	g_autoptr(GError) error = NULL;
	struct copy_source source;
	gboolean tree;

	if (!copy_source_open(config, &source, &error))
		return g_strdup(error->message);
	tree = source.kind == SOURCE_TREE;
	copy_source_close(&source);
	if (!tree && size / streams < (direct ? MIN(bs, PAGE) : 1))
		return g_strdup_printf("%" G_GUINT64_FORMAT " bytes of 'size' are too few for %" G_GUINT64_FORMAT
				       " streams",
				       size, streams);
	return direct ? copy_direct_unsupported(dirfd, tree ? bs : size, bs) : NULL;
}

static guint64 copy_space(const struct workload_config *config)
{
	guint64 size = number(config, "size");
	struct copy_source source;

	if (workload_option_value(config, "from")->text && copy_source_open(config, &source, NULL)) {
		size = source.size;
		copy_source_close(&source);
	}
	return size;
}

static void cancel(struct copy *copy)
{
	gate_cancel(&copy->gate);
	for (guint i = 0; i < copy->n_streams; i++)
		g_clear_pointer(&copy->streams[i].thread, g_thread_join);
}

static void copy_free(struct copy *copy)
{
	cancel(copy);
	for (guint i = 0; i < copy->n_streams; i++) {
		struct copy_stream *stream = &copy->streams[i];

		if (stream->fd >= 0)
			close(stream->fd);
		g_clear_pointer(&stream->files, g_ptr_array_unref);
		g_free(stream->message);
	}
	pool_close(&copy->pool);
	copy_source_close(&copy->source);
	gate_clear(&copy->gate);
	g_free(copy->streams);
	g_free(copy);
}

/* A pool for each stream: filling it here takes page faults and random numbers out of the timed window. */
static gboolean make_pools(struct copy *copy, GError **error)
{
	copy->pool_size = ROUND_UP(MAX(copy->block, POOL_MIN), copy->block);
	if (!pool_open(&copy->pool, copy->n_streams, copy->pool_size, copy->source.zero, error))
		return FALSE;
	for (guint i = 0; i < copy->n_streams; i++)
		copy->streams[i].pool = pool_part(&copy->pool, i);
	return TRUE;
}

/* Equal shares in whole blocks, or in whole pages where a share is less than a block; the last stream takes the rest.
 */
static void divide_size(struct copy *copy)
{
	guint64 share = copy->size / copy->n_streams;

	share -= share % (share >= copy->block ? copy->block : share >= PAGE ? PAGE : 1);
	for (guint i = 0; i < copy->n_streams; i++)
		copy->streams[i].share = share;
	copy->streams[copy->n_streams - 1].share = copy->size - share * (copy->n_streams - 1);
}

/* Each file goes to the stream that has the fewest bytes so far. */
static void divide_files(struct copy *copy)
{
	for (guint i = 0; i < copy->n_streams; i++)
		copy->streams[i].files = g_ptr_array_new();
	for (guint i = 0; i < copy->source.files->len; i++) {
		struct copy_file *file = copy->source.files->pdata[i];
		struct copy_stream *least = &copy->streams[0];

		for (guint j = 1; j < copy->n_streams; j++) {
			if (copy->streams[j].share < least->share)
				least = &copy->streams[j];
		}
		g_ptr_array_add(least->files, file);
		least->share += file->size;
	}
}

/* The targets are made before the timed window: it holds writes and syncs, not the filesystem's directory work. */
static gboolean open_targets(struct copy *copy, GError **error)
{
	for (guint i = 0; i < copy->n_streams; i++) {
		g_autofree char *name = g_strdup_printf("dd.%u", i);

		copy->streams[i].fd = copy_create(copy->dirfd, name, copy->direct);
		if (copy->streams[i].fd < 0)
			return err_errno(error, errno, "cannot create '%s'", name);
	}
	return TRUE;
}

static gboolean start_threads(struct copy *copy, GError **error)
{
	for (guint i = 0; i < copy->n_streams; i++) {
		g_autoptr(GError) why = NULL;

		copy->streams[i].thread = g_thread_try_new("stream", copy_stream_run, &copy->streams[i], &why);
		if (!copy->streams[i].thread)
			return err_runtime(error, "cannot start stream %u of %u: %s", i + 1, copy->n_streams,
					   why->message);
	}
	gate_await(&copy->gate, copy->n_streams);
	return TRUE;
}

/* A thousand streams are a thousand open files, about what a process may have by default. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static gboolean prepare(struct copy *copy, const struct workload_config *config, GError **error)
{
	if (!copy_source_open(config, &copy->source, error))
		return FALSE;
	raise_file_limit();
	if (copy->source.kind == SOURCE_TREE)
		divide_files(copy);
	else
		divide_size(copy);
	return make_pools(copy, error) && (copy->source.kind == SOURCE_TREE || open_targets(copy, error)) &&
	       start_threads(copy, error);
}

static gboolean copy_set_up(struct workload_env *env, GError **error)
{
	const struct workload_config *config = env->config;
	struct copy *copy = g_new0(struct copy, 1);

	gate_init(&copy->gate);
	copy->dirfd = env->dirfd;
	copy->nonce = env->nonce;
	copy->size = number(config, "size");
	copy->block = number(config, "bs");
	if (!workload_option_value(config, "from")->text)
		copy->block = MIN(copy->block, copy->size);
	copy->direct = workload_option_value(config, "direct")->flag;
	copy->n_streams = (guint)number(config, "streams");
	copy->source.fd = -1;
	copy->streams = g_new0(struct copy_stream, copy->n_streams);
	for (guint i = 0; i < copy->n_streams; i++) {
		copy->streams[i].copy = copy;
		copy->streams[i].number = i;
		copy->streams[i].fd = -1;
	}
	if (!prepare(copy, config, error)) {
		copy_free(copy);
		return FALSE;
	}
	env->state = copy;
	return TRUE;
}

/* Lets all streams go and waits for them; returns when they went, in seconds of the monotonic clock. */
static double run_streams(struct copy *copy)
{
	double start_s = gate_open(&copy->gate);

	for (guint i = 0; i < copy->n_streams; i++)
		g_clear_pointer(&copy->streams[i].thread, g_thread_join);
	return start_s;
}

/* One sync for many files, so it belongs to all streams. */
static gboolean sync_tree(struct copy *copy, GError **error)
{
	double finished_s;

	if (syncfs(copy->dirfd) < 0)
		return err_errno(error, errno, "cannot sync the filesystem of the directory under test");
	finished_s = clock_monotonic_s();
	for (guint i = 0; i < copy->n_streams; i++)
		copy->streams[i].finished_s = finished_s;
	return TRUE;
}

static void measure(const struct copy *copy, double start_s, double *values)
{
	double written_s = start_s, finished_s = start_s, megabytes = 0, stream_rates = 0;
	double write_s, sync_s;

	for (guint i = 0; i < copy->n_streams; i++) {
		const struct copy_stream *stream = &copy->streams[i];

		written_s = MAX(written_s, stream->written_s);
		finished_s = MAX(finished_s, stream->finished_s);
		megabytes += (double)stream->bytes / 1e6;
		stream_rates += (double)stream->bytes / 1e6 / (stream->finished_s - start_s);
	}
	write_s = written_s - start_s;
	sync_s = finished_s - written_s;
	values[BANDWIDTH] = megabytes / (write_s + sync_s);
	values[BANDWIDTH_NOSYNC] = megabytes / write_s;
	values[SYNC_TIME] = sync_s;
	values[BANDWIDTH_STREAM] = stream_rates / copy->n_streams;
}

static gboolean copy_run(struct workload_env *env, GError **error)
{
	struct copy *copy = env->state;
	double start_s = run_streams(copy);
	gboolean ok = TRUE;

	for (guint i = 0; ok && i < copy->n_streams; i++) {
		if (copy->streams[i].message)
			ok = err_runtime(error, "%s", copy->streams[i].message);
	}
	ok = ok && (copy->source.kind != SOURCE_TREE || sync_tree(copy, error));
	if (ok)
		measure(copy, start_s, env->values);
	copy_free(copy);
	env->state = NULL;
	return ok;
}

static const struct workload_option copy_options[] = {
    {"streams", OPTION_COUNT, "1", "threads, each writing a file of its own"},
    {"size", OPTION_SIZE, DEFAULT_SIZE, "bytes written by all streams together"},
    {"bs", OPTION_SIZE, "1M", "bytes written by one call"},
    {"direct", OPTION_BOOL, "no", "write with O_DIRECT, past the page cache"},
    {"source", OPTION_TEXT, "random",
     "random (stamped, incompressible), zero, or a file or device to read in the timed window"},
    {"from", OPTION_TEXT, NULL,
     "copy the files below this directory, each to a file of its own, instead of 'size' bytes"},
    {.name = NULL}};

static const struct metric copy_metrics[] = {
    [BANDWIDTH] = {"bandwidth", "MB/s", BETTER_HIGHER, "bytes per time to write and to sync, all streams"},
    [BANDWIDTH_NOSYNC] = {"bandwidth_nosync", "MB/s", BETTER_HIGHER, "bytes per time to write, without the final sync"},
    [SYNC_TIME] = {"sync_time", "s", BETTER_LOWER, "from the last write to the end of the final sync"},
    [BANDWIDTH_STREAM] = {"bandwidth_stream", "MB/s", BETTER_HIGHER, "mean over the streams of each one's own rate"},
    {.name = NULL}};

#define PRESET(id, title, about, settings)                                                                             \
	const struct workload workload_##id = {                                                                        \
	    .name = title,                                                                                             \
	    .summary = about,                                                                                          \
	    .options = copy_options,                                                                                   \
	    .preset = settings,                                                                                        \
	    .metrics = copy_metrics,                                                                                   \
	    .primary = "bandwidth",                                                                                    \
	    .resolve = copy_resolve,                                                                                   \
	    .unsupported = copy_unsupported,                                                                           \
	    .space = copy_space,                                                                                       \
	    .set_up = copy_set_up,                                                                                     \
	    .run = copy_run,                                                                                           \
	}

PRESET(dd1, "dd1", "1 stream of writes to a new file, then fdatasync", "streams=1");
PRESET(dd2, "dd2", "2 streams of writes, each to its own new file, then fdatasync", "streams=2");
PRESET(dd3, "dd3", "3 streams of writes, each to its own new file, then fdatasync", "streams=3");
PRESET(dd1_dir, "dd1-dir", "dd1 with O_DIRECT", "streams=1:direct=yes");
PRESET(dd2_dir, "dd2-dir", "dd2 with O_DIRECT", "streams=2:direct=yes");
PRESET(dd3_dir, "dd3-dir", "dd3 with O_DIRECT", "streams=3:direct=yes");
