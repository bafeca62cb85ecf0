#include "store_internal.h"

#include <math.h>

#include "../workloads/workload.h"
#include "err.h"
#include "outcome.h"
#include "plan.h"
#include "process.h"

/* A run that has its result: one that was interrupted is made again. */
#define HAS_RESULT "(outcome IS NOT NULL AND outcome <> 'interrupted')"

static void plan_destroy(gpointer data)
{
	struct store_plan *plan = data;

	g_free(plan->purpose);
	g_free(plan->command);
	g_free(plan->options);
	g_free(plan->cwd);
	g_free(plan);
}

GPtrArray *store_plans(struct store *store, GError **error)
{
	g_autoptr(GPtrArray) plans = g_ptr_array_new_with_free_func(plan_destroy);
	g_autoptr(Statement) find = store_prepare(
	    store,
	    "SELECT plan.id, created_us, purpose, options, cwd, count(*), sum(NOT " HAS_RESULT "),"
	    " (SELECT command FROM sitting WHERE sitting.plan = plan.id ORDER BY sitting.id LIMIT 1),"
	    " sitting.boot, pid, pid_start,"
	    " sum(" HAS_RESULT " AND outcome NOT IN ('ok', 'skipped')), count(DISTINCT run.boot)"
	    " FROM plan JOIN run ON run.plan = plan.id"
	    " LEFT JOIN sitting ON sitting.id = (SELECT max(id) FROM sitting WHERE sitting.plan = plan.id)"
	    " GROUP BY plan.id ORDER BY plan.id",
	    error);
	const char *boot;
	int code;

	if (!find)
		return NULL;
	while ((code = sqlite3_step(find)) == SQLITE_ROW) {
		struct store_plan *plan = g_new0(struct store_plan, 1);

		plan->number = sqlite3_column_int64(find, 0);
		plan->created_us = sqlite3_column_int64(find, 1);
		plan->purpose = store_copy_text(find, 2);
		plan->options = store_copy_text(find, 3);
		plan->cwd = store_copy_text(find, 4);
		plan->runs = (guint)sqlite3_column_int64(find, 5);
		plan->left = (guint)sqlite3_column_int64(find, 6);
		plan->command = store_copy_text(find, 7);
		plan->failed = (guint)sqlite3_column_int64(find, 11);
		plan->boots = (guint)sqlite3_column_int64(find, 12);
		boot = (const char *)sqlite3_column_text(find, 8);
		plan->is_under_way =
		    boot && process_lives(boot, sqlite3_column_int64(find, 9), sqlite3_column_int64(find, 10));
		g_ptr_array_add(plans, plan);
	}
	if (code != SQLITE_DONE) {
		store_fail(store, "read", error);
		return NULL;
	}
	return g_steal_pointer(&plans);
}

/* The rows of one of the plan's tables, in the order in which they were made. */
static gboolean load_rows(const struct store *store, const char *sql, GArray *rows, GError **error)
{
	g_autoptr(Statement) find = store_prepare(store, sql, error);
	int code;

	if (!find)
		return FALSE;
	sqlite3_bind_int64(find, 1, store->plan);
	while ((code = sqlite3_step(find)) == SQLITE_ROW) {
		gint64 row = sqlite3_column_int64(find, 0);

		g_array_append_val(rows, row);
	}
	return code == SQLITE_DONE || store_fail(store, "read", error);
}

static gboolean is_same_run(const struct store *store, const struct planned_run *run, sqlite3_stmt *row)
{
	return run->workload < store->workloads->len && run->treatment < store->treatments->len &&
	       sqlite3_column_int64(row, 1) == run->position && sqlite3_column_int64(row, 2) == run->block &&
	       sqlite3_column_int64(row, 3) == g_array_index(store->workloads, gint64, run->workload) &&
	       sqlite3_column_int64(row, 4) == g_array_index(store->treatments, gint64, run->treatment);
}

/* The stored runs must be those of the plan: another version of the program could have laid it out in another way. */
static gboolean load_runs(struct store *store, const struct plan *plan, gboolean *done, GError **error)
{
	g_autoptr(Statement) find = store_prepare(store,
						  "SELECT id, position, block, workload, treatment, " HAS_RESULT
						  " FROM run WHERE plan = ?1 ORDER BY position",
						  error);
	guint n = 0;
	int code;

	if (!find)
		return FALSE;
	sqlite3_bind_int64(find, 1, store->plan);
	for (; (code = sqlite3_step(find)) == SQLITE_ROW; n++) {
		const struct planned_run *run = &g_array_index(plan->runs, struct planned_run, n);

		if (n >= plan->runs->len || !is_same_run(store, run, find))
			break;
		if (n == 0)
			store->first_run = sqlite3_column_int64(find, 0);
		done[n] = sqlite3_column_int(find, 5) != 0;
		g_array_append_val(store->run_workload, run->workload);
	}
	if (code == SQLITE_DONE && n == plan->runs->len)
		return TRUE;
	if (code != SQLITE_DONE && code != SQLITE_ROW)
		return store_fail(store, "read", error);
	return err_runtime(error, "cannot go on with plan %" G_GINT64_FORMAT " of the store '%s': this version makes other runs of it",
			   store->plan, store->path);
}

/* The facts that are not as in the last sitting of the plan, as "kernel (6.1 -> 6.12)". */
static gboolean compare_facts(const struct store *store, GHashTable *facts, char **changed, GError **error)
{
	g_autoptr(Statement) find = store_prepare(
	    store,
	    "SELECT key, value FROM fact WHERE fact_set = (SELECT fact_set FROM run WHERE plan = ?1 AND fact_set IS NOT NULL"
	    " ORDER BY sitting DESC LIMIT 1) ORDER BY key",
	    error);
	g_autoptr(GString) text = g_string_new(NULL);
	int code;

	if (!find)
		return FALSE;
	sqlite3_bind_int64(find, 1, store->plan);
	while ((code = sqlite3_step(find)) == SQLITE_ROW) {
		const char *key = (const char *)sqlite3_column_text(find, 0);
		const char *value = (const char *)sqlite3_column_text(find, 1), *now = g_hash_table_lookup(facts, key);

		if (g_strcmp0(value, now) != 0)
			g_string_append_printf(text, "%s%s (%s -> %s)", text->len ? ", " : "", key, value, now ? now : "-");
	}
	if (text->len)
		*changed = g_string_free(g_steal_pointer(&text), FALSE);
	return code == SQLITE_DONE || store_fail(store, "read", error);
}

/* What an interrupted run had left. */
static gboolean forget_interrupted(const struct store *store, GError **error)
{
	static const char *const tables[] = {"value", "series_value", "run_message", "run_flag"};
	gboolean ok = TRUE;

	for (guint i = 0; ok && i < G_N_ELEMENTS(tables); i++) {
		g_autofree char *sql = g_strdup_printf(
		    "DELETE FROM %s WHERE run IN (SELECT id FROM run WHERE plan = %" G_GINT64_FORMAT " AND NOT " HAS_RESULT ")",
		    tables[i], store->plan);

		ok = store_exec(store, sql, error);
	}
	return ok;
}

gboolean store_resume(struct store *store, gint64 number, const struct plan *plan, const struct store_sitting *sitting,
		      gboolean *done, char **changed, GError **error)
{
	gboolean ok;

	*changed = NULL;
	if (!store_begin_plan(store, error))
		return FALSE;
	store->plan = number;
	ok = load_rows(store, "SELECT id FROM workload WHERE plan = ?1 ORDER BY id", store->workloads, error) &&
	     load_rows(store, "SELECT id FROM treatment WHERE plan = ?1 ORDER BY id", store->treatments, error) &&
	     load_runs(store, plan, done, error) &&
	     (!sitting->facts || sitting->continues || compare_facts(store, sitting->facts, changed, error)) &&
	     forget_interrupted(store, error) && store_add_facts(store, sitting->facts, error) &&
	     (sitting->continues ? store_continue_sitting(store, sitting, error)
				 : store_add_sitting(store, sitting, g_get_real_time(), error));
	for (guint i = 0; ok && i < plan->workloads->len; i++)
		ok = store_add_metrics(store, plan->workloads->pdata[i], error);
	return ok ? store_flush(store, error) : store_rollback(store);
}

gboolean store_run_value(struct store *store, guint index, const char *metric, double *value, GError **error)
{
	g_autoptr(Statement) find =
	    store_prepare(store,
			  "SELECT value FROM value JOIN metric ON metric = metric.id JOIN run ON run = run.id"
			  " WHERE run = ?1 AND name = ?2 AND outcome = 'ok'",
			  error);
	int code;

	if (!find)
		return FALSE;
	sqlite3_bind_int64(find, 1, store->first_run + index);
	store_bind_text(find, 2, metric);
	code = sqlite3_step(find);
	*value = code == SQLITE_ROW ? sqlite3_column_double(find, 0) : NAN;
	return code == SQLITE_ROW || code == SQLITE_DONE || store_fail(store, "read", error);
}

gboolean store_is_empty(struct store *store)
{
	g_autoptr(Statement) find =
	    store_prepare(store, "SELECT (SELECT count(*) FROM plan) + (SELECT count(*) FROM undo)", NULL);

	return find && sqlite3_step(find) == SQLITE_ROW && sqlite3_column_int64(find, 0) == 0;
}
