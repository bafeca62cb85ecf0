#ifndef OBSERVE_H
#define OBSERVE_H

#include <glib.h>

#include "flag.h"
#include "metric.h"

/* What the machine did while a run was under way: looked at before, about once a second during, and after; nothing is
 * written to any disk meanwhile. */

/* Rows of values taken in the course of a run. */
struct series {
	const struct metric *columns; /* ends with a NULL name */
	guint n_columns;
	GArray *at_s;   /* double a row: seconds since the run began */
	GArray *values; /* double: n_columns a row */
};

struct observation {
	GArray *measurements; /* struct measurement: one for each of observe_metrics[], in its order */
	struct series series; /* the columns of vmstat -w; no row for runs under a second */
	GPtrArray *messages;  /* char *: kernel messages that came meanwhile and matter, as the kernel wrote them */
	gboolean has_written; /* 1 MiB or more, to whatever disk */
	char *disturbance;    /* why the run cannot count: "I/O error on vda"; NULL where it can */
	flag_set flags;
};
void observation_clear(struct observation *observation);

extern const struct metric observe_metrics[]; /* ends with a NULL name */
extern const struct metric vmstat_columns[];  /* of the series, those of vmstat -w; ends with a NULL name */

struct observer;
struct observer *observer_new(void);
void observer_free(struct observer *observer);

/* Just before the process of a run is made. dirfd: the directory of the runs, open until observer_end(). anywhere: the
 * run may write elsewhere (a command does), so that all disks are watched. */
void observer_begin(struct observer *observer, int dirfd, gboolean anywhere);
/* About once a second. */
void observer_tick(struct observer *observer);
/* Just after the process was reaped. cpu_s: user and system time of the run's processes, and of any other of ours that
 * worked meanwhile: what is left is that of others. */
void observer_end(struct observer *observer, double cpu_s, struct observation *observation);

#endif
