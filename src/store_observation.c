#include "store_internal.h"

#include <math.h>

#include "observe.h"
#include "shared.h"

/* Observers and probes measure the same metrics in every run: their rows are looked up once. */
static gboolean find_row(struct store *store, const struct metric *metric, gint64 *row, GError **error)
{
	const gint64 *known = g_hash_table_lookup(store->metric_rows, metric);

	if (known) {
		*row = *known;
		return TRUE;
	}
	if (!store_metric_row(store, metric, row, error))
		return FALSE;
	g_hash_table_insert(store->metric_rows, shared(metric), g_memdup2(row, sizeof *row));
	return TRUE;
}

static gboolean add_measurements(struct store *store, gint64 run, const GArray *measurements, GError **error)
{
	for (guint i = 0; measurements && i < measurements->len; i++) {
		const struct measurement *one = &g_array_index(measurements, struct measurement, i);
		gint64 row;

		if (!isfinite(one->value))
			continue;
		if (!find_row(store, one->metric, &row, error))
			return FALSE;
		sqlite3_bind_int64(store->value, 1, run);
		sqlite3_bind_int64(store->value, 2, row);
		sqlite3_bind_double(store->value, 3, one->value);
		if (!store_step(store, store->value, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_series(struct store *store, gint64 run, const struct series *series, GError **error)
{
	for (guint i = 0; series->at_s && i < series->at_s->len; i++)
		for (guint j = 0; j < series->n_columns; j++) {
			double value = g_array_index(series->values, double, i * series->n_columns + j);
			gint64 row;

			if (!isfinite(value))
				continue;
			if (!find_row(store, &series->columns[j], &row, error))
				return FALSE;
			sqlite3_bind_int64(store->series, 1, run);
			sqlite3_bind_int64(store->series, 2, row);
			sqlite3_bind_double(store->series, 3, g_array_index(series->at_s, double, i));
			sqlite3_bind_double(store->series, 4, value);
			if (!store_step(store, store->series, error))
				return FALSE;
		}
	return TRUE;
}

static gboolean add_messages(struct store *store, gint64 run, const GPtrArray *messages, GError **error)
{
	for (guint i = 0; messages && i < messages->len; i++) {
		sqlite3_bind_int64(store->message, 1, run);
		sqlite3_bind_int64(store->message, 2, i + 1);
		store_bind_text(store->message, 3, messages->pdata[i]);
		if (!store_step(store, store->message, error))
			return FALSE;
	}
	return TRUE;
}

gboolean store_add_observation(struct store *store, gint64 run, const struct observation *seen, GError **error)
{
	return add_measurements(store, run, seen->measurements, error) && add_series(store, run, &seen->series, error) &&
	       add_messages(store, run, seen->messages, error);
}
