#include "store_internal.h"

#include <string.h>
#include <unistd.h>

#include "../workloads/workload.h"
#include "err.h"
#include "process.h"

/* What a plan is stored with, whether it begins or goes on: facts, sitting, metrics. */

/* The number of a row in a table of unique texts, made where there is none. *made (NULL: not asked) says whether it
 * was. */
static gboolean unique_row(const struct store *store, const char *insert, const char *select, const char *text,
			   gint64 *id, gboolean *made, GError **error)
{
	g_autoptr(Statement) add = store_prepare(store, insert, error);
	g_autoptr(Statement) find = add ? store_prepare(store, select, error) : NULL;

	if (!find)
		return FALSE;
	store_bind_text(add, 1, text);
	if (!store_step(store, add, error))
		return FALSE;
	if (made)
		*made = sqlite3_changes(store->db) > 0;
	store_bind_text(find, 1, text);
	if (sqlite3_step(find) != SQLITE_ROW)
		return store_fail(store, "write to", error);
	*id = sqlite3_column_int64(find, 0);
	return TRUE;
}

/* The same for the same facts, whatever their order in the table. */
static char *facts_digest(GHashTable *facts, GList *keys)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);

	for (GList *key = keys; key; key = key->next) {
		const char *value = g_hash_table_lookup(facts, key->data);

		g_checksum_update(checksum, key->data, (gssize)strlen(key->data) + 1);
		g_checksum_update(checksum, (const guchar *)value, (gssize)strlen(value) + 1);
	}
	return g_strdup(g_checksum_get_string(checksum));
}

gboolean store_add_facts(struct store *store, GHashTable *facts, GError **error)
{
	g_autoptr(GList) keys = facts ? g_list_sort(g_hash_table_get_keys(facts), (GCompareFunc)strcmp) : NULL;
	g_autofree char *digest = facts_digest(facts, keys);
	g_autoptr(Statement) add = NULL;
	gboolean made;

	if (!unique_row(store, "INSERT INTO fact_set (digest) VALUES (?1) ON CONFLICT DO NOTHING",
			"SELECT id FROM fact_set WHERE digest = ?1", digest, &store->fact_set, &made, error))
		return FALSE;
	if (!made)
		return TRUE;
	add = store_prepare(store, "INSERT INTO fact (fact_set, key, value) VALUES (?1, ?2, ?3)", error);
	if (!add)
		return FALSE;
	for (GList *key = keys; key; key = key->next) {
		sqlite3_bind_int64(add, 1, store->fact_set);
		store_bind_text(add, 2, key->data);
		store_bind_text(add, 3, g_hash_table_lookup(facts, key->data));
		if (!store_step(store, add, error))
			return FALSE;
	}
	return TRUE;
}

gboolean store_boot_row(struct store *store, const char *boot_id, gint64 *row, GError **error)
{
	return unique_row(store, "INSERT INTO boot (boot_id) VALUES (?1) ON CONFLICT DO NOTHING",
			  "SELECT id FROM boot WHERE boot_id = ?1", boot_id, row, NULL, error);
}

gboolean store_enter_boot(struct store *store, const char *boot_id, GHashTable *facts, GError **error)
{
	store->boot = 0;
	return store_begin_transaction(store, error) &&
	       (((!boot_id || store_boot_row(store, boot_id, &store->boot, error)) && store_add_facts(store, facts, error)) ||
		store_rollback(store));
}

gboolean store_add_sitting(struct store *store, const struct store_sitting *sitting, gint64 now_us, GError **error)
{
	g_autoptr(Statement) add =
	    store_prepare(store,
			  "INSERT INTO sitting (plan, started_us, command, reset, settle_s, timeout_s, boot, pid, pid_start)"
			  " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
			  error);
	gint64 start;

	if (!add || !process_start_time(&start, error))
		return FALSE;
	sqlite3_bind_int64(add, 1, store->plan);
	sqlite3_bind_int64(add, 2, now_us);
	store_bind_text(add, 3, sitting->command);
	store_bind_text(add, 4, sitting->reset);
	sqlite3_bind_double(add, 5, sitting->settle_s);
	sqlite3_bind_double(add, 6, sitting->timeout_s);
	store_bind_text(add, 7, sitting->boot_id ? sitting->boot_id : "");
	sqlite3_bind_int64(add, 8, getpid());
	sqlite3_bind_int64(add, 9, start);
	if (!store_step(store, add, error))
		return FALSE;
	store->sitting = sqlite3_last_insert_rowid(store->db);
	return store_boot_row(store, sitting->boot_id ? sitting->boot_id : "", &store->boot, error);
}

gboolean store_continue_sitting(struct store *store, const struct store_sitting *sitting, GError **error)
{
	g_autoptr(Statement) move = store_prepare(store,
						  "UPDATE sitting SET boot = ?2, pid = ?3, pid_start = ?4"
						  " WHERE id = (SELECT max(id) FROM sitting WHERE plan = ?1) RETURNING id",
						  error);
	gint64 start;

	if (!move || !process_start_time(&start, error))
		return FALSE;
	sqlite3_bind_int64(move, 1, store->plan);
	store_bind_text(move, 2, sitting->boot_id);
	sqlite3_bind_int64(move, 3, getpid());
	sqlite3_bind_int64(move, 4, start);
	if (sqlite3_step(move) != SQLITE_ROW)
		return store_fail(store, "write to", error);
	store->sitting = sqlite3_column_int64(move, 0);
	return store_boot_row(store, sitting->boot_id, &store->boot, error);
}

gboolean store_metric_row(const struct store *store, const struct metric *metric, gint64 *row, GError **error)
{
	sqlite3_stmt *add = store->metric;
	gboolean ok;

	store_bind_text(add, 1, metric->name);
	store_bind_text(add, 2, metric->unit);
	store_bind_text(add, 3, better_name(metric->better));
	ok = sqlite3_step(add) == SQLITE_ROW || store_fail(store, "write to", error);
	if (ok) {
		const char *better = (const char *)sqlite3_column_text(add, 1);

		*row = sqlite3_column_int64(add, 0);
		if (g_strcmp0(better, better_name(metric->better)) != 0)
			ok = err_usage(error,
				       "metric '%s' of unit '%s' is kept in the store '%s' with %s as the better way: give it "
				       "another name",
				       metric->name, metric->unit, store->path, better ? better : "neither");
	}
	sqlite3_reset(add);
	return ok;
}

static gboolean add_metric(const struct store *store, const struct metric *metric, GArray *rows, GError **error)
{
	gint64 row;

	if (!store_metric_row(store, metric, &row, error))
		return FALSE;
	g_array_append_val(rows, row);
	return TRUE;
}

/* In the order of a result's values: those of every run, the workload's, those of its output. */
gboolean store_add_metrics(struct store *store, const struct workload_config *config, GError **error)
{
	GArray *ids = g_array_new(FALSE, FALSE, sizeof(gint64));

	g_ptr_array_add(store->workload_metrics, ids);
	for (const struct metric *metric = run_metrics; metric->name; metric++)
		if (!add_metric(store, metric, ids, error))
			return FALSE;
	for (const struct metric *metric = config->workload->metrics; metric && metric->name; metric++)
		if (!add_metric(store, metric, ids, error))
			return FALSE;
	for (guint i = 0; config->outputs && i < config->outputs->len; i++) {
		const struct output_metric *output = g_ptr_array_index(config->outputs, i);

		if (!add_metric(store, &output->metric, ids, error))
			return FALSE;
	}
	return TRUE;
}
