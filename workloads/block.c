#include "block.h"

#include <errno.h>
#include <unistd.h>

gsize block_write(int fd, const unsigned char *data, gsize size, guint64 offset)
{
	gsize done = 0;

	while (done < size) {
		ssize_t n = pwrite(fd, data + done, size - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = EIO;
		if (n <= 0)
			break;
		done += (gsize)n;
	}
	return done;
}

gssize block_read(int fd, unsigned char *data, gsize size, gint64 offset)
{
	gsize done = 0;

	while (done < size) {
		ssize_t n = offset < 0 ? read(fd, data + done, size - done)
				       : pread(fd, data + done, size - done, (off_t)(offset + (gint64)done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		done += (gsize)n;
	}
	return (gssize)done;
}
