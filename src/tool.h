#ifndef TOOL_H
#define TOOL_H

#include <glib.h>

/* The system's own programs for administrators: mkfs.ext4, mkswap. */

/* The absolute path of one, from PATH or from where Debian keeps them, which need not be in it. NULL with an error that
 * names the Debian package where it is missing. */
char *tool_find(const char *program, const char *package, GError **error);

/* Runs argv, whose first is a path, in the directory behind dirfd and waits for it. An error says what it complained
 * of, or that a request to stop (exec.h) ended it. */
gboolean tool_run(char *const *argv, int dirfd, GError **error);

#endif
