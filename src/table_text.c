#include <string.h>

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
	const char *head = text, *tail = text + strlen(text);
	guint used, head_width = width * 3 / 5;

	if (text_width(text) <= width)
		return g_strdup(text);
	for (used = 0; used + char_width(g_utf8_get_char(head)) <= head_width; head += char_bytes(head))
		used += char_width(g_utf8_get_char(head));
	for (used = 0; tail > head; tail = g_utf8_prev_char(tail)) {
		used += char_width(g_utf8_get_char(g_utf8_prev_char(tail)));
		if (used + head_width >= width)
			break;
	}
	return g_strdup_printf("%.*s" ELLIPSIS "%s", (int)(head - text), text, tail);
}

void text_wrap(const char *text, guint first, guint rest, guint width, GString *out)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	guint used = 0;

	for (char **word = words; *word; word++) {
		guint length = text_width(*word);

		if (word == words) {
			g_string_append_printf(out, "%*s", (int)first, "");
			used = first;
		} else if (used + 1 + length > width) {
			g_string_append_printf(out, "\n%*s", (int)rest, "");
			used = rest;
		} else {
			g_string_append_c(out, ' ');
			used++;
		}
		g_string_append(out, *word);
		used += length;
	}
	g_string_append_c(out, '\n');
}
