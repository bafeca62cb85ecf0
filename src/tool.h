#ifndef TOOL_H
#define TOOL_H

#include <glib.h>

/* Programs of others: the system's own for administrators, mkfs.ext4, mkswap, and those that are run as workloads. */

/* The absolute path of one, from PATH or from where Debian keeps them, which need not be in it. NULL with an error that
 * names the Debian package where it is missing. */
char *tool_find(const char *program, const char *package, GError **error);

/* Runs argv, whose first is a path, in the directory behind dirfd and waits for it. An error says what it complained
 * of, or that a request to stop (exec.h) ended it. */
gboolean tool_run(char *const *argv, int dirfd, GError **error);

/* What a program, by its path, says of its version when it is given that argument: the first word of all it prints that
 * has a digit on both sides of a dot ("4.00", "fio-3.33"); newly allocated. NULL where there is none, or none within
 * five seconds. */
char *tool_version(const char *path, const char *argument, int dirfd);

#endif
