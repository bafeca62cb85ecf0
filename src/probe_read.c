#include "probe_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "err.h"

#define FILE_BYTES (64u << 20)

static off_t random_place(void)
{
	return (off_t)g_random_int_range(0, FILE_BYTES / PROBE_BLOCK) * PROBE_BLOCK;
}

/* Past the cache where the filesystem allows that; it may refuse as late as at the first read. */
static gboolean read_open(struct probe *probe, int dirfd, GError **error)
{
	int failure;

	if (!probe_open_file(probe, dirfd, O_RDONLY | O_DIRECT, NULL) ||
	    pread(probe->fd, probe->block, PROBE_BLOCK, random_place()) < 0) {
		if (probe->fd >= 0)
			close(probe->fd);
		if (!probe_open_file(probe, dirfd, O_RDONLY, error))
			return FALSE;
	}
	failure = posix_fadvise(probe->fd, 0, 0, POSIX_FADV_RANDOM);
	return !failure || err_errno(error, failure, "cannot switch off read-ahead");
}

/* Some filesystems read through the cache whatever O_DIRECT says: what it holds goes first. */
static gboolean read_request(struct probe *probe, GError **error)
{
	int failure = posix_fadvise(probe->fd, 0, 0, POSIX_FADV_DONTNEED);
	ssize_t n;

	if (failure)
		return err_errno(error, failure, "cannot drop its file from the cache");
	n = pread(probe->fd, probe->block, PROBE_BLOCK, random_place());
	if (n < 0)
		return err_errno(error, errno, "cannot read 4 KiB");
	return n == PROBE_BLOCK || err_runtime(error, "its file is shorter than it was");
}

static const struct metric read_metrics[] = LATENCY_METRICS("read", "cold read of 4 KiB at a random place");

const struct probe_kind probe_read = {
    .name = "read",
    .summary = "reads 4 KiB, cold, at a random place of a file of 64 MiB every 100 ms",
    .metrics = read_metrics,
    .period_ns = 100 * PROBE_MS,
    .file_bytes = FILE_BYTES,
    .open = read_open,
    .request = read_request,
};
