#ifndef SCRATCH_H
#define SCRATCH_H

#include <glib.h>

/* The private directory of one invocation: of this user, and nobody else may look into it. While it is open it holds a
 * lock, so that the next start can tell one that a killed run left behind and remove it. */
struct scratch {
	int parent_fd, fd; /* the directory given; the private one */
	char *name;        /* of the private one: "vmstat-bench.0123456789abcdef" */
	char *path;        /* absolute, without symlinks */
};

/* Removes what killed runs left in dir and makes a new empty directory there. Errors name dir. */
gboolean scratch_open(const char *dir, struct scratch *scratch, GError **error);

/* Only removes what killed runs left in dir, going on after failures: the first is the error. Appends the path of each
 * (char *, newly allocated). Nothing where there is no dir. */
gboolean scratch_remove_stale(const char *dir, GPtrArray *removed, GError **error);

/* An error that says how much there is where it has no room for so much; what: "an image". */
gboolean scratch_check_room(const struct scratch *scratch, guint64 bytes, const char *what, GError **error);

/* A new file in it, of zeros, as long as so many bytes and with none of them on the disk yet; one of that name is removed
 * first. Its descriptor, -1 on error. */
int scratch_make_file(const struct scratch *scratch, const char *name, guint64 bytes, GError **error);

/* Removes everything in it, as tree.h says. */
gboolean scratch_empty(const struct scratch *scratch, GError **error);

/* Takes a swap file in it out of use, empties and removes it; the struct is then closed. */
gboolean scratch_remove(struct scratch *scratch, GError **error);

/* Only closes it. */
void scratch_close(struct scratch *scratch);

/* Whether it is the name of a private directory. */
gboolean scratch_is_name(const char *name);

/* Finds the one that a killed run left at that absolute path, to be closed in any case. Where there is none it is true
 * and scratch->fd is -1; *left (newly allocated, or NULL) then says what is there instead. */
gboolean scratch_find(const char *path, struct scratch *scratch, char **left, GError **error);

/* Removes one so found as scratch_remove() does, unless a process holds its lock. */
gboolean scratch_remove_found(struct scratch *scratch, GError **error);

#endif
