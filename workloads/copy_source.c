#include "copy_source.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/err.h"

static void file_free(gpointer data)
{
	struct copy_file *file = data;

	g_free(file->path);
	g_free(file);
}

void copy_source_close(struct copy_source *source)
{
	if (source->fd >= 0)
		close(source->fd);
	source->fd = -1;
	g_clear_pointer(&source->files, g_ptr_array_unref);
}

static int compare_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void add_file(struct copy_source *source, const FTSENT *entry, guint64 limit)
{
	struct copy_file *file = g_new(struct copy_file, 1);

	*file = (struct copy_file){.path = g_strdup(entry->fts_path),
				   .start = source->size,
				   .size = MIN((guint64)entry->fts_statp->st_size, limit - source->size),
				   .number = source->files->len};
	file->below = file->path + strlen(source->path);
	file->below += strspn(file->below, "/");
	g_ptr_array_add(source->files, file);
	source->size += file->size;
}

static gboolean list_files(struct copy_source *source, guint64 limit, GError **error)
{
	g_autofree char *path = g_strdup(source->path);
	char *const roots[] = {path, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, compare_names);
	gboolean ok = TRUE;
	FTSENT *entry;

	if (!tree)
		return err_errno(error, errno, "cannot list directory '%s'", source->path);
	while (ok && source->size < limit && (entry = fts_read(tree))) {
		if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS)
			ok = err_errno(error, entry->fts_errno, "cannot list '%s'", entry->fts_path);
		else if (entry->fts_info == FTS_F && S_ISREG(entry->fts_statp->st_mode))
			add_file(source, entry, limit);
	}
	fts_close(tree);
	return ok;
}

static gboolean open_directory(struct copy_source *source, guint64 limit, GError **error)
{
	source->files = g_ptr_array_new_with_free_func(file_free);
	source->fd = open(source->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (source->fd < 0 && errno == ENOTDIR)
		return err_runtime(error, "'%s' is no directory to copy from", source->path);
	if (source->fd < 0)
		return err_errno(error, errno, "cannot read directory '%s'", source->path);
	if (!list_files(source, limit, error))
		return FALSE;
	return source->files->len > 0 || err_runtime(error, "directory '%s' holds no regular file", source->path);
}

static gboolean check_files(const struct copy_source *source, guint n_streams, GError **error)
{
	if (source->kind == SOURCE_TREE && source->files->len < n_streams)
		return err_runtime(error, "directory '%s' holds fewer files (%u) than there are streams (%u)",
				   source->path, source->files->len, n_streams);
	return source->size > 0 || err_runtime(error, "the files in directory '%s' are all empty", source->path);
}

gboolean copy_source_open_directory(struct copy_source *source, enum source_kind kind, const char *path,
				    guint n_streams, guint64 limit, GError **error)
{
	*source = (struct copy_source){.kind = kind, .path = path, .fd = -1};
	if (open_directory(source, limit, error) && check_files(source, n_streams, error))
		return TRUE;
	copy_source_close(source);
	return FALSE;
}

int copy_source_open_file(const struct copy_source *source, const struct copy_file *file)
{
	/* should it have become a pipe, nobody waits for its other end */
	int fd = openat(source->fd, file->below, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC),
	    failure = 0;
	struct stat status;

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) < 0)
		failure = errno;
	else if (!S_ISREG(status.st_mode))
		failure = EINVAL;
	if (!failure)
		return fd;
	close(fd);
	errno = failure;
	return -1;
}

static gboolean open_file(struct copy_source *source, GError **error)
{
	struct stat status;
	off_t size = 0;

	source->fd = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (source->fd < 0 || fstat(source->fd, &status) < 0)
		return err_errno(error, errno, "cannot open source '%s'", source->path);
	if (S_ISCHR(status.st_mode)) {
		source->kind = SOURCE_DEVICE;
		return TRUE;
	}
	if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode))
		return err_runtime(error, "source '%s' is neither a regular file nor a device", source->path);
	size = lseek(source->fd, 0, SEEK_END);
	if (size < 0)
		return err_errno(error, errno, "cannot find the size of source '%s'", source->path);
	if (size == 0)
		return err_runtime(error, "source '%s' is empty", source->path);
	source->kind = SOURCE_FILE;
	source->size = (guint64)size;
	return TRUE;
}

gboolean copy_source_open(struct copy_source *source, const char *name, GError **error)
{
	*source = (struct copy_source){.kind = SOURCE_POOL, .zero = strcmp(name, "zero") == 0, .fd = -1};
	if (source->zero || strcmp(name, "random") == 0)
		return TRUE;
	source->path = name;
	if (open_file(source, error))
		return TRUE;
	copy_source_close(source);
	return FALSE;
}
