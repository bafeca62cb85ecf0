#include "probe_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "err.h"

static gboolean fsync_open(struct probe *probe, int dirfd, GError **error)
{
	return probe_open_file(probe, dirfd, O_WRONLY, error);
}

/* Overwrites the block, differently each time, so that nothing below can leave the write out. */
static gboolean fsync_request(struct probe *probe, GError **error)
{
	gint64 stamp = probe_now_ns();
	ssize_t n;

	memcpy(probe->block, &stamp, sizeof stamp);
	n = pwrite(probe->fd, probe->block, PROBE_BLOCK, 0);
	if (n < 0)
		return err_errno(error, errno, "cannot write 4 KiB");
	if (n < PROBE_BLOCK)
		return err_runtime(error, "only %zd of 4096 bytes were written", n);
	return fsync(probe->fd) == 0 || err_errno(error, errno, "cannot bring 4 KiB to the device");
}

static const struct metric fsync_metrics[] = LATENCY_METRICS("fsync", "write of 4 KiB and fsync");

const struct probe_kind probe_fsync = {
    .name = "fsync",
    .summary = "overwrites 4 KiB of a file and calls fsync every 100 ms",
    .metrics = fsync_metrics,
    .period_ns = 100 * PROBE_MS,
    .file_bytes = PROBE_BLOCK,
    .open = fsync_open,
    .request = fsync_request,
};
