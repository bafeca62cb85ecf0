#ifndef RUN_DETAIL_H
#define RUN_DETAIL_H

#include <glib.h>

#include "observe.h"

/* What the store has of a run beside what is analysed; of all formats only our own carries it. Shared by reference. */
struct run_detail {
	gint64 number; /* of a run with a series, in the file that it comes from; 0: not of a file */
	gboolean is_warmup, is_calibration; /* of neither is there a sample */
	GArray *columns;         /* struct metric, ends with a NULL name: the columns of seen.series; NULL: it has no row */
	struct observation seen; /* series and messages; measurements are values of the run */
};

struct run_detail *run_detail_new(void);
struct run_detail *run_detail_ref(struct run_detail *detail);
void run_detail_unref(struct run_detail *detail);

/* A row without values, appended to the series; where it is the first these are its columns. NaN in all of them. */
double *run_detail_add_row(struct run_detail *detail, GArray *columns, double at_s);

/* Appended to the messages. */
void run_detail_add_message(struct run_detail *detail, const char *text);

#endif
