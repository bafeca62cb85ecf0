#ifndef ANALYSE_TREATMENT_H
#define ANALYSE_TREATMENT_H

#include <glib.h>

struct column;
struct dataset;

/* Rows of one combination of levels. */
struct treatment_group {
	GArray *rows;   /* guint */
	GArray *levels; /* struct level */
	char *name;     /* for people: "6.1" or "6.1 swap=200" */
};

/* Treatments (struct treatment_group *, owned) among the rows of one workload in order of appearance; all: the rows
 * that names must tell apart; except: a factor that does not count, NULL for none. */
GPtrArray *treatments_of(const struct dataset *dataset, const GArray *rows, const GArray *all,
			 const struct column *except);

#endif
