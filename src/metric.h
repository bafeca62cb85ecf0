#ifndef METRIC_H
#define METRIC_H

#include <glib.h>

/* Which way is better; BETTER_NONE: neither (a difference is then "changed"). */
enum better { BETTER_NONE, BETTER_HIGHER, BETTER_LOWER };

/* What is measured. The strings are static or interned (g_intern_string): never freed, compared by strcmp.
 * Units are written as they print: "MB/s", "s", "%", "/s" and "" for counts. */
struct metric {
	const char *name;
	const char *unit;
	enum better better;
	const char *help; /* one line, or NULL where the metric came from a file */
};

/* A value of one. */
struct measurement {
	const struct metric *metric; /* static or interned: outlives all runs */
	double value;                /* NaN: not measured */
};

/* "higher", "lower" or NULL for neither; and back (false: no such word). */
const char *better_name(enum better better);
gboolean better_parse(const char *text, enum better *better);

/* The direction that follows from a unit: rates up, times down, all else neither. */
enum better better_of_unit(const char *unit);

/* A column's name with its unit at the end, as "throughput_MBps", "elapsed_s", "cpu_pct": the metric it names,
 * interned. A name without a known unit is a metric of unit "". */
struct metric metric_of_column(const char *column);

/* And back: the name of a column for the metric, newly allocated. A unit that no ending stands for is left out. */
char *metric_column(const struct metric *metric);

/* The metrics that every run has, in the order in which they are stored and shown: elapsed, user, system, cpu,
 * major_faults, minor_faults, ctx_switches. Ends with a NULL name. */
extern const struct metric run_metrics[];
enum run_metric {
	RUN_ELAPSED,
	RUN_USER,
	RUN_SYSTEM,
	RUN_CPU,
	RUN_MAJOR_FAULTS,
	RUN_MINOR_FAULTS,
	RUN_CTX_SWITCHES,
	RUN_METRICS
};

#endif
