#include "cmd_help.h"

#include "cmd.h"
#include "document.h"
#include "table.h"

#define COLUMNS_MAX 100 /* longer lines are hard to read */
#define OPTION_INDENT 26
#define USAGE "Usage: "

static void append_option(const GOptionEntry *entry, guint width, GString *out)
{
	const char *value = entry->arg_description;
	g_autoptr(GString) name = g_string_new("  ");
	gsize start = out->len;

	if (entry->short_name)
		g_string_append_printf(name, "-%c, ", entry->short_name);
	g_string_append_printf(name, "--%s%s%s", entry->long_name, value ? "=" : "", value ? value : "");
	text_wrap(entry->description, OPTION_INDENT, OPTION_INDENT, width, out);
	if (name->len + 2 <= OPTION_INDENT)
		g_string_overwrite(out, start, name->str);
	else
		g_string_insert(out, (gssize)start, g_string_append_c(name, '\n')->str);
}

/* Paragraphs are wrapped anew; what is indented is an example, and stays as it is. */
static void append_description(const char *description, guint width, GString *out)
{
	g_auto(GStrv) lines = g_strsplit(description, "\n", -1);
	g_autoptr(GString) paragraph = g_string_new(NULL);

	for (char **line = lines; *line; line++) {
		gboolean is_text = **line && **line != ' ';

		if (is_text)
			g_string_append_printf(paragraph, "%s%s", paragraph->len > 0 ? " " : "", *line);
		if (paragraph->len > 0 && (!is_text || !line[1])) {
			text_wrap(paragraph->str, 0, 0, width, out);
			g_string_truncate(paragraph, 0);
		}
		if (!is_text)
			g_string_append_printf(out, "%s\n", *line);
	}
}

void cmd_help(const struct command *command, const char *operands, const char *description,
	      const GOptionEntry *const *entries, GString *out)
{
	g_autoptr(GString) usage = g_string_new(USAGE "vmstat-bench ");
	struct document terminal;
	guint width;

	document_of_terminal(&terminal, out);
	width = MIN(terminal.width, COLUMNS_MAX);
	g_string_append_printf(usage, "%s [OPTION...]", command->name);
	if (operands && *operands)
		g_string_append_printf(usage, " %s", operands);
	text_wrap(usage->str, 0, sizeof USAGE - 1, width, out);
	g_string_append_printf(out, "\n%c%s.\n\nOptions:\n", g_ascii_toupper(*command->summary), command->summary + 1);
	for (; *entries; entries++)
		for (const GOptionEntry *entry = *entries; entry->long_name; entry++)
			if (!(entry->flags & G_OPTION_FLAG_HIDDEN))
				append_option(entry, width, out);
	g_string_append_c(out, '\n');
	append_description(description, width, out);
}
