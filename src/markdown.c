#include "markdown.h"

#include <string.h>

#include "unit.h"

/* "$" begins a formula in both, "~" names a label in GitLab. */
#define INLINE_MARKUP "\\`*_[]<>|~&$"

/* Where a backslash keeps the text from beginning a list, a heading or a rule; NULL where nothing does. */
static const char *block_markup(const char *text)
{
	const char *end = text + strspn(text, "0123456789");

	if (*text && strchr("#+-=", *text))
		return text;
	return end > text && (*end == '.' || *end == ')') && (end[1] == ' ' || !end[1]) ? end : NULL;
}

static char *escape(const char *printable, const char *block)
{
	GString *escaped = g_string_new(NULL);

	for (const char *at = printable; *at; at++) {
		if (at == block || strchr(INLINE_MARKUP, *at))
			g_string_append_c(escaped, '\\');
		g_string_append_c(escaped, *at);
	}
	return g_string_free(escaped, FALSE);
}

char *markdown_escape(const char *text)
{
	g_autofree char *printable = text_printable(text);

	return escape(printable, NULL);
}

char *markdown_escape_line(const char *text)
{
	g_autofree char *printable = text_printable(text);

	return escape(printable, block_markup(printable));
}
