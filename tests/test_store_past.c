#include "check.h"

#include "../src/past_sitting.h"
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

static GPtrArray *read_past(const char *path)
{
	g_autoptr(Store) store = open_store(path, STORE_READ);
	GPtrArray *sittings = store_past_sittings(store, NULL);

	assert_non_null(sittings);
	return sittings;
}

/* Each invocation is told with what its plan says, the largest seed among that, under the number that its runs have. */
static void test_sittings(void **state)
{
	struct store_case *fixture = *state;
	g_autoptr(Store) store = open_store(fixture->path, STORE_WRITE);
	g_autoptr(Plan) plan = plan_of("cmd:true", "6.12", 2);
	struct store_sitting sitting = sitting_of("boot-1", NULL);
	struct run_result result = result_of(0.1, 1000);
	g_autoptr(GPtrArray) sittings = NULL;
	g_autoptr(Dataset) dataset = NULL;
	const struct past_sitting *past;

	plan->seed = G_MAXUINT64;
	plan->order = ORDER_ABBA;
	plan->warmup = 1;
	sitting.settle_s = 1.5;
	sitting.timeout_s = 60;
	assert_true(store_begin(store, plan, &sitting, NULL));
	assert_true(store_finish_run(store, 0, &result, NULL, NULL));
	assert_true(store_flush(store, NULL));
	write_runs(fixture->path, "6.13", 1);

	sittings = read_past(fixture->path);
	dataset = read_store(fixture->path);
	assert_int_equal(sittings->len, 2);
	past = g_ptr_array_index(sittings, 0);
	assert_string_equal(past->command, "vmstat-bench run");
	assert_string_equal(past->order, "abba");
	assert_string_equal(past->seed, "18446744073709551615");
	assert_string_equal(past->reset, "sync");
	assert_string_equal(past->boot_id, "boot-1");
	assert_int_equal(past->repeat, 2);
	assert_int_equal(past->warmup, 1);
	assert_close(past->settle_s, 1.5, 0);
	assert_close(past->timeout_s, 60, 0);
	assert_true(past->started_us > 0);
	assert_int_equal(past->number, 1);
	assert_int_equal(dataset->n_runs, 2);
	past = g_ptr_array_index(sittings, 1);
	assert_int_equal(past->plan, 2);
	assert_string_equal(past->order, "random");
	/* the run of the second plan began before that of the first */
	assert_string_equal(column_get(dataset->sitting, 0), "2");
}

/* Imported runs have a sitting of which nothing but the command is known. */
static void test_imported(void **state)
{
	struct store_case *fixture = *state;
	g_autoptr(Store) store = open_store(fixture->path, STORE_WRITE);
	g_autoptr(Dataset) dataset = dataset_new();
	const struct metric metric = {.name = "elapsed", .unit = "s", .better = BETTER_LOWER};
	g_autoptr(GPtrArray) sittings = NULL;
	const struct past_sitting *past;

	values_set(dataset_metric(dataset, &metric), dataset_add_run(dataset), 1);
	assert_true(store_import(store, dataset, "import x.csv", NULL));
	sittings = read_past(fixture->path);
	assert_int_equal(sittings->len, 1);
	past = g_ptr_array_index(sittings, 0);
	assert_string_equal(past->command, "import x.csv");
	assert_string_equal(past->order, "imported");
	assert_null(past->reset);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_sittings, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_imported, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
