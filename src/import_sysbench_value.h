#ifndef IMPORT_SYSBENCH_VALUE_H
#define IMPORT_SYSBENCH_VALUE_H

#include "metric.h"

/* The numbers of sysbench's reports. */

enum sysbench_kind {
	SYSBENCH_NUMBER,    /* "reads/s:  5429.74" */
	SYSBENCH_BEFORE,    /* "12788.34 Requests/sec executed" */
	SYSBENCH_SECOND,    /* "read:  IOPS=7036.75 109.95 MiB/s (115.29 MB/s)": the bytes */
	SYSBENCH_BRACKETS,  /* "Total operations: 1048576 (4007989.24 per second)": a rate */
	SYSBENCH_BANDWIDTH, /* "1024.00 MiB transferred (3914.05 MiB/sec)", "... (49.954Mb/sec)" */
	SYSBENCH_SECONDS,   /* "total time:  300.0013s" */
	SYSBENCH_LATENCY,   /* "avg:  0.08ms"; milliseconds without a unit */
};

/* A line with a metric: what it begins with, perhaps behind a number. */
struct sysbench_value {
	const char *text;
	enum sysbench_kind kind;
	struct metric metric;
};
extern const struct sysbench_value sysbench_values[]; /* ends with a NULL text */

/* Reads the value of a line; behind: what stands behind the text that it begins with. *is_there: whether the line is to
 * have one at all. Returns where the value ends; NULL where it cannot be read. */
const char *sysbench_read(enum sysbench_kind kind, const char *line, const char *behind, double *value,
			  gboolean *is_there);

#endif
