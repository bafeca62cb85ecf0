#include "store_internal.h"

#include <math.h>

#include "run.h"
#include "until.h"

static gboolean add_look(struct store *store, const struct look *look, GError **error)
{
	g_autoptr(Statement) add =
	    store_prepare(store,
			  "INSERT INTO look (plan, after_block, workload, treatment, n, statistic, threshold, decided)"
			  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
			  error);

	if (!add)
		return FALSE;
	sqlite3_bind_int64(add, 1, store->plan);
	sqlite3_bind_int64(add, 2, look->block);
	sqlite3_bind_int64(add, 3, g_array_index(store->workloads, gint64, look->workload));
	sqlite3_bind_int64(add, 4, g_array_index(store->treatments, gint64, look->treatment));
	sqlite3_bind_int64(add, 5, look->n);
	if (isfinite(look->statistic))
		sqlite3_bind_double(add, 6, look->statistic);
	sqlite3_bind_double(add, 7, look->threshold);
	sqlite3_bind_int64(add, 8, look->is_decided ? 1 : 0);
	return store_step(store, add, error);
}

gboolean store_look(struct store *store, const struct look *look, GError **error)
{
	/* in the transaction of the runs that it rests on: it is never on the disk without them */
	if (!store_begin_transaction(store, error))
		return FALSE;
	return add_look(store, look, error) || store_rollback(store);
}

gboolean store_skip_run(struct store *store, guint index, const char *why, GError **error)
{
	g_autofree char *message = g_strdup(why);
	struct run_result result = {.outcome = OUTCOME_SKIPPED, .message = message, .started_us = g_get_real_time()};

	for (guint i = 0; i < RUN_METRICS; i++)
		result.values[i] = NAN;
	return store_finish_run(store, index, &result, NULL, error);
}
