#ifndef MODULE_FILE_H
#define MODULE_FILE_H

#include <glib.h>

/* A kernel module's file: an ELF object that may be compressed. */

/* The object in the file at path: as it is (.ko), or unpacked (.ko.gz, .ko.xz, .ko.zst). NULL with an error that names
 * the file. */
GBytes *module_file_read(const char *path, GError **error);

/* What the module says of itself under that key ("depends", "softdep", "alias"), a value each time that it says it
 * (char *, newly allocated, in the order of the file). NULL where it is no module of a 64-bit kernel.
 * source: include/linux/moduleparam.h of Linux, MODULE_INFO: strings "key=value" in the section .modinfo */
GPtrArray *module_file_info(GBytes *module, const char *key);

#endif
