#ifndef WHOLE_FILE_H
#define WHOLE_FILE_H

#include <glib.h>

/* Writes a file whole or not at all: made under another name beside path, flushed, renamed. */
gboolean whole_file_write(const char *path, const char *bytes, gsize length, GError **error);

#endif
