#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount/libmount.h>
#include <linux/magic.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "err.h"
#include "scratch.h"
#include "setting_kinds.h"

#define REMOVE_TRIES 2000 /* 10 s: what is killed amid a write ends after it */
#define REMOVE_PAUSE_US 5000

/* Whether a file of space-separated words has the word. */
static gboolean has_word(const char *directory, const char *file, const char *word)
{
	g_autofree char *path = g_build_filename(directory, file, NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) words = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return FALSE;
	words = g_strsplit(g_strchomp(text), " ", -1);
	return g_strv_contains((const char *const *)words, word);
}

/* The directory that a hierarchy with the memory controller is mounted at; NULL where there is none. */
static char *find_top(gboolean *is_v2, GError **error)
{
	struct libmnt_table *table = mnt_new_table_from_file("/proc/self/mountinfo");
	struct libmnt_iter *at = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	char *top = NULL;

	while (table && at && !top && mnt_table_next_fs(table, at, &fs) == 0) {
		const char *type = mnt_fs_get_fstype(fs), *target = mnt_fs_get_target(fs);

		*is_v2 = g_strcmp0(type, "cgroup2") == 0;
		if (*is_v2 ? has_word(target, "cgroup.controllers", "memory")
			   : g_strcmp0(type, "cgroup") == 0 && mnt_fs_match_options(fs, "memory"))
			top = g_strdup(target);
	}
	mnt_free_iter(at);
	mnt_unref_table(table);
	if (!top)
		err_runtime(
		    error,
		    "no cgroup hierarchy with the memory controller is mounted (the kernel may have been started "
		    "with cgroup_disable=memory)");
	return top;
}

gboolean cgroup_find(const char *name, struct cgroup *cgroup, GError **error)
{
	gboolean is_v2;
	g_autofree char *top = find_top(&is_v2, error);

	*cgroup = (struct cgroup){0};
	if (!top)
		return FALSE;
	if (is_v2 && !has_word(top, "cgroup.subtree_control", "memory"))
		return err_runtime(error,
				   "the memory controller is not enabled for the groups in '%s': write '+memory' to "
				   "'%s/cgroup.subtree_control' first",
				   top, top);
	cgroup->path = g_build_filename(top, name, NULL);
	cgroup->limit = is_v2 ? "memory.max" : "memory.limit_in_bytes";
	return TRUE;
}

void cgroup_clear(struct cgroup *cgroup)
{
	g_clear_pointer(&cgroup->path, g_free);
}

/* Writes the limit and reads back what the kernel made of it. */
static gboolean set_limit(const struct cgroup *cgroup, guint64 *bytes, GError **error)
{
	g_autofree char *path = g_build_filename(cgroup->path, cgroup->limit, NULL);
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, *bytes);
	char got[64] = "";
	int fd = open(path, O_RDWR | O_CLOEXEC);
	int failure = fd < 0 || write(fd, text, strlen(text)) < 0 || pread(fd, got, sizeof got - 1, 0) < 0 ? errno : 0;

	if (fd >= 0)
		close(fd);
	if (failure)
		return err_errno(error, failure, "cannot set '%s' to %s", path, text);
	return g_ascii_string_to_unsigned(g_strchomp(got), 10, 0, G_MAXUINT64, bytes, NULL) ||
	       err_runtime(error, "'%s' was set to %s and is '%s'", path, text, got);
}

gboolean cgroup_make(const struct cgroup *cgroup, guint64 *limit_bytes, int *procs_fd, GError **error)
{
	g_autofree char *procs = g_build_filename(cgroup->path, "cgroup.procs", NULL);

	if (mkdir(cgroup->path, 0755) < 0)
		return err_errno(error, errno, "cannot make the cgroup '%s'", cgroup->path);
	if (set_limit(cgroup, limit_bytes, error)) {
		int fd = open(procs, O_WRONLY | O_CLOEXEC);

		if (fd >= 0) {
			*procs_fd = fd;
			return TRUE;
		}
		err_errno(error, errno, "cannot open '%s'", procs);
	}
	rmdir(cgroup->path);
	return FALSE;
}

static void kill_all(const char *path)
{
	g_autofree char *kill_path = g_build_filename(path, "cgroup.kill", NULL);
	g_autofree char *procs_path = g_build_filename(path, "cgroup.procs", NULL);
	g_autofree char *procs = NULL;
	g_auto(GStrv) pids = NULL;
	int fd = open(kill_path, O_WRONLY | O_CLOEXEC);
	gboolean killed = fd >= 0 && write(fd, "1", 1) == 1;

	if (fd >= 0)
		close(fd);
	/* version 1, and version 2 before 5.14 */
	if (killed || !g_file_get_contents(procs_path, &procs, NULL, NULL))
		return;
	pids = g_strsplit(procs, "\n", -1);
	for (char **text = pids; *text; text++) {
		gint64 pid;

		/* those of another pid namespace are listed as 0, which would be our own group */
		if (g_ascii_string_to_signed(*text, 10, 2, G_MAXINT32, &pid, NULL))
			kill((pid_t)pid, SIGKILL);
	}
}

gboolean cgroup_remove(const char *path, GError **error)
{
	int failure = 0;

	for (guint i = 0; i < REMOVE_TRIES; i++) {
		if (rmdir(path) == 0 || errno == ENOENT)
			return TRUE;
		failure = errno;
		if (failure != EBUSY)
			break;
		kill_all(path);
		g_usleep(REMOVE_PAUSE_US);
	}
	return err_errno(error, failure, "cannot remove the cgroup '%s'", path);
}

/* Whether it is a cgroup of a name that only this program gives. */
static gboolean is_ours(const char *path)
{
	g_autofree char *name = g_path_get_basename(path);
	struct statfs fs;

	return scratch_is_name(name) && statfs(path, &fs) == 0 &&
	       (fs.f_type == CGROUP_SUPER_MAGIC || fs.f_type == CGROUP2_SUPER_MAGIC);
}

static gboolean put_back(const struct undo *undo, gboolean *is_changed, char **left, GError **error)
{
	if (access(undo->subject, F_OK) < 0 && errno == ENOENT)
		return TRUE;
	*is_changed = is_ours(undo->subject);
	if (*is_changed)
		return cgroup_remove(undo->subject, error);
	*left = g_strdup_printf("'%s' is not a cgroup of this program: it is left alone", undo->subject);
	return TRUE;
}

const struct undo_kind undo_cgroup = {.name = "cgroup", .put_back = put_back};
