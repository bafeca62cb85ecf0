#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "err.h"

#define CONTROL "/dev/loop-control"
#define TRIES 64 /* another process may take the device that was free just now */

/* What kernels before 5.8 have: 0 or errno. */
static int configure_in_steps(int fd, const struct loop_config *config)
{
	int failure;

	if (ioctl(fd, LOOP_SET_FD, config->fd) < 0)
		return errno;
	if (ioctl(fd, LOOP_SET_STATUS64, &config->info) < 0) {
		failure = errno;
		ioctl(fd, LOOP_CLR_FD, 0);
		return failure;
	}
	/* refused where it cannot be */
	ioctl(fd, LOOP_SET_DIRECT_IO, 1UL);
	return 0;
}

/* 0 or errno; EBUSY where the device is not free any more. */
static int configure(int fd, int file_fd, const char *path)
{
	struct loop_config config = {.fd = (__u32)file_fd};

	config.info.lo_flags = LO_FLAGS_AUTOCLEAR | LO_FLAGS_DIRECT_IO;
	g_strlcpy((char *)config.info.lo_file_name, path, sizeof config.info.lo_file_name);
	if (ioctl(fd, LOOP_CONFIGURE, &config) == 0)
		return 0;
	return errno == EINVAL || errno == ENOTTY ? configure_in_steps(fd, &config) : errno;
}

/* Tries the device of that number: its descriptor, or -1 with errno. */
static int try_device(const char *device, int file_fd, const char *path)
{
	/* what is open for writing may neither be mounted nor made where the kernel protects mounted devices, so that
	 * only the attaching is done so */
	int writing = open(device, O_RDWR | O_CLOEXEC), fd = -1, failure;

	if (writing < 0)
		return -1;
	failure = configure(writing, file_fd, path);
	if (!failure) {
		fd = open(device, O_RDONLY | O_CLOEXEC);
		failure = errno;
	}
	close(writing);
	errno = failure;
	return fd;
}

int loop_attach(int file_fd, const char *path, char **device, GError **error)
{
	int control = open(CONTROL, O_RDWR | O_CLOEXEC), fd = -1, failure = EBUSY;

	*device = NULL;
	if (control < 0) {
		err_errno(error, errno, "cannot open '" CONTROL "' for an image");
		return -1;
	}
	for (guint i = 0; fd < 0 && failure == EBUSY && i < TRIES; i++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);

		if (number < 0) {
			failure = errno;
			break;
		}
		g_free(*device);
		*device = g_strdup_printf("/dev/loop%d", number);
		fd = try_device(*device, file_fd, path);
		failure = errno;
	}
	close(control);
	if (fd >= 0)
		return fd;
	err_errno(error, failure, "cannot attach '%s' to %s", path, *device ? *device : "a loop device");
	g_clear_pointer(device, g_free);
	return -1;
}
