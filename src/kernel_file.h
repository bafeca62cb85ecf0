#ifndef KERNEL_FILE_H
#define KERNEL_FILE_H

#include <glib.h>

/* The small text files of /proc and /sys that hold the kernel's settings. */

/* Opens the file at path below the directory root, where no component of path may be a symlink, "." or "..". -1 with
 * errno. */
int kernel_file_open(const char *root, const char *path, int flags);
/* All of the file without its final line end. NULL with errno; EFBIG above 64 KiB, EBADMSG where it holds NUL bytes. */
char *kernel_file_read(int fd);
/* The value and a line end, in one write(): what the kernel makes of it is to be read back. False with errno. */
gboolean kernel_file_write(int fd, const char *value);
/* Closes it and leaves errno as it is. -1: does nothing. */
void kernel_file_close(int fd);

/* The text with one blank for each run of white space, and none at its ends. */
char *kernel_value_canonical(const char *text);
/* Of "always [madvise] never" the one in brackets; NULL where none is. */
char *kernel_value_chosen(const char *text);
/* Whether both mean the same to the kernel: words as they are, numbers by their value ("0x10" is "16"; "010" is 8 in
 * some files, 10 in others, and both here). */
gboolean kernel_value_same(const char *a, const char *b);

#endif
