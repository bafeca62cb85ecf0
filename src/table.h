#ifndef TABLE_H
#define TABLE_H

#include <glib.h>

/* Tables of text: for a terminal, aligned by the cells that it gives to each character, or as markdown. */

struct table;
typedef struct table Table; /* for g_autoptr(Table) */

/* Labels are at the left, and give way where a table is too wide: TABLE_LABEL is cut or given a letter, TABLE_WHOLE is
 * given one. TABLE_LEAD is at the left, and in markdown the first column. */
enum table_align { TABLE_LEFT, TABLE_RIGHT, TABLE_LABEL, TABLE_WHOLE, TABLE_LEAD };

/* How a cell stands out: in colour on a terminal that has it, in bold in markdown. */
enum table_tint { TINT_NONE, TINT_GOOD, TINT_BAD, TINT_STRONG };

struct table *table_new(void);
void table_free(struct table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)

/* All columns come before the first cell. */
void table_column(struct table *table, const char *header, enum table_align align);
/* Cells fill the rows from left to right. Text of any origin: it is made printable. */
void table_cell(struct table *table, const char *text);
void table_cell_tinted(struct table *table, const char *text, enum table_tint tint);

/* Terminal cells of a line where nothing is cut. */
guint table_width(const struct table *table);

/* Appends the table, two spaces between columns. Where it is wider than width the widest labels are cut, which "…"
 * shows: not below the header, and never so far that two different labels look the same. Where that is not enough,
 * labels become letters, which lines below the table explain. */
void table_print(const struct table *table, guint width, gboolean has_colour, GString *out);
/* Appends the table as GitHub and GitLab read it; nothing is cut. */
void table_markdown(const struct table *table, GString *out);

/* Terminal cells that a text takes: 2 for a wide character, 0 for one that combines. */
guint text_width(const char *text);
/* At most width cells of text: where that is not all of it the middle gives way to "…", since names mostly differ at an end. */
char *text_cut(const char *text, guint width);

/* Appends text in lines of at most width cells (longer only where a word is), the first one indented by so many spaces,
 * and the rest, and a newline. */
void text_wrap(const char *text, guint first, guint rest, guint width, GString *out);

#endif
