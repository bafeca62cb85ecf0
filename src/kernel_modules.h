#ifndef KERNEL_MODULES_H
#define KERNEL_MODULES_H

#include <glib.h>

/* A kernel that is not the running one: its image, and where its modules are. */
struct kernel {
	char *image;       /* as given */
	char *version;     /* as uname -r will say: "6.1.0-57-cloud-amd64" */
	char *modules_dir; /* absolute: ".../lib/modules/6.1.0-57-cloud-amd64" */
};

/* Reads the version from the image (a bzImage for x86) and finds the modules: in lib/modules or usr/lib/modules beside
 * the image or beside its directory (DIR/boot/vmlinuz), in the image's own directory, or in the tree where it was built.
 * Errors name what is missing and all places where it was looked for. kernel_clear() is allowed after a failure. */
gboolean kernel_open(const char *image, struct kernel *kernel, GError **error);
void kernel_clear(struct kernel *kernel);

/* Appends the files (char *, newly allocated) of the modules wanted (names, NULL at the end; '-' is '_') and of all that
 * they depend on, in an order in which they can be loaded, each once. Nothing for what is built into the kernel.
 * Soft dependencies that the kernel has come along; one of them may refuse to load with ENODEV, where it is code for an
 * instruction that the processor lacks. Nothing is written and no depmod needs to have been run: modules say themselves
 * what they depend on. An error where the kernel lacks a module, or one is damaged. */
gboolean kernel_modules_resolve(const struct kernel *kernel, const char *const *wanted, GPtrArray *paths, GError **error);

#endif
