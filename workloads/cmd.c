#include <string.h>

#include "../src/err.h"
#include "workload.h"

/* What makes a command the shell's business: its special characters anywhere, or one of its own words in front. */
static const char shell_characters[] = "\\\"'`$|&;<>()*?[]{}#~!\n";
static const char *const shell_words[] = {":",        ".",       "alias", "bg",    "break",  "case",  "cd",
					  "continue", "eval",    "exec",  "exit",  "export", "fc",    "fg",
					  "for",      "getopts", "hash",  "if",    "jobs",   "read",  "readonly",
					  "return",   "set",     "shift", "times", "trap",   "type",  "ulimit",
					  "umask",    "unalias", "unset", "until", "wait",   "while", NULL};

static gboolean needs_shell(const char *command, char *const *words)
{
	return strpbrk(command, shell_characters) || strchr(words[0], '=') || g_strv_contains(shell_words, words[0]);
}

/* The words between blanks; at least one, or NULL. */
static char **split_words(const char *command)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_auto(GStrv) pieces = g_strsplit_set(command, " \t", -1);

	for (char **piece = pieces; *piece; piece++) {
		if (**piece)
			g_ptr_array_add(words, g_strdup(*piece));
	}
	if (words->len == 0)
		return NULL;
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_steal(words, NULL);
}

static char **shell_argv(const char *command)
{
	char **argv = g_new0(char *, 4);

	argv[0] = g_strdup("/bin/sh");
	argv[1] = g_strdup("-c");
	argv[2] = g_strdup(command);
	return argv;
}

static gboolean cmd_resolve(struct workload_config *config, GError **error)
{
	const char *command = workload_option_value(config, "command")->text;
	g_auto(GStrv) words = split_words(command);
	g_autofree char *program = NULL;

	if (!words)
		return err_usage(error, "option 'command' has no value");
	g_clear_pointer(&config->argv, g_strfreev);
	if (needs_shell(command, words)) {
		config->argv = shell_argv(command);
		return TRUE;
	}
	program = g_find_program_in_path(words[0]);
	if (!program)
		return strchr(words[0], '/') ? err_usage(error, "command '%s' is no executable file", words[0])
					     : err_usage(error, "command '%s' not found in PATH", words[0]);
	g_free(words[0]);
	words[0] = g_canonicalize_filename(program, NULL);
	config->argv = g_steal_pointer(&words);
	return TRUE;
}

static char *const *cmd_argv(const struct workload_config *config)
{
	return config->argv;
}

static const struct workload_option cmd_options[] = {
    {"command", OPTION_TEXT, NULL, "plain words are run directly, anything with shell syntax by /bin/sh -c"},
    {.name = NULL}};

const struct workload workload_cmd = {
    .name = "cmd",
    .summary = "any command, cmd:COMMAND; wall time, or values from its output (--metric)",
    .options = cmd_options,
    .whole = "command",
    .primary = "elapsed",
    .resolve = cmd_resolve,
    .argv = cmd_argv,
    .here = TRUE,
};
