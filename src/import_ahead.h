#ifndef IMPORT_AHEAD_H
#define IMPORT_AHEAD_H

#include <glib.h>

struct dataset;

/* Large files, read in threads of their own before they are asked for. */
struct import_ahead;

/* Starts with as many of the large files among the paths (ends with NULL; some may be no files) as there are
 * processors: none where there is but one of these. */
struct import_ahead *import_ahead_new(char *const *paths);
void import_ahead_free(struct import_ahead *ahead);

/* What import_file() gives for the path, read already or now. */
struct dataset *import_ahead_take(struct import_ahead *ahead, const char *path, GError **error);

#endif
