#include "store_internal.h"

#include "dataset.h"
#include "run_series.h"

/* Columns of the row: the metric's number, name, unit and direction, time and value. */
static void add_value(struct run_series *series, sqlite3_stmt *row, gint64 *metric)
{
	double at_s = sqlite3_column_double(row, 4), value = sqlite3_column_double(row, 5);

	if (!series->lines->len || *metric != sqlite3_column_int64(row, 0)) {
		const struct metric added = store_metric_at(row);

		run_series_add(series, &added);
	}
	*metric = sqlite3_column_int64(row, 0);
	series_line_add(g_ptr_array_index(series->lines, series->lines->len - 1), at_s, value);
}

static gboolean load_run(struct store *store, sqlite3_stmt *statement, gint64 run, struct run_series *series,
			 GError **error)
{
	gint64 metric = 0;
	int code;

	sqlite3_reset(statement);
	sqlite3_bind_int64(statement, 1, run);
	while ((code = sqlite3_step(statement)) == SQLITE_ROW)
		add_value(series, statement, &metric);
	return code == SQLITE_DONE || store_fail(store, "read", error);
}

GPtrArray *store_load_series(struct store *store, const struct dataset *dataset, const GArray *rows, GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func((GDestroyNotify)run_series_free);
	/* metrics are numbered in the order in which the columns were first stored */
	g_autoptr(Statement) statement = store_prepare(
	    store,
	    "SELECT metric.id, name, unit, better, at_s, value FROM series_value JOIN metric ON metric = metric.id"
	    " WHERE run = ? ORDER BY metric, at_s",
	    error);

	if (!statement)
		return NULL;
	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		gint64 run = dataset_store_run(dataset, row);
		struct run_series *series = run_series_new(row, run);

		g_ptr_array_add(all, series);
		if (run && !load_run(store, statement, run, series, error))
			return NULL;
		if (!series->lines->len)
			g_ptr_array_remove_index(all, all->len - 1);
	}
	return g_steal_pointer(&all);
}
