#include "copy.h"

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

static void add_file(struct copy_source *source, const FTSENT *entry)
{
	struct copy_file *file = g_new(struct copy_file, 1);

	*file = (struct copy_file){g_strdup(entry->fts_path), (guint64)entry->fts_statp->st_size, source->files->len};
	g_ptr_array_add(source->files, file);
	source->size += file->size;
}

static gboolean list_tree(struct copy_source *source, GError **error)
{
	g_autofree char *path = g_strdup(source->path);
	char *const roots[] = {path, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, compare_names);
	gboolean ok = TRUE;
	FTSENT *entry;

	if (!tree)
		return err_errno(error, errno, "cannot list directory '%s'", source->path);
	while (ok && (entry = fts_read(tree))) {
		if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS)
			ok = err_errno(error, entry->fts_errno, "cannot list '%s'", entry->fts_path);
		else if (entry->fts_info == FTS_F && S_ISREG(entry->fts_statp->st_mode))
			add_file(source, entry);
	}
	fts_close(tree);
	return ok;
}

static gboolean open_tree(struct copy_source *source, guint64 n_streams, GError **error)
{
	struct stat status;

	source->kind = SOURCE_TREE;
	source->files = g_ptr_array_new_with_free_func(file_free);
	if (stat(source->path, &status) < 0)
		return err_errno(error, errno, "cannot read directory '%s'", source->path);
	if (!S_ISDIR(status.st_mode))
		return err_runtime(error, "'%s' is no directory to copy from", source->path);
	if (!list_tree(source, error))
		return FALSE;
	if (source->files->len < n_streams)
		return err_runtime(
		    error, "directory '%s' holds fewer files (%u) than there are streams (%" G_GUINT64_FORMAT ")",
		    source->path, source->files->len, n_streams);
	if (source->size == 0)
		return err_runtime(error, "the files in directory '%s' are all empty", source->path);
	return TRUE;
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

static gboolean open_named(struct copy_source *source, const char *name, GError **error)
{
	source->zero = strcmp(name, "zero") == 0;
	if (source->zero || strcmp(name, "random") == 0)
		return TRUE;
	source->path = name;
	return open_file(source, error);
}

gboolean copy_source_open(const struct workload_config *config, struct copy_source *source, GError **error)
{
	const char *name = workload_option_value(config, "source")->text;
	const char *from = workload_option_value(config, "from")->text;
	gboolean ok;

	*source = (struct copy_source){.kind = SOURCE_POOL, .path = from, .fd = -1};
	if (from && strcmp(name, "random") != 0)
		return err_runtime(error, "options 'source' and 'from' exclude each other");
	ok = from ? open_tree(source, workload_option_value(config, "streams")->number, error)
		  : open_named(source, name, error);
	if (!ok)
		copy_source_close(source);
	return ok;
}
