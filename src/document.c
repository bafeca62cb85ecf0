#include "document.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "markdown.h"
#include "table.h"
#include "unit.h"

#define CAVEATS_SHOWN 3 /* in markdown: more are folded */
#define COLUMNS_MAX 1000

enum block { BLOCK_NONE, BLOCK_PARAGRAPH, BLOCK_LIST };

static guint terminal_columns(void)
{
	const char *columns = g_getenv("COLUMNS");
	struct winsize size = {0};
	guint64 n;

	if (columns && count_parse(columns, "COLUMNS", 1, COLUMNS_MAX, &n, NULL))
		return (guint)n;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* source: https://no-color.org: set and not empty */
static gboolean wants_colour(void)
{
	const char *no_color = g_getenv("NO_COLOR"), *term = g_getenv("TERM");

	return !(no_color && *no_color) && term && *term && !g_str_equal(term, "dumb");
}

void document_of_terminal(struct document *to, GString *out)
{
	*to = (struct document){.out = out, .width = DOCUMENT_COLUMNS};
	if (!isatty(STDOUT_FILENO))
		return;
	to->width = MAX(DOCUMENT_COLUMNS, terminal_columns());
	to->has_colour = wants_colour();
}

static void print_text(struct document *to, guint indent, const char *text)
{
	g_autofree char *printable = text_printable(text);

	text_wrap(printable, indent, indent + 2, DOCUMENT_COLUMNS, to->out);
}

/* Blocks are parted by an empty line, items of one list are not. */
static void begin_block(struct document *to, enum block block)
{
	if (to->last != BLOCK_NONE && !(block == BLOCK_LIST && to->last == BLOCK_LIST))
		g_string_append_c(to->out, '\n');
	to->last = block;
}

static void print_markdown(struct document *to, enum block block, const char *before, const char *text)
{
	g_autofree char *escaped = markdown_escape_line(text);

	begin_block(to, block);
	g_string_append_printf(to->out, "%s%s\n", before, escaped);
}

void document_paragraph(struct document *to, const char *text)
{
	if (to->is_markdown)
		print_markdown(to, BLOCK_PARAGRAPH, "", text);
	else
		print_text(to, 0, text);
}

void document_say(struct document *to, const char *text)
{
	if (to->is_markdown)
		print_markdown(to, BLOCK_LIST, "- ", text);
	else
		print_text(to, 0, text);
}

void document_detail(struct document *to, const char *text)
{
	if (to->is_markdown)
		print_markdown(to, BLOCK_LIST, to->last == BLOCK_LIST ? "  - " : "- ", text);
	else
		print_text(to, 2, text);
}

void document_caveat(struct document *to, const char *subject, guint indent, const char *text)
{
	g_autofree char *line = g_strdup_printf("%s%s%s", subject, *subject ? ": " : "", text);
	g_autofree char *escaped = markdown_escape_line(line);

	if (!to->is_markdown) {
		print_text(to, indent, text);
		return;
	}
	if (!to->caveats)
		to->caveats = g_string_new(NULL);
	g_string_append_printf(to->caveats, "- %s\n", escaped);
	to->n_caveats++;
}

void document_table(struct document *to, const struct table *table)
{
	if (to->is_markdown) {
		begin_block(to, BLOCK_PARAGRAPH);
		table_markdown(table, to->out);
	} else {
		table_print(table, to->width ? to->width : DOCUMENT_COLUMNS, to->has_colour, to->out);
	}
}

void document_gap(struct document *to)
{
	if (!to->is_markdown)
		g_string_append_c(to->out, '\n');
}

void document_end(struct document *to)
{
	if (!to->caveats)
		return;
	begin_block(to, to->n_caveats > CAVEATS_SHOWN ? BLOCK_PARAGRAPH : BLOCK_LIST);
	if (to->n_caveats > CAVEATS_SHOWN)
		g_string_append_printf(to->out, "<details><summary>%u caveats</summary>\n\n%s\n</details>\n",
				       to->n_caveats, to->caveats->str);
	else
		g_string_append(to->out, to->caveats->str);
	g_string_free(g_steal_pointer(&to->caveats), TRUE);
	to->n_caveats = 0;
}
