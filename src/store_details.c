#include "store_internal.h"

#include "dataset.h"

struct load {
	struct store *store;
	struct dataset *dataset;
	GHashTable *rows;
	GArray *columns; /* struct metric, ends with a NULL name */
	GHashTable *index; /* number of a metric -> its column + 1 */
};

/* The detail of the run whose number stands first; NULL where that is not loaded. */
static struct run_detail *detail_of(const struct load *load, sqlite3_stmt *row)
{
	guint found = GPOINTER_TO_UINT(g_hash_table_lookup(load->rows, store_key_at(row, 0)));

	return found ? dataset_detail(load->dataset, found - 1) : NULL;
}

static void load_message(gpointer data, sqlite3_stmt *row)
{
	struct load *load = data;
	struct run_detail *detail = detail_of(load, row);

	if (detail)
		run_detail_add_message(detail, store_text_at(row, 1));
}

static void load_column(gpointer data, sqlite3_stmt *row)
{
	struct load *load = data;
	struct metric metric = store_metric_at(row);

	g_array_append_val(load->columns, metric);
	g_hash_table_insert(load->index, store_key_at(row, 0), GUINT_TO_POINTER(load->columns->len));
}

static void load_value(gpointer data, sqlite3_stmt *row)
{
	struct load *load = data;
	guint column = GPOINTER_TO_UINT(g_hash_table_lookup(load->index, store_key_at(row, 2)));
	struct run_detail *detail = column ? detail_of(load, row) : NULL;
	double at_s = sqlite3_column_double(row, 1);
	const struct series *series = detail ? &detail->seen.series : NULL;

	if (!detail)
		return;
	if (!detail->columns || g_array_index(series->at_s, double, series->at_s->len - 1) != at_s)
		run_detail_add_row(detail, load->columns, at_s);
	g_array_index(series->values, double, (series->at_s->len - 1) * series->n_columns + column - 1) =
	    sqlite3_column_double(row, 3);
}

static gboolean for_rows(struct load *load, const char *sql, store_each each, GError **error)
{
	g_autoptr(Statement) statement = store_prepare(load->store, sql, error);

	return statement && store_for_rows(load->store, statement, each, load, error);
}

gboolean store_load_details(struct store *store, struct dataset *dataset, GHashTable *rows, GError **error)
{
	g_autoptr(GArray) columns = g_array_new(TRUE, TRUE, sizeof(struct metric));
	g_autoptr(GHashTable) index = g_hash_table_new(NULL, NULL);
	struct load load = {store, dataset, rows, columns, index};

	return for_rows(&load, "SELECT run, text FROM run_message ORDER BY run, number", load_message, error) &&
	       for_rows(&load,
			"SELECT id, name, unit, better FROM metric WHERE id IN (SELECT metric FROM series_value)"
			" ORDER BY id",
			load_column, error) &&
	       for_rows(&load, "SELECT run, at_s, metric, value FROM series_value ORDER BY run, at_s", load_value, error);
}
