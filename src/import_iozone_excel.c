#include "import_iozone_excel.h"

#include <string.h>

#include "dataset.h"
#include "import_common.h"
#include "import_line.h"

static const struct {
	const char *title, *name;
} reports[] = {
    {"\"Writer report\"", "write"},
    {"\"Re-writer report\"", "rewrite"},
    {"\"Reader report\"", "read"},
    {"\"Re-Reader report\"", "reread"},
    {"\"Random read report\"", "random_read"},
    {"\"Random write report\"", "random_write"},
    {"\"Backward read report\"", "bkwd_read"},
    {"\"Record rewrite report\"", "record_rewrite"},
    {"\"Stride read report\"", "stride_read"},
    {"\"Fwrite report\"", "fwrite"},
    {"\"Re-Fwrite report\"", "frewrite"},
    {"\"Fread report\"", "fread"},
    {"\"Re-Fread report\"", "freread"},
};

void iozone_excel_init(struct iozone_excel *excel)
{
	excel->name = NULL;
	excel->records = g_ptr_array_new_with_free_func(g_free);
	excel->rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void iozone_excel_clear(struct iozone_excel *excel)
{
	g_ptr_array_unref(excel->records);
	g_hash_table_unref(excel->rows);
}

void iozone_excel_begin(struct iozone_excel *excel)
{
	excel->name = NULL;
	g_hash_table_remove_all(excel->rows);
}

static void begin_table(struct iozone_excel *excel, const char *title)
{
	excel->name = NULL;
	g_ptr_array_set_size(excel->records, 0);
	for (gsize i = 0; i < G_N_ELEMENTS(reports); i++)
		if (!g_ascii_strcasecmp(title, reports[i].title))
			excel->name = reports[i].name;
}

/* The digits between the quotes of a word such as "64"; NULL where it is none. */
static char *quoted_number(const char *word)
{
	gsize length = strlen(word);
	gsize digits = *word == '"' ? strspn(word + 1, "0123456789") : 0;

	return digits && length == digits + 2 && word[length - 1] == '"' ? g_strndup(word + 1, digits) : NULL;
}

static guint row_of_cell(struct iozone_excel *excel, struct dataset *dataset, const char *file, const char *record)
{
	char *cell = g_strdup_printf("%s %s", file, record);
	guint row = GPOINTER_TO_UINT(g_hash_table_lookup(excel->rows, cell));

	if (row) {
		g_free(cell);
		return row - 1;
	}
	row = import_run(dataset, "iozone");
	column_set(dataset_factor(dataset, "kB"), row, file);
	column_set(dataset_factor(dataset, "reclen"), row, record);
	g_hash_table_insert(excel->rows, cell, GUINT_TO_POINTER(row + 1));
	return row;
}

static gboolean add_values(struct iozone_excel *excel, const struct text_reader *reader, struct dataset *dataset,
			   const struct metric *rate, const char *file, char **words, GError **error)
{
	struct metric metric = *rate;
	guint column = 0;

	metric.name = excel->name;
	for (; *words; words++) {
		double value;
		const char *end;

		if (!**words)
			continue;
		if (column == excel->records->len)
			return import_fail(reader, error, "more values than the table has record sizes");
		end = import_number(*words, &value);
		if (!end || *end) {
			g_autofree char *shown = import_quote(*words, strlen(*words));

			return import_fail(reader, error, "'%s' is no number", shown);
		}
		/* What was not measured is 0 there. */
		if (value > 0)
			import_value(dataset,
				     row_of_cell(excel, dataset, file, g_ptr_array_index(excel->records, column)),
				     &metric, value);
		column++;
	}
	return TRUE;
}

gboolean iozone_excel_line(struct iozone_excel *excel, const struct text_reader *reader, struct dataset *dataset,
			   const struct metric *rate, char *line, GError **error)
{
	g_auto(GStrv) words = NULL;
	g_autofree char *file = NULL;

	g_strstrip(line);
	if (strstr(line, " report")) {
		begin_table(excel, line);
		return TRUE;
	}
	words = g_strsplit_set(line, " \t", -1);
	file = excel->name && words[0] ? quoted_number(words[0]) : NULL;
	if (!file)
		return TRUE;
	if (excel->records->len)
		return add_values(excel, reader, dataset, rate, file, words + 1, error);
	for (char **word = words; *word; word++) {
		char *record = quoted_number(*word);

		if (record)
			g_ptr_array_add(excel->records, record);
		else if (**word)
			return import_fail(reader, error, "a table without a line of record sizes");
	}
	return TRUE;
}
