#ifndef WITNESS_H
#define WITNESS_H

#include <glib.h>

struct place;
struct plan;
struct probes;
struct run_result;
struct workload_config;

/* What looks on while a run is under way: the observers, but at runs too short for it, and the probes of the plan. */
struct witness {
	struct observer *observer;
	struct probes *probes; /* NULL: none */
	gboolean *is_short;    /* a cell: its runs are not observed, they are over at once and write nothing */
	gboolean looks;        /* at the run under way */
	int probes_fd;         /* the directory of the probes' files; -1 */
	gboolean is_alone;     /* no other benchmark when the run began */
	double children_s;     /* CPU time of our children before the run */
};

void witness_init(struct witness *witness, const struct plan *plan, struct probes *probes);
void witness_clear(struct witness *witness);

/* Makes the probes' files, before the reset. */
gboolean witness_prepare(struct witness *witness, const struct place *place, GError **error);
/* Just before a run of the cell's workload, about once a second, and after it. *warning (newly allocated, or NULL) tells of a
 * probe that failed. What they saw goes into the result; where it shows that the run cannot count, that is its outcome. */
gboolean witness_begin(struct witness *witness, guint cell, const struct workload_config *config, const struct place *place,
		       GError **error);
void witness_tick(struct witness *witness);
void witness_end(struct witness *witness, guint cell, struct run_result *result, char **warning);
/* In place of the end, where there was no run. */
void witness_abandon(struct witness *witness);

#endif
