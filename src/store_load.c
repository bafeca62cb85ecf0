#include "store_internal.h"

#include <string.h>

#include "dataset.h"
#include "dataset_rows.h"
#include "flag.h"
#include "observe.h"
#include "outcome.h"
#include "plan.h"
#include "shared.h"

/* What is known while the tables are read, one after the other, into the dataset. */
struct load {
	const struct store *store;
	struct dataset *dataset;
	GHashTable *rows;       /* run number -> row + 1 */
	GHashTable *treatments; /* treatment number -> GPtrArray of struct factor_level */
	GHashTable *metrics;    /* metric number -> struct values */
	gint64 plan;            /* only this one; 0: all of the purpose */
	const char *purpose;    /* NULL: all */
	gboolean with_warmups;
};

struct factor_level {
	struct column *column;
	const char *level; /* interned */
};

/* NULL where there is none. */
static const char *optional_at(sqlite3_stmt *statement, int column)
{
	return (const char *)sqlite3_column_text(statement, column);
}

static gpointer interned_at(sqlite3_stmt *statement, int column)
{
	return shared(g_intern_string(store_text_at(statement, column)));
}

/* The plans that are loaded: ?1 is the one, or 0; ?2 is the purpose of all, or NULL. */
#define PLANS "(SELECT id FROM plan WHERE id = ?1 OR (?1 = 0 AND purpose = ifnull(?2, purpose)))"
/* What plans of one purpose name is listed before what only those of another do: an import stores them apart. */
#define BY_PURPOSE "(SELECT purpose <> 'run' FROM plan WHERE id = plan)"

/* Calls each() for every row of the query. */
static gboolean for_rows(struct load *load, const char *sql, store_each each, GError **error)
{
	g_autoptr(Statement) statement = store_prepare(load->store, sql, error);

	if (!statement)
		return FALSE;
	if (sqlite3_bind_parameter_count(statement)) {
		sqlite3_bind_int64(statement, 1, load->plan);
		store_bind_text(statement, 2, load->purpose);
		if (sqlite3_bind_parameter_count(statement) > 2)
			sqlite3_bind_int(statement, 3, load->with_warmups);
	}
	return store_for_rows(load->store, statement, each, load, error);
}

static void load_treatment_level(gpointer data, sqlite3_stmt *row)
{
	struct load *load = data;
	gpointer key = store_key_at(row, 0);
	GPtrArray *levels = g_hash_table_lookup(load->treatments, key);
	struct factor_level *level = g_new(struct factor_level, 1);

	if (!levels) {
		levels = g_ptr_array_new_with_free_func(g_free);
		g_hash_table_insert(load->treatments, key, levels);
	}
	level->column = dataset_factor(load->dataset, store_text_at(row, 1));
	level->level = g_intern_string(store_text_at(row, 2));
	/* as with workloads: levels are listed as the plan names them */
	column_add_level(level->column, level->level);
	g_ptr_array_add(levels, level);
}

static void load_workload(gpointer data, sqlite3_stmt *row)
{
	struct load *load = data;

	/* Before any run: tables list workloads as the plan names them, not as its order happened to begin. */
	column_add_level(load->dataset->workload, store_text_at(row, 0));
	g_hash_table_insert(load->dataset->primary, interned_at(row, 0), interned_at(row, 1));
}

static void load_run(gpointer data, sqlite3_stmt *row)
{
	struct load *load = data;
	struct dataset *dataset = load->dataset;
	guint number = dataset_add_run(dataset);
	const char *outcome = store_text_at(row, 4);
	const GPtrArray *levels = g_hash_table_lookup(load->treatments, store_key_at(row, 7));
	gint64 started_us = sqlite3_column_int64(row, 8), run = sqlite3_column_int64(row, 0);

	g_hash_table_insert(load->rows, store_key_at(row, 0), GUINT_TO_POINTER(number + 1));
	column_set(dataset->workload, number, store_text_at(row, 1));
	column_set(dataset->sitting, number, store_text_at(row, 2));
	column_set(dataset->block, number, optional_at(row, 3));
	if (!g_str_equal(outcome, outcome_name(OUTCOME_OK)))
		column_set(dataset->outcome, number, outcome);
	column_set(dataset->boot, number, optional_at(row, 5));
	column_set(dataset->facts, number, optional_at(row, 6));
	column_set(dataset->message, number, optional_at(row, 9));
	if (sqlite3_column_int(row, 10))
		dataset_detail(dataset, number)->is_warmup = TRUE;
	if (sqlite3_column_int(row, 11))
		dataset_detail(dataset, number)->is_calibration = TRUE;
	g_array_append_val(dataset->started_us, started_us);
	g_array_append_val(dataset->store_run, run);
	for (guint i = 0; levels && i < levels->len; i++) {
		const struct factor_level *level = g_ptr_array_index(levels, i);

		column_set(level->column, number, level->level);
	}
}

/* Whether the metric is one of a table of the program, which has its help. */
static gboolean knows(struct metric *metric, const struct metric *known)
{
	while (known->name && (!g_str_equal(known->name, metric->name) || !g_str_equal(known->unit, metric->unit)))
		known++;
	if (known->name)
		metric->help = known->help;
	return known->name != NULL;
}

static void load_metric(gpointer data, sqlite3_stmt *row)
{
	struct load *load = data;
	struct metric metric = store_metric_at(row);
	struct values *values;
	gboolean only_by_name;

	knows(&metric, run_metrics);
	only_by_name = knows(&metric, observe_metrics);
	values = dataset_metric(load->dataset, &metric);
	values->only_by_name = only_by_name;
	g_hash_table_insert(load->metrics, store_key_at(row, 0), values);
}

/* Whether the run whose number stands first is loaded, and as which row. */
static gboolean find_row(const struct load *load, sqlite3_stmt *row, guint *number)
{
	guint found = GPOINTER_TO_UINT(g_hash_table_lookup(load->rows, store_key_at(row, 0)));

	*number = found - 1;
	return found > 0;
}

static void load_value(gpointer data, sqlite3_stmt *row)
{
	struct load *load = data;
	struct values *values = g_hash_table_lookup(load->metrics, store_key_at(row, 1));
	guint number;

	if (values && find_row(load, row, &number))
		values_set(values, number, sqlite3_column_double(row, 2));
}

static void load_flag(gpointer data, sqlite3_stmt *row)
{
	struct load *load = data;
	GArray **flags = &load->dataset->flags;
	guint number;

	if (!find_row(load, row, &number))
		return;
	if (!*flags) {
		*flags = g_array_new(FALSE, TRUE, sizeof(flag_set));
		g_array_set_size(*flags, load->dataset->n_runs);
	}
	g_array_index(*flags, flag_set, number) |= flag_of_name(store_text_at(row, 1));
}

static void load_fact(gpointer data, sqlite3_stmt *row)
{
	struct load *load = data;
	gpointer name = interned_at(row, 0);
	GHashTable *facts = g_hash_table_lookup(load->dataset->fact_sets, name);

	if (!facts) {
		facts = g_hash_table_new(g_str_hash, g_str_equal);
		g_hash_table_insert(load->dataset->fact_sets, name, facts);
	}
	g_hash_table_insert(facts, interned_at(row, 1), interned_at(row, 2));
}

/* Run metrics stand last and in their own order: what a workload measures itself comes first for a reader. */
static void order_metrics(struct dataset *dataset)
{
	for (const struct metric *metric = run_metrics; metric->name; metric++)
		for (guint i = 0; i < dataset->metrics->len; i++) {
			struct values *values = g_ptr_array_index(dataset->metrics, i);

			if (!g_str_equal(values->metric.name, metric->name) ||
			    !g_str_equal(values->metric.unit, metric->unit))
				continue;
			g_ptr_array_add(dataset->metrics, g_ptr_array_steal_index(dataset->metrics, i));
			break;
		}
}

static gboolean load_tables(struct load *load, GError **error)
{
	return for_rows(
		   load,
		   "SELECT treatment, factor, level FROM treatment_level JOIN treatment ON treatment = treatment.id"
		   " WHERE plan IN " PLANS " ORDER BY " BY_PURPOSE ", treatment, number",
		   load_treatment_level, error) &&
	       for_rows(load, "SELECT spec, primary_metric FROM workload WHERE plan IN " PLANS
			" ORDER BY " BY_PURPOSE ", id",
			load_workload, error) &&
	       for_rows(load,
			"SELECT run.id, spec, sitting,"
			" CASE WHEN NOT warmup THEN run.plan || '/' || block END,"
			" outcome, nullif(boot_id, ''), digest, treatment, run.started_us, message, warmup,"
			" ?2 IS NULL AND (SELECT purpose <> 'run' FROM plan WHERE id = run.plan)"
			" FROM run JOIN workload ON workload = workload.id LEFT JOIN boot ON boot = boot.id"
			" LEFT JOIN fact_set ON fact_set = fact_set.id"
			" WHERE outcome IS NOT NULL AND NOT (warmup AND NOT ?3) AND run.plan IN " PLANS
			" ORDER BY started_us, run.plan, position",
			load_run, error) &&
	       for_rows(load, "SELECT id, name, unit, better FROM metric ORDER BY id", load_metric, error) &&
	       for_rows(load, "SELECT run, metric, value FROM value", load_value, error) &&
	       for_rows(load, "SELECT run, flag FROM run_flag", load_flag, error) &&
	       for_rows(load,
			"SELECT id, 'stopped-early' FROM run WHERE (plan, workload) IN"
			" (SELECT run.plan, run.workload FROM run JOIN look USING (plan, workload)"
			" WHERE decided AND outcome = 'skipped')",
			load_flag, error) &&
	       for_rows(load, "SELECT digest, key, value FROM fact JOIN fact_set ON fact_set = fact_set.id", load_fact,
			error);
}

/* purpose NULL: all, and all that the store has of each run. */
static struct dataset *load_plans(struct store *store, gint64 plan, const char *purpose, gboolean with_warmups,
				  GError **error)
{
	g_autoptr(Dataset) dataset = dataset_new();
	struct load load = {.store = store,
			    .dataset = dataset,
			    .plan = plan,
			    .purpose = purpose,
			    .with_warmups = with_warmups};
	gboolean ok;

	/* One transaction: a writer at work must not come between the tables. */
	if (!store_flush(store, error) || !store_exec(store, "BEGIN", error))
		return NULL;
	dataset->workload = column_new("workload");
	dataset->sitting = column_new("sitting");
	dataset->block = column_new("block");
	dataset->boot = column_new("boot");
	dataset->outcome = column_new("outcome");
	dataset->facts = column_new("facts");
	dataset->message = column_new("message");
	dataset->started_us = g_array_new(FALSE, TRUE, sizeof(gint64));
	dataset->store_run = g_array_new(FALSE, TRUE, sizeof(gint64));
	load.rows = g_hash_table_new(NULL, NULL);
	load.treatments = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
	load.metrics = g_hash_table_new(NULL, NULL);
	ok = load_tables(&load, error) && (purpose || store_load_details(store, dataset, load.rows, error));
	g_hash_table_unref(load.rows);
	g_hash_table_unref(load.treatments);
	g_hash_table_unref(load.metrics);
	sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
	if (!ok)
		return NULL;
	order_metrics(dataset);
	dataset_drop_unused(dataset);
	return g_steal_pointer(&dataset);
}

struct dataset *store_load(struct store *store, gboolean only_last, GError **error)
{
	g_assert(!only_last || store->plan);
	return load_plans(store, only_last ? store->plan : 0, plan_purpose_name(PURPOSE_RUN), FALSE, error);
}

struct dataset *store_load_all(struct store *store, GError **error)
{
	return load_plans(store, 0, plan_purpose_name(PURPOSE_RUN), TRUE, error);
}

struct dataset *store_load_whole(struct store *store, GError **error)
{
	return load_plans(store, 0, NULL, TRUE, error);
}

struct dataset *store_load_calibration(struct store *store, GError **error)
{
	return load_plans(store, 0, plan_purpose_name(PURPOSE_CALIBRATE), FALSE, error);
}
