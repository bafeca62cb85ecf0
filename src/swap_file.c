#include "swap_file.h"

#include <errno.h>
#include <fcntl.h>
#include <libmount/libmount.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/swap.h>
#include <unistd.h>

#include "device.h"
#include "err.h"
#include "scratch.h"
#include "tool.h"
#include "unit.h"

typedef struct libmnt_table MountTable;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(MountTable, mnt_unref_table)

/* The file through its directory's descriptor, since the calls take no other: newly allocated. */
static char *path_in(int dirfd)
{
	return g_strdup_printf("/proc/self/fd/%d/" SWAP_FILE, dirfd);
}

static gboolean write_zeros(int fd, guint64 bytes)
{
	const gsize chunk = 1u << 20;
	g_autofree char *zeros = g_malloc0(chunk);

	for (guint64 at = 0; at < bytes;) {
		ssize_t n = pwrite(fd, zeros, MIN(chunk, bytes - at), (off_t)at);

		if (n < 0 && errno != EINTR)
			return FALSE;
		at += n > 0 ? (guint64)n : 0;
	}
	return fsync(fd) == 0;
}

/* Makes the file; whole: with its blocks written, not only reserved. */
static gboolean make_file(const struct scratch *scratch, guint64 bytes, gboolean whole, GError **error)
{
	int fd = openat(scratch->fd, SWAP_FILE, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int attributes;
	gboolean made;

	if (fd < 0)
		return err_errno(error, errno, "cannot make the swap file '%s/" SWAP_FILE "'", scratch->path);
	/* btrfs swaps only to what it does not copy on write; others do without the attribute */
	if (ioctl(fd, FS_IOC_GETFLAGS, &attributes) == 0) {
		attributes |= FS_NOCOW_FL;
		ioctl(fd, FS_IOC_SETFLAGS, &attributes);
	}
	made = !whole && fallocate(fd, 0, 0, (off_t)bytes) == 0;
	if (!made && (whole || errno == EOPNOTSUPP))
		made = write_zeros(fd, bytes);
	if (!made)
		err_errno(error, errno, "cannot fill the swap file '%s/" SWAP_FILE "'", scratch->path);
	close(fd);
	return made;
}

static gboolean make_swap(const struct scratch *scratch, GError **error)
{
	static char file[] = SWAP_FILE;
	g_autofree char *mkswap = tool_find("mkswap", "util-linux", error);
	char *const argv[] = {mkswap, file, NULL};

	return mkswap && tool_run(argv, scratch->fd, error);
}

/* The table of /proc/swaps; NULL on error. */
static MountTable *read_swaps(GError **error)
{
	g_autoptr(MountTable) table = mnt_new_table();
	int code = table ? mnt_table_parse_swaps(table, NULL) : -ENOMEM;

	/* a kernel without swap has no such file */
	if (code == 0 || code == -ENOENT)
		return g_steal_pointer(&table);
	err_errno(error, -code, "cannot read '/proc/swaps'");
	return NULL;
}

/* What the kernel says that it has room for. */
static gboolean read_size(const struct scratch *scratch, guint64 *kib, GError **error)
{
	g_autofree char *path = g_build_filename(scratch->path, SWAP_FILE, NULL);
	g_autoptr(MountTable) table = read_swaps(error);
	struct libmnt_fs *swap = table ? mnt_table_find_srcpath(table, path, MNT_ITER_FORWARD) : NULL;

	if (!table)
		return FALSE;
	if (!swap)
		return err_runtime(error, "the kernel does not swap to '%s', although it was told to", path);
	*kib = (guint64)mnt_fs_get_size(swap);
	return TRUE;
}

/* Makes the file and has the kernel swap to it. *refused: 0 or errno of why the kernel would not. */
static gboolean try_file(const struct scratch *scratch, guint64 bytes, gboolean whole, int *refused, GError **error)
{
	g_autofree char *path = path_in(scratch->fd);

	if (!make_file(scratch, bytes, whole, error) || !make_swap(scratch, error))
		return FALSE;
	/* with the highest priority */
	*refused = swapon(path, SWAP_FLAG_PREFER | SWAP_FLAG_PRIO_MASK) < 0 ? errno : 0;
	return TRUE;
}

static gboolean fail_filesystem(const struct scratch *scratch, const char *type, GError **error)
{
	g_autofree char *dir = g_path_get_dirname(scratch->path);

	return err_runtime(error, "cannot swap to a file in '%s': its filesystem (%s) cannot hold a swap file", dir,
			   type);
}

/* source: swapon(2); overlay has none of the operations that a swap file needs (fs/overlayfs/inode.c of Linux) */
gboolean swap_file_check(const struct scratch *scratch, GError **error)
{
	static const char *const without[] = {"tmpfs", "ramfs", "overlay", NULL};
	g_autofree char *type = device_filesystem(scratch->fd);

	return !g_strv_contains(without, type) || fail_filesystem(scratch, type, error);
}

gboolean swap_file_on(const struct scratch *scratch, guint64 bytes, guint64 *kib, GError **error)
{
	int refused = 0;
	gboolean ok = try_file(scratch, bytes, FALSE, &refused, error);

	/* what some filesystems only reserve is a hole to swapon */
	if (ok && refused == EINVAL)
		ok = swap_file_off(scratch->fd, error) && try_file(scratch, bytes, TRUE, &refused, error);
	if (ok && refused == EINVAL) {
		g_autofree char *type = device_filesystem(scratch->fd);

		ok = fail_filesystem(scratch, type, error);
	} else if (ok && refused) {
		ok = err_errno(error, refused, "cannot swap to a file in '%s'", scratch->path);
	}
	ok = ok && read_size(scratch, kib, error);
	if (!ok)
		swap_file_off(scratch->fd, NULL);
	return ok;
}

gboolean swap_file_off(int dirfd, GError **error)
{
	g_autofree char *path = path_in(dirfd), *dir = NULL;
	gboolean is_off;
	int failure;

	/* who may not swap has no such file in use */
	is_off = swapoff(path) == 0 || errno == EINVAL || errno == ENOENT || errno == EPERM || errno == ENOSYS;
	if (is_off && (unlinkat(dirfd, SWAP_FILE, 0) == 0 || errno == ENOENT))
		return TRUE;
	failure = errno;
	*strrchr(path, '/') = '\0';
	dir = g_file_read_link(path, NULL);
	return err_errno(error, failure, "cannot %s '%s/" SWAP_FILE "'", is_off ? "remove" : "stop swapping to", dir);
}

gboolean swap_in_use(char **names, GError **error)
{
	g_autoptr(MountTable) table = read_swaps(error);
	g_autoptr(GString) list = g_string_new(NULL);
	struct libmnt_iter *at = table ? mnt_new_iter(MNT_ITER_FORWARD) : NULL;
	struct libmnt_fs *swap;

	while (at && mnt_table_next_fs(table, at, &swap) == 0)
		g_string_append_printf(list, "%s%s", list->len ? ", " : "", mnt_fs_get_source(swap));
	mnt_free_iter(at);
	*names = text_printable(list->str);
	return at != NULL;
}
