#include "table.h"

#include "unit.h"

#define GAP 2
#define ELLIPSIS "…"

struct table {
	GArray *align;    /* enum table_align */
	GPtrArray *cells; /* char *: the headers, then the rows */
};

struct table *table_new(void)
{
	struct table *table = g_new(struct table, 1);

	table->align = g_array_new(FALSE, FALSE, sizeof(enum table_align));
	table->cells = g_ptr_array_new_with_free_func(g_free);
	return table;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	g_array_unref(table->align);
	g_ptr_array_unref(table->cells);
	g_free(table);
}

void table_column(struct table *table, const char *header, enum table_align align)
{
	g_assert(table->cells->len == table->align->len);
	g_array_append_val(table->align, align);
	table_cell(table, header);
}

void table_cell(struct table *table, const char *text)
{
	g_ptr_array_add(table->cells, text_printable(text));
}

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

/* Whether different cells of a column still differ at this width. */
static gboolean is_distinct(const struct table *table, guint column, guint width)
{
	g_autoptr(GHashTable) whole_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = column; i < table->cells->len; i += table->align->len) {
		const char *whole = g_ptr_array_index(table->cells, i);
		char *cut = text_cut(whole, width);
		const char *known = g_hash_table_lookup(whole_of, cut);

		if (known && !g_str_equal(known, whole)) {
			g_free(cut);
			return FALSE;
		}
		g_hash_table_replace(whole_of, cut, g_ptr_array_index(table->cells, i));
	}
	return TRUE;
}

/* The widest column that may be cut, or the number of columns. */
static guint widest(const struct table *table, const guint *width)
{
	guint columns = table->align->len, found = columns;

	for (guint i = 0; i < columns; i++)
		if (g_array_index(table->align, enum table_align, i) == TABLE_LABEL &&
		    width[i] > text_width(g_ptr_array_index(table->cells, i)) &&
		    (found == columns || width[i] > width[found]) && is_distinct(table, i, width[i] - 1))
			found = i;
	return found;
}

static guint *layout(const struct table *table, guint limit)
{
	guint columns = table->align->len, total = (columns - 1) * GAP;
	guint *width = g_new0(guint, columns);

	for (guint i = 0; i < table->cells->len; i++)
		width[i % columns] = MAX(width[i % columns], text_width(g_ptr_array_index(table->cells, i)));
	for (guint i = 0; i < columns; i++)
		total += width[i];
	for (; total > limit; total--) {
		guint column = widest(table, width);

		if (column == columns)
			break;
		width[column]--;
	}
	return width;
}

void table_print(const struct table *table, guint limit, GString *out)
{
	guint columns = table->align->len;
	g_autofree guint *width = NULL;

	if (!columns)
		return;
	g_assert(table->cells->len % columns == 0);
	width = layout(table, limit);
	for (guint i = 0; i < table->cells->len; i++) {
		guint column = i % columns;
		g_autofree char *text = text_cut(g_ptr_array_index(table->cells, i), width[column]);
		int pad = (int)(width[column] - text_width(text));
		gboolean is_right = g_array_index(table->align, enum table_align, column) == TABLE_RIGHT;
		gboolean is_last = column == columns - 1;

		g_string_append_printf(out, "%*s%s%*s", is_right ? pad : 0, "", text,
				       is_last ? 0 : (is_right ? 0 : pad) + GAP, "");
		if (is_last) {
			while (out->len && out->str[out->len - 1] == ' ')
				g_string_truncate(out, out->len - 1);
			g_string_append_c(out, '\n');
		}
	}
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
