#include "report_page.h"

#include <string.h>

#include "analyse.h"
#include "past_sitting.h"
#include "report.h"
#include "report_conditions.h"
#include "report_text.h"
#include "table.h"
#include "unit.h"

static void add_line(const char *text, GString *out)
{
	g_autofree char *printable = text_printable(text);

	text_wrap(printable, 0, TEXT_COLUMNS, out);
}

static void add_verdicts(const struct report_page *page, GString *out)
{
	if (page->comparison && page->comparison->comparisons->len)
		report_find("text", NULL)->compare(page->comparison, out);
	else
		add_line(page->why_not ? page->why_not : "there is nothing to compare", out);
}

static void add_estimates(const struct report_page *page, GString *out)
{
	report_find("text", NULL)->show(page->estimates, out);
}

/* A line for each value of a fact. */
static void add_values(const GPtrArray *columns, const char *key, const GPtrArray *values, GString *out)
{
	for (guint i = 0; i < columns->len; i++) {
		const struct conditions *conditions = columns->pdata[i];
		g_autofree char *line =
		    g_strdup_printf("%s of %s: %s", key, conditions->name, (const char *)values->pdata[i]);

		add_line(line, out);
	}
}

/* The facts that differ, or the others. */
static guint add_facts(const GPtrArray *columns, const GPtrArray *keys, gboolean is_different, GString *out)
{
	guint n = 0;

	for (guint i = 0; i < keys->len; i++) {
		const char *key = keys->pdata[i];
		g_autoptr(GPtrArray) values = conditions_values(columns, key);
		g_autofree char *line = g_strdup_printf("%s: %s", key, (const char *)values->pdata[0]);

		if (conditions_differ(values) != is_different)
			continue;
		if (is_different)
			add_values(columns, key, values, out);
		else
			add_line(line, out);
		n++;
	}
	return n;
}

static void add_environment(const struct report_page *page, GString *out)
{
	g_autoptr(GPtrArray) columns = conditions_of(page), keys = conditions_keys(columns);
	guint n = add_facts(columns, keys, TRUE, out);

	if (!keys->len) {
		add_line("nothing is known of the machine: these runs come from files that do not tell", out);
		return;
	}
	g_string_append_printf(out, "%u of %u facts differ%s\n\n", n, keys->len, n ? ": see above" : "");
	add_facts(columns, keys, FALSE, out);
}

static void add_sittings(const struct report_page *page, GString *out)
{
	if (!page->sittings->len)
		add_line("these runs come from files, not from a store: how they were made is not known", out);
	for (guint i = 0; i < page->sittings->len; i++) {
		const struct past_sitting *sitting = page->sittings->pdata[i];
		g_autofree char *line = g_strdup_printf(
		    "%s (order %s, seed %s, reset %s)", sitting->command ? sitting->command : "not told",
		    sitting->order ? sitting->order : "-", sitting->seed ? sitting->seed : "-",
		    sitting->reset ? sitting->reset : "-");

		add_line(line, out);
	}
}

static const struct section {
	const char *title;
	void (*write)(const struct report_page *page, GString *out);
} sections[] = {
    {"Verdicts", add_verdicts},
    {"Estimates", add_estimates},
    {"Environment", add_environment},
    {"How it was run", add_sittings},
};

static void underline(const char *text, char with, GString *out)
{
	g_autofree char *printable = text_printable(text);
	g_autofree char *line = g_strnfill(MIN(text_width(printable), TEXT_COLUMNS), with);

	text_wrap(printable, 0, TEXT_COLUMNS, out);
	g_string_append_printf(out, "%s\n\n", line);
}

void report_text_page(const struct report_page *page, GString *out)
{
	underline(page->title, '=', out);
	for (guint i = 0; i < G_N_ELEMENTS(sections); i++) {
		if (i)
			g_string_append_c(out, '\n');
		underline(sections[i].title, '-', out);
		sections[i].write(page, out);
	}
}

/* Punctuation that could be markup gets a backslash. source: GitHub Flavored Markdown 0.29, 6.1 */
static void add_escaped(const char *text, GString *out)
{
	g_autofree char *printable = text_printable(text);

	for (const char *c = printable; *c; c++) {
		if (g_ascii_ispunct(*c))
			g_string_append_c(out, '\\');
		g_string_append_c(out, *c);
	}
}

/* As it is, in a code block: indented, so that nothing in it ends the block. */
static void add_block(const GString *text, GString *out)
{
	g_auto(GStrv) lines = g_strsplit(text->str, "\n", -1);

	for (char **line = lines; *line; line++)
		g_string_append_printf(out, "%s%s\n", **line ? "    " : "", *line);
}

void report_markdown_page(const struct report_page *page, GString *out)
{
	g_string_append(out, "# ");
	add_escaped(page->title, out);
	g_string_append_c(out, '\n');
	for (guint i = 0; i < G_N_ELEMENTS(sections); i++) {
		g_autoptr(GString) text = g_string_new(NULL);

		sections[i].write(page, text);
		g_string_append_printf(out, "\n## %s\n\n", sections[i].title);
		add_block(text, out);
	}
}
