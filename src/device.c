#include "device.h"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <libmount/libmount.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define SYS_BLOCK "/sys/block"
/* Devices cannot contain themselves, but a file of /sys that says so must not end us. */
#define DEPTH_MAX 16

/* The contents of an attribute of a disk without the final newline; "" where it has none. */
static char *read_attribute(const char *folder, const char *name, const char *attribute)
{
	g_autofree char *path = g_build_filename(folder, name, attribute, NULL);
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return g_strdup("");
	return g_strchomp(text);
}

/* The mount that a directory is in, by the number that the kernel gives it: a path may lead elsewhere by now.
 * source: Documentation/filesystems/proc.rst of Linux, /proc/<pid>/fdinfo. -1 where unknown. */
static int mount_id(int dirfd)
{
	g_autofree char *path = g_strdup_printf("/proc/self/fdinfo/%d", dirfd), *text = NULL;
	const char *field;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !(field = strstr(text, "mnt_id:")))
		return -1;
	return (int)g_ascii_strtoll(field + strlen("mnt_id:"), NULL, 10);
}

/* Calls visit for the mount of the directory (dirfd -1: for all mounts) until it returns true; whether it did. */
static gboolean visit_mounts(int dirfd, gboolean (*visit)(struct libmnt_fs *fs, gpointer data), gpointer data)
{
	struct libmnt_table *table = mnt_new_table_from_file("/proc/self/mountinfo");
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	int id = dirfd < 0 ? 0 : mount_id(dirfd);
	struct libmnt_fs *fs = NULL;
	gboolean found = FALSE;

	while (table && iter && !found && mnt_table_next_fs(table, iter, &fs) == 0)
		found = (dirfd < 0 || mnt_fs_get_id(fs) == id) && visit(fs, data);
	mnt_free_iter(iter);
	mnt_unref_table(table);
	return found;
}

static gboolean find_source(struct libmnt_fs *fs, gpointer data)
{
	const char *source = mnt_fs_get_source(fs);
	dev_t *device = data;
	struct stat st;

	if (!source || !g_path_is_absolute(source) || stat(source, &st) < 0 || !S_ISBLK(st.st_mode))
		return FALSE;
	*device = st.st_rdev;
	return TRUE;
}

dev_t device_of_directory(int dirfd)
{
	dev_t device = 0;
	struct stat st;

	if (fstat(dirfd, &st) < 0)
		return 0;
	if (major(st.st_dev) != 0)
		return st.st_dev;
	visit_mounts(dirfd, find_source, &device);
	return device;
}

static gboolean find_type(struct libmnt_fs *fs, gpointer data)
{
	char **type = data;

	*type = g_strdup(mnt_fs_get_fstype(fs));
	return *type != NULL;
}

char *device_filesystem(int dirfd)
{
	char *type = NULL;

	return visit_mounts(dirfd, find_type, &type) ? type : g_strdup("unknown");
}

static gboolean has_compression(struct libmnt_fs *fs, gpointer data)
{
	const char *type = mnt_fs_get_fstype(fs);

	return type && g_str_equal(type, "btrfs") &&
	       (mnt_fs_get_option(fs, "compress", NULL, NULL) == 0 ||
		mnt_fs_get_option(fs, "compress-force", NULL, NULL) == 0);
}

gboolean device_is_compressed(int dirfd)
{
	return visit_mounts(dirfd, has_compression, NULL);
}

char *device_disk(dev_t device)
{
	char name[256];
	dev_t disk;

	if (major(device) == 0 || blkid_devno_to_wholedisk(device, name, sizeof name, &disk) < 0)
		return NULL;
	/* the name of a directory cannot hold a slash, that of a device can ("cciss/c0d0") */
	return g_strdelimit(g_strdup(name), "/", '!');
}

static void descend(GPtrArray *disks, dev_t device, int depth);

/* The devices that stand in a directory of /sys, as links. False where there is none. */
static gboolean descend_links(GPtrArray *disks, const char *folder, int depth)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	gboolean found = FALSE;
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *number = read_attribute(folder, name, "dev");
		char *end;
		guint64 first = g_ascii_strtoull(number, &end, 10);

		found = TRUE;
		if (*end == ':')
			descend(disks, makedev((guint)first, (guint)g_ascii_strtoull(end + 1, NULL, 10)), depth);
	}
	return found;
}

/* A btrfs of several devices is mounted by any of them. */
static gboolean descend_btrfs(GPtrArray *disks, dev_t device, int depth)
{
	g_autofree char *link = g_strdup_printf("/sys/dev/block/%u:%u", major(device), minor(device));
	g_autofree char *target = g_file_read_link(link, NULL);
	g_autofree char *name = target ? g_path_get_basename(target) : NULL;
	g_autoptr(GDir) dir = name ? g_dir_open("/sys/fs/btrfs", 0, NULL) : NULL;
	gboolean found = FALSE;
	const char *uuid;

	while (dir && !found && (uuid = g_dir_read_name(dir))) {
		g_autofree char *folder = g_build_filename("/sys/fs/btrfs", uuid, "devices", NULL);
		g_autofree char *member = g_build_filename(folder, name, NULL);

		found = g_file_test(member, G_FILE_TEST_EXISTS) && descend_links(disks, folder, depth);
	}
	return found;
}

static void descend_filesystem(GPtrArray *disks, dev_t device, int depth)
{
	if (device != 0 && !descend_btrfs(disks, device, depth))
		descend(disks, device, depth);
}

static void descend_file(GPtrArray *disks, const char *path, int depth)
{
	g_autofree char *folder = g_path_get_dirname(path);
	int fd = open(path, O_PATH | O_CLOEXEC);
	struct stat st;

	/* one that was removed is still in use: its directory tells as much */
	if (fd < 0)
		fd = open(folder, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode))
		descend(disks, st.st_rdev, depth);
	else
		descend_filesystem(disks, device_of_directory(fd), depth);
	close(fd);
}

static void descend(GPtrArray *disks, dev_t device, int depth)
{
	g_autofree char *disk = device_disk(device);
	g_autofree char *slaves = NULL, *backing = NULL;

	if (!disk || depth == DEPTH_MAX)
		return;
	slaves = g_build_filename(SYS_BLOCK, disk, "slaves", NULL);
	if (descend_links(disks, slaves, depth + 1))
		return;
	backing = read_attribute(SYS_BLOCK, disk, "loop/backing_file");
	if (*backing)
		descend_file(disks, backing, depth + 1);
	else if (!g_ptr_array_find_with_equal_func(disks, disk, g_str_equal, NULL))
		g_ptr_array_add(disks, g_steal_pointer(&disk));
}

static char **take_names(GPtrArray *names)
{
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

char **device_bottoms(dev_t device)
{
	GPtrArray *disks = g_ptr_array_new_with_free_func(g_free);

	descend_filesystem(disks, device, 0);
	return take_names(disks);
}

/* Unused loop and nbd devices have no size; the paths of a multipath NVMe disk are hidden, and counted again by the
 * disk. */
static gboolean is_bottom(const char *disk)
{
	g_autofree char *size = read_attribute(SYS_BLOCK, disk, "size");
	g_autofree char *hidden = read_attribute(SYS_BLOCK, disk, "hidden");
	g_autofree char *backing = read_attribute(SYS_BLOCK, disk, "loop/backing_file");
	g_autofree char *slaves = g_build_filename(SYS_BLOCK, disk, "slaves", NULL);
	g_autoptr(GDir) dir = g_dir_open(slaves, 0, NULL);

	if (g_str_has_prefix(disk, "ram") || g_str_has_prefix(disk, "zram") || g_ascii_strtoull(size, NULL, 10) == 0 ||
	    g_str_equal(hidden, "1") || *backing)
		return FALSE;
	return !dir || !g_dir_read_name(dir);
}

char **device_disks(void)
{
	GPtrArray *disks = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) dir = g_dir_open(SYS_BLOCK, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (is_bottom(name))
			g_ptr_array_add(disks, g_strdup(name));
	return take_names(disks);
}
