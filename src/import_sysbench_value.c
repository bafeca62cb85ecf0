#include "import_sysbench_value.h"

#include <string.h>

#include "import_line.h"

const struct sysbench_value sysbench_values[] = {
    {"reads/s:", SYSBENCH_NUMBER, {"reads", "/s", BETTER_HIGHER, NULL}},
    {"writes/s:", SYSBENCH_NUMBER, {"writes", "/s", BETTER_HIGHER, NULL}},
    {"fsyncs/s:", SYSBENCH_NUMBER, {"fsyncs", "/s", BETTER_HIGHER, NULL}},
    {"read, MiB/s:", SYSBENCH_NUMBER, {"read", "MiB/s", BETTER_HIGHER, NULL}},
    {"written, MiB/s:", SYSBENCH_NUMBER, {"written", "MiB/s", BETTER_HIGHER, NULL}},
    {"read:  IOPS=", SYSBENCH_NUMBER, {"reads", "/s", BETTER_HIGHER, NULL}},
    {"read:  IOPS=", SYSBENCH_SECOND, {"read", "MiB/s", BETTER_HIGHER, NULL}},
    {"write: IOPS=", SYSBENCH_NUMBER, {"writes", "/s", BETTER_HIGHER, NULL}},
    {"write: IOPS=", SYSBENCH_SECOND, {"written", "MiB/s", BETTER_HIGHER, NULL}},
    {"fsync: IOPS=", SYSBENCH_NUMBER, {"fsyncs", "/s", BETTER_HIGHER, NULL}},
    {"Read ", SYSBENCH_BANDWIDTH, {"throughput", "MiB/s", BETTER_HIGHER, NULL}},
    {"MB transferred (", SYSBENCH_BANDWIDTH, {"throughput", "MiB/s", BETTER_HIGHER, NULL}},
    {"MiB transferred (", SYSBENCH_BANDWIDTH, {"throughput", "MiB/s", BETTER_HIGHER, NULL}},
    {"Requests/sec executed", SYSBENCH_BEFORE, {"requests", "/s", BETTER_HIGHER, NULL}},
    {"events per second:", SYSBENCH_NUMBER, {"events", "/s", BETTER_HIGHER, NULL}},
    {"events/s (eps):", SYSBENCH_NUMBER, {"events", "/s", BETTER_HIGHER, NULL}},
    {"Operations performed:", SYSBENCH_BRACKETS, {"operations", "/s", BETTER_HIGHER, NULL}},
    {"Total operations:", SYSBENCH_BRACKETS, {"operations", "/s", BETTER_HIGHER, NULL}},
    {"transactions:", SYSBENCH_BRACKETS, {"transactions", "/s", BETTER_HIGHER, NULL}},
    {"queries:", SYSBENCH_BRACKETS, {"queries", "/s", BETTER_HIGHER, NULL}},
    {"total time:", SYSBENCH_SECONDS, {"elapsed", "s", BETTER_LOWER, NULL}},
    {"time elapsed:", SYSBENCH_SECONDS, {"elapsed", "s", BETTER_LOWER, NULL}},
    {"min:", SYSBENCH_LATENCY, {"latency_min", "ms", BETTER_LOWER, NULL}},
    {"avg:", SYSBENCH_LATENCY, {"latency_avg", "ms", BETTER_LOWER, NULL}},
    {"max:", SYSBENCH_LATENCY, {"latency_max", "ms", BETTER_LOWER, NULL}},
    {NULL, SYSBENCH_NUMBER, {NULL, NULL, BETTER_NONE, NULL}},
};

static const char *read_time(const char *text, double *seconds)
{
	const char *end = import_quantity(text, import_times, seconds);

	*seconds /= 1e9;
	return end;
}

/* Milliseconds by the section's title, or with a unit of their own. */
static const char *read_latency(const char *text, double *milliseconds)
{
	const char *end = import_quantity(text, import_times, milliseconds);

	if (!end)
		return import_number(text, milliseconds);
	*milliseconds /= 1e6;
	return end;
}

static const char *read_bandwidth(const char *text, double *mib)
{
	const char *end = import_quantity(text, import_sizes, mib);

	*mib /= 1 << 20;
	return end && g_str_has_prefix(end, "/s") ? end : NULL;
}

const char *sysbench_read(enum sysbench_kind kind, const char *line, const char *behind, double *value,
			  gboolean *is_there)
{
	const char *bracket = strchr(line, '(');

	*is_there = TRUE;
	switch (kind) {
	case SYSBENCH_NUMBER:
		return import_number(behind, value);
	case SYSBENCH_BEFORE:
		return import_number(line, value) ? "" : NULL;
	case SYSBENCH_SECOND:
		behind = import_number(behind, value);
		return behind ? read_bandwidth(behind, value) : NULL;
	case SYSBENCH_BRACKETS:
		*is_there = bracket != NULL;
		return bracket ? import_number(bracket + 1, value) : NULL;
	case SYSBENCH_BANDWIDTH:
		*is_there = bracket != NULL;
		return bracket ? read_bandwidth(bracket + 1, value) : NULL;
	case SYSBENCH_SECONDS:
		return read_time(behind, value);
	case SYSBENCH_LATENCY:
		return read_latency(behind, value);
	}
	return NULL;
}
