#ifndef RUN_SERIES_H
#define RUN_SERIES_H

#include <glib.h>

#include "metric.h"

struct run_detail;

/* What was seen about once a second in the course of one run: the columns of vmstat. */

struct series_line {
	struct metric metric;
	GArray *at_s;  /* double: seconds since the run began, ascending */
	GArray *value; /* double, parallel */
};

struct run_series {
	guint row;        /* of the dataset */
	gint64 number;    /* of the run, in the store or in the file that export wrote */
	GPtrArray *lines; /* struct series_line *, in the order of vmstat's columns */
};
struct run_series *run_series_new(guint row, gint64 number);
/* The same from what a file has, of which only columns with a value are lines. */
struct run_series *run_series_of_detail(guint row, const struct run_detail *detail);
void run_series_free(struct run_series *series);

struct series_line *run_series_add(struct run_series *series, const struct metric *metric); /* an empty one */
void series_line_add(struct series_line *line, double at_s, double value);

/* The line of that name; NULL where there is none. */
const struct series_line *run_series_find(const struct run_series *series, const char *name);

#endif
