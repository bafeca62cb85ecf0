#ifndef DOCTOR_FILE_H
#define DOCTOR_FILE_H

#include <glib.h>

struct doctor;

/* Files below the root of what is looked at; a path is printed from a format and has no '/' in front. Nothing here is
 * an error: what cannot be read is not there. */

/* All of the file, without the white space at its end and at most a mebibyte of it; NULL where it cannot be read. */
char *file_text(const struct doctor *doctor, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The same of a file that gzip has compressed. */
char *file_gunzip(const struct doctor *doctor, const char *path);
/* Whether the file holds a whole number and nothing else. */
gboolean file_number(const struct doctor *doctor, gint64 *value, const char *format, ...) G_GNUC_PRINTF(3, 4);
gboolean file_exists(const struct doctor *doctor, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* What the symbolic link holds, newly allocated. */
char *file_link(const struct doctor *doctor, const char *path);
/* The names in the directory that begin with prefix, sorted, without hidden ones. Ends with NULL; empty where there are
 * none. */
char **file_names(const struct doctor *doctor, const char *path, const char *prefix);

/* The number behind the key that a line of the text begins with: "MemTotal:  16 kB", "nr_dirty 3". */
gboolean text_number(const char *text, const char *key, guint64 *value);
/* Of choices "always [madvise] never" the one in brackets, or all of it; newly allocated. */
char *text_choice(const char *text);
/* Whether a line of the text is that one. */
gboolean text_has_line(const char *text, const char *line);
/* How many numbers a list like "0-3,8" holds. */
guint text_list_count(const char *list);

/* "256 MiB", newly allocated. */
char *text_size(guint64 bytes);
/* Adds an item to a list that is text: "a, b". */
void text_list_add(GString *list, const char *item);

#endif
