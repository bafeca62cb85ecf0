#include "svg_inline.h"

#include <glib.h>
#include <string.h>

/* What stands before the name of an id or in a reference to one, inside of tags. gnuplot's names are all its own. */
static const char *const before_name[] = {" id=\"", " id='", "href=\"#", "href='#", "url(#"};

static gsize match(const char *text)
{
	for (gsize i = 0; i < G_N_ELEMENTS(before_name); i++)
		if (g_str_has_prefix(text, before_name[i]))
			return strlen(before_name[i]);
	return 0;
}

/* A tag, from '<' to '>': gnuplot puts no text of ours into one. Returns what comes after it. */
static const char *add_tag(GString *out, const char *tag, const char *id)
{
	const char *end = strchr(tag, '>');
	gsize length;

	if (!end)
		end = tag + strlen(tag) - 1;
	while (tag <= end) {
		length = match(tag);
		if (length) {
			g_string_append_len(out, tag, (gssize)length);
			g_string_append_printf(out, "%s-", id);
			tag += length;
		} else {
			g_string_append_c(out, *tag++);
		}
	}
	return tag;
}

/* Its own, of the document: the first. */
static const char *add_title(GString *out, const char *text, const char *title)
{
	static const char close[] = "</title>";
	const char *end = strstr(text, close);

	if (!end || !title)
		return text;
	g_string_append_printf(out, "<title>%s", title);
	return end;
}

char *svg_inline(const char *document, const char *id, const char *title)
{
	const char *text = strstr(document, "<svg");
	GString *out = g_string_new(NULL);
	g_autofree char *escaped = title ? g_markup_escape_text(title, -1) : NULL;
	gboolean has_title = FALSE;

	while (text && *text) {
		if (!has_title && g_str_has_prefix(text, "<title>")) {
			text = add_title(out, text, escaped);
			has_title = TRUE;
		}
		if (*text == '<')
			text = add_tag(out, text, id);
		else
			g_string_append_c(out, *text++);
	}
	return g_string_free(out, FALSE);
}
