#include "check.h"

#include <glib/gstdio.h>
#include <string.h>

#include "../src/analyse.h"
#include "../src/dataset.h"
#include "../src/operand.h"
#include "../src/plan.h"
#include "../src/run.h"
#include "../src/sides.h"
#include "../src/store.h"
#include "../workloads/workload.h"

static char *folder, *store_path, *table_path, *other_path;

/* Two labels of three runs each: elapsed is the position in the plan. */
static gboolean make_store(void)
{
	g_autoptr(Plan) plan = plan_new();
	g_autoptr(Store) store = store_open(store_path, STORE_WRITE, NULL);
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	const struct store_sitting sitting = {.command = "test", .reset = "none", .facts = facts, .boot_id = "boot"};

	g_ptr_array_add(plan->workloads, workload_config_parse("dd1", NULL));
	plan_add_label(plan, "before");
	plan_add_label(plan, "after");
	plan->order = ORDER_BLOCKED;
	plan->repeat = 3;
	if (!store || !plan_lay_out(plan, NULL) || !store_begin(store, plan, &sitting, NULL))
		return FALSE;
	for (guint i = 0; i < plan->runs->len; i++) {
		struct run_result result = {.outcome = OUTCOME_OK, .started_us = 1000000 * (gint64)(i + 1)};
		const double none = NAN;
		gboolean ok;

		result.own = g_array_new(FALSE, FALSE, sizeof(double));
		for (const struct metric *metric = workload_find("dd1")->metrics; metric && metric->name; metric++)
			g_array_append_val(result.own, none);
		for (guint j = 0; j < RUN_METRICS; j++)
			result.values[j] = i + 1;
		ok = store_finish_run(store, i, &result, NULL, NULL);
		run_result_clear(&result);
		if (!ok)
			return FALSE;
	}
	return store_flush(store, NULL);
}

static int set_up(void **state)
{
	folder = g_dir_make_tmp("operand-XXXXXX", NULL);
	store_path = g_build_filename(folder, "store.db", NULL);
	table_path = g_build_filename(folder, "table.tsv", NULL);
	other_path = g_build_filename(folder, "other=name.tsv", NULL);
	return make_store() &&
		       g_file_set_contents(table_path,
					   "kernel\tswap_MB\tsession\tblock\toutcome\telapsed_s\n"
					   "6.1\t200\tone\t1\tok\t1\n"
					   "6.10\t200\tone\t1\tok\t2\n"
					   "6.1\t400\tone\t2\tfailed\t3\n"
					   "6.10\t400\ttwo\t1\tok\t4\n",
					   -1, NULL) &&
		       g_file_set_contents(other_path, "kernel\telapsed_s\n6.2\t9\n", -1, NULL)
		   ? 0
		   : -1;
}

static int tear_down(void **state)
{
	g_unlink(store_path);
	g_unlink(table_path);
	g_unlink(other_path);
	g_rmdir(folder);
	g_free(store_path);
	g_free(table_path);
	g_free(other_path);
	g_free(folder);
	return 0;
}

#define LOAD(...) operands_load((char *[]){__VA_ARGS__, NULL}, store_path, NULL)

/* The sum of elapsed over rows tells which rows they are. */
static double sum(const struct operands *operands, const GArray *rows)
{
	const struct values *elapsed = dataset_find_metric(operands->dataset, "elapsed");
	double total = 0;

	assert_non_null(elapsed);
	for (guint i = 0; i < rows->len; i++)
		total += values_get(elapsed, g_array_index(rows, guint, i));
	return total;
}

static char *filter(const char *text)
{
	return g_strdup(text);
}

/* The sum over the rows of the table that a filter (two where second is not NULL) leaves. */
static double filtered(const char *first, const char *second)
{
	g_autofree char *x = filter(first), *y = filter(second);
	g_autoptr(Operands) operands = LOAD(table_path, x, y);

	assert_non_null(operands);
	return sum(operands, operands_rows(operands));
}

/* Without an operand all of the store; with labels their runs, in the order named. */
static void test_store(void **state)
{
	g_autofree char *after = g_strdup("after"), *before = g_strdup("before");
	g_autoptr(Operands) all = LOAD(NULL), two = LOAD(after, before);

	assert_non_null(all);
	assert_non_null(two);
	assert_int_equal(operands_rows(all)->len, 6);
	assert_int_equal(all->names->len, 0);
	assert_string_equal(g_ptr_array_index(two->names, 0), "after");
	/* positions 2, 4, 6 and 1, 3, 5 */
	assert_close(sum(two, g_ptr_array_index(two->groups, 0)), 12, 0);
	assert_close(sum(two, g_ptr_array_index(two->groups, 1)), 9, 0);
	assert_false(two->order_unknown);
}

/* Any level of one name, all of different names; numbers compare as numbers, names as text. */
static void test_filters(void **state)
{
	assert_close(filtered("kernel=6.1", NULL), 1 + 3, 0);
	assert_close(filtered("kernel=6.10", NULL), 2 + 4, 0);
	assert_close(filtered("kernel=6.1", "kernel=6.10"), 10, 0);
	assert_close(filtered("kernel=6.1", "swap_MB=200"), 1, 0);
	assert_close(filtered("swap=200.0", NULL), 1 + 2, 0);
	assert_close(filtered("session=two", NULL), 4, 0);
	assert_close(filtered("sitting=one", "block=1"), 1 + 2, 0);
	assert_close(filtered("outcome=failed", NULL), 3, 0);
	assert_close(filtered("outcome=ok", NULL), 1 + 2 + 4, 0);
}

/* A numeric column that was filtered by is a factor from then on, no metric. */
static void test_numeric_filter_is_factor(void **state)
{
	g_autofree char *text = g_strdup("swap_MB=200");
	g_autoptr(Operands) operands = LOAD(table_path, text);

	assert_non_null(dataset_find_factor(operands->dataset, "swap_MB"));
	assert_null(dataset_find_metric(operands->dataset, "swap"));
}

/* A file may hold '=' in its name; read twice it is there once; rows of two files have no known order. */
static void test_files(void **state)
{
	g_autoptr(Operands) one = LOAD(table_path, table_path), two = LOAD(table_path, other_path);

	assert_int_equal(one->dataset->n_runs, 4);
	assert_int_equal(one->groups->len, 2);
	assert_int_equal(operands_rows(one)->len, 4);
	assert_false(one->order_unknown);
	assert_int_equal(two->dataset->n_runs, 5);
	assert_close(sum(two, g_ptr_array_index(two->groups, 1)), 9, 0);
	assert_true(two->order_unknown);
}

static void check_error(char *const *operands, const char *path, const char *expected)
{
	g_autoptr(GError) error = NULL;
	struct operands *loaded = operands_load((char **)(guintptr)operands, path, &error);

	assert_null(loaded);
	assert_non_null(error);
	if (!strstr(error->message, expected))
		fail_msg("'%s' does not hold '%s'", error->message, expected);
}

/* What is not found is named, beside what there is. */
static void test_errors(void **state)
{
	char nothing[] = "nothing", level[] = "kernel=7", name[] = "speed=1", empty[] = "=1", number[] = "swap=300",
	     one[] = "kernel=6.1", two[] = "session=two";

	check_error((char *[]){nothing, NULL}, store_path, "'nothing' is neither a file nor a label");
	check_error((char *[]){nothing, NULL}, store_path, "'before', 'after'");
	check_error((char *[]){nothing, NULL}, "/nonexistent/x.db", "/nonexistent/x.db");
	check_error((char *[]){table_path, level, NULL}, store_path, "no run has 'kernel=7': there are '6.1', '6.10'");
	check_error((char *[]){table_path, number, NULL}, store_path, "no run has 'swap=300': there are '200', '400'");
	check_error((char *[]){table_path, name, NULL}, store_path, "no factor 'speed'");
	check_error((char *[]){table_path, empty, NULL}, store_path, "no name before '='");
	check_error((char *[]){table_path, one, two, NULL}, store_path, "no run passes all of the filters");
}

/* Sides are the levels of a factor in order of appearance, the baseline first; a numeric column will do. */
static void test_sides(void **state)
{
	g_autoptr(Operands) operands = LOAD(table_path);
	g_autoptr(GPtrArray) kernels = sides_by_factor(operands, "kernel", "6.10", NULL);
	g_autoptr(GPtrArray) swaps = sides_by_factor(operands, "swap", NULL, NULL);
	const struct selection *side;

	assert_int_equal(kernels->len, 2);
	side = g_ptr_array_index(kernels, 0);
	assert_string_equal(side->name, "6.10");
	assert_close(sum(operands, side->rows), 6, 0);
	side = g_ptr_array_index(swaps, 1);
	assert_string_equal(side->name, "400");
	assert_close(sum(operands, side->rows), 7, 0);
}

/* One side is none: the message tells what could be compared. */
static void test_side_errors(void **state)
{
	g_autoptr(Operands) operands = LOAD(table_path);
	g_autoptr(GError) lone = NULL, factor = NULL, level = NULL, single = NULL;

	assert_null(sides_by_name(operands, &lone));
	assert_non_null(strstr(lone->message, "--by FACTOR: these runs differ in 'kernel'"));
	assert_null(sides_by_factor(operands, "colour", NULL, &factor));
	assert_non_null(strstr(factor->message, "no factor 'colour'"));
	assert_null(sides_by_factor(operands, "kernel", "7", &level));
	assert_non_null(strstr(level->message, "no level '7' of 'kernel'"));
	assert_null(sides_by_factor(operands, "label", NULL, &single));
	assert_non_null(strstr(single->message, "'table'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_store),
	    cmocka_unit_test(test_filters),
	    cmocka_unit_test(test_numeric_filter_is_factor),
	    cmocka_unit_test(test_files),
	    cmocka_unit_test(test_errors),
	    cmocka_unit_test(test_sides),
	    cmocka_unit_test(test_side_errors),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
