#ifndef STORE_CASE_H
#define STORE_CASE_H

/* Plans made by hand, results with values that can be told apart, and the path of a store in a directory of its own. */

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "../src/dataset.h"
#include "../src/err.h"
#include "../src/plan.h"
#include "../src/run.h"
#include "../src/shared.h"
#include "../src/store.h"
#include "../workloads/workload.h"

struct store_case {
	char *directory, *path;
};

static inline struct store_case *store_case_new(void)
{
	struct store_case *fixture = g_new(struct store_case, 1);

	fixture->directory = g_dir_make_tmp("test-store-XXXXXX", NULL);
	fixture->path = g_build_filename(fixture->directory, "runs.db", NULL);
	return fixture;
}

/* Also checks that nothing but the store was left: no journal. */
static inline void store_case_free(struct store_case *fixture)
{
	g_unlink(fixture->path);
	if (g_rmdir(fixture->directory) != 0)
		fail_msg("something was left in %s", fixture->directory);
	g_free(fixture->directory);
	g_free(fixture->path);
	g_free(fixture);
}

/* n runs of one workload under one label, each a block of its own. */
static inline struct plan *plan_of(const char *spec, const char *label, guint n)
{
	struct plan *plan = plan_new();
	struct workload_config *config = workload_config_parse(spec, NULL);

	assert_non_null(config);
	g_ptr_array_add(plan->workloads, config);
	plan_add_label(plan, label);
	plan->repeat = n;
	for (guint i = 0; i < n; i++) {
		struct planned_run run = {.position = i + 1, .block = i + 1};

		g_array_append_val(plan->runs, run);
	}
	return plan;
}

static inline struct store_sitting sitting_of(const char *boot_id, GHashTable *facts)
{
	return (struct store_sitting){
	    .command = "vmstat-bench run", .reset = "sync", .facts = facts, .boot_id = boot_id};
}

static inline struct run_result result_of(double elapsed_s, gint64 started_us)
{
	struct run_result result = {.outcome = OUTCOME_OK, .started_us = started_us};

	for (int i = 0; i < RUN_METRICS; i++)
		result.values[i] = elapsed_s + i;
	return result;
}

static inline struct store *open_store(const char *path, enum store_mode mode)
{
	g_autoptr(GError) error = NULL;
	struct store *store = store_open(path, mode, &error);

	if (!store)
		fail_msg("%s", error->message);
	return store;
}

/* A store with the results 1, 2, ... n 1024ths of a second under a label. */
static inline void write_runs(const char *path, const char *label, guint n)
{
	g_autoptr(Store) store = open_store(path, STORE_WRITE);
	g_autoptr(Plan) plan = plan_of("cmd:true", label, n);
	struct store_sitting sitting = sitting_of("boot-1", NULL);

	assert_true(store_begin(store, plan, &sitting, NULL));
	for (guint i = 0; i < n; i++) {
		struct run_result result = result_of((i + 1) / 1024.0, i);

		assert_true(store_finish_run(store, i, &result, NULL, NULL));
	}
}

static inline struct dataset *read_store(const char *path)
{
	g_autoptr(Store) store = open_store(path, STORE_READ);
	g_autoptr(GError) error = NULL;
	struct dataset *dataset = store_load(store, FALSE, &error);

	if (!dataset)
		fail_msg("%s", error->message);
	return dataset;
}

static inline double value_of(const struct dataset *dataset, const char *metric, guint row)
{
	const struct values *values = dataset_find_metric(dataset, metric);

	assert_non_null(values);
	return values_get(values, row);
}

static inline const char *level_of(const struct dataset *dataset, const char *factor, guint row)
{
	return column_get(dataset_find_factor(dataset, factor), row);
}

#endif
