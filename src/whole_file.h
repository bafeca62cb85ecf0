#ifndef WHOLE_FILE_H
#define WHOLE_FILE_H

#include <glib.h>

/* Writes a file whole or not at all: made under another name beside path, flushed, renamed. */
gboolean whole_file_write(const char *path, const char *bytes, gsize length, GError **error);

/* All bytes to a descriptor that blocks, however many calls it takes. False with errno. */
gboolean whole_file_put(int fd, const char *bytes, gsize length);

#endif
