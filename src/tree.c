#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

DIR *tree_open(int dirfd)
{
	int copy = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);

	if (copy >= 0 && !stream)
		close(copy);
	return stream;
}

/* The number of the mount that it was opened in: a bind mount differs in nothing else. -1 where the kernel does not tell.
 * source: proc_pid_fdinfo(5) */
static gint64 mount_id(int fd)
{
	static const char key[] = "mnt_id:\t";
	g_autofree char *path = g_strdup_printf("/proc/self/fdinfo/%d", fd);
	g_autofree char *text = NULL;
	const char *at;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !(at = strstr(text, key)))
		return -1;
	return g_ascii_strtoll(at + strlen(key), NULL, 10);
}

/* Opens a directory in another that is neither a link to one nor a mount point; -1 with errno. */
static int open_below(int parent_fd, const char *name)
{
	int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	gint64 mount = fd < 0 ? -1 : mount_id(fd);

	if (fd < 0 || (mount >= 0 && mount == mount_id(parent_fd)))
		return fd;
	close(fd);
	errno = EXDEV;
	return -1;
}

int tree_empty(DIR *stream)
{
	struct dirent *entry;
	int failure = 0;

	rewinddir(stream);
	while (!failure && (entry = readdir(stream))) {
		const char *name = entry->d_name;

		if (g_str_equal(name, ".") || g_str_equal(name, ".."))
			continue;
		if (unlinkat(dirfd(stream), name, 0) == 0 || errno == ENOENT)
			continue;
		failure = errno == EISDIR ? tree_remove(dirfd(stream), name) : errno;
	}
	return failure;
}

int tree_remove(int parent_fd, const char *name)
{
	int fd = open_below(parent_fd, name);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	int failure = stream ? tree_empty(stream) : errno;

	if (stream)
		closedir(stream);
	else if (fd >= 0)
		close(fd);
	return !failure && unlinkat(parent_fd, name, AT_REMOVEDIR) < 0 ? errno : failure;
}
