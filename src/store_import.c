#include "store_internal.h"

#include <math.h>

#include "dataset.h"
#include "flag.h"
#include "outcome.h"
#include "process.h"
#include "shared.h"

/* What an import is at. Tables hold row numbers as gint64 *. */
struct import_state {
	struct store *store;
	const struct dataset *dataset;
	GHashTable *sittings, *workloads, *treatments, *boots, *facts, *blocks;
	GArray *metrics;        /* gint64 a metric of the dataset */
};

static gboolean insert(struct store *store, sqlite3_stmt *statement, gint64 *row, GError **error)
{
	gboolean ok = statement && store_step(store, statement, error);

	*row = ok ? sqlite3_last_insert_rowid(store->db) : 0;
	return ok;
}

static gboolean known_row(GHashTable *rows, const char *key, gint64 *row)
{
	const gint64 *found = g_hash_table_lookup(rows, key);

	if (found)
		*row = *found;
	return found != NULL;
}

static void note_row(GHashTable *rows, const char *key, gint64 row)
{
	g_hash_table_insert(rows, g_strdup(key), g_memdup2(&row, sizeof row));
}

static gboolean add_plan(struct store *store, GError **error)
{
	g_autoptr(Statement) add = store_prepare(store,
						 "INSERT INTO plan (created_us, ordering, seed, repeat, warmup, purpose)"
						 " VALUES (?1, 'imported', '0', 0, 0, 'run')",
						 error);

	if (!add)
		return FALSE;
	sqlite3_bind_int64(add, 1, g_get_real_time());
	return insert(store, add, &store->plan, error);
}

/* Each sitting of the file is one of the store. */
static gboolean sitting_row(struct import_state *state, const char *text, const char *command, gint64 *row, GError **error)
{
	const char *key = text ? text : "";
	g_autoptr(Statement) add = NULL;
	gint64 start;

	if (known_row(state->sittings, key, row))
		return TRUE;
	add = store_prepare(state->store,
			    "INSERT INTO sitting (plan, started_us, command, settle_s, timeout_s, boot, pid, pid_start)"
			    " VALUES (?1, ?2, ?3, 0, 0, '', 0, ?4)",
			    error);
	if (!add || !process_start_time(&start, error))
		return FALSE;
	sqlite3_bind_int64(add, 1, state->store->plan);
	sqlite3_bind_int64(add, 2, g_get_real_time());
	store_bind_text(add, 3, command);
	sqlite3_bind_int64(add, 4, start);
	if (!insert(state->store, add, row, error))
		return FALSE;
	note_row(state->sittings, key, *row);
	return TRUE;
}

static gboolean workload_row(struct import_state *state, const char *spec, gint64 *row, GError **error)
{
	const char *primary = g_hash_table_lookup(state->dataset->primary, spec);
	g_autoptr(Statement) add = NULL;

	if (known_row(state->workloads, spec, row))
		return TRUE;
	add = store_prepare(state->store,
			    "INSERT INTO workload (plan, spec, options, primary_metric) VALUES (?1, ?2, '', ?3)", error);
	if (!add)
		return FALSE;
	sqlite3_bind_int64(add, 1, state->store->plan);
	store_bind_text(add, 2, spec);
	store_bind_text(add, 3, primary ? primary : "");
	if (!insert(state->store, add, row, error))
		return FALSE;
	note_row(state->workloads, spec, *row);
	return TRUE;
}

static gboolean add_levels(struct import_state *state, guint run, gint64 treatment, GError **error)
{
	g_autoptr(Statement) add = store_prepare(
	    state->store, "INSERT INTO treatment_level (treatment, number, factor, level) VALUES (?1, ?2, ?3, ?4)", error);

	for (guint i = 0; add && i < state->dataset->factors->len; i++) {
		const struct column *factor = state->dataset->factors->pdata[i];
		const char *level = column_get(factor, run);

		if (!level)
			continue;
		sqlite3_bind_int64(add, 1, treatment);
		sqlite3_bind_int64(add, 2, i);
		store_bind_text(add, 3, factor->name);
		store_bind_text(add, 4, level);
		if (!store_step(state->store, add, error))
			return FALSE;
	}
	return add != NULL;
}

static char *treatment_key(const struct dataset *dataset, guint run)
{
	GString *key = g_string_new(NULL);

	for (guint i = 0; i < dataset->factors->len; i++)
		g_string_append_printf(key, "%u ", column_code(dataset->factors->pdata[i], run));
	return g_string_free(key, FALSE);
}

static gboolean treatment_row(struct import_state *state, guint run, gint64 *row, GError **error)
{
	g_autofree char *key = treatment_key(state->dataset, run);
	g_autoptr(Statement) add = NULL;

	if (known_row(state->treatments, key, row))
		return TRUE;
	add = store_prepare(state->store, "INSERT INTO treatment (plan) VALUES (?1)", error);
	if (!add)
		return FALSE;
	sqlite3_bind_int64(add, 1, state->store->plan);
	if (!insert(state->store, add, row, error) || !add_levels(state, run, *row, error))
		return FALSE;
	note_row(state->treatments, key, *row);
	return TRUE;
}

/* The levels of the factors come back in the order in which treatments name them. */
struct naming {
	const struct dataset *dataset;
	GArray *rank; /* guint a level, of one factor after the other: how many used ones stand before it in its list */
	GArray *first; /* guint a factor: where its levels begin in rank */
	GArray *named; /* guint a factor: so many of its used levels have been named */
};

static void naming_init(struct naming *naming, const struct dataset *dataset)
{
	*naming = (struct naming){dataset, g_array_new(FALSE, TRUE, sizeof(guint)),
				  g_array_new(FALSE, TRUE, sizeof(guint)), g_array_new(FALSE, TRUE, sizeof(guint))};
	g_array_set_size(naming->named, dataset->factors->len);
	for (guint i = 0; i < dataset->factors->len; i++) {
		const struct column *factor = dataset->factors->pdata[i];
		guint *rank, n = 0, first = naming->rank->len;

		g_array_append_val(naming->first, first);
		g_array_set_size(naming->rank, first + factor->level->len);
		rank = &g_array_index(naming->rank, guint, first);
		for (guint run = 0; run < dataset->n_runs; run++)
			if (column_get(factor, run))
				rank[column_code(factor, run)] = 1;
		for (guint level = 0; level < factor->level->len; level++) {
			guint is_used = rank[level];

			rank[level] = n;
			n += is_used;
		}
	}
}

static void naming_clear(struct naming *naming)
{
	g_array_unref(naming->rank);
	g_array_unref(naming->first);
	g_array_unref(naming->named);
}

/* Whether each level of the run's treatment has been named or is the next of its list. */
static gboolean is_in_turn(const struct naming *naming, guint run)
{
	for (guint i = 0; i < naming->dataset->factors->len; i++) {
		guint32 code = column_code(naming->dataset->factors->pdata[i], run);
		guint first = g_array_index(naming->first, guint, i);

		if (code != DATASET_ABSENT &&
		    g_array_index(naming->rank, guint, first + code) > g_array_index(naming->named, guint, i))
			return FALSE;
	}
	return TRUE;
}

static void name_levels(struct naming *naming, guint run)
{
	for (guint i = 0; i < naming->dataset->factors->len; i++) {
		guint32 code = column_code(naming->dataset->factors->pdata[i], run);
		guint *named = &g_array_index(naming->named, guint, i);

		if (code != DATASET_ABSENT)
			*named =
			    MAX(*named,
				g_array_index(naming->rank, guint, g_array_index(naming->first, guint, i) + code) + 1);
	}
}

/* runs: one of each treatment. Those that are left when none is in turn, as in a part of a store, come as they are. */
static gboolean add_treatments(struct import_state *state, struct naming *naming, GArray *runs, GError **error)
{
	guint left;
	gint64 row;

	for (gboolean any = TRUE; runs->len; any = left < runs->len, g_array_set_size(runs, left)) {
		left = 0;
		for (guint i = 0; i < runs->len; i++) {
			guint run = g_array_index(runs, guint, i);

			if (any && !is_in_turn(naming, run)) {
				g_array_index(runs, guint, left++) = run;
				continue;
			}
			if (!treatment_row(state, run, &row, error))
				return FALSE;
			name_levels(naming, run);
		}
	}
	return TRUE;
}

/* Workloads and levels in the order in which the dataset lists them, which need not be that of the runs. */
static gboolean add_in_order(struct import_state *state, GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(guint));
	const struct column *workload = state->dataset->workload;
	struct naming naming;
	gboolean ok;
	gint64 row;

	for (guint i = 0; workload && i < workload->level->len; i++)
		if (!workload_row(state, workload->level->pdata[i], &row, error))
			return FALSE;
	for (guint run = 0; run < state->dataset->n_runs; run++)
		if (g_hash_table_add(seen, treatment_key(state->dataset, run)))
			g_array_append_val(runs, run);
	naming_init(&naming, state->dataset);
	ok = add_treatments(state, &naming, runs, error);
	naming_clear(&naming);
	return ok;
}

static gboolean boot_row(struct import_state *state, const char *boot, gint64 *row, GError **error)
{
	if (known_row(state->boots, boot, row))
		return TRUE;
	if (!store_boot_row(state->store, boot, row, error))
		return FALSE;
	note_row(state->boots, boot, *row);
	return TRUE;
}

static gboolean facts_row(struct import_state *state, const char *name, gint64 *row, GError **error)
{
	if (known_row(state->facts, name, row))
		return TRUE;
	if (!store_add_facts(state->store, g_hash_table_lookup(state->dataset->fact_sets, name), error))
		return FALSE;
	*row = state->store->fact_set;
	note_row(state->facts, name, *row);
	return TRUE;
}

/* Blocks are the same where their texts are: they are numbered as they come. */
static gint64 block_number(struct import_state *state, const char *block)
{
	gint64 number;

	if (!known_row(state->blocks, block, &number)) {
		number = g_hash_table_size(state->blocks) + 1;
		note_row(state->blocks, block, number);
	}
	return number;
}

static void bind_optional(sqlite3_stmt *statement, int parameter, gint64 row)
{
	if (row)
		sqlite3_bind_int64(statement, parameter, row);
	else
		sqlite3_bind_null(statement, parameter);
}

static gboolean add_values(struct import_state *state, guint run, gint64 row, GError **error)
{
	const GArray *flags = state->dataset->flags;
	flag_set set = flags && run < flags->len ? g_array_index(flags, flag_set, run) : 0;

	for (guint i = 0; i < state->dataset->metrics->len; i++) {
		double value = values_get(state->dataset->metrics->pdata[i], run);

		if (!isfinite(value))
			continue;
		sqlite3_bind_int64(state->store->value, 1, row);
		sqlite3_bind_int64(state->store->value, 2, g_array_index(state->metrics, gint64, i));
		sqlite3_bind_double(state->store->value, 3, value);
		if (!store_step(state->store, state->store->value, error))
			return FALSE;
	}
	return store_add_flags(state->store, row, set, error);
}

static gboolean add_run(struct import_state *state, sqlite3_stmt *add, guint run, const char *command, GError **error)
{
	const struct dataset *dataset = state->dataset;
	const char *workload = column_get(dataset->workload, run), *boot = column_get(dataset->boot, run);
	const char *facts = column_get(dataset->facts, run), *block = column_get(dataset->block, run);
	const char *outcome = column_get(dataset->outcome, run);
	gint64 sitting, workload_id, treatment, boot_id = 0, facts_id = 0, row;

	if (!sitting_row(state, column_get(dataset->sitting, run), command, &sitting, error) ||
	    !workload_row(state, workload ? workload : "", &workload_id, error) ||
	    !treatment_row(state, run, &treatment, error) || (boot && !boot_row(state, boot, &boot_id, error)) ||
	    (facts && !facts_row(state, facts, &facts_id, error)))
		return FALSE;
	sqlite3_bind_int64(add, 1, state->store->plan);
	sqlite3_bind_int64(add, 2, run + 1);
	bind_optional(add, 3, block ? block_number(state, block) : 0);
	sqlite3_bind_int64(add, 4, workload_id);
	sqlite3_bind_int64(add, 5, treatment);
	sqlite3_bind_int64(add, 6, sitting);
	bind_optional(add, 7, boot_id);
	bind_optional(add, 8, facts_id);
	bind_optional(add, 9, dataset_started_us(dataset, run));
	store_bind_text(add, 10, outcome ? outcome : outcome_name(OUTCOME_OK));
	return insert(state->store, add, &row, error) && add_values(state, run, row, error);
}

static gboolean add_runs(struct import_state *state, const char *command, GError **error)
{
	g_autoptr(Statement) add =
	    store_prepare(state->store,
			  "INSERT INTO run (plan, position, block, workload, treatment, warmup, sitting, boot, fact_set,"
			  " started_us, outcome) VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8, ?9, ?10)",
			  error);

	for (guint run = 0; add && run < state->dataset->n_runs; run++)
		if (!add_run(state, add, run, command, error))
			return FALSE;
	return add != NULL;
}

static gboolean add_metrics(struct import_state *state, GError **error)
{
	for (guint i = 0; i < state->dataset->metrics->len; i++) {
		gint64 row;

		if (!store_metric_row(state->store, &((const struct values *)state->dataset->metrics->pdata[i])->metric, &row,
				      error))
			return FALSE;
		g_array_append_val(state->metrics, row);
	}
	return TRUE;
}

gboolean store_import(struct store *store, const struct dataset *dataset, const char *command, GError **error)
{
	struct import_state state = {.store = store, .dataset = dataset};
	GHashTable **tables[] = {&state.sittings, &state.workloads, &state.treatments,
				 &state.boots,    &state.facts,     &state.blocks};
	gboolean ok;

	for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
		*tables[i] = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	state.metrics = g_array_new(FALSE, FALSE, sizeof(gint64));
	ok = store_begin_plan(store, error) &&
	     ((add_plan(store, error) && add_metrics(&state, error) && add_in_order(&state, error) && add_runs(&state, command, error))
		  ? store_flush(store, error)
		  : store_rollback(store));
	for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
		g_hash_table_unref(*tables[i]);
	g_array_unref(state.metrics);
	return ok;
}
