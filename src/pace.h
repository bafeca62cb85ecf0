#ifndef PACE_H
#define PACE_H

#include <glib.h>

struct plan;

/* How long runs take, their reset included, and what is still to be run. */
struct pace {
	const struct plan *plan;
	double *spent_s;    /* a workload */
	guint *done;        /* runs, a workload */
	gboolean *is_ended; /* a workload: the rest of its runs will not take place */
	const gboolean *has_result; /* a run: from an earlier sitting; NULL: none has */
};

void pace_init(struct pace *pace, const struct plan *plan, const gboolean *has_result);
void pace_clear(struct pace *pace);
void pace_add(struct pace *pace, guint index, double seconds);

/* Seconds for the runs plan->runs[from] to before plan->runs[to]; 0 while nothing is known. */
double pace_estimate(const struct pace *pace, guint from, guint to);

#endif
