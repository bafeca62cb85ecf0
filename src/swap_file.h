#ifndef SWAP_FILE_H
#define SWAP_FILE_H

#include <glib.h>

struct scratch;

/* A swap file in a private directory, named "swap". */
#define SWAP_FILE "swap"

/* An error where the directory's filesystem is one that holds no swap file. Of others it is found only by trying. */
gboolean swap_file_check(const struct scratch *scratch, GError **error);

/* Makes one of so many bytes and has the kernel swap to it before it does to any other. *kib: what it has room for. */
gboolean swap_file_on(const struct scratch *scratch, guint64 bytes, guint64 *kib, GError **error);

/* Takes the swap file in the directory out of use and removes it; does nothing where there is none. */
gboolean swap_file_off(int dirfd, GError **error);

/* The swap that is on, as "/dev/sda2, /dev/zram0", for people; newly allocated, "" where none is. */
gboolean swap_in_use(char **names, GError **error);

#endif
