#ifndef COPY_H
#define COPY_H

#include "gate.h"
#include "pool.h"
#include "workload.h"

/* The copy engine: streams of blocks from a source to new files, and the final sync. */

enum source_kind {
	SOURCE_POOL,   /* memory filled once: random and stamped, or zero */
	SOURCE_FILE,   /* regular file or block device, read from the start again where it is shorter */
	SOURCE_DEVICE, /* character device: read without offset */
	SOURCE_TREE    /* the files below a directory, each to a file of its own */
};

struct copy_source {
	enum source_kind kind;
	gboolean zero;    /* SOURCE_POOL: zeros instead of random data */
	const char *path; /* of the file, device or directory; the config's */
	int fd;           /* of the file or device; -1: none */
	guint64 size;     /* SOURCE_FILE: of the file; SOURCE_TREE: of all files */
	GPtrArray *files; /* SOURCE_TREE: struct copy_file *, sorted by path; else NULL */
};

struct copy_file {
	char *path;
	guint64 size; /* when it was listed */
	guint number; /* the target is "dd.<number>" */
};

struct copy_stream {
	struct copy *copy;
	guint number;
	GThread *thread;
	unsigned char *pool;          /* copy->pool_size bytes */
	int fd;                       /* the target; -1: none open */
	GPtrArray *files;             /* SOURCE_TREE: the stream's part of source.files, not owned; else NULL */
	guint64 share;                /* bytes to write */
	guint64 bytes;                /* written */
	double written_s, finished_s; /* monotonic clock: end of the last write; of the sync */
	char *message;                /* what went wrong, complete; NULL: nothing */
};

struct copy {
	int dirfd;
	guint64 nonce;
	guint n_streams;
	guint64 size, block;
	gboolean direct;
	struct copy_source source;
	struct copy_stream *streams;
	struct pool pool; /* a part for each stream */
	gsize pool_size;
	struct gate gate;
	gint failed; /* atomic: a stream failed, the others may stop */
};

/* Opens the source that the options name, and lists the files of a tree. On false the source is closed. */
gboolean copy_source_open(const struct workload_config *config, struct copy_source *source, GError **error);
void copy_source_close(struct copy_source *source);

/* Body of a stream's thread, a GThreadFunc: waits for the gate, copies, syncs its file. */
gpointer copy_stream_run(gpointer stream);

/* A new file for writing in the private directory; -1 with errno. */
int copy_create(int dirfd, const char *name, gboolean direct);

/* A reason, newly allocated, why files there cannot be written with O_DIRECT in multiples of these sizes, or NULL. */
char *copy_direct_unsupported(int dirfd, guint64 size, guint64 block);

#endif
