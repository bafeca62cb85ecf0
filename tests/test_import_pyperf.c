#include "check.h"

#include "json_case.h"

struct benchmark {
	const char *file, *name;
	struct column_case values;
};

/* Real files: the values of the logs' index; runs that only calibrate, and warm-ups, are none. */
static void test_logs(void **state)
{
	static const struct benchmark benchmarks[] = {
	    {"pyperf/01-mult_list_py36.json",
	     "[1]*1000",
	     {"elapsed", "s", 60, 2.127002236e-06, 6.300784635e-08, 2.113202576e-06, 2.050876358e-06, 2.39451326e-06}},
	    {"pyperf/01-mult_list_py36.json",
	     "[1,2]*1000",
	     {"elapsed", "s", 60, 3.704373486e-06, 5.056514886e-08, 3.697173126e-06, 3.62507611e-06, 3.923302551e-06}},
	    {"pyperf/01-mult_list_py36.json",
	     "[1,2,3]*1000",
	     {"elapsed", "s", 60, 4.613265928e-06, 1.346138456e-07, 4.581621261e-06, 4.499500153e-06, 5.226390442e-06}},
	    {"pyperf/03-mult_list_py37.json",
	     "[1,2]*1000",
	     {"elapsed", "s", 60, 5.277109956e-06, 9.072891893e-08, 5.248870346e-06, 5.1744747e-06, 5.582461792e-06}},
	    {"pyperf/09-track_memory.json",
	     "timeit",
	     {"memory", "B", 3, 7368704, 10836.99737, 7364608, 7360512, 7380992}},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(benchmarks); i++) {
		g_autoptr(Dataset) dataset = import_public(benchmarks[i].file);

		check_column_case(dataset, benchmarks[i].name, &benchmarks[i].values);
		assert_string_equal(g_hash_table_lookup(dataset->primary, benchmarks[i].name),
				    benchmarks[i].values.metric);
	}
}

/* A process is a sitting: twenty with three values each, of one benchmark each, on one boot. */
static void test_processes(void **state)
{
	g_autoptr(Dataset) dataset = import_public("pyperf/01-mult_list_py36.json");

	assert_int_equal(dataset->n_runs, 180);
	assert_int_equal(dataset->sitting->level->len, 60);
	for (guint row = 0; row < dataset->n_runs; row++) {
		assert_int_equal(column_code(dataset->sitting, row), row / 3);
		assert_int_equal(column_code(dataset->boot, row), column_code(dataset->boot, 0));
	}
	assert_true(g_str_has_suffix(column_get(dataset->sitting, 3), "/2"));
}

/* What is the same in all runs, or benchmarks, stands further up only; units have a metric each; what a machine is
 * becomes facts. */
static void test_metadata(void **state)
{
	g_autoptr(Dataset) dataset = import_json_text(
	    "{'version':'1.0','metadata':{'hostname':'h','unit':'integer','cpu_count':8},'benchmarks':["
	    "{'metadata':{'name':'a','unit':'second'},'runs':[{'metadata':{'hostname':'g'},'values':[0.5,0.25]},"
	    "{'warmups':[[1,9]]}]},"
	    "{'metadata':{'name':'b'},'runs':[{'values':[7]},{'metadata':{'unit':'byte'},'values':[8]}]},"
	    "{'runs':[{'metadata':{'name':'c','unit':'furlong'},'values':[1]}]}]}");

	assert_int_equal(dataset->n_runs, 5);
	assert_close(value_of(dataset, "elapsed", 1), 0.25, 0);
	assert_close(value_of(dataset, "value", 2), 7, 0);
	assert_close(value_of(dataset, "memory", 3), 8, 0);
	assert_close(value_of(dataset, "value", 4), 1, 0);
	assert_string_equal(column_get(dataset->workload, 4), "c");
	assert_int_equal(dataset_find_metric(dataset, "elapsed")->metric.better, BETTER_LOWER);
	assert_int_equal(dataset_find_metric(dataset, "memory")->metric.better, BETTER_LOWER);
	assert_int_equal(dataset_find_metric(dataset, "value")->metric.better, BETTER_NONE);
	assert_string_equal(setting_of(dataset, "hostname", 0), "g");
	assert_string_equal(setting_of(dataset, "hostname", 2), "h");
	assert_string_equal(setting_of(dataset, "cpu_count", 3), "8");
	assert_null(dataset_find_factor(dataset, "hostname"));
	check_warning(dataset, 0, ":1: ", "unit 'furlong' is not known");
}

/* Before pyperf 0.9.6 values were called samples, and metadata common. */
static void test_old(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_json_text("{'version':5,'benchmarks':[{'common_metadata':{'name':'a'},'runs':["
			     "{'samples':[0.5,0.25],'warmups':[[4,8.0]]}]}]}");

	assert_string_equal(column_get(dataset->workload, 0), "a");
	assert_close(sum_of(dataset, "elapsed"), 0.75, 0);
}

/* Values that are none are warned of; without any value there is nothing. */
static void test_odd(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_json_text("{'benchmarks':[{'runs':[{'values':[1,-1,null]},{'values':'x'},7]},8]}\n"
			     "{'benchmarks':5}");

	assert_int_equal(dataset->n_runs, 3);
	assert_string_equal(column_get(dataset->workload, 0), "pyperf");
	assert_close(sum_of(dataset, "elapsed"), 1, 0);
	check_warning(dataset, 0, ":1: ", "value 2 of process 1 is none");
	check_warning(dataset, 1, ":1: ", "value 3 of process 1 is none");
	check_warning(dataset, 2, ":2: ", "a document without benchmarks is left out");
	check_json_refused("{'benchmarks':[{'runs':[{'warmups':[[1,2]]}]}]}", "r.txt: ", "no results in it");
	check_json_refused("{'benchmarks':[{'runs':[{'values':[1", "r.txt:1: ", "the file ends inside");
	check_json_detected("{'benchmarks':[{'runs':[", &import_pyperf);
}

/* Any byte may be missing or wrong, and numbers may have a million digits. */
static void test_hostile(void **state)
{
	check_json_hostile("{'benchmarks':[{'metadata':{'name':'a','cpu_count':2},'runs':[{'values':[1.5,2]}]}],"
			   "'version':'1.0'}",
			   &import_pyperf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_logs), cmocka_unit_test(test_processes), cmocka_unit_test(test_metadata),
	    cmocka_unit_test(test_old),  cmocka_unit_test(test_odd),       cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests_name("import of pyperf", tests, make_directory, remove_directory);
}
