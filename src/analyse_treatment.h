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

/* What the names of treatments say. */
struct naming {
	const struct dataset *dataset;
	const struct column *except; /* a factor that does not count; NULL: none */
	gboolean *is_varied;         /* a factor: it has several levels among the rows that names must tell apart */
	gboolean *is_plain;          /* a factor: its levels speak for themselves, as "ext4" does and "200" does not */
};
void naming_init(struct naming *naming, const struct dataset *dataset, const GArray *rows, const struct column *except);
void naming_clear(struct naming *naming);

/* Treatments (struct treatment_group *, owned) among the rows, in the order of their levels. */
GPtrArray *treatments_of(const struct naming *naming, const GArray *rows);

#endif
