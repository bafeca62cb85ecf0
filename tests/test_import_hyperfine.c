#include "check.h"

#include "../src/shared.h"
#include "json_case.h"

/* Two commands with different numbers of runs: the values of the logs' index. */
static void test_two(void **state)
{
	static const struct column_case first = {
	    "elapsed", "s", 27, 0.1075344644, 0.003217877115, 0.1065253517, 0.10247468572, 0.11533689272};
	static const struct column_case second = {
	    "elapsed", "s", 13, 0.2085139991, 0.003728441448, 0.2086615187, 0.20182414272, 0.21412868472};
	g_autoptr(Dataset) dataset = import_public("hyperfine/03-bencher-two.json");

	assert_int_equal(dataset->n_runs, 40);
	check_column_case(dataset, "sleep 0.1", &first);
	check_column_case(dataset, "sleep 0.2", &second);
	assert_string_equal(g_hash_table_lookup(dataset->primary, "sleep 0.2"), "elapsed");
	assert_int_equal(dataset_find_metric(dataset, "elapsed")->metric.better, BETTER_LOWER);
	assert_int_equal(dataset->metrics->len, 1); /* user and system are of no run */
	assert_null(dataset->outcome);
}

/* The old format has no exit codes; times may be 0, and a command is long. */
static void test_old(void **state)
{
	static const struct column_case times = {"elapsed",       "s", 3, 3.022013333e-06,
						 5.234280634e-06, 0,   0, 9.066039999998821e-06};
	g_autoptr(Dataset) dataset = import_public("hyperfine/04-dandavison.json");

	assert_int_equal(dataset->n_runs, 3);
	check_column_case(dataset, NULL, &times);
	assert_true(g_str_has_prefix(column_get(dataset->workload, 0), "'/tmp/delta/0002-5a4361fa037090"));
	assert_true(g_str_has_suffix(column_get(dataset->workload, 2), "  [ERROR]"));
}

/* Runs whose exit code is not 0, or that a signal ended, have failed and have no time; each run has its memory. */
static void test_failed(void **state)
{
	g_autoptr(Dataset) dataset = import_json_text("{'results':[{'command':'c','mean':1,'times':[1,2,3,4],"
						      "'memory_usage_byte':[10,20,30,40],'exit_codes':[0,1,null,0]}]}");

	assert_int_equal(dataset->n_runs, 4);
	for (guint row = 0; row < 4; row++) {
		gboolean ok = row == 0 || row == 3;

		assert_int_equal(dataset_ok(dataset, row), ok);
		assert_close(value_of(dataset, "elapsed", row), ok ? row + 1 : NAN, 0);
		assert_close(value_of(dataset, "memory", row), ok ? 10 * (row + 1) : NAN, 0);
	}
}

/* Where all runs failed the time is still known as what would have been measured. */
static void test_all_failed(void **state)
{
	g_autoptr(Dataset) dataset = import_json_text("{'results':[{'command':'c','times':[1],'exit_codes':[2]}]}");

	assert_string_equal(g_hash_table_lookup(dataset->primary, "c"), "elapsed");
	assert_close(value_of(dataset, "elapsed", 0), NAN, 0);
}

/* Parameters are factors where they differ, else facts. */
static void test_parameters(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_json_text("{'results':[{'command':'a 1','times':[1,2],'parameters':{'n':'1','m':5}},"
			     "{'command':'a 2','times':[3],'parameters':{'n':'2','m':5}}]}");

	assert_string_equal(level_of(dataset, "n", 1), "1");
	assert_string_equal(level_of(dataset, "n", 2), "2");
	assert_null(level_of(dataset, "m", 0));
	assert_string_equal(setting_of(dataset, "m", 2), "5");
}

/* Results without times or a command, times that are none and documents of others are warned of. */
static void test_odd(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_json_text("Benchmark 1: x\n{'results':[{'command':'old\\u001b','mean':1},{'times':[1]},"
			     "{'command':'c','times':[1,-2,null,'3']}]}\n{'a':1}");

	assert_int_equal(dataset->n_runs, 4);
	assert_close(sum_of(dataset, "elapsed"), 1, 0);
	check_warning(dataset, 1, ":2: ", "a result without times is left out: 'old\\x1b'");
	check_warning(dataset, 2, ":2: ", "a result without a command is left out");
	check_warning(dataset, 3, ":2: ", "time 2 of 'c' is none");
	check_warning(dataset, 5, ":2: ", "time 4 of 'c' is none");
	check_warning(dataset, 6, ":3: ", "a document without results is left out");
	check_json_refused("{'results':[{'command':'c','times':[1,2],'exit_codes':[0]}]}",
			   "r.txt:1: ", "'c' has 2 times and 1 exit codes");
	check_json_refused("{'results':[{'command':'c','times':[]}]}", "r.txt: ", "no results in it");
	check_json_refused("{'results':[]}", "r.txt: ", "no results in it");
	check_json_refused("{'results':[{'command':'c','times':[1,", "r.txt:1: ", "the file ends inside");
	check_json_detected("{'results':[{'command':", &import_hyperfine);
	check_json_detected("{ 'results' : [\n] }\n", &import_hyperfine);
}

/* Any byte may be missing or wrong, and numbers may have a million digits. */
static void test_hostile(void **state)
{
	check_json_hostile("{'results':[{'command':'c','times':[1,2.5e-3],'exit_codes':[0,null],"
			   "'parameters':{'n':'1'}}]}\n",
			   &import_hyperfine);
}

/* hyperfine itself: a command that fails and one that does not, three times each. */
static void test_hyperfine_itself(void **state)
{
	g_autofree char *hyperfine = g_find_program_in_path("hyperfine");
	g_autofree char *file = g_build_filename(directory, "h.json", NULL);
	const char *argv[] = {hyperfine, "--ignore-failure", "--runs", "3", "--export-json",
			      file,      "exit 3",           "true",   NULL};
	g_autoptr(Dataset) dataset = NULL;

	if (!hyperfine)
		skip();
	assert_true(g_spawn_sync(NULL, shared(argv), NULL, G_SPAWN_STDERR_TO_DEV_NULL | G_SPAWN_STDOUT_TO_DEV_NULL,
				 NULL, NULL, NULL, NULL, NULL, NULL));
	dataset = import_file(file, NULL);
	assert_non_null(dataset);
	assert_int_equal(dataset->n_runs, 6);
	for (guint row = 0; row < 6; row++) {
		assert_string_equal(column_get(dataset->workload, row), row < 3 ? "exit 3" : "true");
		assert_int_equal(dataset_ok(dataset, row), row >= 3);
	}
	assert_string_equal(level_of(dataset, "label", 0), "h");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_two),        cmocka_unit_test(test_old),
	    cmocka_unit_test(test_failed),     cmocka_unit_test(test_all_failed),
	    cmocka_unit_test(test_parameters), cmocka_unit_test(test_odd),
	    cmocka_unit_test(test_hostile),    cmocka_unit_test(test_hyperfine_itself),
	};

	return cmocka_run_group_tests_name("import of hyperfine", tests, make_directory, remove_directory);
}
