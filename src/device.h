#ifndef DEVICE_H
#define DEVICE_H

#include <glib.h>
#include <sys/types.h>

/* The block device behind a directory, and what that one is made of. Disks are named as in /sys/block: "vda". */

/* The device that the directory's filesystem lies on; for one whose device number is of no device (btrfs, overlay) that
 * of the mount's source. 0 where there is none: tmpfs, NFS. */
dev_t device_of_directory(int dirfd);

/* The type of the directory's filesystem, as "tmpfs"; newly allocated, "unknown" where /proc does not tell. */
char *device_filesystem(int dirfd);

/* Whether a mount option has what is written in the directory compressed on its way to the device (btrfs). dirfd -1:
 * whether any mount has it. */
gboolean device_is_compressed(int dirfd);

/* The whole disk that the device is or is a part of; newly allocated, NULL where there is none. */
char *device_disk(dev_t device);

/* The disks at the bottom of a filesystem on the device, where data come to rest: all devices of a btrfs, and down
 * through dm and md (their slaves) and loop (its backing file). Newly allocated, ends with NULL; empty where there is
 * none. */
char **device_bottoms(dev_t device);

/* All disks of the machine that are made of no other device, no file and no memory. Newly allocated, ends with NULL. */
char **device_disks(void);

#endif
