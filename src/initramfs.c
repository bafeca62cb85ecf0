#include "initramfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "err.h"
#include "initramfs_tree.h"
#include "tree.h"

#define PROGRAM "/usr/bin/vmstat-bench"
#define MODULES "/modules"
#define PREFIX "initramfs-"
#define KEPT 8 /* archives in the cache */

static void add_system(GTree *tree)
{
	static const char *const directories[] = {"/dev", "/etc", "/mnt", "/proc", "/run", "/sys", "/usr", "/usr/bin", MODULES};

	for (guint i = 0; i < G_N_ELEMENTS(directories); i++)
		initramfs_tree_directory(tree, directories[i], 0755);
	initramfs_tree_directory(tree, "/root", 0700);
	initramfs_tree_directory(tree, "/tmp", 01777);
	initramfs_tree_text(tree, "/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/false\n");
	initramfs_tree_text(tree, "/etc/group", "root:x:0:\nnogroup:x:65534:\n");
	/* where the kernel opens the first standard streams, before anything is mounted on /dev */
	initramfs_tree_device(tree, "/dev/console", S_IFCHR | 0600, makedev(5, 1));
}

/* By the number of the process: its file may have been replaced, and a loader that lists it has another /proc/self. */
static gboolean add_self(GTree *tree, GError **error)
{
	g_autofree char *self = g_strdup_printf("/proc/%d/exe", (int)getpid());

	initramfs_tree_symlink(tree, "/init", PROGRAM);
	return initramfs_tree_source(tree, PROGRAM, self, FALSE, error) && initramfs_tree_libraries(tree, self, error);
}

static gboolean add_modules(GTree *tree, const GPtrArray *paths, GError **error)
{
	g_autoptr(GString) order = g_string_new(NULL);

	for (guint i = 0; i < paths->len; i++) {
		g_autofree char *name = g_path_get_basename(paths->pdata[i]), *path = NULL;

		/* without .xz */
		path = g_strdup_printf(MODULES "/%.*s", (int)(strstr(name, ".ko") - name) + 3, name);
		if (!initramfs_tree_source(tree, path, paths->pdata[i], TRUE, error))
			return FALSE;
		g_string_append_printf(order, "%s\n", path);
	}
	initramfs_tree_text(tree, MODULES "/order", order->str);
	return TRUE;
}

static gboolean add_all(GTree *tree, const struct initramfs_arg *arg, GError **error)
{
	gboolean ok;

	add_system(tree);
	ok = add_self(tree, error) && add_modules(tree, arg->modules, error);
	for (const char *const *path = arg->programs; ok && *path; path++)
		ok = initramfs_tree_path(tree, *path, error) && initramfs_tree_libraries(tree, *path, error);
	for (const char *const *path = arg->files; ok && *path; path++)
		ok = initramfs_tree_path(tree, *path, error);
	return ok;
}

struct archive {
	char *name;
	struct timespec used;
};

static void archive_clear(gpointer data)
{
	g_free(((struct archive *)data)->name);
}

/* The one used last comes first. */
static int compare_archives(gconstpointer a, gconstpointer b)
{
	const struct timespec *left = &((const struct archive *)a)->used, *right = &((const struct archive *)b)->used;

	if (left->tv_sec != right->tv_sec)
		return left->tv_sec < right->tv_sec ? 1 : -1;
	return left->tv_nsec < right->tv_nsec ? 1 : left->tv_nsec > right->tv_nsec ? -1 : 0;
}

/* Removes all but the KEPT used last, and with them what killed runs have left half written. What cannot be removed stays:
 * it is only a waste. */
static void prune(int cache_fd)
{
	g_autoptr(GArray) archives = g_array_new(FALSE, FALSE, sizeof(struct archive));
	DIR *stream = tree_open(cache_fd);
	struct dirent *entry;

	g_array_set_clear_func(archives, archive_clear);
	while (stream && (entry = readdir(stream))) {
		struct stat status;

		if (g_str_has_prefix(entry->d_name, PREFIX) && fstatat(cache_fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
			struct archive archive = {g_strdup(entry->d_name), status.st_mtim};

			g_array_append_val(archives, archive);
		}
	}
	if (stream)
		closedir(stream);
	g_array_sort(archives, compare_archives);
	for (guint i = KEPT; i < archives->len; i++)
		unlinkat(cache_fd, g_array_index(archives, struct archive, i).name, 0);
}

/* Whether it is there; it then counts as used now. One of another user's is not ours to trust. */
static gboolean is_cached(int cache_fd, const char *name)
{
	int fd = openat(cache_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;
	gboolean is_there;

	if (fd < 0)
		return FALSE;
	is_there = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() && futimens(fd, NULL) == 0;
	close(fd);
	return is_there;
}

/* Under another name first. It is on the disk before it has its own, so that no power cut leaves half of it. */
static gboolean write_archive(GTree *tree, const char *cache, int cache_fd, const char *name, GError **error)
{
	g_autofree char *half = g_strdup_printf("%s.%d", name, (int)getpid());
	int fd = openat(cache_fd, half, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	gboolean ok;

	if (!file) {
		if (fd >= 0)
			close(fd);
		return err_errno(error, errno, "cannot write a guest's initramfs in '%s'", cache);
	}
	ok = initramfs_tree_write(tree, file, error);
	if (ok && (fflush(file) != 0 || ferror(file) || fsync(fd) < 0))
		ok = err_errno(error, errno, "cannot write a guest's initramfs in '%s'", cache);
	fclose(file);
	if (ok && renameat(cache_fd, half, cache_fd, name) < 0)
		ok = err_errno(error, errno, "cannot write a guest's initramfs in '%s'", cache);
	if (!ok)
		unlinkat(cache_fd, half, 0);
	return ok;
}

char *initramfs_make(const struct initramfs_arg *arg, GError **error)
{
	g_autoptr(GTree) tree = initramfs_tree_new();
	g_autofree char *cache = g_build_filename(g_get_user_cache_dir(), "vmstat-bench", NULL), *key = NULL, *name = NULL;
	gboolean ok;
	int cache_fd;

	if (!add_all(tree, arg, error))
		return NULL;
	key = initramfs_tree_key(tree);
	name = g_strdup_printf(PREFIX "%s.cpio", key);
	cache_fd = g_mkdir_with_parents(cache, 0700) < 0 ? -1 : open(cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cache_fd < 0) {
		err_errno(error, errno, "cannot open directory '%s' for a guest's initramfs", cache);
		return NULL;
	}
	ok = is_cached(cache_fd, name);
	if (!ok) {
		ok = write_archive(tree, cache, cache_fd, name, error);
		prune(cache_fd);
	}
	close(cache_fd);
	return ok ? g_build_filename(cache, name, NULL) : NULL;
}
