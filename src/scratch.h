#ifndef SCRATCH_H
#define SCRATCH_H

#include <dirent.h>
#include <glib.h>
#include <sys/types.h>

/* The private subdirectory in which workloads run. While it is open it holds a lock, so that the next start can tell one
 * that a killed run left behind and remove it. */
struct scratch {
	int parent_fd, fd; /* the directory given; the private one */
	char *name;        /* of the private one, in the directory given */
	DIR *entries;      /* of the private one: kept, since it is looked through after each run */
	dev_t device;
};

/* Removes what killed runs left in dir and makes a new empty directory there. Errors name dir. */
gboolean scratch_open(const char *dir, struct scratch *scratch, GError **error);

/* Removes everything in it, following no symlink and crossing no mount. */
gboolean scratch_empty(const struct scratch *scratch, GError **error);

/* Empties and removes it; the struct is then closed. */
gboolean scratch_remove(struct scratch *scratch, GError **error);

#endif
