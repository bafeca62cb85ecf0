#include "import_log.h"

#include <string.h>

/* What people write around the output: the commands, with their prompts, and headings. */

#define HEADING_MAX 100 /* bytes: what is longer is a sentence */

static char **split(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, " ", -1);
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();

	for (char **part = parts; *part; part++)
		if (**part)
			g_strv_builder_add(words, *part);
	return g_strv_builder_end(words);
}

static gboolean is_whole(const char *word)
{
	return *word && !word[strspn(word, "0123456789")];
}

/* The word behind an option, NULL where there is none. */
static const char *value_of(char *const *words, const char *name)
{
	for (; *words; words++)
		if (g_str_equal(*words, name))
			return words[1];
	return NULL;
}

/* dbench [options] PROCS: the options whose value is a number too are these two. */
static void read_dbench(struct log_command *command, char *const *words)
{
	for (guint i = 1; words[i]; i++)
		if (is_whole(words[i]) && !g_str_equal(words[i - 1], "-t") && !g_str_equal(words[i - 1], "-R")) {
			command->procs = g_strdup(words[i]);
			return;
		}
}

static void read_qsbench(struct log_command *command, char *const *words)
{
	command->procs = g_strdup(value_of(words, "-p"));
}

/* Its options make the test: it goes by its tag, else by its files' names. */
static void read_growfiles(struct log_command *command, char *const *words)
{
	const char *name = value_of(words, "-W");

	if (!name)
		name = value_of(words, "-f");
	if (!name) {
		while (words[1])
			words++;
		name = words[0];
	}
	g_free(command->workload);
	command->workload = g_path_get_basename(name);
	if (strlen(command->workload) > 1 && g_str_has_suffix(command->workload, "_"))
		command->workload[strlen(command->workload) - 1] = '\0';
}

static const struct {
	const char *program;
	const char *procs; /* its option for the number of processes; NULL: it has none */
	void (*read)(struct log_command *command, char *const *words); /* NULL: nothing but options */
} known_programs[] = {
    {"dbench", NULL, read_dbench},
    {"tbench", NULL, read_dbench},
    {"qsbench", "-p", read_qsbench},
    {"growfiles", NULL, read_growfiles},
    {"dd", NULL, NULL},
};

/* Options with the words behind them, and operands as dd's, but for the number of processes. */
static char *options_of(char *const *words, const char *procs)
{
	g_autoptr(GString) options = g_string_new(NULL);

	for (guint i = 1; words[i]; i++) {
		const char *before = i > 1 ? words[i - 1] : "", *option = *words[i] == '-' ? words[i] : before;

		if ((*option == '-' || strchr(words[i], '=')) && g_strcmp0(option, procs))
			g_string_append_printf(options, "%s%s", options->len ? " " : "", words[i]);
	}
	return options->len ? g_strdup(options->str) : NULL;
}

static int known_program(const char *program)
{
	for (gsize i = 0; i < G_N_ELEMENTS(known_programs); i++)
		if (g_str_equal(program, known_programs[i].program))
			return (int)i;
	return -1;
}

/* The command without what sends its output elsewhere. */
static char *without_redirection(const char *text)
{
	static const char *const ends[] = {" >", " 1>", " 2>", " &"};
	char *command = g_strdup(text);

	for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
		char *at = strstr(command, ends[i]);

		/* "a && b" is all of it */
		if (at && !g_str_has_prefix(at, " &&"))
			*at = '\0';
	}
	return g_strstrip(command);
}

gboolean log_command_parse(const char *text, struct log_command *command)
{
	g_autofree char *plain = without_redirection(text);
	g_auto(GStrv) words = split(plain);
	int known;

	if (!words[0])
		return FALSE;
	*command = (struct log_command){.program = g_path_get_basename(words[0])};
	known = known_program(command->program);
	command->workload = known < 0 ? g_steal_pointer(&plain) : g_strdup(command->program);
	if (known >= 0) {
		if (known_programs[known].read)
			known_programs[known].read(command, words);
		command->options = options_of(words, known_programs[known].procs);
	}
	return TRUE;
}

/* "$ ", "user@host:~$ ", "[root@host dir]# ", "host% ". A lone "# " may as well begin a comment. */
static const char *skip_prompt(const char *line, gboolean *is_prompt)
{
	gsize length = strcspn(line, "$#%");
	g_autofree char *host = g_strndup(line, length);

	*is_prompt = FALSE;
	if (!line[length] || line[length + 1] != ' ')
		return line;
	if (length && !strchr(host, '@') && (strchr(host, ' ') || is_whole(host)))
		return line;
	*is_prompt = length || line[length] != '#';
	return line + length + 2;
}

/* The words of which all are times or dates: "2023-10-30 16:13:09". */
static const char *skip_stamp(const char *at)
{
	for (;;) {
		gsize length = strcspn(at, " ");

		if (!g_ascii_isdigit(*at) || strspn(at, "0123456789-:/.TZ+") != length || !at[length] ||
		    (!memchr(at, ':', length) && !memchr(at, '-', length)))
			return at;
		at += length + 1;
	}
}

/* "time ", "/usr/bin/time -v " */
static const char *skip_time(const char *at)
{
	gsize length = strcspn(at, " ");
	g_autofree char *word = g_strndup(at, length), *name = g_path_get_basename(word);

	if (!g_str_equal(name, "time") || !at[length])
		return at;
	at += length;
	for (;;) {
		at += strspn(at, " ");
		if (*at != '-')
			return at;
		/* its options with a value */
		if (g_str_has_prefix(at, "-o ") || g_str_has_prefix(at, "-f "))
			at += 3 + strspn(at + 3, " ");
		at += strcspn(at, " ");
	}
}

/* Whether a line that nothing marks as a command is one: of a program that is known, and with arguments. */
static gboolean is_bare_command(const char *text)
{
	g_auto(GStrv) words = split(text);
	g_autofree char *program = words[0] ? g_path_get_basename(words[0]) : NULL;

	return program && words[1] && known_program(program) >= 0 && (*words[1] == '-' || is_whole(words[1]));
}

static gboolean take_command(struct log *log, const struct scanned *found)
{
	gboolean is_prompt;
	const char *text = skip_stamp(skip_prompt(found->text[0], &is_prompt)), *timed = skip_time(text);
	struct log_command command;

	if ((timed == text && !is_bare_command(text)) || !log_command_parse(timed, &command))
		return FALSE;
	log_run_close(&log->runs);
	log_command_clear(&log->runs.command);
	log->runs.command = command;
	/* a command that is typed and not only quoted, and whose time is to come */
	if (is_prompt && timed != text)
		log_run_begin(&log->runs, STAGE_COMMAND, NULL);
	return TRUE;
}

/* Made once; headings may be as many as there are lines. */
static gboolean matches(GRegex **regex, const char *pattern, const char *text, GMatchInfo **match)
{
	if (g_once_init_enter(regex))
		g_once_init_leave(regex, g_regex_new(pattern, G_REGEX_CASELESS, 0, NULL));
	return g_regex_match(*regex, text, 0, match);
}

/* "Run 3" and "second pass" are no parts: the runs under them are to be alike. */
static gboolean counts_runs(const char *heading)
{
	static GRegex *regex;

	return matches(&regex,
		       "\\b(run|pass|iteration|round|try|attempt)\\s*#?\\d+\\b|"
		       "\\b(first|second|third|fourth|fifth|\\d+(st|nd|rd|th)|#?\\d+)\\s+(run|pass|iteration|round|try|"
		       "attempt)\\b",
		       heading, NULL);
}

/* The kernel that a heading names and nothing else: "Linux 2.4.14-pre8", "6.12". */
static char *kernel_of(const char *heading)
{
	static GRegex *regex;
	g_autoptr(GMatchInfo) match = NULL;

	return matches(&regex, "^(?:linux|kernel)?[ -]*(\\d+\\.\\d+(?:\\.\\d+)*(?:[-_+a-z]\\S*)?)$", heading, &match)
		   ? g_match_info_fetch(match, 1)
		   : NULL;
}

/* A line that ends in a colon, between two runs: one that a program prints while it runs is none. */
static gboolean take_heading(struct log *log, const struct scanned *found)
{
	struct log_runs *runs = &log->runs;
	gsize length = strlen(found->text[0]);
	g_autofree char *heading = NULL;
	char *kernel;

	if (length < 2 || length > HEADING_MAX || found->text[0][length - 1] != ':' ||
	    (runs->run.is_open && runs->run.stage < STAGE_RESULT))
		return FALSE;
	heading = g_strstrip(g_strndup(found->text[0], length - 1));
	log_run_close(runs);
	if (!g_utf8_validate(heading, -1, NULL) || counts_runs(heading))
		return TRUE;
	kernel = kernel_of(heading);
	g_clear_pointer(&runs->heading, g_free);
	if (kernel) {
		g_free(runs->label);
		runs->label = kernel;
	} else {
		runs->heading = g_steal_pointer(&heading);
	}
	return TRUE;
}

const struct recogniser log_command[] = {
    {"%r", .take = take_command},
    {"%r", .take = take_heading},
    {NULL},
};
