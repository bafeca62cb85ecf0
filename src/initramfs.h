#ifndef INITRAMFS_H
#define INITRAMFS_H

#include <glib.h>

/* The archive that a guest's kernel unpacks as its first filesystem. Everything has the path in it that it has here, with
 * the symlinks that lead there; and there are
 *   /usr/bin/vmstat-bench  this program, and /init, which is a symlink to it
 *   /modules/NAME.ko       the kernel's modules, unpacked, and /modules/order, their paths in load order, one a line
 *   /dev/console /etc/passwd /etc/group, and the empty directories /proc /sys /run /tmp /mnt /root */
struct initramfs_arg {
	const char *const *programs; /* absolute paths, NULL at the end: they come with their libraries */
	const char *const *files;    /* absolute paths, NULL at the end: they come alone */
	const GPtrArray *modules;    /* of kernel_modules_resolve() */
};

/* The path (newly allocated) of the archive, in the directory vmstat-bench of the user's cache. Made anew where anything
 * that would be in it has changed; it appears there whole or not at all, and those not used for longest are removed. */
char *initramfs_make(const struct initramfs_arg *arg, GError **error);

#endif
