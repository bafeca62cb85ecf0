#include "label.h"

#include <string.h>

#include "../src/unit.h"

static guint char_columns(gunichar c)
{
	return g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
}

guint label_columns(const char *text)
{
	g_autofree gunichar *chars = g_utf8_to_ucs4_fast(text, -1, NULL);
	guint columns = 0;

	for (const gunichar *c = chars; *c; c++)
		columns += char_columns(*c);
	return columns;
}

char *label_cut(const char *text, guint limit)
{
	g_autofree char *printable = text_printable(text);
	g_autofree gunichar *chars = NULL;
	guint columns = 0, head_limit = limit * 3 / 5;
	glong length, head = 0, tail;

	if (label_columns(printable) <= limit)
		return g_steal_pointer(&printable);
	chars = g_utf8_to_ucs4_fast(printable, -1, &length);
	while (head < length && columns + char_columns(chars[head]) <= head_limit)
		columns += char_columns(chars[head++]);
	columns = 0;
	tail = length;
	while (tail > head && columns + char_columns(chars[tail - 1]) <= limit - 1 - head_limit)
		columns += char_columns(chars[--tail]);

	g_autofree char *first = g_ucs4_to_utf8(chars, head, NULL, NULL, NULL);
	g_autofree char *last = g_ucs4_to_utf8(chars + tail, length - tail, NULL, NULL, NULL);
	return g_strconcat(first, "…", last, NULL);
}

#define INDENT "    "

void label_wrap(const char *text, guint columns, GPtrArray *lines)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	g_autoptr(GString) line = g_string_new(NULL);
	gboolean has_word = FALSE;

	for (char **word = words; *word; word++) {
		g_autofree char *cut = label_cut(*word, columns - strlen(INDENT));

		if (has_word && label_columns(line->str) + 1 + label_columns(cut) > columns) {
			g_ptr_array_add(lines, g_strdup(line->str));
			g_string_assign(line, INDENT);
			has_word = FALSE;
		}
		g_string_append_printf(line, "%s%s", has_word ? " " : "", cut);
		has_word = TRUE;
	}
	g_ptr_array_add(lines, g_strdup(line->str));
}
