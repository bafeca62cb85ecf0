#ifndef PLACE_H
#define PLACE_H

#include <dirent.h>
#include <glib.h>

#include "scratch.h"

struct store;
struct undo;

/* Where runs take place: an empty directory, either in the private one on --dir, or on a filesystem made for it on an
 * image in there or on a device given. */

struct place_options {
	const char *dir;     /* holds the private directory */
	guint64 image_bytes; /* --image; 0: none */
	const char *device;  /* --device; NULL: none */
};

struct place {
	struct scratch scratch; /* the private directory, for what lies beside the runs: image, swap file */
	int dirfd;              /* the directory of the runs; -1 while there is no filesystem to hold it */
	char *path;             /* of it, absolute, the same for all runs */
	char *device;           /* of the own filesystem: "/dev/loop0"; NULL: on --dir */
	char *fs;               /* what is on the device: "ext4+noatime"; NULL: nothing yet */
	gboolean is_stale;      /* make it anew before the next run */
	DIR *entries;           /* of the directory of the runs: kept, since it is looked through after each of them */
	int device_fd; /* of the device, so that its name stays its own; a loop device lives as long as it is open */
	struct store *store; /* has undo */
	struct undo *undo;   /* removes an image; NULL: there is none */
};

/* Opens the private directory, attaches the image or checks the device: all that can be found wrong before anything is
 * destroyed is found here. With a filesystem of its own the process moves to a mount namespace of its own, where it
 * stays, so that mount and loop device end with it, however it ends. store takes what outlives it. Nothing is left
 * where it fails, and closing the place then does nothing. */
gboolean place_open(struct place *place, const struct place_options *options, struct store *store, GError **error);

/* Whether fs ("xfs", "ext4+noatime+data=journal") names a filesystem that can be made; a usage error else. */
gboolean place_check_fs(const char *fs, GError **error);
/* What making and mounting it takes. Static strings. */
struct place_fs_needs {
	const char *program, *package; /* and the Debian package that has it */
	const char *module;            /* of the kernel */
	guint64 smallest_bytes;        /* of the device */
};
gboolean place_fs_find_needs(const char *fs, struct place_fs_needs *needs, GError **error);
/* Whether it can be made here: its program is installed, and the device is large enough. */
gboolean place_check_make(const struct place *place, const char *fs, GError **error);
/* Makes and mounts it, with an empty directory for runs; the one before is gone. Always mounted with nosuid and nodev.
 * An error where the kernel shows other options than those asked for, and where a request to stop (exec.h) came
 * meanwhile. */
gboolean place_make(struct place *place, const char *fs, GError **error);
/* Unmounts and mounts it again, as it was; its metadata are not cached then. */
gboolean place_remount(struct place *place, GError **error);

/* Removes what a run left, following no symlink and crossing no mount. */
gboolean place_empty(struct place *place, GError **error);
/* Takes all of it away. */
gboolean place_close(struct place *place, GError **error);

#endif
