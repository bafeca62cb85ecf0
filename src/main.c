#include <gsl/gsl_errno.h>
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "err.h"
#include "version.h"

extern const struct command cmd_run, cmd_resume, cmd_show, cmd_compare, cmd_effects, cmd_power, cmd_trend, cmd_plot,
    cmd_report, cmd_import, cmd_export, cmd_list, cmd_doctor, cmd_calibrate, cmd_selftest, cmd_restore;

/* The commands in the order of the help; the first is the default. */
static const struct command *const commands[] = {
    &cmd_run,    &cmd_resume, &cmd_show, &cmd_compare, &cmd_effects,   &cmd_power,    &cmd_trend,   &cmd_plot,
    &cmd_report, &cmd_import, &cmd_export, &cmd_list, &cmd_doctor,  &cmd_calibrate, &cmd_selftest, &cmd_restore, NULL,
};

static int print_help(void)
{
	g_autoptr(GString) text = g_string_new("Usage: vmstat-bench [COMMAND] [OPTION...] [OPERAND...]\n\n"
	                                       "Repeats benchmark runs under controlled conditions and tells whether a\n"
	                                       "difference is real.\n\nCommands (the default is run):\n");

	for (guint i = 0; commands[i]; i++)
		g_string_append_printf(text, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
	g_string_append(text, "\n'vmstat-bench COMMAND --help' explains a command. Exit codes: 0 ok, 1 a gate\n"
	                      "asked for with --fail-on failed, 2 wrong usage or input, 3 failure, 4 some runs\n"
	                      "failed, 130 interrupted.\n");
	return cmd_print(text);
}

/* Not in the help: no person calls it. */
extern const struct command cmd_guest;

int main(int argc, char **argv)
{
	setlocale(LC_CTYPE, "");
	gsl_set_error_handler_off();
	/* What a million runs needed for a moment goes back to the system at once. */
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	if (argc > 1 && g_str_equal(argv[1], "--version")) {
		g_autoptr(GString) text = g_string_new("vmstat-bench " VERSION "\n");

		return cmd_print(text);
	}
	if (argc > 1 && (g_str_equal(argv[1], "--help") || g_str_equal(argv[1], "-h") || g_str_equal(argv[1], "help")))
		return print_help();
	for (guint i = 0; argc > 1 && commands[i]; i++)
		if (g_str_equal(argv[1], commands[i]->name))
			return commands[i]->run(argc - 1, argv + 1);
	if (argc > 1 && g_str_equal(argv[1], cmd_guest.name))
		return cmd_guest.run(argc - 1, argv + 1);
	if (argc > 1 && g_str_equal(argv[1], "completion"))
		return cmd_complete(commands, argc - 1, argv + 1);
	if (argc > 1 && argv[1][0] != '-') {
		GError *error = NULL;

		err_usage(&error, "no command '%s': see 'vmstat-bench --help'", argv[1]);
		return cmd_fail(error);
	}
	return cmd_run.run(argc, argv);
}
