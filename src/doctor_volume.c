#include "doctor_volume.h"

#include <libmount/libmount.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "device.h"

/* The identity of the mount that the descriptor lies on. The path of a directory does not tell it: another filesystem
 * may be mounted over that, or the path be of another namespace. */
static int mount_id(int fd)
{
	g_autofree char *path = g_strdup_printf("/proc/self/fdinfo/%d", fd), *text = NULL;
	const char *line;
	int id = -1;

	if (g_file_get_contents(path, &text, NULL, NULL) && (line = strstr(text, "mnt_id:")))
		sscanf(line, "mnt_id: %d", &id);
	return id;
}

static struct libmnt_fs *find_mount(struct libmnt_table *table, int id)
{
	struct libmnt_iter *iterator = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs = NULL, *found = NULL;

	while (iterator && !found && mnt_table_next_fs(table, iterator, &fs) == 0)
		if (mnt_fs_get_id(fs) == id)
			found = fs;
	mnt_free_iter(iterator);
	return found;
}

static void take_mount(struct volume *volume, int dirfd)
{
	struct libmnt_table *table = mnt_new_table_from_file("/proc/self/mountinfo");
	struct libmnt_fs *fs = table ? find_mount(table, mount_id(dirfd)) : NULL;

	if (fs) {
		volume->type = g_strdup(mnt_fs_get_fstype(fs));
		volume->source = g_strdup(mnt_fs_get_source(fs));
		volume->target = g_strdup(mnt_fs_get_target(fs));
		volume->options = g_strdup(mnt_fs_get_options(fs));
	}
	mnt_unref_table(table);
}

gboolean volume_of_directory(struct volume *volume, int dirfd)
{
	struct statvfs st;
	dev_t device;

	*volume = (struct volume){0};
	if (fstatvfs(dirfd, &st) < 0)
		return FALSE;
	volume->is_readonly = (st.f_flag & ST_RDONLY) != 0;
	volume->total_bytes = (guint64)st.f_blocks * st.f_frsize;
	volume->free_bytes = (guint64)st.f_bavail * st.f_frsize;
	volume->used_bytes = (guint64)(st.f_blocks - st.f_bfree) * st.f_frsize;
	take_mount(volume, dirfd);
	device = device_of_directory(dirfd);
	volume->device = device_disk(device);
	volume->disks = device_bottoms(device);
	return TRUE;
}

void volume_clear(struct volume *volume)
{
	g_free(volume->type);
	g_free(volume->source);
	g_free(volume->target);
	g_free(volume->options);
	g_free(volume->device);
	g_strfreev(volume->disks);
	*volume = (struct volume){0};
}
