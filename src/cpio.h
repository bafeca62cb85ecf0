#ifndef CPIO_H
#define CPIO_H

#include <glib.h>
#include <stdio.h>
#include <sys/types.h>

/* An archive as the kernel unpacks it at boot ("newc").
 * source: Documentation/driver-api/early-userspace/buffer-format.rst of Linux */

struct cpio_member {
	const char *path; /* absolute: "/usr/bin/x"; what is above it must have come before */
	mode_t mode;      /* type and permissions; the owner is root */
	dev_t device;     /* of a device node */
	guint32 time_s;   /* of the last change, since 1970 */
	guint32 size;     /* of what follows: a file's contents, or where a symlink leads */
};

/* Each writes to file, whose error state tells in the end whether it went well. number: another one for each member. After
 * cpio_begin() member->size bytes must be written, and then cpio_pad() called with that size. */
void cpio_begin(FILE *file, const struct cpio_member *member, guint32 number);
void cpio_pad(FILE *file, guint32 size);
void cpio_end(FILE *file);

#endif
