#ifndef TABLE_H
#define TABLE_H

#include <glib.h>

/* Text tables for a terminal: columns of cells, aligned by the cells that a terminal gives to each character. */

struct table;
typedef struct table Table; /* for g_autoptr(Table) */

/* A label is at the left and may be cut. */
enum table_align { TABLE_LEFT, TABLE_RIGHT, TABLE_LABEL };

struct table *table_new(void);
void table_free(struct table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)

/* All columns come before the first cell. */
void table_column(struct table *table, const char *header, enum table_align align);
/* Cells fill the rows from left to right. Text of any origin: it is made printable. */
void table_cell(struct table *table, const char *text);

/* Appends the table, two spaces between columns. Where it is wider than width the widest labels are cut, which "…"
 * shows: not below the header, and never so far that two different labels look the same. */
void table_print(const struct table *table, guint width, GString *out);

/* Terminal cells that a text takes: 2 for a wide character, 0 for one that combines. */
guint text_width(const char *text);
/* At most width cells of text, the last one "…" where it was cut. */
char *text_cut(const char *text, guint width);

/* Appends text in lines of at most width cells (longer only where a word is), the first one indented by indent spaces,
 * the others by two more, and a newline. */
void text_wrap(const char *text, guint indent, guint width, GString *out);

#endif
