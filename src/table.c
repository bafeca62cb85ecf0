#include "table.h"

#include "markdown.h"
#include "shared.h"
#include "unit.h"

#define GAP 2
#define CUT_MIN 10   /* cells of a cut label that still say something */
#define CODED_MIN 3  /* cells of a column of letters */
#define CODED_MAX 12 /* and what its header may ask for */

struct cell {
	char *text;
	enum table_tint tint;
};

struct table {
	GArray *align; /* enum table_align */
	GArray *cells; /* struct cell: the headers, then the rows */
};

/* How a table is to be printed. */
struct layout {
	guint *width;
	gboolean *is_coded;  /* columns in which a letter takes the place of what is too long */
	GHashTable *code_of; /* label -> letter */
	GPtrArray *coded;    /* const char *: labels with a letter, in the order of the letters */
};

static void cell_clear(gpointer cell)
{
	g_free(((struct cell *)cell)->text);
}

struct table *table_new(void)
{
	struct table *table = g_new(struct table, 1);

	table->align = g_array_new(FALSE, FALSE, sizeof(enum table_align));
	table->cells = g_array_new(FALSE, FALSE, sizeof(struct cell));
	g_array_set_clear_func(table->cells, cell_clear);
	return table;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	g_array_unref(table->align);
	g_array_unref(table->cells);
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
	table_cell_tinted(table, text, TINT_NONE);
}

void table_cell_tinted(struct table *table, const char *text, enum table_tint tint)
{
	struct cell cell = {text_printable(text), tint};

	g_array_append_val(table->cells, cell);
}

static const struct cell *cell_at(const struct table *table, guint i)
{
	return &g_array_index(table->cells, struct cell, i);
}

static const char *text_at(const struct table *table, guint i)
{
	return cell_at(table, i)->text;
}

static enum table_align align_of(const struct table *table, guint column)
{
	return g_array_index(table->align, enum table_align, column);
}

/* Whether different cells of a column still differ at this width. */
static gboolean is_distinct(const struct table *table, guint column, guint width)
{
	g_autoptr(GHashTable) whole_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = column; i < table->cells->len; i += table->align->len) {
		const char *whole = text_at(table, i);
		char *cut = text_cut(whole, width);
		const char *known = g_hash_table_lookup(whole_of, cut);

		if (known && !g_str_equal(known, whole)) {
			g_free(cut);
			return FALSE;
		}
		g_hash_table_replace(whole_of, cut, shared(text_at(table, i)));
	}
	return TRUE;
}

static guint *natural_widths(const struct table *table)
{
	guint columns = table->align->len;
	guint *width = g_new0(guint, columns);

	for (guint i = 0; i < table->cells->len; i++)
		width[i % columns] = MAX(width[i % columns], text_width(text_at(table, i)));
	return width;
}

static guint total_width(const struct table *table, const guint *width)
{
	guint total = (table->align->len - 1) * GAP;

	for (guint i = 0; i < table->align->len; i++)
		total += width[i];
	return total;
}

guint table_width(const struct table *table)
{
	g_autofree guint *width = natural_widths(table);

	return total_width(table, width);
}

/* The widest column that may be cut, or the number of columns. */
static guint widest_to_cut(const struct table *table, const struct layout *layout)
{
	guint columns = table->align->len, found = columns;
	const guint *width = layout->width;

	for (guint i = 0; i < columns; i++)
		if (align_of(table, i) == TABLE_LABEL && !layout->is_coded[i] &&
		    width[i] > MAX(CUT_MIN, text_width(text_at(table, i))) &&
		    (found == columns || width[i] > width[found]) && is_distinct(table, i, width[i] - 1))
			found = i;
	return found;
}

/* The widest column that letters would make narrower, or the number of columns. */
static guint widest_to_code(const struct table *table, const struct layout *layout)
{
	guint columns = table->align->len, found = columns;

	for (guint i = 0; i < columns; i++) {
		gboolean is_label = align_of(table, i) == TABLE_LABEL || align_of(table, i) == TABLE_WHOLE;

		if (is_label && !layout->is_coded[i] && layout->width[i] > CODED_MIN &&
		    (found == columns || layout->width[i] > layout->width[found]))
			found = i;
	}
	return found;
}

static void cut_columns(const struct table *table, struct layout *layout, guint limit)
{
	for (guint total = total_width(table, layout->width); total > limit; total--) {
		guint column = widest_to_cut(table, layout);

		if (column == table->align->len)
			break;
		layout->width[column]--;
	}
}

/* A, B ... Z, AA ..., without those that are labels themselves. */
static char *next_code(GHashTable *labels, guint *next)
{
	for (;;) {
		GString *code = g_string_new(NULL);

		for (guint n = ++*next; n; n = (n - 1) / 26)
			g_string_prepend_c(code, (char)('A' + (n - 1) % 26));
		if (!g_hash_table_contains(labels, code->str))
			return g_string_free(code, FALSE);
		g_string_free(code, TRUE);
	}
}

static void give_codes(const struct table *table, struct layout *layout)
{
	g_autoptr(GHashTable) labels = g_hash_table_new(g_str_hash, g_str_equal);
	guint next = 0;

	for (guint i = 0; i < table->cells->len; i++)
		g_hash_table_add(labels, shared(text_at(table, i)));
	for (guint i = 0; i < table->cells->len; i++) {
		guint column = i % table->align->len;
		const char *text = text_at(table, i);

		if (!layout->is_coded[column] || text_width(text) <= layout->width[column] ||
		    g_hash_table_contains(layout->code_of, text))
			continue;
		g_hash_table_insert(layout->code_of, shared(text), next_code(labels, &next));
		g_ptr_array_add(layout->coded, shared(text));
	}
}

/* What a cell shows: its text, or the letter that stands for it. */
static const char *shown_at(const struct table *table, const struct layout *layout, guint i)
{
	const char *code =
	    layout->is_coded[i % table->align->len] ? g_hash_table_lookup(layout->code_of, text_at(table, i)) : NULL;

	return code ? code : text_at(table, i);
}

/* Letters may leave a column wider than it needs to be. */
static void shrink_coded(const struct table *table, struct layout *layout)
{
	guint columns = table->align->len;

	for (guint column = 0; column < columns; column++) {
		guint width = 0;

		for (guint i = column; i < table->cells->len; i += columns)
			width = MAX(width, text_width(shown_at(table, layout, i)));
		if (layout->is_coded[column])
			layout->width[column] = width;
	}
}

static void layout_init(struct layout *layout, const struct table *table, guint limit)
{
	guint columns = table->align->len;
	g_autofree guint *natural = natural_widths(table);

	layout->width = g_memdup2(natural, columns * sizeof(*natural));
	layout->is_coded = g_new0(gboolean, columns);
	layout->code_of = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	layout->coded = g_ptr_array_new();
	cut_columns(table, layout, limit);
	while (total_width(table, layout->width) > limit) {
		guint column;

		for (guint i = 0; i < columns; i++)
			layout->width[i] = layout->is_coded[i] ? layout->width[i] : natural[i];
		column = widest_to_code(table, layout);
		if (column == columns)
			break;
		layout->is_coded[column] = TRUE;
		layout->width[column] = CLAMP(text_width(text_at(table, column)), CODED_MIN, CODED_MAX);
		cut_columns(table, layout, limit);
	}
	for (guint i = 0; i < columns; i++)
		while (layout->is_coded[i] && layout->width[i] < natural[i] &&
		       total_width(table, layout->width) < limit)
			layout->width[i]++;
	give_codes(table, layout);
	shrink_coded(table, layout);
}

static void layout_clear(struct layout *layout)
{
	g_free(layout->width);
	g_free(layout->is_coded);
	g_hash_table_unref(layout->code_of);
	g_ptr_array_unref(layout->coded);
}

/* source: ECMA-48, 8.3.117 (select graphic rendition) */
static void append_tinted(GString *out, const char *text, enum table_tint tint)
{
	static const char *const begin[] = {
	    [TINT_NONE] = "", [TINT_GOOD] = "\x1b[32m", [TINT_BAD] = "\x1b[31m", [TINT_STRONG] = "\x1b[1m"};

	g_string_append_printf(out, "%s%s%s", begin[tint], text, tint == TINT_NONE ? "" : "\x1b[0m");
}

static void print_cell(const struct table *table, const struct layout *layout, guint i, gboolean has_colour,
		       GString *out)
{
	guint column = i % table->align->len, width = layout->width[column];
	g_autofree char *text = text_cut(shown_at(table, layout, i), width);
	guint used = text_width(text);
	int pad = used < width ? (int)(width - used) : 0;
	gboolean is_right = align_of(table, column) == TABLE_RIGHT, is_last = column == table->align->len - 1;

	g_string_append_printf(out, "%*s", is_right ? pad : 0, "");
	append_tinted(out, text, has_colour ? cell_at(table, i)->tint : TINT_NONE);
	g_string_append_printf(out, "%*s", is_last ? 0 : (is_right ? 0 : pad) + GAP, "");
	if (!is_last)
		return;
	while (out->len && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

void table_print(const struct table *table, guint limit, gboolean has_colour, GString *out)
{
	struct layout layout;

	if (!table->align->len)
		return;
	g_assert(table->cells->len % table->align->len == 0);
	layout_init(&layout, table, limit);
	for (guint i = 0; i < table->cells->len; i++)
		print_cell(table, &layout, i, has_colour, out);
	for (guint i = 0; i < layout.coded->len; i++) {
		const char *label = g_ptr_array_index(layout.coded, i);
		g_autofree char *line =
		    g_strdup_printf("%s = %s", (const char *)g_hash_table_lookup(layout.code_of, label), label);

		text_wrap(line, 0, 2, limit, out);
	}
	layout_clear(&layout);
}

static void append_markdown_cell(const struct cell *cell, GString *out)
{
	g_autofree char *text = markdown_escape(cell->text);
	const char *bold = cell->tint == TINT_NONE ? "" : "**";

	g_string_append_printf(out, " %s%s%s |", bold, text, bold);
}

/* A row of cells, the leading column first. */
static void append_markdown_row(const struct table *table, guint first, GString *out)
{
	g_string_append_c(out, '|');
	for (int is_lead = TRUE; is_lead >= FALSE; is_lead--)
		for (guint i = 0; i < table->align->len; i++)
			if ((align_of(table, i) == TABLE_LEAD) == is_lead)
				append_markdown_cell(cell_at(table, first + i), out);
	g_string_append_c(out, '\n');
}

static void append_markdown_rule(const struct table *table, GString *out)
{
	g_string_append_c(out, '|');
	for (int is_lead = TRUE; is_lead >= FALSE; is_lead--)
		for (guint i = 0; i < table->align->len; i++)
			if ((align_of(table, i) == TABLE_LEAD) == is_lead)
				g_string_append(out, align_of(table, i) == TABLE_RIGHT ? " ---: |" : " :--- |");
	g_string_append_c(out, '\n');
}

void table_markdown(const struct table *table, GString *out)
{
	for (guint i = 0; i < table->cells->len; i += table->align->len) {
		append_markdown_row(table, i, out);
		if (i == 0)
			append_markdown_rule(table, out);
	}
}
