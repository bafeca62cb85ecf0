#ifndef REFERENCE_TABLE_H
#define REFERENCE_TABLE_H

/* Reads the tables beside this file: '#' lines, a header, tab-separated rows. A cell is a text, a number, or numbers
 * with commas between. Tests run in the root of the source tree. */

#include <glib.h>

#include "../check.h"

struct table {
	char **columns;
	GPtrArray *rows; /* char ** */
};

static inline struct table *table_read(const char *name)
{
	g_autofree char *path = g_build_filename("tests", "reference", name, NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	struct table *table = g_new0(struct table, 1);

	if (!g_file_get_contents(path, &text, NULL, NULL))
		fail_msg("'%s' cannot be read: run the test in the root of the source tree", path);
	lines = g_strsplit(text, "\n", -1);
	table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	for (char **line = lines; *line; line++) {
		if (**line == '#' || **line == '\0')
			continue;
		if (table->columns)
			g_ptr_array_add(table->rows, g_strsplit(*line, "\t", -1));
		else
			table->columns = g_strsplit(*line, "\t", -1);
	}
	assert_true(table->rows->len > 0);
	return table;
}

static inline void table_free(struct table *table)
{
	g_strfreev(table->columns);
	g_ptr_array_unref(table->rows);
	g_free(table);
}

static inline const char *table_text(const struct table *table, guint row, const char *column)
{
	char **cells = g_ptr_array_index(table->rows, row);

	assert_int_equal(g_strv_length(cells), g_strv_length(table->columns));
	for (guint i = 0; table->columns[i]; i++) {
		if (g_str_equal(table->columns[i], column))
			return cells[i];
	}
	fail_msg("no column '%s'", column);
	return NULL;
}

/* Newly allocated. */
static inline double *table_numbers(const struct table *table, guint row, const char *column, size_t *n)
{
	g_auto(GStrv) parts = g_strsplit(table_text(table, row, column), ",", -1);
	double *numbers = g_new(double, g_strv_length(parts));

	*n = g_strv_length(parts);
	for (size_t i = 0; i < *n; i++) {
		char *end;

		numbers[i] = g_ascii_strtod(parts[i], &end);
		assert_true(end != parts[i] && *end == '\0');
	}
	return numbers;
}

static inline double table_number(const struct table *table, guint row, const char *column)
{
	size_t n;
	g_autofree double *numbers = table_numbers(table, row, column, &n);

	assert_int_equal(n, 1);
	return numbers[0];
}

/* Fails unless got is within rel of the cell, and keeps the worst difference for table_report(). */
static inline void table_check(const struct table *table, guint row, const char *column, double got, double rel,
			       double *worst)
{
	double want = table_number(table, row, column);
	double off = isfinite(want) ? fabs(got - want) / (want != 0 ? fabs(want) : 1) : 0;
	g_autofree char *what =
	    g_strdup_printf("row %u (%s), %s", row + 1, table_text(table, row, table->columns[0]), column);

	check_close(got, want, rel, what, __FILE__, __LINE__);
	*worst = MAX(*worst, off);
}

static inline void table_report(const struct table *table, const char *name, double worst)
{
	print_message("%s: %u rows, worst relative difference %.1e\n", name, table->rows->len, worst);
}

#endif
