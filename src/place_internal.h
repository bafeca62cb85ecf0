#ifndef PLACE_INTERNAL_H
#define PLACE_INTERNAL_H

#include "place.h"

/* What the place*.c files share. */

#define PLACE_RUNS "run"  /* the directory of the runs, in the private one or on the own filesystem */
#define PLACE_MOUNT "mnt" /* where the own filesystem is mounted, in the private directory */

/* Opens the directory of the runs, made where it is missing, in the directory behind parent_fd. */
gboolean place_open_runs(struct place *place, int parent_fd, GError **error);
void place_close_runs(struct place *place);

/* Closes the directory of the runs and unmounts the own filesystem, where it is mounted. */
gboolean place_unmount(struct place *place, GError **error);
/* Takes it out of sight while processes still use it; it is unmounted when they end. */
void place_abandon(struct place *place);

/* Opens a block device that nobody uses. Returns its descriptor, open for reading, and its path without symlinks in
 * *device (newly allocated). -1 on error, which says who uses it. */
int place_claim_device(const char *path, char **device, GError **error);

#endif
