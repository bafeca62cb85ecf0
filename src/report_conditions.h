#ifndef REPORT_CONDITIONS_H
#define REPORT_CONDITIONS_H

#include <glib.h>

struct report_page;

/* What is known of the machine, for a report: a column for each side where sides are compared, else for each set of
 * facts among the runs. */
struct conditions {
	char *name;
	GPtrArray *sets; /* GHashTable *: key -> value; the facts of its runs */
};

/* struct conditions *; empty where nothing is known. */
GPtrArray *conditions_of(const struct report_page *page);
/* Every fact that one of the columns has, by name: const char *. */
GPtrArray *conditions_keys(const GPtrArray *columns);
/* Its value in each column (char *), several parted by "; ". */
GPtrArray *conditions_values(const GPtrArray *columns, const char *key);
/* Whether these are not all the same. */
gboolean conditions_differ(const GPtrArray *values);

#endif
