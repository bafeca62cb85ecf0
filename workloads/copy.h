#ifndef COPY_H
#define COPY_H

#include "copy_source.h"
#include "pool.h"
#include "team.h"
#include "workload.h"

/* The copy engine: streams of blocks from sources to new files, and the final sync. */

/* The usual size: about 1.2 s at 1.7 GB/s, long beside what starting and stopping costs, short enough to repeat. */
#define COPY_SIZE "1536M"
#define COPY_STREAMS_MAX 1024

struct copy_stream {
	struct copy *copy;
	const struct copy_source *source;
	guint number;
	unsigned char *pool;          /* copy->pool_size bytes */
	int fd;                       /* the target; -1: none open */
	GPtrArray *files;             /* SOURCE_TREE: the stream's part of source->files, not owned; else NULL */
	guint file;                   /* SOURCE_FILES: which one is open */
	int file_fd;                  /* -1: none */
	guint64 first, share;         /* where in the source it begins; bytes to write */
	guint64 bytes;                /* written */
	double written_s, finished_s; /* monotonic clock: end of the last write; of the sync */
	char *message;                /* what went wrong, complete; NULL: nothing */
};

struct copy {
	int dirfd;
	guint64 nonce;
	guint64 block;
	gboolean direct;
	struct copy_source sources[2]; /* of several kinds of streams, or only the first */
	struct copy_stream *streams;
	guint n_streams;
	struct pool pool; /* a part for each stream */
	gsize pool_size;
	struct team *team;
	double start_s; /* monotonic clock */
	gint failed;    /* atomic: a stream failed, the others may stop */
};

/* The metrics of every copy are the first of its own. */
enum copy_metric { BANDWIDTH, BANDWIDTH_NOSYNC, SYNC_TIME, BANDWIDTH_STREAM, COPY_METRICS };
#define COPY_METRIC_ROWS                                                                                               \
	[BANDWIDTH] = {"bandwidth", "MB/s", BETTER_HIGHER, "bytes per time to write and to sync, all streams"},        \
	[BANDWIDTH_NOSYNC] = {"bandwidth_nosync", "MB/s", BETTER_HIGHER,                                               \
			      "bytes per time to write, without the final sync"},                                      \
	[SYNC_TIME] = {"sync_time", "s", BETTER_LOWER, "from the last write to the end of the final sync"},            \
	[BANDWIDTH_STREAM] = {"bandwidth_stream", "MB/s", BETTER_HIGHER,                                               \
			      "mean over the streams of each one's own rate"}

/* Checks the options streams and bs. */
gboolean copy_resolve(struct workload_config *config, GError **error);

/* A copy without sources. copy_free() frees the one that is env->state. */
struct copy *copy_new(const struct workload_env *env, guint n_streams, guint64 block, gboolean direct);
void copy_free(struct workload_env *env);

/* Gives n streams from first on a source, one of the copy's, and equal shares of size bytes, or of its files where it
 * is a tree. */
void copy_divide(struct copy *copy, guint first, guint n, const struct copy_source *source, guint64 size);

/* Pools, targets, threads: what the timed window need not hold. */
gboolean copy_prepare(struct copy *copy, GError **error);

/* Copies and measures: COPY_METRICS values. */
gboolean copy_run(struct copy *copy, double *values, GError **error);

/* MB/s of n streams from first on, to the end of the last one's sync. */
double copy_bandwidth(const struct copy *copy, guint first, guint n);

/* Copies, and syncs the file: what a stream's thread does. */
void copy_stream_run(void *stream);

#endif
