#include "cmd.h"

#include <string.h>

#include "../workloads/workload.h"
#include "cmd_complete_scripts.h"
#include "err.h"

/* What can stand in place of the last word of a command line. Nothing is known here of the commands: their options and
 * operands are those that --help shows, and what these may be is what 'list' lists. */
struct completion {
	GArray *options;   /* GOptionEntry of the command */
	char *operands;    /* as its help names them; NULL: none */
	const char *store; /* given before; NULL: not */
	const char *what;  /* the shell is to complete: words, files or directories */
	GString *fixed;    /* what stands before in the same word: "--reset=", "dd1," */
	const char *typed; /* and what is to be completed */
	GString *words;    /* those that can stand there, one a line */
};

/* What the value of an option is: of any option, or of the one, whose value has this name in the help. */
static const struct value {
	const char *option, *name;
	const char *what; /* files, directories or what 'list' knows */
	gboolean is_list; /* commas may join several */
} values[] = {
    {NULL, "FILE", "files", FALSE},
    {NULL, "DEV", "files", FALSE},
    {NULL, "DIR", "directories", FALSE},
    {NULL, "POLICY", "resets", FALSE},
    {NULL, "M", "metrics", TRUE},
    {NULL, "W", "workloads", TRUE},
    {NULL, "NAME=LEVEL", "settings", FALSE},
    {NULL, "NAME=L1,L2", "settings", FALSE},
    {"workload", "SPEC", "workloads", TRUE},
    {"probe", "SPEC", "probes", TRUE},
    {"label", "NAME", "labels", FALSE},
    {"as", "FORMAT", "formats", FALSE},
};

static void offer(struct completion *completion, const char *word)
{
	if (g_str_has_prefix(word, completion->typed))
		g_string_append_printf(completion->words, "%s%s\n", completion->fixed->str, word);
}

/* Without a store, or with one that cannot be read, nothing is offered: this is no place for an error. */
static void offer_list(struct completion *completion, const char *what)
{
	g_autoptr(GString) names = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;

	if (!cmd_list_names(what, completion->store, names, NULL))
		return;
	lines = g_strsplit(names->str, "\n", -1);
	for (char **line = lines; *line; line++)
		/* what begins with '-' would be an option */
		if (**line && **line != '-')
			offer(completion, *line);
}

/* Moves all up to the last such character from what is typed to what is fixed. */
static gboolean fix_until(struct completion *completion, char separator)
{
	const char *last = strrchr(completion->typed, separator);

	if (!last)
		return FALSE;
	g_string_append_len(completion->fixed, completion->typed, last + 1 - completion->typed);
	completion->typed = last + 1;
	return TRUE;
}

/* Behind "NAME:" or "NAME:option=value:". */
static void offer_workload_options(struct completion *completion)
{
	g_autofree char *name = g_strndup(completion->typed, strcspn(completion->typed, ":"));
	const struct workload *workload = workload_find(name);

	fix_until(completion, ':');
	for (const struct workload_option *option = workload ? workload->options : NULL; option && option->name;
	     option++) {
		g_autofree char *word = g_strconcat(option->name, "=", NULL);

		if (!workload->whole)
			offer(completion, word);
	}
}

static void complete_value(struct completion *completion, const GOptionEntry *option)
{
	const struct value *value = values, *end = values + G_N_ELEMENTS(values);

	completion->what = "words";
	while (value < end && (!g_str_equal(value->name, option->arg_description) ||
			       (value->option && !g_str_equal(value->option, option->long_name))))
		value++;
	if (value == end)
		return;
	if (g_str_equal(value->what, "files") || g_str_equal(value->what, "directories")) {
		completion->what = value->what;
		return;
	}
	if (value->is_list && !g_str_has_prefix(completion->typed, "cmd:"))
		fix_until(completion, ',');
	if (g_str_equal(value->what, "workloads") && strchr(completion->typed, ':'))
		offer_workload_options(completion);
	else
		offer_list(completion, value->what);
}

static void complete_operand(struct completion *completion, guint operand)
{
	const char *operands = completion->operands ? completion->operands : "";

	if (g_ascii_islower(*operands) && strchr(operands, '|')) {
		g_auto(GStrv) words = g_strsplit(operands, "|", -1);

		for (char **word = words; operand == 0 && *word; word++)
			offer(completion, *word);
	} else if (g_str_has_prefix(operands, "CHART") && operand == 0) {
		offer_list(completion, "charts");
	} else if (strstr(operands, "OPERAND") || strstr(operands, "OTHER")) {
		offer_list(completion, "labels");
		completion->what = "files";
	} else if (g_str_has_prefix(operands, "FILE")) {
		completion->what = "files";
	}
}

static void offer_option_names(struct completion *completion)
{
	for (guint i = 0; i < completion->options->len; i++) {
		g_autofree char *word =
		    g_strconcat("--", g_array_index(completion->options, GOptionEntry, i).long_name, NULL);

		offer(completion, word);
	}
}

/* The option that the word gives, as --name, --name=value, -x or -xvalue; *value is behind its name. NULL: none. */
static const GOptionEntry *find_option(const struct completion *completion, const char *word, const char **value)
{
	for (guint i = 0; i < completion->options->len; i++) {
		const GOptionEntry *option = &g_array_index(completion->options, GOptionEntry, i);
		gsize length = strlen(option->long_name);

		if (g_str_has_prefix(word, "--")) {
			if (strncmp(word + 2, option->long_name, length) != 0)
				continue;
			*value = word + 2 + length;
			if (**value == '=' || **value == '\0')
				return option;
		} else if (*word == '-' && option->short_name && word[1] == option->short_name) {
			*value = word + 2;
			return option;
		}
	}
	return NULL;
}

static void see_options(const GOptionEntry *entries, const char *operands, void *data)
{
	struct completion *completion = data;

	g_free(completion->operands);
	completion->operands = g_strdup(operands);
	for (; entries->long_name; entries++)
		if (!(entries->flags & G_OPTION_FLAG_HIDDEN))
			g_array_append_val(completion->options, *entries);
}

/* words[n]: behind the command's name, the last is to be completed */
static void complete_words(struct completion *completion, char *const *words, guint n)
{
	const char *last = words[n - 1], *value = NULL;
	const GOptionEntry *option = NULL; /* that waits for its value */
	gboolean is_separated = FALSE;
	guint operand = 0;

	for (guint i = 0; i + 1 < n; i++) {
		const GOptionEntry *before = option;

		if (before && g_str_equal(before->long_name, "store"))
			completion->store = words[i];
		option = before || is_separated ? NULL : find_option(completion, words[i], &value);
		if (option && *value == '=' && g_str_equal(option->long_name, "store"))
			completion->store = value + 1;
		if (option && (*value || option->arg == G_OPTION_ARG_NONE))
			option = NULL;
		else if (!before && !option)
			operand += is_separated || *words[i] != '-';
		is_separated |= !before && g_str_equal(words[i], "--");
	}
	completion->typed = last;
	if (option) {
		complete_value(completion, option);
	} else if (*last == '-' && !is_separated) {
		option = find_option(completion, last, &value);
		if (!option || !*value || option->arg == G_OPTION_ARG_NONE) {
			offer_option_names(completion);
			return;
		}
		completion->typed = value + (*value == '=');
		g_string_append_len(completion->fixed, last, completion->typed - last);
		complete_value(completion, option);
	} else {
		complete_operand(completion, operand);
	}
}

/* A word of the command line as the shell would pass it on; a quotation may be open. */
static char *unquote(const char *word)
{
	const char *const ends[] = {"", "'", "\""};

	for (guint i = 0; i < G_N_ELEMENTS(ends); i++) {
		g_autofree char *closed = g_strconcat(word, ends[i], NULL);
		char *plain = g_shell_unquote(closed, NULL);

		if (plain)
			return plain;
	}
	return g_strdup(word);
}

static const struct command *find_command(const struct command *const *commands, const char *name)
{
	while (*commands && !g_str_equal((*commands)->name, name))
		commands++;
	return *commands;
}

static int print_words(const struct command *const *commands, char *const *words, guint n)
{
	struct completion completion = {.options = g_array_new(FALSE, FALSE, sizeof(GOptionEntry)),
					.what = "words",
					.fixed = g_string_new(NULL),
					.typed = words[0],
					.words = g_string_new(NULL)};
	const struct command *command = n > 1 ? find_command(commands, words[0]) : NULL;
	int status;

	if (n == 1) {
		for (guint i = 0; commands[i]; i++)
			offer(&completion, commands[i]->name);
		offer(&completion, "--version");
	}
	if (command) {
		words++;
		n--;
	} else if (*words[0] == '-') {
		command = commands[0];
	}
	if (command) {
		cmd_inspect(command, see_options, &completion);
		complete_words(&completion, words, n);
	}
	g_string_prepend_c(completion.words, '\n');
	g_string_prepend(completion.words, completion.what);
	status = cmd_print(completion.words);
	g_array_unref(completion.options);
	g_free(completion.operands);
	g_string_free(completion.fixed, TRUE);
	g_string_free(completion.words, TRUE);
	return status;
}

int cmd_complete(const struct command *const *commands, int argc, char **argv)
{
	GError *error = NULL;

	for (const struct completion_script *script = completion_scripts; script->shell; script++)
		if (argc == 2 && g_str_equal(argv[1], script->shell)) {
			g_autoptr(GString) text = g_string_new(script->text);

			return cmd_print(text);
		}
	if (argc > 3 && g_str_equal(argv[1], "words") && g_str_equal(argv[2], "--")) {
		g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);

		for (int i = 3; i < argc; i++)
			g_ptr_array_add(words, unquote(argv[i]));
		return print_words(commands, (char **)words->pdata, words->len);
	}
	err_usage(&error, "completion of what? one of bash, zsh");
	return cmd_fail(error);
}
