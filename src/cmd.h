#ifndef CMD_H
#define CMD_H

#include <glib.h>

/* A command of the program. A file cmd_*.c exports one; main.c has a row for each. */
struct command {
	const char *name;
	const char *summary; /* one line for the list of commands */
	int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns an exit code */
};

/* Parses options with a context made for the command; on false an error was printed. Operands remain in argv. */
gboolean cmd_parse(const struct command *command, const char *operands, const char *description,
                   const GOptionEntry *entries, int *argc, char ***argv);

/* Shows the options of a command, and its operands as in cmd_parse(), to see(), once or more; the command does nothing. */
void cmd_inspect(const struct command *command,
                 void (*see)(const GOptionEntry *entries, const char *operands, void *data), void *data);

/* Prints "vmstat-bench: <message>" to standard error and returns its exit code. */
int cmd_fail(GError *error);
/* "vmstat-bench: warning: ..." to standard error. */
void cmd_warn(const char *format, ...) G_GNUC_PRINTF(1, 2);
/* Writes to standard output; an error where it cannot (a full disk, a closed pipe). */
int cmd_print(const GString *text);

/* A level of confidence in (0,1) from "0.95", "95" or "95%"; a usage error else. */
gboolean cmd_parse_confidence(const char *text, double *level, GError **error);
/* The names of a repeatable option whose values may be comma lists, NULL for NULL. What begins with "cmd:" is one name,
 * commas and all. */
char **cmd_split_lists(char *const *values);

/* The names alone of what 'list WHAT' lists, one a line; those that a terminal cannot show are left out. */
gboolean cmd_list_names(const char *what, const char *store, GString *out, GError **error);

/* 'completion bash|zsh', which prints the shell's script, and 'completion words -- WORD...', which that asks what can
 * stand in place of the last word. commands: all, the first is the default, NULL at the end. */
int cmd_complete(const struct command *const *commands, int argc, char **argv);

/* The store's path: the option's, else $VMSTAT_BENCH_STORE, else vmstat-bench.db. */
const char *cmd_store_path(const char *option);

#endif
