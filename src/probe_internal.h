#ifndef PROBE_INTERNAL_H
#define PROBE_INTERNAL_H

#include <glib.h>
#include <sys/types.h>
#include <time.h>

#include "latencies.h"
#include "player.h"
#include "probe.h"

/* What probes are made of: for probe*.c and their tests. */

#define PROBE_BLOCK 4096
#define PROBE_MS G_GINT64_CONSTANT(1000000)

/* What a probe measures and tells, in memory that it shares with the runner. */
struct probe_shared {
	gint64 stop_ns;     /* when the runner asked it to end; 0: not yet */
	char failure[1024]; /* why it ended by itself */
	struct latencies latencies;
	struct player player;
};

struct probe {
	const struct probe_kind *kind;
	gpointer config;             /* what kind->parse() made of the argument, to be g_free()d; NULL: nothing */
	struct probe_shared *shared; /* from the first start on; NULL before */

	/* while it runs */
	pid_t pid;   /* 0: it does not */
	int link_fd; /* a socket; the other end is the process's, and closed when that ends */

	/* in its process */
	int fd;
	unsigned char *block; /* PROBE_BLOCK bytes on a page boundary, random to begin with */
};

struct probes {
	struct probe *all;
	guint n;
	GArray *metrics; /* struct metric */
};

/* Opens the file that probes_prepare() made. */
gboolean probe_open_file(struct probe *probe, int dirfd, int flags, GError **error);
/* Sleeps until then. Here, and nowhere else, the runner may end the process. */
void probe_sleep_until(gint64 due_ns);

static inline gint64 probe_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (gint64)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The metrics of a probe with a period. */
enum { LATENCY_P50, LATENCY_P95, LATENCY_P99, LATENCY_MAX, LATENCY_MISSED, LATENCY_METRICS_N };
#define PROBE_METRICS_MAX LATENCY_METRICS_N
#define LATENCY_METRICS(name, what)                                                                                    \
	{                                                                                                              \
		[LATENCY_P50] = {name "_p50", "ms", BETTER_LOWER, what ", from when it was due: median (type 7)"},     \
		[LATENCY_P95] = {name "_p95", "ms", BETTER_LOWER, what ": 95th percentile of the latencies (type 7)"}, \
		[LATENCY_P99] = {name "_p99", "ms", BETTER_LOWER, what ": 99th percentile of the latencies (type 7)"}, \
		[LATENCY_MAX] = {name "_max", "ms", BETTER_LOWER, what ": longest latency"},                           \
		[LATENCY_MISSED] = {name "_missed", "%", BETTER_LOWER, what ": not done before the next was due"},     \
		[LATENCY_METRICS_N] = {0},                                                                             \
	}

#endif
