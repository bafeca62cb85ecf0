#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <unistd.h>

DIR *tree_open(int dirfd)
{
	int copy = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);

	if (copy >= 0 && !stream)
		close(copy);
	return stream;
}

static int remove_directory(int parent_fd, const char *name);

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
		failure = errno == EISDIR ? remove_directory(dirfd(stream), name) : errno;
	}
	return failure;
}

/* With all that is in it; 0 or errno. */
static int remove_directory(int parent_fd, const char *name)
{
	DIR *stream;
	int fd, failure;

	/* a mount point is told here (EBUSY), be it full or not, and so is never entered */
	if (unlinkat(parent_fd, name, AT_REMOVEDIR) == 0)
		return 0;
	if (errno != ENOTEMPTY && errno != EEXIST)
		return errno;
	fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	stream = fd < 0 ? NULL : fdopendir(fd);
	failure = stream ? tree_empty(stream) : errno;
	if (stream)
		closedir(stream);
	else if (fd >= 0)
		close(fd);
	return !failure && unlinkat(parent_fd, name, AT_REMOVEDIR) < 0 ? errno : failure;
}
