#include "label.h"

#include <string.h>

#include "../src/unit.h"

char *label_cut(const char *text, guint limit)
{
	g_autofree char *printable = text_printable(text);

	return text_cut(printable, limit);
}

#define INDENT "    "

void label_wrap(const char *text, guint columns, GPtrArray *lines)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	g_autoptr(GString) line = g_string_new(NULL);
	gboolean has_word = FALSE;

	for (char **word = words; *word; word++) {
		g_autofree char *cut = label_cut(*word, columns - strlen(INDENT));

		if (has_word && text_width(line->str) + 1 + text_width(cut) > columns) {
			g_ptr_array_add(lines, g_strdup(line->str));
			g_string_assign(line, INDENT);
			has_word = FALSE;
		}
		g_string_append_printf(line, "%s%s", has_word ? " " : "", cut);
		has_word = TRUE;
	}
	g_ptr_array_add(lines, g_strdup(line->str));
}
