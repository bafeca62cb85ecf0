#ifndef BLOCK_H
#define BLOCK_H

#include <glib.h>

/* Whole blocks of files, whatever interrupts a call or makes it short. */

/* Bytes written at offset: size, or fewer with errno. */
gsize block_write(int fd, const unsigned char *data, gsize size, guint64 offset);

/* Bytes read at offset, or from where fd is if that is negative: size, or fewer at the end of the file. -1 with
 * errno. */
gssize block_read(int fd, unsigned char *data, gsize size, gint64 offset);

#endif
