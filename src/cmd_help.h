#ifndef CMD_HELP_H
#define CMD_HELP_H

#include <glib.h>

struct command;

/* Appends the help of a command, as wide as the terminal, 80 to 100 columns; GLib's own has lines as long as they come.
 * entries: tables of options, NULL at the end. operands may be NULL. */
void cmd_help(const struct command *command, const char *operands, const char *description,
	      const GOptionEntry *const *entries, GString *out);

#endif
