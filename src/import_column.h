#ifndef IMPORT_COLUMN_H
#define IMPORT_COLUMN_H

#include <glib.h>

struct column;

/* What a column means; all but the last two go by its name. */
enum role { ROLE_RUN, ROLE_SESSION, ROLE_BLOCK, ROLE_BOOT, ROLE_OUTCOME, ROLE_WORKLOAD, ROLE_FACTOR, ROLE_ANY };

struct table_column {
	const char *name; /* as in the header, interned */
	enum role role;
	/* What the column holds, all ways until it is known: level is NULL in what is a metric for good, value in what
	 * is none for good, started_us in what does not say when the runs began. */
	GArray *value;
	GArray *started_us; /* gint64, 0 where there is none */
	struct column *level;
	gboolean any;         /* it has a value at all */
	guint n_missing;      /* texts that stand for a missing number: NaN, inf, n/a */
	guint64 missing_line; /* the first of them, */
	char *missing_text;   /* as it stands there, printable */
	guint64 odd_line;     /* first line where a number could not be one; 0: none */
	char *odd_message;    /* what is wrong with that line */
};

/* The name decides the role. */
struct table_column *table_column_new(const char *name);
void table_column_free(struct table_column *column);

/* Whether it holds the times at which the runs began, and nothing else. */
gboolean table_column_is_time(const struct table_column *column);

/* Sets the row's value from a text that is not a missing value. FALSE where the column is known to hold numbers and one
 * of its texts is none: odd_line and odd_message say which and why. */
gboolean table_column_add(struct table_column *column, guint row, const char *text, guint64 line);

/* Name -> how many columns of numbers it fits, with its unit or without. */
GHashTable *table_column_names(const GPtrArray *columns);

/* "", "-" and "NA". */
gboolean table_missing(const char *text);

#endif
