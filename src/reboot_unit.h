#ifndef REBOOT_UNIT_H
#define REBOOT_UNIT_H

#include <glib.h>

struct undo_kind;

/* The systemd unit that goes on with a plan after each boot. */

#define REBOOT_UNIT "vmstat-bench-reboot.service"

struct reboot_unit {
	const char *program;   /* absolute path of this program */
	const char *store;     /* and of the store */
	const char *dir;       /* and of the directory under test */
	const char *uid, *gid; /* whom root acts for, in digits; NULL: itself */
};

/* The unit's file.   source: systemd.unit(5), systemd.service(5), systemd.syntax(7) of systemd 252 */
char *reboot_unit_text(const struct reboot_unit *unit);

/* The path of the unit's file. */
char *reboot_unit_path(void);
/* Whether it is there: a plan of this machine goes on with it. */
gboolean reboot_unit_is_there(void);

/* Writes the unit's file, durably, and has it started with every boot. An error where there is one already, and nothing
 * is left then. */
gboolean reboot_unit_install(const char *text, GError **error);

/* What tells a unit's text from others, for the undo. */
char *reboot_unit_mark(const char *text);

/* Removes it. */
extern const struct undo_kind undo_unit;

/* For tests: the directory of the units, "/etc/systemd/system" else. */
void reboot_unit_move(const char *directory);

#endif
