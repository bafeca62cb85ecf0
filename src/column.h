#ifndef COLUMN_H
#define COLUMN_H

#include <glib.h>

/* A column of levels. A run's code is an index into level; DATASET_ABSENT where a run has none. */
struct column {
	const char *name;
	GArray *codes; /* 1, 2 or 4 bytes a run, as the number of levels wants; column_code() reads them */
	GPtrArray
	    *level; /* const char *, in the order in which they are listed: that of appearance unless added before */
	GHashTable *index; /* level -> code + 1 */
};
#define DATASET_ABSENT G_MAXUINT32

/* May be shorter than the table that it is a column of: rows past its end are absent. */
struct column *column_new(const char *name);
void column_free(struct column *column);
/* Makes it the last level unless there already is one; no row has it yet. */
void column_add_level(struct column *column, const char *level);
void column_set(struct column *column, guint row, const char *level);
void column_fill(struct column *column, guint row, guint n, const char *level); /* sets n rows from that one on */
const char *column_get(const struct column *column, guint row); /* NULL where absent or column is NULL */
guint32 column_code_of(const struct column *column, const char *level); /* DATASET_ABSENT where it has no such level */
guint32 column_code(const struct column *column, guint row);    /* DATASET_ABSENT where absent or column is NULL */
void column_append(struct column *column, const struct column *other, guint first); /* its rows from that one on */
void column_prefix(struct column *column, const char *prefix); /* not before a UUID, which is one everywhere */


/* The text for as long as the process lives, the same pointer for the same text: for levels, of which there can be
 * millions (one a block), where g_intern_string() takes memory by the square of their number. */
gpointer text_kept(const char *text);

#endif
