#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/err.h"
#include "workload.h"

/* What `ls -laR` asks of a filesystem: all names of a directory, the inode of each, then the directories below it. An
 * entry is what find(1) prints a line for: the directory itself, and all below it. */

enum { ENTRY_RATE, ENTRIES, UNREADABLE };

struct walk {
	gboolean mounts; /* walk into them */
	dev_t device;    /* that it stays on, if not */
	GString *path;   /* where it is, for messages */
	guint64 entries, unreadable;
};

/* What the user may not look into is counted, what has vanished since it was listed is no entry: ls and find go on,
 * too. */
static gboolean go_on(struct walk *walk, int errno_value)
{
	gboolean is_unreadable = errno_value == EACCES || errno_value == EPERM;

	walk->unreadable += is_unreadable;
	return is_unreadable || errno_value == ENOENT || errno_value == ENOTDIR || errno_value == ELOOP;
}

/* Adds it to those to be walked into if it is a directory. */
static gboolean look_at(struct walk *walk, int dirfd, const char *name, GPtrArray *below, GError **error)
{
	struct stat status;

	if (fstatat(dirfd, name, &status, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) < 0) {
		int failure = errno;

		return go_on(walk, failure) ||
		       err_errno(error, failure, "cannot look at '%s/%s'", walk->path->str, name);
	}
	walk->entries++;
	if (S_ISDIR(status.st_mode) && (walk->mounts || status.st_dev == walk->device))
		g_ptr_array_add(below, g_strdup(name));
	return TRUE;
}

static gboolean list(struct walk *walk, DIR *stream, GPtrArray *below, GError **error)
{
	const struct dirent *entry;

	while ((errno = 0, entry = readdir(stream))) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
		    !look_at(walk, dirfd(stream), entry->d_name, below, error))
			return FALSE;
	}
	return !errno || err_errno(error, errno, "cannot list '%s'", walk->path->str);
}

static gboolean walk_below(struct walk *walk, int parent_fd, const char *name, GError **error);

/* Takes fd, a directory. */
static gboolean walk_directory(struct walk *walk, int fd, GError **error)
{
	g_autoptr(GPtrArray) below = g_ptr_array_new_with_free_func(g_free);
	DIR *stream = fdopendir(fd);
	gboolean ok;

	if (!stream) {
		int failure = errno;

		close(fd);
		return err_errno(error, failure, "cannot list '%s'", walk->path->str);
	}
	ok = list(walk, stream, below, error);
	for (guint i = 0; ok && i < below->len; i++)
		ok = walk_below(walk, dirfd(stream), below->pdata[i], error);
	closedir(stream);
	return ok;
}

static gboolean walk_below(struct walk *walk, int parent_fd, const char *name, GError **error)
{
	int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), failure = errno;
	gsize length = walk->path->len;
	gboolean ok;

	if (fd < 0)
		return go_on(walk, failure) || err_errno(error, failure, "cannot open '%s/%s'", walk->path->str, name);
	g_string_append_printf(walk->path, "/%s", name);
	ok = walk_directory(walk, fd, error);
	g_string_truncate(walk->path, length);
	return ok;
}

/* -1 with error. */
static int open_root(const struct workload_config *config, GError **error)
{
	const char *dir = workload_option_value(config, "dir")->text;
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		err_errno(error, errno, "cannot open directory '%s'", dir);
	return fd;
}

static char *lsr_unsupported(const struct workload_config *config, int dirfd)
{
	g_autoptr(GError) error = NULL;
	int fd = open_root(config, &error);

	if (fd < 0)
		return g_strdup(error->message);
	close(fd);
	return NULL;
}

static gboolean lsr_run(struct workload_env *env, GError **error)
{
	const char *dir = workload_option_value(env->config, "dir")->text;
	struct walk walk = {.mounts = workload_option_value(env->config, "mounts")->flag, .entries = 1};
	double start_s = clock_monotonic_s();
	int fd = open_root(env->config, error);
	struct stat status;
	gboolean ok;

	if (fd < 0)
		return FALSE;
	if (fstat(fd, &status) < 0) {
		err_errno(error, errno, "cannot look at '%s'", dir);
		close(fd);
		return FALSE;
	}
	walk.device = status.st_dev;
	walk.path = g_string_new(dir);
	ok = walk_directory(&walk, fd, error);
	g_string_free(walk.path, TRUE);
	env->values[ENTRIES] = (double)walk.entries;
	env->values[UNREADABLE] = (double)walk.unreadable;
	env->values[ENTRY_RATE] = (double)walk.entries / (clock_monotonic_s() - start_s);
	return ok;
}

static const struct workload_option lsr_options[] = {
    {"dir", OPTION_TEXT, "/usr/share", "the tree, wherever --dir is; cold only where a reset has dropped the caches"},
    {"mounts", OPTION_BOOL, "no", "walk into filesystems that are mounted below it, too"},
    {.name = NULL}};

static const struct metric lsr_metrics[] = {
    [ENTRY_RATE] = {"entry_rate", "/s", BETTER_HIGHER, "directories, files and others looked at per time"},
    [ENTRIES] = {"entries", "", BETTER_NONE, "directories, files and others in the tree, as find counts them"},
    [UNREADABLE] = {"unreadable", "", BETTER_NONE, "entries that the user may not look into: left out"},
    {.name = NULL}};

const struct workload workload_lsr = {
    .name = "lsr",
    .summary = "walks a tree with readdir and lstat as 'ls -laR' does",
    .options = lsr_options,
    .metrics = lsr_metrics,
    .primary = "entry_rate",
    .unsupported = lsr_unsupported,
    .run = lsr_run,
};
