#ifndef DOCTOR_VOLUME_H
#define DOCTOR_VOLUME_H

#include <glib.h>

/* The filesystem behind a directory and what it lies on. */
struct volume {
	char *type, *source, *target, *options; /* as mounted; NULL where the kernel does not say */
	gboolean is_readonly;
	guint64 total_bytes; /* 0: it does not say */
	guint64 free_bytes;  /* for this user */
	guint64 used_bytes;
	char *device; /* the block device, as "dm-0" (not the partition); NULL: there is none */
	char **disks; /* those at its bottom, as "vda"; ends with NULL */
};

/* False where the directory behind dirfd cannot be looked at: errno. */
gboolean volume_of_directory(struct volume *volume, int dirfd);
void volume_clear(struct volume *volume);

#endif
