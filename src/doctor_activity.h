#ifndef DOCTOR_ACTIVITY_H
#define DOCTOR_ACTIVITY_H

#include <glib.h>

/* What the machine does while this process does nothing. */
struct activity {
	gboolean is_known;      /* /proc/stat could be read; else only load and names may be there */
	double busy_cpus;       /* CPUs that worked in user and kernel, meanwhile */
	double steal_pct;       /* of the time of all CPUs since boot, taken by the hypervisor */
	double load;            /* average of the last minute; NaN where unknown */
	guint running, blocked; /* tasks, this one not counted */
	char *busiest;          /* "cc1 (4711)": the process that used most of it; NULL: none did */
	double busiest_cpus;
	GPtrArray *names;  /* char *: the command of each process */
	gboolean sees_all; /* those of other users are among them: /proc may hide them */
};

void activity_measure(struct activity *activity, double seconds);
void activity_clear(struct activity *activity);
/* Whether a process of that name runs. */
gboolean activity_has(const struct activity *activity, const char *name);

#endif
