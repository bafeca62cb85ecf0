#ifndef MACHINE_H
#define MACHINE_H

#include <glib.h>

/* This machine as something that is rebooted. */

/* Whether systemd is its first process.   source: sd_booted(3) */
gboolean machine_has_systemd(void);

/* Whether this process can reboot it and have something go on afterwards; an error says why not. */
gboolean machine_check_reboot(GError **error);

/* An error where what lies at path is in memory only; what: "the store". */
gboolean machine_check_kept(const char *path, const char *what, GError **error);

/* The path of this program. NULL on error. */
char *machine_program(GError **error);

/* Whether the kernel's command line holds that word. */
gboolean machine_is_told(const char *word);

/* Waits until systemd has started all that it starts with a boot, some minutes at most. */
gboolean machine_rest(GError **error);

/* What makes this boot unfit for runs that are to begin one, for people (newly allocated); NULL: nothing. release: of
 * the kernel that it ought to have; NULL: any. */
char *machine_find_trouble(const char *release);

/* Writes all data back and has systemd reboot; verb: "reboot", "kexec". */
gboolean machine_reboot(const char *verb, GError **error);

#endif
