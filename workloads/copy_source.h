#ifndef COPY_SOURCE_H
#define COPY_SOURCE_H

#include <glib.h>

/* What is copied. */
enum source_kind {
	SOURCE_POOL,   /* memory filled once: random and stamped, or zero */
	SOURCE_FILE,   /* regular file or block device, read from the start again where it is shorter */
	SOURCE_DEVICE, /* character device: read without offset */
	SOURCE_FILES,  /* the files below a directory, one after the other as if they were one */
	SOURCE_TREE    /* the files below a directory, each to a file of its own */
};

struct copy_source {
	enum source_kind kind;
	gboolean zero;    /* SOURCE_POOL: zeros instead of random data */
	const char *path; /* of the file, device or directory; the config's */
	int fd;           /* of the file, device or directory; -1: none */
	guint64 size;     /* SOURCE_FILE: of the file; SOURCE_FILES and SOURCE_TREE: of all files */
	GPtrArray *files; /* struct copy_file *, sorted by path; NULL where it is no directory */
};

struct copy_file {
	char *path;
	const char *below; /* the part of it that is below the directory */
	guint64 start;     /* bytes of the files before it */
	guint64 size;      /* when it was listed, or less where the limit fell into it */
	guint number;      /* SOURCE_TREE: the target is "dd.<number>" */
};

/* Opens what has the name: "random", "zero", a file or device. On false the source is closed. */
gboolean copy_source_open(struct copy_source *source, const char *name, GError **error);

/* Lists the regular files below a directory in the order of their paths until they hold limit bytes, for so many
 * streams: SOURCE_FILES, or SOURCE_TREE, which takes a file a stream. On false the source is closed. */
gboolean copy_source_open_directory(struct copy_source *source, enum source_kind kind, const char *path,
				    guint n_streams, guint64 limit, GError **error);

void copy_source_close(struct copy_source *source);

/* Opens a listed file for reading where it still is a regular file; -1 with errno. */
int copy_source_open_file(const struct copy_source *source, const struct copy_file *file);

#endif
