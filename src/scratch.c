#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "err.h"
#include "swap_file.h"
#include "tree.h"
#include "unit.h"

#define PREFIX "vmstat-bench."
#define NAME_DIGITS 16

gboolean scratch_is_name(const char *name)
{
	return g_str_has_prefix(name, PREFIX) && strlen(name) == strlen(PREFIX) + NAME_DIGITS &&
	       strspn(name + strlen(PREFIX), "0123456789abcdef") == NAME_DIGITS;
}

/* Opens a private directory of this user; -1 with errno where there is none, EPERM where it is another's or public. */
static int open_private(int parent_fd, const char *name)
{
	int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat parent, st;

	if (fd < 0)
		return -1;
	if (fstat(parent_fd, &parent) == 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	    (st.st_mode & 07777) == 0700 && st.st_dev == parent.st_dev)
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

/* By its descriptor: where others may write to the directory around it, its name may have become another's. */
int scratch_make_file(const struct scratch *scratch, const char *name, guint64 bytes, GError **error)
{
	int fd = -1;

	if (unlinkat(scratch->fd, name, 0) == 0 || errno == ENOENT)
		fd = openat(scratch->fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0 && ftruncate(fd, (off_t)bytes) == 0)
		return fd;
	err_errno(error, errno, "cannot make the file '%s/%s' of %" G_GUINT64_FORMAT " bytes", scratch->path, name, bytes);
	if (fd >= 0)
		close(fd);
	return -1;
}

gboolean scratch_empty(const struct scratch *scratch, GError **error)
{
	DIR *stream = tree_open(scratch->fd);
	int failure = stream ? tree_empty(stream) : errno;

	if (stream)
		closedir(stream);
	return !failure || err_errno(error, failure, "cannot empty directory '%s'", scratch->name);
}

static gboolean remove_private(const struct scratch *scratch, GError **error)
{
	/* a file that is swapped to cannot be removed */
	if (!swap_file_off(scratch->fd, error) || !scratch_empty(scratch, error))
		return FALSE;
	return unlinkat(scratch->parent_fd, scratch->name, AT_REMOVEDIR) == 0 ||
	       err_errno(error, errno, "cannot remove directory '%s'", scratch->name);
}

/* Going on after failures. removed as of scratch_remove_stale(). */
static gboolean remove_stale(int parent_fd, const char *dir, GPtrArray *removed, GError **error)
{
	DIR *stream = tree_open(parent_fd);
	gboolean ok = stream || err_errno(error, errno, "cannot read directory '%s'", dir);
	struct dirent *entry;

	while (stream && (entry = readdir(stream))) {
		struct scratch stale = {.parent_fd = parent_fd, .fd = -1, .name = entry->d_name};

		if (scratch_is_name(entry->d_name))
			stale.fd = open_private(parent_fd, entry->d_name);
		if (stale.fd < 0)
			continue;
		if (flock(stale.fd, LOCK_EX | LOCK_NB) == 0) {
			if (remove_private(&stale, ok ? error : NULL))
				g_ptr_array_add(removed, g_build_filename(dir, entry->d_name, NULL));
			else
				ok = FALSE;
		}
		close(stale.fd);
	}
	if (stream)
		closedir(stream);
	return ok;
}

/* Opens a directory, and locks it: between another's mkdir and its lock its private one would look like a stale one. */
static int open_parent(const char *dir, char **real, GError **error)
{
	char *path = realpath(dir, NULL);
	int fd = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	*real = NULL;
	if (fd < 0) {
		err_errno(error, errno, "cannot open directory '%s'", dir);
	} else if (flock(fd, LOCK_EX) < 0) {
		err_errno(error, errno, "cannot lock directory '%s'", dir);
		close(fd);
		fd = -1;
	} else {
		*real = g_strdup(path);
	}
	free(path);
	return fd;
}

gboolean scratch_remove_stale(const char *dir, GPtrArray *removed, GError **error)
{
	g_autofree char *real = NULL;
	gboolean ok;
	int fd;

	if (access(dir, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR))
		return TRUE;
	fd = open_parent(dir, &real, error);
	if (fd < 0)
		return FALSE;
	ok = remove_stale(fd, real, removed, error);
	close(fd);
	return ok;
}

static gboolean make_directory(const char *dir, struct scratch *scratch, GError **error)
{
	guint64 digits;

	if (getrandom(&digits, sizeof digits, 0) != sizeof digits)
		return err_errno(error, errno, "cannot get random bytes");
	scratch->name = g_strdup_printf(PREFIX "%016" G_GINT64_MODIFIER "x", digits);
	if (mkdirat(scratch->parent_fd, scratch->name, 0700) < 0)
		return err_errno(error, errno, "cannot make a directory in '%s'", dir);
	scratch->fd = open_private(scratch->parent_fd, scratch->name);
	if (scratch->fd < 0 || flock(scratch->fd, LOCK_EX | LOCK_NB) < 0) {
		err_errno(error, errno, "cannot open the directory just made in '%s'", dir);
		unlinkat(scratch->parent_fd, scratch->name, AT_REMOVEDIR);
		return FALSE;
	}
	return TRUE;
}

void scratch_close(struct scratch *scratch)
{
	if (scratch->fd >= 0)
		close(scratch->fd);
	if (scratch->parent_fd >= 0)
		close(scratch->parent_fd);
	g_free(scratch->name);
	g_free(scratch->path);
	*scratch = (struct scratch){.parent_fd = -1, .fd = -1};
}

gboolean scratch_open(const char *dir, struct scratch *scratch, GError **error)
{
	g_autoptr(GPtrArray) removed = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *real = NULL;

	*scratch = (struct scratch){.parent_fd = -1, .fd = -1};
	scratch->parent_fd = open_parent(dir, &real, error);
	if (scratch->parent_fd < 0)
		return FALSE;
	remove_stale(scratch->parent_fd, real, removed, NULL);
	if (!make_directory(dir, scratch, error)) {
		scratch_close(scratch);
		return FALSE;
	}
	flock(scratch->parent_fd, LOCK_UN);
	scratch->path = g_build_filename(real, scratch->name, NULL);
	return TRUE;
}

gboolean scratch_check_room(const struct scratch *scratch, guint64 bytes, const char *what, GError **error)
{
	g_autofree char *need = size_format(bytes), *have = NULL, *dir = g_path_get_dirname(scratch->path);
	struct statvfs fs;
	guint64 free_bytes;

	if (fstatvfs(scratch->fd, &fs) < 0)
		return err_errno(error, errno, "cannot tell the free space of '%s'", dir);
	free_bytes = (guint64)fs.f_bavail * fs.f_frsize;
	if (bytes <= free_bytes)
		return TRUE;
	have = size_format(free_bytes);
	return err_runtime(error, "%s needs %s in '%s', where %s are free", what, need, dir, have);
}

gboolean scratch_remove(struct scratch *scratch, GError **error)
{
	gboolean removed = remove_private(scratch, error);

	scratch_close(scratch);
	return removed;
}

gboolean scratch_find(const char *path, struct scratch *scratch, char **left, GError **error)
{
	g_autofree char *parent = g_path_get_dirname(path);

	*scratch = (struct scratch){.parent_fd = -1, .fd = -1};
	*left = NULL;
	scratch->name = g_path_get_basename(path);
	scratch->path = g_strdup(path);
	if (g_path_is_absolute(path) && scratch_is_name(scratch->name)) {
		scratch->parent_fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (scratch->parent_fd >= 0)
			scratch->fd = open_private(scratch->parent_fd, scratch->name);
		if (scratch->fd >= 0 || errno == ENOENT)
			return TRUE;
		if (errno != EPERM && errno != ENOTDIR && errno != ELOOP)
			return err_errno(error, errno, "cannot open directory '%s'", path);
	}
	*left = g_strdup_printf("'%s' is not a private directory of this program: it is left alone", path);
	return TRUE;
}

gboolean scratch_remove_found(struct scratch *scratch, GError **error)
{
	if (flock(scratch->fd, LOCK_EX | LOCK_NB) < 0)
		return err_errno(error, errno, "cannot remove directory '%s', a process is using it", scratch->path);
	return remove_private(scratch, error);
}
