#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

DIR *tree_open(int dirfd)
{
	int copy = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);

	if (copy >= 0 && !stream)
		close(copy);
	return stream;
}

/* Opens a directory in another that is neither a link to one nor a mount point; -1 with errno. */
static int open_below(int parent_fd, const char *name)
{
	const struct open_how how = {.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
				     .resolve = RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS};
	struct stat parent, st;
	int fd = (int)syscall(SYS_openat2, parent_fd, name, &how, sizeof how);

	/* before 5.6, and where system calls are filtered by those who do not know it */
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd;
	fd = openat(parent_fd, name, (int)how.flags);
	if (fd >= 0 && fstat(fd, &st) == 0 && fstat(parent_fd, &parent) == 0 && st.st_dev == parent.st_dev)
		return fd;
	if (fd >= 0) {
		close(fd);
		errno = EXDEV;
	}
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
