#include "probe_internal.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "err.h"

#define MAP_BYTES (1u << 20)

static gboolean mmap_request(struct probe *probe, GError **error)
{
	gsize page = (gsize)sysconf(_SC_PAGESIZE);
	char *map = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return err_errno(error, errno, "cannot map 1 MiB");
	for (gsize at = 0; at < MAP_BYTES; at += page)
		((volatile char *)map)[at] = 1;
	return munmap(map, MAP_BYTES) == 0 || err_errno(error, errno, "cannot unmap 1 MiB");
}

static const struct metric mmap_metrics[] = LATENCY_METRICS("mmap", "mapping, touching and unmapping 1 MiB");

const struct probe_kind probe_mmap = {
    .name = "mmap",
    .summary = "maps 1 MiB of memory, touches each page and unmaps it every 100 ms",
    .metrics = mmap_metrics,
    .period_ns = 100 * PROBE_MS,
    .request = mmap_request,
};
