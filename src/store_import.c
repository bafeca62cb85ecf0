#include "store_internal.h"

#include <math.h>

#include "dataset.h"
#include "flag.h"
#include "outcome.h"
#include "plan.h"
#include "process.h"
#include "shared.h"

enum table { SITTINGS, WORKLOADS, TREATMENTS, BOOTS, FACTS, BLOCKS, TABLES };

/* What the import of the runs of one purpose, which make a plan, is at. Tables hold row numbers as gint64 *. */
struct import_state {
	struct store *store;
	const struct dataset *dataset;
	const char *command;
	enum plan_purpose purpose;
	gint64 plan;
	sqlite3_stmt *run, *level; /* each adds one */
	GHashTable *table[TABLES];
	GArray *metrics;        /* gint64 a metric of the dataset */
};

static gboolean is_of_plan(const struct import_state *state, guint run)
{
	const struct run_detail *detail = dataset_find_detail(state->dataset, run);

	return (detail && detail->is_calibration) == (state->purpose == PURPOSE_CALIBRATE);
}

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

static gboolean add_plan(struct import_state *state, GError **error)
{
	g_autoptr(Statement) add = store_prepare(state->store,
						 "INSERT INTO plan (created_us, ordering, seed, repeat, warmup, purpose)"
						 " VALUES (?1, 'imported', '0', 0, 0, ?2)",
						 error);

	if (!add)
		return FALSE;
	sqlite3_bind_int64(add, 1, g_get_real_time());
	store_bind_text(add, 2, plan_purpose_name(state->purpose));
	return insert(state->store, add, &state->plan, error);
}

/* Each sitting of the file is one of the store. */
static gboolean sitting_row(struct import_state *state, const char *text, gint64 *row, GError **error)
{
	const char *key = text ? text : "";
	g_autoptr(Statement) add = NULL;
	gint64 start;

	if (known_row(state->table[SITTINGS], key, row))
		return TRUE;
	add = store_prepare(state->store,
			    "INSERT INTO sitting (plan, started_us, command, settle_s, timeout_s, boot, pid, pid_start)"
			    " VALUES (?1, ?2, ?3, 0, 0, '', 0, ?4)",
			    error);
	if (!add || !process_start_time(&start, error))
		return FALSE;
	sqlite3_bind_int64(add, 1, state->plan);
	sqlite3_bind_int64(add, 2, g_get_real_time());
	store_bind_text(add, 3, state->command);
	sqlite3_bind_int64(add, 4, start);
	if (!insert(state->store, add, row, error))
		return FALSE;
	note_row(state->table[SITTINGS], key, *row);
	return TRUE;
}

static gboolean workload_row(struct import_state *state, const char *spec, gint64 *row, GError **error)
{
	const char *primary = g_hash_table_lookup(state->dataset->primary, spec);
	g_autoptr(Statement) add = NULL;

	if (known_row(state->table[WORKLOADS], spec, row))
		return TRUE;
	add = store_prepare(state->store,
			    "INSERT INTO workload (plan, spec, options, primary_metric) VALUES (?1, ?2, '', ?3)", error);
	if (!add)
		return FALSE;
	sqlite3_bind_int64(add, 1, state->plan);
	store_bind_text(add, 2, spec);
	store_bind_text(add, 3, primary ? primary : "");
	if (!insert(state->store, add, row, error))
		return FALSE;
	note_row(state->table[WORKLOADS], spec, *row);
	return TRUE;
}

/* factor: its index in the dataset. */
static gboolean add_level(struct import_state *state, gint64 treatment, guint factor, const char *level, GError **error)
{
	sqlite3_bind_int64(state->level, 1, treatment);
	sqlite3_bind_int64(state->level, 2, factor);
	store_bind_text(state->level, 3, ((const struct column *)state->dataset->factors->pdata[factor])->name);
	store_bind_text(state->level, 4, level);
	return store_step(state->store, state->level, error);
}

static gboolean add_levels(struct import_state *state, guint run, gint64 treatment, GError **error)
{
	for (guint i = 0; i < state->dataset->factors->len; i++) {
		const char *level = column_get(state->dataset->factors->pdata[i], run);

		if (level && !add_level(state, treatment, i, level, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_treatment(struct import_state *state, gint64 *row, GError **error)
{
	g_autoptr(Statement) add = store_prepare(state->store, "INSERT INTO treatment (plan) VALUES (?1)", error);

	if (!add)
		return FALSE;
	sqlite3_bind_int64(add, 1, state->plan);
	return insert(state->store, add, row, error);
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

	if (known_row(state->table[TREATMENTS], key, row))
		return TRUE;
	if (!add_treatment(state, row, error) || !add_levels(state, run, *row, error))
		return FALSE;
	note_row(state->table[TREATMENTS], key, *row);
	return TRUE;
}

/* Which levels of a column the rows of this plan have. */
static gboolean *used_levels(const struct import_state *state, const struct column *column)
{
	gboolean *used = g_new0(gboolean, column->level->len + 1);

	for (guint run = 0; run < state->dataset->n_runs; run++)
		if (is_of_plan(state, run) && column_code(column, run) != DATASET_ABSENT)
			used[column_code(column, run)] = TRUE;
	return used;
}

static gboolean name_workloads(struct import_state *state, GError **error)
{
	const struct column *workload = state->dataset->workload;
	g_autofree gboolean *used = workload ? used_levels(state, workload) : NULL;
	gint64 row;

	for (guint i = 0; used && i < workload->level->len; i++)
		if (used[i] && !workload_row(state, workload->level->pdata[i], &row, error))
			return FALSE;
	return TRUE;
}

/* The treatment that has the nth of the levels of each factor, made where a factor before this one has as many. */
static gboolean naming_treatment(struct import_state *state, GArray *treatments, guint n, gint64 *row, GError **error)
{
	if (n < treatments->len) {
		*row = g_array_index(treatments, gint64, n);
		return TRUE;
	}
	if (!add_treatment(state, row, error))
		return FALSE;
	g_array_append_val(treatments, *row);
	return TRUE;
}

/* Levels come back in the order in which treatments name them. That of the runs' own can contradict the factors'
 * lists, so there are treatments before them, without a run, which name all levels in order. */
static gboolean name_levels(struct import_state *state, GError **error)
{
	g_autoptr(GArray) treatments = g_array_new(FALSE, FALSE, sizeof(gint64));

	for (guint i = 0; i < state->dataset->factors->len; i++) {
		const struct column *factor = state->dataset->factors->pdata[i];
		g_autofree gboolean *used = used_levels(state, factor);
		guint n = 0;
		gint64 row;

		for (guint level = 0; level < factor->level->len; level++)
			if (used[level] && (!naming_treatment(state, treatments, n++, &row, error) ||
					    !add_level(state, row, i, factor->level->pdata[level], error)))
				return FALSE;
	}
	return TRUE;
}

static gboolean boot_row(struct import_state *state, const char *boot, gint64 *row, GError **error)
{
	if (known_row(state->table[BOOTS], boot, row))
		return TRUE;
	if (!store_boot_row(state->store, boot, row, error))
		return FALSE;
	note_row(state->table[BOOTS], boot, *row);
	return TRUE;
}

static gboolean facts_row(struct import_state *state, const char *name, gint64 *row, GError **error)
{
	if (known_row(state->table[FACTS], name, row))
		return TRUE;
	if (!store_add_facts(state->store, g_hash_table_lookup(state->dataset->fact_sets, name), error))
		return FALSE;
	*row = state->store->fact_set;
	note_row(state->table[FACTS], name, *row);
	return TRUE;
}

/* Blocks are the same where their texts are: they are numbered as they come. */
static gint64 block_number(struct import_state *state, const char *block)
{
	gint64 number;

	if (!known_row(state->table[BLOCKS], block, &number)) {
		number = g_hash_table_size(state->table[BLOCKS]) + 1;
		note_row(state->table[BLOCKS], block, number);
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

static gboolean add_run(struct import_state *state, guint run, gint64 *row, GError **error)
{
	const struct dataset *dataset = state->dataset;
	const char *workload = column_get(dataset->workload, run), *boot = column_get(dataset->boot, run);
	const char *facts = column_get(dataset->facts, run), *block = column_get(dataset->block, run);
	const char *outcome = column_get(dataset->outcome, run);
	const struct run_detail *detail = dataset_find_detail(dataset, run);
	gint64 sitting, workload_id, treatment, boot_id = 0, facts_id = 0;

	if (!sitting_row(state, column_get(dataset->sitting, run), &sitting, error) ||
	    !workload_row(state, workload ? workload : "", &workload_id, error) ||
	    !treatment_row(state, run, &treatment, error) || (boot && !boot_row(state, boot, &boot_id, error)) ||
	    (facts && !facts_row(state, facts, &facts_id, error)))
		return FALSE;
	sqlite3_bind_int64(state->run, 1, state->plan);
	sqlite3_bind_int64(state->run, 2, run + 1);
	bind_optional(state->run, 3, block ? block_number(state, block) : 0);
	sqlite3_bind_int64(state->run, 4, workload_id);
	sqlite3_bind_int64(state->run, 5, treatment);
	sqlite3_bind_int64(state->run, 6, sitting);
	bind_optional(state->run, 7, boot_id);
	bind_optional(state->run, 8, facts_id);
	bind_optional(state->run, 9, dataset_started_us(dataset, run));
	store_bind_text(state->run, 10, outcome ? outcome : outcome_name(OUTCOME_OK));
	store_bind_text(state->run, 11, column_get(dataset->message, run));
	sqlite3_bind_int(state->run, 12, detail && detail->is_warmup ? 1 : 0);
	return insert(state->store, state->run, row, error);
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

/* The plan and what its runs point to, where there are any. */
static gboolean begin_purpose(struct import_state *state, GError **error)
{
	guint first = 0;

	while (first < state->dataset->n_runs && !is_of_plan(state, first))
		first++;
	return first == state->dataset->n_runs ||
	       (add_plan(state, error) && add_metrics(state, error) && name_workloads(state, error) &&
		name_levels(state, error));
}

static gboolean prepare(struct import_state *state, GError **error)
{
	return (state->run = store_prepare(
		    state->store,
		    "INSERT INTO run (plan, position, block, workload, treatment, sitting, boot, fact_set, started_us,"
		    " outcome, message, warmup) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
		    error)) &&
	       (state->level = store_prepare(
		    state->store, "INSERT INTO treatment_level (treatment, number, factor, level) VALUES (?1, ?2, ?3, ?4)",
		    error));
}

/* The runs of all purposes in one order: so are they numbered. */
static gboolean add_runs(struct import_state *states, GError **error)
{
	const struct dataset *dataset = states->dataset;

	for (guint run = 0; run < dataset->n_runs; run++) {
		struct import_state *state = states;
		const struct run_detail *detail = dataset_find_detail(dataset, run);
		gint64 row;

		while (!is_of_plan(state, run))
			state++;
		if (!add_run(state, run, &row, error) || !add_values(state, run, row, error) ||
		    (detail && !store_add_observation(state->store, row, &detail->seen, error)))
			return FALSE;
	}
	return TRUE;
}

static void state_init(struct import_state *state)
{
	for (guint i = 0; i < TABLES; i++)
		state->table[i] = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	state->metrics = g_array_new(FALSE, FALSE, sizeof(gint64));
}

static void state_clear(struct import_state *state)
{
	for (guint i = 0; i < TABLES; i++)
		g_hash_table_unref(state->table[i]);
	g_array_unref(state->metrics);
	sqlite3_finalize(state->run);
	sqlite3_finalize(state->level);
}

gboolean store_import(struct store *store, const struct dataset *dataset, const char *command, GError **error)
{
	struct import_state states[] = {
	    {.store = store, .dataset = dataset, .command = command, .purpose = PURPOSE_RUN},
	    {.store = store, .dataset = dataset, .command = command, .purpose = PURPOSE_CALIBRATE}};
	gboolean ok = store_begin_plan(store, error), begun = ok;

	for (guint i = 0; i < G_N_ELEMENTS(states); i++) {
		state_init(&states[i]);
		ok = ok && prepare(&states[i], error) && begin_purpose(&states[i], error);
	}
	ok = ok && add_runs(states, error);
	for (guint i = 0; i < G_N_ELEMENTS(states); i++)
		state_clear(&states[i]);
	if (ok)
		return store_flush(store, error);
	return begun ? store_rollback(store) : FALSE;
}
