#ifndef PROBE_H
#define PROBE_H

#include <glib.h>

#include "metric.h"

/* How the machine feels while a workload runs: small requests on absolute deadlines, each probe in a process of its
 * own. */

/* The workload during which the machine is at rest. */
#define PROBE_IDLE "idle"

struct probe;

/* A file probe_*.c exports one; probe.c has the table. */
struct probe_kind {
	const char *name;
	const char *argument;         /* behind the name and a ':', for help: "DIR", "RATE/BUFFER"; NULL: nothing */
	const char *summary;          /* one line */
	const struct metric *metrics; /* ends with a NULL name */
	gint64 period_ns;             /* between two requests; 0: they are made as run has it */
	guint64 file_bytes;           /* of the file that it needs; 0: none */

	/* What the argument (NULL: none was given) says, into the probe. NULL: nothing to do. */
	gboolean (*parse)(struct probe *probe, const char *argument, GError **error);

	/* In a process of its own: what is needed beforehand (NULL: nothing), and the request. */
	gboolean (*open)(struct probe *probe, int dirfd, GError **error);
	gboolean (*request)(struct probe *probe, GError **error);

	/* Without a period: what is noted in the runner's process before the start; the requests (comes back with an
	 * error only); and in the runner's process again, when the other is gone, the values of the metrics. The run
	 * ended at stop_ns, a request that was under way then at end_ns or before. */
	void (*begin)(struct probe *probe, gint64 start_ns);
	gboolean (*run)(struct probe *probe, GError **error);
	void (*measure)(struct probe *probe, gint64 stop_ns, gint64 end_ns, double *values);
};
extern const struct probe_kind *const probe_table[]; /* ends with NULL */

struct probes; /* those of a plan */

/* specs: "read", "ls:DIR", "audio:320k/2s", ends with NULL; each kind at most once. Lists with commas are split by the
 * caller, so that a DIR with a comma can only stand alone. Usage errors list what exists. NULL on error. */
struct probes *probes_parse(char *const *specs, GError **error);
void probes_free(struct probes *probes);

/* All metrics of these probes, in the order of their specs: struct metric. */
const GArray *probes_metrics(const struct probes *probes);

/* Makes the files that they need, "probe.NAME", in the directory behind dirfd: theirs, not that of the runs. Files
 * that are there already stay. Not timed: they are on the device, and not in the cache, when this returns. */
gboolean probes_prepare(struct probes *probes, int dirfd, GError **error);

/* Starts them; each has made one request, which does not count, when this returns, and those that count begin within
 * 100 ms. dirfd as in prepare. A probe that cannot make even that request is an error, and then none runs. */
gboolean probes_start(struct probes *probes, int dirfd, GError **error);

/* Ends them all, also where none runs, and appends what was measured (struct measurement), metrics as in
 * probes_metrics(). Requests that were due by now count: one under way is waited for and killed after 5 s, and what
 * is not done then counts with its delay so far. A probe that ended by itself has no values (NaN), and *warning
 * (newly allocated, or NULL) says why. */
void probes_stop(struct probes *probes, GArray *measurements, char **warning);

#endif
