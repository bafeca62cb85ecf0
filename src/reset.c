#include "reset.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "err.h"
#include "flag.h"
#include "place.h"

#define DROP_CACHES "/proc/sys/vm/drop_caches"

static gboolean reset_none(struct place *place, flag_set *flags, char **warning, GError **error)
{
	return TRUE;
}

static gboolean reset_sync(struct place *place, flag_set *flags, char **warning, GError **error)
{
	sync();
	return TRUE;
}

void reset_drop_files(int dirfd)
{
	int copy = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	if (!stream) {
		if (copy >= 0)
			close(copy);
		return;
	}
	while ((entry = readdir(stream))) {
		int fd = openat(dirfd, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

		if (fd < 0)
			continue;
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		close(fd);
	}
	closedir(stream);
}

/* Writes "3": page cache, dentries and inodes.   source: Documentation/admin-guide/sysctl/vm.rst of Linux */
static gboolean reset_drop_caches(struct place *place, flag_set *flags, char **warning, GError **error)
{
	int fd, failure = 0;

	/* dirty pages cannot be dropped, and a drop amid write-back leaves another state each time */
	sync();
	fd = open(DROP_CACHES, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "3", 1) != 1)
		failure = errno;
	if (fd >= 0)
		close(fd);
	if (!failure)
		return TRUE;
	if (geteuid() != 0) {
		reset_drop_files(place->dirfd);
		*flags |= FLAG_CACHE_OWN_FILES;
		*warning = g_strdup("caches are dropped only for the workload's own files: run as root to drop all");
	} else {
		*flags |= FLAG_CACHE_NOT_DROPPED;
		*warning = g_strdup_printf("the kernel refused to drop caches: '%s': %s", DROP_CACHES, g_strerror(failure));
	}
	return TRUE;
}

static gboolean reset_remount(struct place *place, flag_set *flags, char **warning, GError **error)
{
	return place_remount(place, error) && reset_drop_caches(place, flags, warning, error);
}

const struct reset reset_table[] = {
    {.name = "none", .summary = "nothing", .apply = reset_none},
    {.name = "sync", .summary = "write all dirty data back", .apply = reset_sync},
    {.name = "drop-caches",
     .summary = "write all dirty data back, then drop page cache, dentries and inodes",
     .apply = reset_drop_caches},
    {.name = "remount",
     .summary = "unmount the filesystem of --image or --device, mount it again, drop caches",
     .needs_filesystem = TRUE,
     .apply = reset_remount},
    {.name = "mkfs",
     .summary = "make the filesystem of --image or --device anew, drop caches",
     .needs_filesystem = TRUE,
     .remakes = TRUE,
     .apply = reset_drop_caches},
    {.name = "vm",
     .summary = "boot a virtual machine (qemu) with a kernel and a new filesystem on --image; drop caches in it",
     .needs_filesystem = TRUE,
     .boots = BOOT_GUEST,
     .apply = reset_drop_caches},
    {.name = "reboot",
     .summary = "reboot this machine (as root, with --yes-reboot), wait until it is at rest; drop caches",
     .boots = BOOT_MACHINE,
     .apply = reset_drop_caches},
    {.name = NULL},
};

const struct reset *reset_find(const char *name, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (const struct reset *reset = reset_table; reset->name; reset++) {
		if (g_str_equal(reset->name, name))
			return reset;
		g_string_append_printf(names, "%s%s", names->len ? ", " : "", reset->name);
	}
	err_usage(error, "no reset '%s': there are %s", name, names->str);
	return NULL;
}
