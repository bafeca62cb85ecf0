#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/err.h"
#include "target.h"

#define BLOCK_MAX (G_GUINT64_CONSTANT(1) << 30)

#define ROUND_UP(value, unit) (((value) + (unit)-1) / (unit) * (unit))

gboolean copy_resolve(struct workload_config *config, GError **error)
{
	guint64 streams = workload_option_value(config, "streams")->number;
	guint64 bs = workload_option_value(config, "bs")->number;

	if (streams > COPY_STREAMS_MAX)
		return err_usage(error, "option 'streams': %" G_GUINT64_FORMAT " is above %d", streams,
				 COPY_STREAMS_MAX);
	if (bs > BLOCK_MAX)
		return err_usage(error, "option 'bs': %" G_GUINT64_FORMAT " bytes are more than 1 GiB", bs);
	return TRUE;
}

struct copy *copy_new(const struct workload_env *env, guint n_streams, guint64 block, gboolean direct)
{
	struct copy *copy = g_new0(struct copy, 1);

	copy->dirfd = env->dirfd;
	copy->nonce = env->nonce;
	copy->block = block;
	copy->direct = direct;
	for (guint i = 0; i < G_N_ELEMENTS(copy->sources); i++)
		copy->sources[i].fd = -1;
	copy->n_streams = n_streams;
	copy->streams = g_new0(struct copy_stream, n_streams);
	for (guint i = 0; i < n_streams; i++) {
		copy->streams[i].copy = copy;
		copy->streams[i].number = i;
		copy->streams[i].fd = copy->streams[i].file_fd = -1;
	}
	return copy;
}

void copy_free(struct workload_env *env)
{
	struct copy *copy = env->state;

	team_free(copy->team);
	for (guint i = 0; i < copy->n_streams; i++) {
		struct copy_stream *stream = &copy->streams[i];

		if (stream->fd >= 0)
			close(stream->fd);
		if (stream->file_fd >= 0)
			close(stream->file_fd);
		g_clear_pointer(&stream->files, g_ptr_array_unref);
		g_free(stream->message);
	}
	pool_close(&copy->pool);
	for (guint i = 0; i < G_N_ELEMENTS(copy->sources); i++)
		copy_source_close(&copy->sources[i]);
	g_free(copy->streams);
	g_free(copy);
	env->state = NULL;
}

/* Equal shares in whole blocks, or in whole pages where a share is less than a block; the last takes the rest. */
static void divide_size(struct copy_stream *streams, guint n, guint64 size)
{
	guint64 block = streams->copy->block, share = size / n;

	share -= share % (share >= block ? block : share >= PAGE ? PAGE : 1);
	for (guint i = 0; i < n; i++) {
		streams[i].first = share * i;
		streams[i].share = i + 1 < n ? share : size - share * i;
	}
}

/* Each file goes to the stream that has the fewest bytes so far. */
static void divide_files(struct copy_stream *streams, guint n, const GPtrArray *files)
{
	for (guint i = 0; i < n; i++)
		streams[i].files = g_ptr_array_new();
	for (guint i = 0; i < files->len; i++) {
		struct copy_file *file = files->pdata[i];
		struct copy_stream *least = &streams[0];

		for (guint j = 1; j < n; j++) {
			if (streams[j].share < least->share)
				least = &streams[j];
		}
		g_ptr_array_add(least->files, file);
		least->share += file->size;
	}
}

void copy_divide(struct copy *copy, guint first, guint n, const struct copy_source *source, guint64 size)
{
	for (guint i = first; i < first + n; i++)
		copy->streams[i].source = source;
	if (source->kind == SOURCE_TREE)
		divide_files(copy->streams + first, n, source->files);
	else
		divide_size(copy->streams + first, n, size);
}

/* A pool for each stream: filling it here takes page faults and random numbers out of the timed window. */
static gboolean make_pools(struct copy *copy, GError **error)
{
	copy->pool_size = ROUND_UP(MAX(copy->block, POOL_MIN), copy->block);
	if (!pool_open(&copy->pool, copy->n_streams, copy->pool_size, copy->sources[0].zero, error))
		return FALSE;
	for (guint i = 0; i < copy->n_streams; i++)
		copy->streams[i].pool = pool_part(&copy->pool, i);
	return TRUE;
}

/* The targets are made before the timed window, but for those of a tree: it holds writes and syncs, not the
 * filesystem's directory work. */
static gboolean open_targets(struct copy *copy, GError **error)
{
	for (guint i = 0; i < copy->n_streams; i++) {
		struct copy_stream *stream = &copy->streams[i];
		g_autofree char *name = g_strdup_printf("dd.%u", i);

		if (stream->files)
			continue;
		stream->fd = target_create(copy->dirfd, name, O_WRONLY | (copy->direct ? O_DIRECT : 0));
		if (stream->fd < 0)
			return err_errno(error, errno, "cannot create '%s'", name);
	}
	return TRUE;
}

/* A thousand streams are more than a thousand open files, about what a process may have by default. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

gboolean copy_prepare(struct copy *copy, GError **error)
{
	raise_file_limit();
	if (!make_pools(copy, error) || !open_targets(copy, error))
		return FALSE;
	copy->team = team_new(copy_stream_run, copy->streams, sizeof *copy->streams, copy->n_streams, error);
	return copy->team != NULL;
}

/* One sync for many files, so it belongs to all of their streams. */
static gboolean sync_trees(struct copy *copy, GError **error)
{
	double finished_s;

	if (syncfs(copy->dirfd) < 0)
		return err_errno(error, errno, "cannot sync the filesystem of the directory under test");
	finished_s = clock_monotonic_s();
	for (guint i = 0; i < copy->n_streams; i++) {
		if (copy->streams[i].files)
			copy->streams[i].finished_s = finished_s;
	}
	return TRUE;
}

static double megabytes(const struct copy_stream *stream)
{
	return (double)stream->bytes / 1e6;
}

double copy_bandwidth(const struct copy *copy, guint first, guint n)
{
	double finished_s = copy->start_s, sum = 0;

	for (const struct copy_stream *stream = copy->streams + first; stream < copy->streams + first + n; stream++) {
		finished_s = MAX(finished_s, stream->finished_s);
		sum += megabytes(stream);
	}
	return sum / (finished_s - copy->start_s);
}

static void measure(const struct copy *copy, double *values)
{
	double written_s = copy->start_s, finished_s = copy->start_s, sum = 0, stream_rates = 0;

	for (guint i = 0; i < copy->n_streams; i++) {
		const struct copy_stream *stream = &copy->streams[i];

		written_s = MAX(written_s, stream->written_s);
		finished_s = MAX(finished_s, stream->finished_s);
		sum += megabytes(stream);
		stream_rates += copy_bandwidth(copy, i, 1);
	}
	values[BANDWIDTH] = copy_bandwidth(copy, 0, copy->n_streams);
	values[BANDWIDTH_NOSYNC] = sum / (written_s - copy->start_s);
	values[SYNC_TIME] = finished_s - written_s;
	values[BANDWIDTH_STREAM] = stream_rates / copy->n_streams;
}

gboolean copy_run(struct copy *copy, double *values, GError **error)
{
	gboolean trees = FALSE;

	copy->start_s = team_run(copy->team);
	for (guint i = 0; i < copy->n_streams; i++) {
		if (copy->streams[i].message)
			return err_runtime(error, "%s", copy->streams[i].message);
		trees = trees || copy->streams[i].files;
	}
	if (trees && !sync_trees(copy, error))
		return FALSE;
	measure(copy, values);
	return TRUE;
}
