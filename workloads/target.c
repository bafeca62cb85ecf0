#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define ALIGNMENT_MIN 512
#define ALIGNMENT_MAX 65536

int target_create(int dirfd, const char *name, int flags)
{
	return openat(dirfd, name, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

gboolean target_in_memory(int dirfd)
{
	struct statfs status;

	return fstatfs(dirfd, &status) == 0 && (status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC);
}

/* A file without a name, or where the filesystem has no such thing one that is unlinked at once. */
static int open_probe(int dirfd)
{
	static const char name[] = "direct-probe";
	int fd = openat(dirfd, ".", O_WRONLY | O_TMPFILE | O_DIRECT | O_CLOEXEC, 0600);

	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT)) {
		fd = target_create(dirfd, name, O_WRONLY | O_DIRECT);
		/* a filesystem that refuses O_DIRECT may have made the file all the same */
		if (fd >= 0 || errno == EINVAL) {
			int saved = errno;

			unlinkat(dirfd, name, 0);
			errno = saved;
		}
	}
	return fd;
}

/* The smallest multiple of bytes that a direct write takes there; 0 with errno. */
static guint64 find_alignment(int fd)
{
	void *page = NULL;
	guint64 found = 0;

	if (posix_memalign(&page, ALIGNMENT_MAX, ALIGNMENT_MAX) != 0) {
		errno = ENOMEM;
		return 0;
	}
	memset(page, 0, ALIGNMENT_MAX);
	for (guint64 size = ALIGNMENT_MIN; !found && size <= ALIGNMENT_MAX; size *= 2) {
		if (pwrite(fd, page, size, (off_t)size) == (ssize_t)size)
			found = size;
		else if (errno != EINVAL)
			break;
	}
	free(page);
	return found;
}

char *target_direct_unsupported(int dirfd, guint64 size, guint64 block)
{
	guint64 alignment;
	int fd;

	if (target_in_memory(dirfd))
		return g_strdup(
		    "O_DIRECT is refused: this filesystem keeps files in memory only (tmpfs), there is no device to "
		    "write to directly");
	fd = open_probe(dirfd);
	if (fd < 0)
		return g_strdup_printf("the filesystem refuses O_DIRECT: %s", g_strerror(errno));
	alignment = find_alignment(fd);
	if (alignment == 0) {
		int errno_value = errno;

		close(fd);
		return g_strdup_printf("the filesystem refuses a write with O_DIRECT: %s", g_strerror(errno_value));
	}
	close(fd);
	if (block % alignment || size % alignment)
		return g_strdup_printf("direct=yes needs 'size' and 'bs' in multiples of %" G_GUINT64_FORMAT
				       " bytes here: they are %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT,
				       alignment, size, block);
	return NULL;
}
