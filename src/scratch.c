#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"

#define PREFIX "vmstat-bench."
#define NAME_DIGITS 16

/* A directory stream on its own descriptor, so that the caller's keeps its offset. */
static DIR *open_stream(int fd)
{
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);

	if (copy >= 0 && !stream)
		close(copy);
	return stream;
}

static gboolean is_dot(const char *name)
{
	return g_str_equal(name, ".") || g_str_equal(name, "..");
}

static int remove_directory(int parent_fd, const char *name, dev_t device);

/* Removes all that the directory holds; errno of the first failure, 0 where all went. */
static int remove_entries(DIR *stream, dev_t device)
{
	struct dirent *entry;
	int failure = 0;

	rewinddir(stream);
	while (!failure && (entry = readdir(stream))) {
		if (is_dot(entry->d_name) || unlinkat(dirfd(stream), entry->d_name, 0) == 0 || errno == ENOENT)
			continue;
		failure = errno == EISDIR || errno == EPERM ? remove_directory(dirfd(stream), entry->d_name, device) : errno;
	}
	return failure;
}

/* One below the private directory: not a link to one, and on the same filesystem. */
static int remove_directory(int parent_fd, const char *name, dev_t device)
{
	int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	struct stat st;
	int failure = 0;

	if (!stream || fstat(fd, &st) < 0)
		failure = errno;
	else
		failure = st.st_dev == device ? remove_entries(stream, device) : EXDEV;
	if (stream)
		closedir(stream);
	else if (fd >= 0)
		close(fd);
	return !failure && unlinkat(parent_fd, name, AT_REMOVEDIR) < 0 ? errno : failure;
}

static gboolean is_scratch_name(const char *name)
{
	return g_str_has_prefix(name, PREFIX) && strlen(name) == strlen(PREFIX) + NAME_DIGITS &&
	       strspn(name + strlen(PREFIX), "0123456789abcdef") == NAME_DIGITS;
}

/* Whether it is ours to remove: a private directory of this user that nobody holds the lock of. */
static gboolean is_stale(int fd, const struct stat *parent)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 07777) == 0700 &&
	       st.st_dev == parent->st_dev && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

static void remove_stale(int parent_fd)
{
	DIR *stream = open_stream(parent_fd);
	struct dirent *entry;
	struct stat parent;

	if (!stream)
		return;
	while ((entry = readdir(stream))) {
		int fd;

		if (!is_scratch_name(entry->d_name))
			continue;
		fd = openat(parent_fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (fstat(parent_fd, &parent) == 0 && is_stale(fd, &parent))
			remove_directory(parent_fd, entry->d_name, parent.st_dev);
		close(fd);
	}
	closedir(stream);
}

static gboolean make_directory(const char *dir, struct scratch *scratch, GError **error)
{
	guint64 digits;

	if (getrandom(&digits, sizeof digits, 0) != sizeof digits)
		return err_errno(error, errno, "cannot get random bytes");
	scratch->name = g_strdup_printf(PREFIX "%016" G_GINT64_MODIFIER "x", digits);
	if (mkdirat(scratch->parent_fd, scratch->name, 0700) < 0)
		return err_errno(error, errno, "cannot make a directory in '%s'", dir);
	scratch->fd = openat(scratch->parent_fd, scratch->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (scratch->fd < 0 || flock(scratch->fd, LOCK_EX | LOCK_NB) < 0 || !(scratch->entries = open_stream(scratch->fd))) {
		err_errno(error, errno, "cannot open the directory just made in '%s'", dir);
		unlinkat(scratch->parent_fd, scratch->name, AT_REMOVEDIR);
		return FALSE;
	}
	return TRUE;
}

static void scratch_close(struct scratch *scratch)
{
	if (scratch->entries)
		closedir(scratch->entries);
	if (scratch->fd >= 0)
		close(scratch->fd);
	if (scratch->parent_fd >= 0)
		close(scratch->parent_fd);
	g_clear_pointer(&scratch->name, g_free);
	*scratch = (struct scratch){.parent_fd = -1, .fd = -1};
}

gboolean scratch_open(const char *dir, struct scratch *scratch, GError **error)
{
	struct stat st;
	gboolean made;

	*scratch = (struct scratch){.parent_fd = -1, .fd = -1};
	scratch->parent_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (scratch->parent_fd < 0)
		return err_errno(error, errno, "cannot open directory '%s'", dir);
	/* one at a time: between another's mkdir and its lock its directory would look like a stale one */
	if (flock(scratch->parent_fd, LOCK_EX) < 0) {
		err_errno(error, errno, "cannot lock directory '%s'", dir);
		scratch_close(scratch);
		return FALSE;
	}
	remove_stale(scratch->parent_fd);
	made = make_directory(dir, scratch, error);
	if (made && fstat(scratch->fd, &st) == 0)
		scratch->device = st.st_dev;
	flock(scratch->parent_fd, LOCK_UN);
	if (!made)
		scratch_close(scratch);
	return made;
}

gboolean scratch_empty(const struct scratch *scratch, GError **error)
{
	int failure = remove_entries(scratch->entries, scratch->device);

	if (failure)
		return err_errno(error, failure, "cannot remove the files of a run in '%s'", scratch->name);
	return TRUE;
}

gboolean scratch_remove(struct scratch *scratch, GError **error)
{
	gboolean removed = scratch_empty(scratch, error);

	if (removed && unlinkat(scratch->parent_fd, scratch->name, AT_REMOVEDIR) < 0)
		removed = err_errno(error, errno, "cannot remove directory '%s'", scratch->name);
	scratch_close(scratch);
	return removed;
}
