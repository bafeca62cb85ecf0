#ifndef LOOP_H
#define LOOP_H

#include <glib.h>

/* Attaches the file to a free loop device, by direct I/O where its filesystem takes that, so that its pages are not
 * cached twice. Returns a descriptor of the device, open for reading, and its path in *device (newly allocated): the
 * device detaches itself once nobody has it open or mounted. -1 on error. path: of the file, for people. */
int loop_attach(int file_fd, const char *path, char **device, GError **error);

#endif
