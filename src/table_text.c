#include "table.h"

#define ELLIPSIS "…"

static guint char_bytes(const char *text)
{
	return (guint)g_utf8_skip[*(const guchar *)text];
}

static guint char_width(gunichar c)
{
	if (g_unichar_iszerowidth(c))
		return 0;
	return g_unichar_iswide(c) ? 2 : 1;
}

guint text_width(const char *text)
{
	guint width = 0;

	for (; *text; text += char_bytes(text))
		width += char_width(g_utf8_get_char(text));
	return width;
}

char *text_cut(const char *text, guint width)
{
	const char *end = text;
	guint used = 0;

	if (text_width(text) <= width)
		return g_strdup(text);
	while (used + char_width(g_utf8_get_char(end)) < width) {
		used += char_width(g_utf8_get_char(end));
		end += char_bytes(end);
	}
	return g_strdup_printf("%.*s" ELLIPSIS, (int)(end - text), text);
}

void text_wrap(const char *text, guint indent, guint width, GString *out)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	guint used = 0;

	for (char **word = words; *word; word++) {
		guint length = text_width(*word);

		if (word == words) {
			g_string_append_printf(out, "%*s", (int)indent, "");
			used = indent;
		} else if (used + 1 + length > width) {
			g_string_append_printf(out, "\n%*s", (int)indent + 2, "");
			used = indent + 2;
		} else {
			g_string_append_c(out, ' ');
			used++;
		}
		g_string_append(out, *word);
		used += length;
	}
	g_string_append_c(out, '\n');
}
