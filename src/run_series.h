#ifndef RUN_SERIES_H
#define RUN_SERIES_H

#include <glib.h>

#include "metric.h"

/* What was seen about once a second in the course of one run: the columns of vmstat. */

struct series_line {
	struct metric metric;
	GArray *at_s;  /* double: seconds since the run began, ascending */
	GArray *value; /* double, parallel */
};

struct run_series {
	guint row;        /* of the dataset */
	GPtrArray *lines; /* struct series_line *, in the order of vmstat's columns */
};
void run_series_free(struct run_series *series);

/* The line of that name; NULL where there is none. */
const struct series_line *run_series_find(const struct run_series *series, const char *name);

#endif
