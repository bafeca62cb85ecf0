#include "report_page.h"

#include "analyse.h"
#include "document.h"
#include "markdown.h"
#include "past_sitting.h"
#include "report.h"
#include "report_conditions.h"
#include "table.h"
#include "unit.h"

static const struct report_format *format_of(const struct document *to)
{
	return report_find(to->is_markdown ? "markdown" : "text", NULL);
}

static void add_verdicts(const struct report_page *page, struct document *to)
{
	if (page->comparison && page->comparison->comparisons->len)
		format_of(to)->compare(page->comparison, to);
	else
		document_paragraph(to, page->why_not ? page->why_not : "there is nothing to compare");
}

static void add_estimates(const struct report_page *page, struct document *to)
{
	format_of(to)->show(page->estimates, to);
}

static void add_effects(const struct report_page *page, struct document *to)
{
	format_of(to)->effects(page->effects, to);
}

/* A line for each value of a fact. */
static void add_values(const GPtrArray *columns, const char *key, const GPtrArray *values, struct document *to)
{
	for (guint i = 0; i < columns->len; i++) {
		const struct conditions *conditions = columns->pdata[i];
		g_autofree char *line =
		    g_strdup_printf("%s of %s: %s", key, conditions->name, (const char *)values->pdata[i]);

		document_say(to, line);
	}
}

/* The facts that differ, or the others. */
static guint add_facts(const GPtrArray *columns, const GPtrArray *keys, gboolean is_different, struct document *to)
{
	guint n = 0;

	for (guint i = 0; i < keys->len; i++) {
		const char *key = keys->pdata[i];
		g_autoptr(GPtrArray) values = conditions_values(columns, key);
		g_autofree char *line = g_strdup_printf("%s: %s", key, (const char *)values->pdata[0]);

		if (conditions_differ(values) != is_different)
			continue;
		if (is_different)
			add_values(columns, key, values, to);
		else
			document_say(to, line);
		n++;
	}
	return n;
}

static void add_environment(const struct report_page *page, struct document *to)
{
	g_autoptr(GPtrArray) columns = conditions_of(page), keys = conditions_keys(columns);
	guint n = add_facts(columns, keys, TRUE, to);
	g_autofree char *differ = g_strdup_printf("%u of %u facts differ%s", n, keys->len, n ? ": see above" : "");

	if (!keys->len) {
		document_paragraph(to, "nothing is known of the machine: these runs come from files that do not tell");
		return;
	}
	document_paragraph(to, differ);
	document_gap(to);
	add_facts(columns, keys, FALSE, to);
}

static void add_sittings(const struct report_page *page, struct document *to)
{
	if (!page->sittings->len)
		document_paragraph(to, "these runs come from files, not from a store: how they were made is not known");
	for (guint i = 0; i < page->sittings->len; i++) {
		const struct past_sitting *sitting = page->sittings->pdata[i];
		g_autofree char *line = g_strdup_printf(
		    "%s (order %s, seed %s, reset %s)", sitting->command ? sitting->command : "not told",
		    sitting->order ? sitting->order : "-", sitting->seed ? sitting->seed : "-",
		    sitting->reset ? sitting->reset : "-");

		document_say(to, line);
	}
}

static const struct section {
	const char *title;
	void (*write)(const struct report_page *page, struct document *to);
} sections[] = {
    {"Verdicts", add_verdicts},       {"Estimates", add_estimates},     {"Effects", add_effects},
    {"Environment", add_environment}, {"How it was run", add_sittings},
};

static void underline(const char *text, char with, GString *out)
{
	g_autofree char *printable = text_printable(text);
	g_autofree char *line = g_strnfill(MIN(text_width(printable), DOCUMENT_COLUMNS), with);

	text_wrap(printable, 0, 2, DOCUMENT_COLUMNS, out);
	g_string_append_printf(out, "%s\n\n", line);
}

static void add_heading(const char *text, guint level, gboolean is_markdown, GString *out)
{
	g_autofree char *escaped = is_markdown ? markdown_escape_line(text) : NULL;

	if (is_markdown)
		g_string_append_printf(out, "%s %s\n\n", level == 1 ? "#" : "##", escaped);
	else
		underline(text, level == 1 ? '=' : '-', out);
}

static void write_page(const struct report_page *page, gboolean is_markdown, GString *out)
{
	add_heading(page->title, 1, is_markdown, out);
	for (guint i = 0; i < G_N_ELEMENTS(sections); i++) {
		struct document to = {.out = out, .is_markdown = is_markdown};

		if (sections[i].write == add_effects && !page->effects)
			continue;
		if (i)
			g_string_append_c(out, '\n');
		add_heading(sections[i].title, 2, is_markdown, out);
		sections[i].write(page, &to);
	}
}

void report_text_page(const struct report_page *page, GString *out)
{
	write_page(page, FALSE, out);
}

void report_markdown_page(const struct report_page *page, GString *out)
{
	write_page(page, TRUE, out);
}
