#include "check.h"

#include <math.h>

#include "../src/flag.h"
#include "store_case.h"

static int set_up(void **state)
{
	*state = store_case_new();
	return 0;
}

static int tear_down(void **state)
{
	store_case_free(*state);
	return 0;
}

/* What goes in comes out: values to the last bit, columns, facts, flags, the primary metric; warm-up and pending runs
 * do not. */
static void test_round_trip(void **state)
{
	struct store_case *fixture = *state;
	g_autoptr(Store) store = open_store(fixture->path, STORE_WRITE);
	g_autoptr(Plan) plan = plan_of("dd1:size=1M", "6.12", 4);
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GArray) own = g_array_new(FALSE, FALSE, sizeof(double));
	struct store_sitting sitting = sitting_of("boot-1", facts);
	struct run_result result = result_of(0.1, 1000);
	const double bandwidth = 1.0 / 3 * 1e9, nosync = NAN;
	gboolean durable = TRUE;

	g_hash_table_insert(facts, shared("kernel"), shared("6.12.0"));
	g_hash_table_insert(facts, shared("filesystem"), shared("ext4"));
	g_array_index(plan->runs, struct planned_run, 0).warmup = TRUE;
	g_array_index(plan->runs, struct planned_run, 0).block = 0;
	g_array_append_val(own, bandwidth);
	g_array_append_val(own, nosync);
	result.own = own;
	result.flags = FLAG_CACHE_OWN_FILES;
	assert_true(store_begin(store, plan, &sitting, NULL));
	for (guint i = 0; i < 3; i++)
		assert_true(store_finish_run(store, i, &result, &durable, NULL));
	assert_false(durable);
	assert_true(store_flush(store, NULL));
	assert_true(store_flush(store, NULL));

	g_autoptr(Dataset) dataset = read_store(fixture->path);
	assert_int_equal(dataset->n_runs, 2);
	assert_string_equal(level_of(dataset, "label", 0), "6.12");
	assert_string_equal(column_get(dataset->workload, 0), "dd1:size=1M");
	assert_string_equal(column_get(dataset->boot, 1), "boot-1");
	assert_string_equal(column_get(dataset->block, 1), "1/3");
	assert_string_equal(column_get(dataset->sitting, 1), "1");
	assert_true(dataset_ok(dataset, 0));
	assert_close(value_of(dataset, "bandwidth", 1), bandwidth, 0);
	assert_null(dataset_find_metric(dataset, "bandwidth_nosync"));
	assert_string_equal(((struct values *)g_ptr_array_index(dataset->metrics, 0))->metric.name, "bandwidth");
	for (int i = 0; i < RUN_METRICS; i++) {
		const struct values *values = dataset_find_metric(dataset, run_metrics[i].name);

		assert_close(values_get(values, 0), 0.1 + i, 0);
		assert_string_equal(values->metric.unit, run_metrics[i].unit);
		assert_int_equal(values->metric.better, run_metrics[i].better);
	}
	assert_string_equal(g_hash_table_lookup(dataset->primary, "dd1:size=1M"), "bandwidth");
	assert_int_equal(g_array_index(dataset->flags, flag_set, 0), FLAG_CACHE_OWN_FILES);
	GHashTable *stored = g_hash_table_lookup(dataset->fact_sets, column_get(dataset->facts, 0));
	assert_string_equal(g_hash_table_lookup(stored, "kernel"), "6.12.0");
	assert_string_equal(g_hash_table_lookup(stored, "filesystem"), "ext4");
}

/* Runs that are not complete keep their outcome; a number that could not be measured is absent, not 0. */
static void test_outcomes(void **state)
{
	struct store_case *fixture = *state;
	g_autoptr(Store) store = open_store(fixture->path, STORE_WRITE);
	g_autoptr(Plan) plan = plan_of("cmd:true", "A", OUTCOMES);
	struct store_sitting sitting = sitting_of("boot-1", NULL);

	assert_true(store_begin(store, plan, &sitting, NULL));
	for (guint i = 0; i < OUTCOMES; i++) {
		struct run_result result = result_of(1, i);

		result.outcome = (enum outcome)i;
		result.message = shared(i ? "it's \"broken\";\nDROP TABLE run; --" : NULL);
		result.values[RUN_USER] = NAN;
		result.values[RUN_SYSTEM] = INFINITY;
		assert_true(store_finish_run(store, i, &result, NULL, NULL));
	}
	g_autoptr(Dataset) dataset = store_load(store, TRUE, NULL);
	assert_int_equal(dataset->n_runs, OUTCOMES);
	for (guint i = 0; i < OUTCOMES; i++) {
		assert_int_equal(dataset_ok(dataset, i), i == OUTCOME_OK);
		if (i != OUTCOME_OK)
			assert_string_equal(column_get(dataset->outcome, i), outcome_name((enum outcome)i));
	}
	assert_null(dataset_find_metric(dataset, "user"));
	assert_null(dataset_find_metric(dataset, "system"));
	assert_close(value_of(dataset, "elapsed", 3), 1, 0);
}

/* Text of any kind comes back as it went in. */
static void test_hostile_text(void **state)
{
	static const char *const labels[] = {"it's", "a\"b", "x\ny",    "ümläut ✓", "'; DROP TABLE run; --",
					     "%s%n", "",     "a\\b$c@d"};
	struct store_case *fixture = *state;

	for (gsize i = 0; i < G_N_ELEMENTS(labels); i++)
		write_runs(fixture->path, labels[i], 1);
	g_autoptr(Dataset) dataset = read_store(fixture->path);
	const struct column *label = dataset_find_factor(dataset, "label");
	assert_int_equal(label->level->len, G_N_ELEMENTS(labels));
	for (gsize i = 0; i < G_N_ELEMENTS(labels); i++)
		assert_string_equal(column_get(label, (guint)i), labels[i]);
}

/* A second plan appends: sittings and blocks do not clash, equal facts are one set, only_last shows the last plan
 * alone. */
static void test_appends(void **state)
{
	struct store_case *fixture = *state;
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);

	g_hash_table_insert(facts, shared("kernel"), shared("6.1"));
	for (int i = 0; i < 2; i++) {
		g_autoptr(Store) store = open_store(fixture->path, STORE_WRITE);
		g_autoptr(Plan) plan = plan_of("cmd:true", i ? "B" : "A", 2);
		struct store_sitting sitting = sitting_of("boot-1", facts);

		assert_true(store_begin(store, plan, &sitting, NULL));
		for (guint run = 0; run < 2; run++) {
			struct run_result result = result_of(1, 10 * i + run);

			assert_true(store_finish_run(store, run, &result, NULL, NULL));
		}
		if (i == 1) {
			g_autoptr(Dataset) last = store_load(store, TRUE, NULL);

			assert_int_equal(last->n_runs, 2);
			assert_string_equal(level_of(last, "label", 0), "B");
			assert_int_equal(dataset_find_factor(last, "label")->level->len, 1);
		}
	}
	g_autoptr(Dataset) all = read_store(fixture->path);
	assert_int_equal(all->n_runs, 4);
	assert_string_equal(level_of(all, "label", 1), "A");
	assert_string_equal(level_of(all, "label", 2), "B");
	assert_string_not_equal(column_get(all->sitting, 0), column_get(all->sitting, 2));
	assert_string_not_equal(column_get(all->block, 0), column_get(all->block, 2));
	assert_string_equal(column_get(all->facts, 0), column_get(all->facts, 2));
	assert_int_equal(g_hash_table_size(all->fact_sets), 1);
}

/* Rows come in the order in which the runs started, whatever their place in the plan. */
static void test_time_order(void **state)
{
	static const gint64 started_us[] = {30, 10, 20};
	struct store_case *fixture = *state;
	g_autoptr(Store) store = open_store(fixture->path, STORE_WRITE);
	g_autoptr(Plan) plan = plan_of("cmd:true", "A", 3);
	struct store_sitting sitting = sitting_of("boot-1", NULL);

	assert_true(store_begin(store, plan, &sitting, NULL));
	for (guint i = 0; i < 3; i++) {
		struct run_result result = result_of((double)started_us[i], started_us[i]);

		assert_true(store_finish_run(store, i, &result, NULL, NULL));
	}
	g_autoptr(Dataset) dataset = store_load(store, FALSE, NULL);
	assert_close(value_of(dataset, "elapsed", 0), 10, 0);
	assert_close(value_of(dataset, "elapsed", 1), 20, 0);
	assert_close(value_of(dataset, "elapsed", 2), 30, 0);
}

/* A run of a second and more is on the disk at once, together with the short ones before it: another reader sees them.
 */
static void test_long_runs_are_durable_at_once(void **state)
{
	struct store_case *fixture = *state;
	g_autoptr(Store) store = open_store(fixture->path, STORE_WRITE);
	g_autoptr(Plan) plan = plan_of("cmd:true", "A", 3);
	struct store_sitting sitting = sitting_of("boot-1", NULL);
	struct run_result brief = result_of(0.001, 1), lengthy = result_of(1, 2);
	gboolean durable;

	assert_true(store_begin(store, plan, &sitting, NULL));
	assert_true(store_finish_run(store, 0, &brief, &durable, NULL));
	assert_false(durable);
	g_autoptr(Dataset) before = read_store(fixture->path);
	assert_int_equal(before->n_runs, 0);
	assert_true(store_finish_run(store, 1, &lengthy, &durable, NULL));
	assert_true(durable);
	g_autoptr(Dataset) after = read_store(fixture->path);
	assert_int_equal(after->n_runs, 2);
}

/* A second after the last commit the next short run is durable. */
static void test_a_commit_a_second(void **state)
{
	struct store_case *fixture = *state;
	g_autoptr(Store) store = open_store(fixture->path, STORE_WRITE);
	g_autoptr(Plan) plan = plan_of("cmd:true", "A", 3);
	struct store_sitting sitting = sitting_of("boot-1", NULL);
	struct run_result brief = result_of(0.001, 1);
	gboolean durable;

	assert_true(store_begin(store, plan, &sitting, NULL));
	assert_true(store_finish_run(store, 0, &brief, &durable, NULL));
	assert_false(durable);
	g_usleep(1100000);
	assert_true(store_finish_run(store, 1, &brief, &durable, NULL));
	assert_true(durable);
	assert_true(store_finish_run(store, 2, &brief, &durable, NULL));
	assert_false(durable);
}

/* Several treatments and workloads: each run has its own label, levels and metrics. */
static void test_treatments(void **state)
{
	struct store_case *fixture = *state;
	g_autoptr(Store) store = open_store(fixture->path, STORE_WRITE);
	g_autoptr(Plan) plan = plan_of("cmd:true", "A", 4);
	struct store_sitting sitting = sitting_of("boot-1", NULL);

	plan_add_label(plan, "A");
	for (guint i = 0; i < 2; i++) {
		struct treatment *treatment = g_ptr_array_index(plan->treatments, i);

		g_ptr_array_add(treatment->factor, g_strdup("vm.swappiness"));
		g_ptr_array_add(treatment->level, g_strdup(i ? "60" : "10"));
	}
	g_ptr_array_add(plan->workloads, workload_config_parse("qsbench", NULL));
	for (guint i = 0; i < 4; i++) {
		g_array_index(plan->runs, struct planned_run, i).treatment = i % 2;
		g_array_index(plan->runs, struct planned_run, i).workload = i / 2;
	}
	assert_true(store_begin(store, plan, &sitting, NULL));
	for (guint i = 0; i < 4; i++) {
		struct run_result result = result_of(i + 1, i);

		assert_true(store_finish_run(store, i, &result, NULL, NULL));
	}
	g_autoptr(Dataset) dataset = store_load(store, TRUE, NULL);
	assert_string_equal(((struct column *)g_ptr_array_index(dataset->factors, 0))->name, "label");
	for (guint i = 0; i < 4; i++) {
		assert_string_equal(level_of(dataset, "vm.swappiness", i), i % 2 ? "60" : "10");
		assert_string_equal(column_get(dataset->workload, i), i / 2 ? "qsbench" : "cmd:true");
	}
	assert_string_equal(g_hash_table_lookup(dataset->primary, "qsbench"), "elapsed");
}

/* A plan of a thousand runs is stored whole in few transactions. */
static void test_many_runs(void **state)
{
	struct store_case *fixture = *state;

	write_runs(fixture->path, "A", 1000);
	g_autoptr(Dataset) dataset = read_store(fixture->path);
	assert_int_equal(dataset->n_runs, 1000);
	for (guint i = 0; i < 1000; i++)
		assert_close(value_of(dataset, "elapsed", i), (i + 1) / 1024.0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_outcomes, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_hostile_text, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_appends, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_time_order, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_long_runs_are_durable_at_once, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_a_commit_a_second, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_treatments, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_many_runs, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
