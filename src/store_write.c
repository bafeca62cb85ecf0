#include "store_internal.h"

#include <math.h>

#include "../workloads/workload.h"
#include "err.h"
#include "flag.h"
#include "plan.h"
#include "run.h"

#define COMMIT_EVERY_US G_USEC_PER_SEC

gboolean store_rollback(struct store *store)
{
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	store->in_transaction = FALSE;
	return FALSE;
}

static gboolean add_plan(struct store *store, const struct plan *plan, const struct store_sitting *sitting,
			 gint64 now_us, GError **error)
{
	g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, plan->seed);
	g_autoptr(Statement) add = store_prepare(
	    store,
	    "INSERT INTO plan (created_us, ordering, seed, repeat, warmup, purpose, options, cwd)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
	    error);

	if (!add)
		return FALSE;
	sqlite3_bind_int64(add, 1, now_us);
	store_bind_text(add, 2, plan_order_name(plan->order));
	store_bind_text(add, 3, seed);
	sqlite3_bind_int64(add, 4, plan->repeat);
	sqlite3_bind_int64(add, 5, plan->warmup);
	store_bind_text(add, 6, plan_purpose_name(plan->purpose));
	store_bind_text(add, 7, sitting->options);
	store_bind_text(add, 8, sitting->cwd);
	if (!store_step(store, add, error))
		return FALSE;
	store->plan = sqlite3_last_insert_rowid(store->db);
	return TRUE;
}

static gboolean add_workloads(struct store *store, const struct plan *plan, GArray *ids, GError **error)
{
	g_autoptr(Statement) add = store_prepare(
	    store, "INSERT INTO workload (plan, spec, options, primary_metric) VALUES (?1, ?2, ?3, ?4)", error);

	if (!add)
		return FALSE;
	for (guint i = 0; i < plan->workloads->len; i++) {
		const struct workload_config *config = g_ptr_array_index(plan->workloads, i);
		g_autofree char *options = workload_config_describe(config);
		gint64 id;

		sqlite3_bind_int64(add, 1, store->plan);
		store_bind_text(add, 2, config->spec);
		store_bind_text(add, 3, options);
		store_bind_text(add, 4, workload_config_primary(config));
		if (!store_step(store, add, error))
			return FALSE;
		id = sqlite3_last_insert_rowid(store->db);
		g_array_append_val(ids, id);
		if (!store_add_metrics(store, config, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_treatments(struct store *store, const struct plan *plan, GArray *ids, GError **error)
{
	g_autoptr(Statement) add = store_prepare(store, "INSERT INTO treatment (plan) VALUES (?1)", error);
	g_autoptr(Statement) add_level = store_prepare(
	    store, "INSERT INTO treatment_level (treatment, number, factor, level) VALUES (?1, ?2, ?3, ?4)",
	    add ? error : NULL);

	if (!add || !add_level)
		return FALSE;
	for (guint i = 0; i < plan->treatments->len; i++) {
		const struct treatment *treatment = g_ptr_array_index(plan->treatments, i);
		gint64 id;

		sqlite3_bind_int64(add, 1, store->plan);
		if (!store_step(store, add, error))
			return FALSE;
		id = sqlite3_last_insert_rowid(store->db);
		g_array_append_val(ids, id);
		for (guint j = 0; j < treatment->factor->len; j++) {
			sqlite3_bind_int64(add_level, 1, id);
			sqlite3_bind_int64(add_level, 2, j);
			store_bind_text(add_level, 3, g_ptr_array_index(treatment->factor, j));
			store_bind_text(add_level, 4, g_ptr_array_index(treatment->level, j));
			if (!store_step(store, add_level, error))
				return FALSE;
		}
	}
	return TRUE;
}

static gboolean add_runs(struct store *store, const struct plan *plan, GError **error)
{
	g_autoptr(Statement) add = store_prepare(store,
						 "INSERT INTO run (plan, position, block, workload, treatment, warmup)"
						 " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
						 error);

	if (!add)
		return FALSE;
	for (guint i = 0; i < plan->runs->len; i++) {
		const struct planned_run *run = &g_array_index(plan->runs, struct planned_run, i);

		sqlite3_bind_int64(add, 1, store->plan);
		sqlite3_bind_int64(add, 2, run->position);
		sqlite3_bind_int64(add, 3, run->block);
		sqlite3_bind_int64(add, 4, g_array_index(store->workloads, gint64, run->workload));
		sqlite3_bind_int64(add, 5, g_array_index(store->treatments, gint64, run->treatment));
		sqlite3_bind_int64(add, 6, run->warmup ? 1 : 0);
		if (!store_step(store, add, error))
			return FALSE;
		/* Rows of one transaction follow each other. */
		if (i == 0)
			store->first_run = sqlite3_last_insert_rowid(store->db);
		g_array_append_val(store->run_workload, run->workload);
	}
	return TRUE;
}

static gboolean prepare_statements(struct store *store, GError **error)
{
	static const char finish[] =
	    "UPDATE run SET sitting = ?2, boot = ?3, fact_set = ?4, started_us = ?5, outcome = ?6,"
	    " message = ?7 WHERE id = ?1";

	if (store->flag)
		return TRUE;
	return (store->metric = store_prepare(
		    store,
		    "INSERT INTO metric (name, unit, better) VALUES (?1, ?2, ?3)"
		    " ON CONFLICT (name, unit) DO UPDATE SET unit = excluded.unit RETURNING id, better",
		    error)) &&
	       (store->series = store_prepare(
		    store, "INSERT OR REPLACE INTO series_value (run, metric, at_s, value) VALUES (?1, ?2, ?3, ?4)", error)) &&
	       (store->message = store_prepare(
		    store, "INSERT OR REPLACE INTO run_message (run, number, text) VALUES (?1, ?2, ?3)", error)) &&
	       (store->finish = store_prepare(store, finish, error)) &&
	       (store->value = store_prepare(
		    store, "INSERT OR REPLACE INTO value (run, metric, value) VALUES (?1, ?2, ?3)", error)) &&
	       (store->flag =
		    store_prepare(store, "INSERT OR REPLACE INTO run_flag (run, flag) VALUES (?1, ?2)", error));
}

gboolean store_begin_transaction(struct store *store, GError **error)
{
	if (!store->in_transaction && !store_exec(store, "BEGIN IMMEDIATE", error))
		return FALSE;
	store->in_transaction = TRUE;
	return TRUE;
}

gboolean store_flush(struct store *store, GError **error)
{
	if (!store->in_transaction)
		return TRUE;
	if (!store_exec(store, "COMMIT", error))
		return store_rollback(store);
	store->in_transaction = FALSE;
	store->committed_us = g_get_monotonic_time();
	return TRUE;
}

gboolean store_begin_plan(struct store *store, GError **error)
{
	if (!store_flush(store, error) || !prepare_statements(store, error) || !store_begin_transaction(store, error))
		return FALSE;
	g_clear_pointer(&store->run_workload, g_array_unref);
	g_clear_pointer(&store->workload_metrics, g_ptr_array_unref);
	g_clear_pointer(&store->workloads, g_array_unref);
	g_clear_pointer(&store->treatments, g_array_unref);
	g_clear_pointer(&store->metric_rows, g_hash_table_unref);
	store->workloads = g_array_new(FALSE, FALSE, sizeof(gint64));
	store->treatments = g_array_new(FALSE, FALSE, sizeof(gint64));
	store->run_workload = g_array_new(FALSE, FALSE, sizeof(guint));
	store->workload_metrics = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	store->metric_rows = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return TRUE;
}

gboolean store_begin(struct store *store, const struct plan *plan, const struct store_sitting *sitting, GError **error)
{
	gint64 now_us = g_get_real_time();

	if (!store_begin_plan(store, error))
		return FALSE;
	if (store_add_facts(store, sitting->facts, error) && add_plan(store, plan, sitting, now_us, error) &&
	    store_add_sitting(store, sitting, now_us, error) && add_workloads(store, plan, store->workloads, error) &&
	    add_treatments(store, plan, store->treatments, error) && add_runs(store, plan, error))
		return store_flush(store, error);
	return store_rollback(store);
}

gint64 store_plan_begun(const struct store *store)
{
	return store->plan;
}

static gboolean add_values(const struct store *store, guint index, const struct run_result *result, GError **error)
{
	const GArray *metrics =
	    g_ptr_array_index(store->workload_metrics, g_array_index(store->run_workload, guint, index));

	sqlite3_bind_int64(store->value, 1, store->first_run + index);
	for (guint i = 0; i < metrics->len; i++) {
		double value = NAN;

		if (i < RUN_METRICS)
			value = result->values[i];
		else if (result->own && i - RUN_METRICS < result->own->len)
			value = g_array_index(result->own, double, i - RUN_METRICS);
		if (!isfinite(value))
			continue;
		sqlite3_bind_int64(store->value, 2, g_array_index(metrics, gint64, i));
		sqlite3_bind_double(store->value, 3, value);
		if (!store_step(store, store->value, error))
			return FALSE;
	}
	return TRUE;
}

gboolean store_add_flags(const struct store *store, gint64 run, flag_set flags, GError **error)
{
	for (const struct flag_info *info = flag_table; flags && info->flag; info++) {
		if (!(flags & info->flag))
			continue;
		sqlite3_bind_int64(store->flag, 1, run);
		store_bind_text(store->flag, 2, info->name);
		if (!store_step(store, store->flag, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean set_outcome(const struct store *store, guint index, const struct run_result *result, GError **error)
{
	sqlite3_bind_int64(store->finish, 1, store->first_run + index);
	sqlite3_bind_int64(store->finish, 2, store->sitting);
	if (store->boot)
		sqlite3_bind_int64(store->finish, 3, store->boot);
	else
		sqlite3_bind_null(store->finish, 3);
	sqlite3_bind_int64(store->finish, 4, store->fact_set);
	sqlite3_bind_int64(store->finish, 5, result->started_us);
	store_bind_text(store->finish, 6, outcome_name(result->outcome));
	store_bind_text(store->finish, 7, result->message);
	return store_step(store, store->finish, error);
}

gboolean store_finish_run(struct store *store, guint index, const struct run_result *result, gboolean *durable,
			  GError **error)
{
	g_assert(store->run_workload && index < store->run_workload->len);
	if (!store_begin_transaction(store, error))
		return FALSE;
	/* Within the transaction a half run is never seen: on an error all since the last commit is taken back. */
	if (!set_outcome(store, index, result, error) || !add_values(store, index, result, error) ||
	    !store_add_flags(store, store->first_run + index, result->flags, error) ||
	    !store_add_observation(store, store->first_run + index, &result->observation, error))
		return store_rollback(store);
	if ((result->values[RUN_ELAPSED] >= 1 || g_get_monotonic_time() - store->committed_us >= COMMIT_EVERY_US) &&
	    !store_flush(store, error))
		return FALSE;
	if (durable)
		*durable = !store->in_transaction;
	return TRUE;
}
