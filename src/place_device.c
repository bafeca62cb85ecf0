#include <blkid/blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <libmount/libmount.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "err.h"
#include "place_internal.h"

/* The disk that it is or is a part of; 0 where it is no disk's. */
static dev_t disk_of(dev_t device)
{
	dev_t disk;

	return blkid_devno_to_wholedisk(device, NULL, 0, &disk) == 0 ? disk : 0;
}

/* Whether one is the other, or a partition of it. */
static gboolean is_related(dev_t a, dev_t b)
{
	return a == b || disk_of(a) == b || disk_of(b) == a;
}

/* The device that a row of a table of mounts or swaps is about; that of the source, where the filesystem's is of none
 * (btrfs). */
static dev_t device_of(struct libmnt_fs *fs)
{
	const char *source = mnt_fs_get_srcpath(fs);
	struct stat st;

	return source && stat(source, &st) == 0 && S_ISBLK(st.st_mode) ? st.st_rdev : mnt_fs_get_devno(fs);
}

/* The first row about the device or a relation of it, as "/dev/sda2 is mounted at '/'"; NULL where there is none. */
static char *find_row(struct libmnt_table *table, dev_t device)
{
	struct libmnt_iter *at = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	char *text = NULL;

	while (at && !text && mnt_table_next_fs(table, at, &fs) == 0)
		if (is_related(device_of(fs), device))
			text = mnt_fs_is_swaparea(fs) ? g_strdup_printf("%s is used as swap", mnt_fs_get_source(fs))
						      : g_strdup_printf("%s is mounted at '%s'", mnt_fs_get_source(fs),
									mnt_fs_get_target(fs));
	mnt_free_iter(at);
	return text;
}

/* What is built on it or a partition of it: "dm-0 is made of it". */
static char *find_holder(dev_t device)
{
	g_autofree char *of_disk = g_strdup_printf("/sys/dev/block/%u:%u/holders/*", major(device), minor(device));
	g_autofree char *of_partition =
	    g_strdup_printf("/sys/dev/block/%u:%u/*/holders/*", major(device), minor(device));
	glob_t found = {0};
	char *text = NULL;

	glob(of_disk, 0, NULL, &found);
	glob(of_partition, GLOB_APPEND, NULL, &found);
	if (found.gl_pathc > 0) {
		g_autofree char *name = g_path_get_basename(found.gl_pathv[0]);

		text = g_strdup_printf("%s is made of it", name);
	}
	globfree(&found);
	return text;
}

/* Who uses a device that cannot be had alone. */
static char *find_user(dev_t device)
{
	struct libmnt_table *mounts = mnt_new_table_from_file("/proc/self/mountinfo"), *swaps = mnt_new_table();
	char *text = mounts ? find_row(mounts, device) : NULL;

	if (!text && swaps && mnt_table_parse_swaps(swaps, NULL) == 0)
		text = find_row(swaps, device);
	if (!text)
		text = find_holder(device);
	mnt_unref_table(mounts);
	mnt_unref_table(swaps);
	return text ? text : g_strdup("it is in use");
}

/* Opens it alone for a moment: the kernel knows of all mounts, in any namespace, of swap, dm and md. */
static gboolean check_unused(int fd, const char *path, dev_t device, GError **error)
{
	g_autofree char *same = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autofree char *user = NULL;
	int alone = open(same, O_RDONLY | O_EXCL | O_CLOEXEC);

	if (alone >= 0) {
		close(alone);
		return TRUE;
	}
	if (errno != EBUSY)
		return err_errno(error, errno, "cannot open device '%s'", path);
	user = find_user(device);
	return err_runtime(error, "device '%s' cannot be used: %s", path, user);
}

static gboolean check_device(int fd, const char *path, GError **error)
{
	struct stat st;
	guint64 bytes;
	int read_only;

	if (fstat(fd, &st) < 0 || ioctl(fd, BLKROGET, &read_only) < 0 || ioctl(fd, BLKGETSIZE64, &bytes) < 0)
		return err_errno(error, errno, "cannot tell what device '%s' is", path);
	if (bytes == 0)
		return err_runtime(error, "device '%s' cannot be used: there is nothing in it", path);
	if (read_only)
		return err_runtime(error, "device '%s' cannot be used: it is read-only", path);
	return check_unused(fd, path, st.st_rdev, error);
}

int place_claim_device(const char *path, char **device, GError **error)
{
	char *real = realpath(path, NULL);
	struct stat st;
	int fd = -1;

	if (!real || stat(real, &st) < 0) {
		err_errno(error, errno, "cannot find device '%s'", path);
	} else if (!S_ISBLK(st.st_mode)) {
		err_usage(error, "'%s' is not a block device", path);
	} else {
		fd = open(real, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			err_errno(error, errno, "cannot open device '%s'", path);
	}
	if (fd >= 0 && !check_device(fd, path, error)) {
		close(fd);
		fd = -1;
	}
	if (fd >= 0)
		*device = g_strdup(real);
	free(real);
	return fd;
}
