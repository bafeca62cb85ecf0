#include "cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_help.h"
#include "err.h"
#include "table.h"
#include "unit.h"

#define LINE_WIDTH 1000 /* columns: what goes beyond is text of the user's that a message quotes */

/* Lines keep their ends, and those that are too long lose of their middle; everything else that could steer a terminal
 * is made visible. */
static void print_error(const char *prefix, const char *message)
{
	g_auto(GStrv) lines = g_strsplit(message, "\n", -1);

	for (char **line = lines; *line; line++) {
		g_autofree char *whole = text_printable(*line), *printable = text_cut(whole, LINE_WIDTH);

		if (line == lines || **line)
			fprintf(stderr, "%s%s\n", line == lines ? prefix : "  ", printable);
	}
}

int cmd_fail(GError *error)
{
	int code = err_exit_code(error);

	print_error("vmstat-bench: ", error->message);
	g_error_free(error);
	return code;
}

void cmd_warn(const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list args;

	va_start(args, format);
	message = g_strdup_vprintf(format, args);
	va_end(args);
	print_error("vmstat-bench: warning: ", message);
}

int cmd_print(const GString *text)
{
	GError *error = NULL;

	if (fwrite(text->str, 1, text->len, stdout) == text->len && fflush(stdout) == 0)
		return EXIT_OK;
	err_errno(&error, errno, "cannot write to standard output");
	return cmd_fail(error);
}

const char *cmd_store_path(const char *option)
{
	const char *path = option ? option : g_getenv("VMSTAT_BENCH_STORE");

	return path && *path ? path : "vmstat-bench.db";
}

static void fail_options(const struct command *command, const GError *cause)
{
	GError *error = NULL;
	g_autofree char *message = g_strdup(cause->message);

	message[0] = g_ascii_tolower(message[0]);
	err_usage(&error, "%s: see 'vmstat-bench %s --help'", message, command->name);
	cmd_fail(error);
}

/* GOption leaves a "--" that came after an operand where it was. */
static void drop_separator(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++)
		if (g_str_equal(argv[i], "--")) {
			memmove(argv + i, argv + i + 1, (size_t)(*argc - i) * sizeof(*argv));
			(*argc)--;
			return;
		}
}

/* "" would stand for a file in the current directory that nobody has named. */
static gboolean check_store(const GOptionEntry *entries, GError **error)
{
	for (; entries->long_name; entries++)
		if (g_str_equal(entries->long_name, "store")) {
			const char *path = *(char *const *)entries->arg_data;

			return !path || *path || err_usage(error, "--store '' names no file");
		}
	return TRUE;
}

/* Who wants to see the options in place of their being parsed. */
static struct {
	void (*see)(const GOptionEntry *entries, const char *operands, void *data);
	void *data;
} inspector;

void cmd_inspect(const struct command *command,
		 void (*see)(const GOptionEntry *entries, const char *operands, void *data), void *data)
{
	g_autofree char *name = g_strdup(command->name);
	char *argv[] = {name, NULL};

	inspector.see = see;
	inspector.data = data;
	command->run(1, argv);
	inspector.see = NULL;
}

gboolean cmd_parse(const struct command *command, const char *operands, const char *description,
		   const GOptionEntry *entries, int *argc, char ***argv)
{
	gboolean wants_help = FALSE;
	const GOptionEntry help[] = {{"help", 'h', 0, G_OPTION_ARG_NONE, &wants_help, "Explain this command", NULL},
				     G_OPTION_ENTRY_NULL};
	g_autofree char *name = g_strdup_printf("vmstat-bench %s", command->name);
	g_autoptr(GOptionContext) context = NULL;
	g_autoptr(GError) error = NULL;

	if (inspector.see) {
		inspector.see(entries, operands, inspector.data);
		inspector.see(help, operands, inspector.data);
		return FALSE;
	}
	g_set_prgname(name);
	context = g_option_context_new(NULL);
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_add_main_entries(context, help, NULL);
	if (!g_option_context_parse(context, argc, argv, &error) || !check_store(entries, &error)) {
		fail_options(command, error);
		return FALSE;
	}
	if (wants_help) {
		const GOptionEntry *const tables[] = {entries, help, NULL};
		g_autoptr(GString) out = g_string_new(NULL);

		cmd_help(command, operands, description, tables, out);
		exit(cmd_print(out));
	}
	drop_separator(argc, *argv);
	return TRUE;
}

gboolean cmd_parse_confidence(const char *text, double *level, GError **error)
{
	g_autofree char *number = g_strdup(text);
	gboolean is_percent = g_str_has_suffix(number, "%");

	if (is_percent)
		number[strlen(number) - 1] = '\0';
	if (number_parse(number, level)) {
		if (is_percent || *level > 1)
			*level /= 100;
		if (*level > 0 && *level < 1)
			return TRUE;
	}
	return err_usage(error, "confidence '%s' is neither a fraction between 0 and 1 nor a percentage below 100",
			 text);
}

char **cmd_split_lists(char *const *values)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	if (!values)
		return NULL;
	for (; *values; values++) {
		g_auto(GStrv) parts = NULL;

		if (g_str_has_prefix(*values, "cmd:")) {
			g_ptr_array_add(names, g_strdup(*values));
			continue;
		}
		parts = g_strsplit(*values, ",", -1);
		for (char **part = parts; *part; part++)
			g_ptr_array_add(names, g_strdup(*part));
	}
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}
