#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"

gboolean whole_file_put(int fd, const char *bytes, gsize length)
{
	while (length) {
		ssize_t n = write(fd, bytes, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return FALSE;
		bytes += n;
		length -= (gsize)n;
	}
	return TRUE;
}

gboolean whole_file_write(const char *path, const char *bytes, gsize length, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);
	g_autofree char *name = g_strdup_printf(".vmstat-bench-%d.tmp", (int)getpid());
	g_autofree char *temporary = g_build_filename(folder, name, NULL);
	struct stat before;
	int fd, saved;
	gboolean ok;

	/* Left over from a killed process that had our number. */
	unlink(temporary);
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_errno(error, errno, "cannot write '%s'", path);
	/* who could not read what was there shall not read what comes in its place */
	ok = (stat(path, &before) < 0 || !S_ISREG(before.st_mode) || fchmod(fd, before.st_mode & 0777) == 0) &&
	     whole_file_put(fd, bytes, length) && fsync(fd) == 0;
	saved = errno;
	if (close(fd) < 0 && ok) {
		ok = FALSE;
		saved = errno;
	}
	if (ok && rename(temporary, path) < 0) {
		ok = FALSE;
		saved = errno;
	}
	if (!ok) {
		unlink(temporary);
		return err_errno(error, saved, "cannot write '%s'", path);
	}
	return TRUE;
}
