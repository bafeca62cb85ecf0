#ifndef GUEST_KIT_H
#define GUEST_KIT_H

#include <glib.h>

struct sitting;

/* What a virtual machine for a plan needs of this one: programs, files, modules of the kernel. */

/* The initramfs of every kernel of the sitting, in their order: paths (char *). NULL on error: a program, a file or a
 * module that is not there. */
GPtrArray *guest_kit_make(const struct sitting *sitting, GError **error);

/* The options of the sitting as guests are to read them: kernels by name. */
char *guest_kit_options(const struct sitting *sitting);

#endif
