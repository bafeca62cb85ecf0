#include "check.h"

#include "import_report_case.h"

#define HEADER "Load\tLatency +/- SD (ms)  Max Latency   % Desired CPU  % Deadlines Met\n"
#define SECTION(task, load) "--- Benchmarking simulated cpu of " task " in the presence of simulated " load "---\n"

/* What interbench 0.31 prints, by its source. */
static const char report[] = "Using 2036365 loops per ms, running every load for 30 seconds\n"
			     "Benchmarking kernel 6.1.0 at datestamp 202601010000\n"
			     "Comment: a, b\n"
			     "\n" SECTION("Audio", "") HEADER
    "None\t   0.0 +/- 0.0        0.1\t\t 100\t        100\n"
    "Video\t   1.5 +/- 2.25      12.0 *\t\t99.5 *\t       98.5\n"
    "\n" SECTION("Gaming", "") "Load\tLatency +/- SD (ms)  Max Latency   % Desired CPU\n"
			       "Write\t  20.6 +/- 31.4     109.0\t\t82.9\n"
			       "\n";

static void check_row(const struct dataset *dataset, guint row, const char *load, const double *want)
{
	static const char *const metrics[] = {"latency", "latency_sd", "latency_max", "desired_cpu", "deadlines_met"};

	assert_string_equal(level_of(dataset, "load", row), load);
	for (gsize i = 0; i < G_N_ELEMENTS(metrics); i++)
		assert_close(value_of(dataset, metrics[i], row), want[i], 1e-15);
}

/* Two kernels of a mailing list's report: counts and rows as the index of the logs has them. */
static void test_two_kernels(void **state)
{
	static const char *const tasks[] = {"Audio", "Video", "X", "Gaming", "Audio"};
	static const guint n_of_task[] = {8, 7, 7, 8, 8};
	g_autoptr(Dataset) dataset = import_public("interbench/01-lkml-2.6.16-ck1-mm1.txt");
	guint row = 0;

	assert_int_equal(dataset->n_runs, 38);
	for (gsize i = 0; i < G_N_ELEMENTS(tasks); i++) {
		const char *kernel = i < 4 ? "2.6.16-ck1" : "2.6.16-mm1";

		for (guint load = 0; load < n_of_task[i]; load++, row++) {
			assert_string_equal(column_get(dataset->workload, row), tasks[i]);
			assert_string_equal(level_of(dataset, "label", row), kernel);
		}
	}
	check_row(dataset, 0, "None", (const double[]){0.015, 0.0159, 0.023, 100, 100});
	check_row(dataset, 17, "Burn", (const double[]){51.4, 98.4, 456, 15.1, 7.91});
	check_row(dataset, 29, "Memload", (const double[]){27.1, 58.3, 755, 78.7, NAN});
	check_row(dataset, 37, "Memload", (const double[]){0.092, 0.623, 11, 100, 100});
	assert_string_equal(g_hash_table_lookup(dataset->primary, "Gaming"), "latency");
	assert_string_not_equal(column_get(dataset->sitting, 0), column_get(dataset->sitting, 37));
	check_warning(dataset, 0, ".txt:9: ", "marks (*)");
}

/* Sections, marks, units and directions; a game has no deadlines. */
static void test_report(void **state)
{
	g_autoptr(Dataset) dataset = import_text(report);

	assert_int_equal(dataset->n_runs, 3);
	assert_int_equal(dataset->factors->len, 2);
	check_row(dataset, 0, "None", (const double[]){0, 0, 0.1, 100, 100});
	check_row(dataset, 1, "Video", (const double[]){1.5, 2.25, 12, 99.5, 98.5});
	check_row(dataset, 2, "Write", (const double[]){20.6, 31.4, 109, 82.9, NAN});
	assert_string_equal(dataset_find_metric(dataset, "latency")->metric.unit, "ms");
	assert_int_equal(dataset_find_metric(dataset, "latency")->metric.better, BETTER_LOWER);
	assert_int_equal(dataset_find_metric(dataset, "desired_cpu")->metric.better, BETTER_HIGHER);
	assert_string_equal(dataset_find_metric(dataset, "deadlines_met")->metric.unit, "%");
	assert_int_equal(dataset->warnings->len, 1);
}

/* Real-time tasks are measured in us, which become ms, and are a workload of their own; so are niced loads a level. */
static void test_real_time(void **state)
{
	g_autoptr(Dataset) dataset = import_text(SECTION(
	    "Audio real time", "nice 5 ") "Load\tLatency +/- SD (us)  Max Latency   % Desired CPU  % Deadlines Met\n"
					  "Burn\t   250 +/- 500       1500\t\t 100\t        nan\n"
					  "Write\t   1 +/- 2       3\t\t 4\t        5\n");

	assert_string_equal(column_get(dataset->workload, 0), "Audio real time");
	check_row(dataset, 0, "Burn nice 5", (const double[]){0.25, 0.5, 1.5, 100, NAN});
	assert_string_equal(level_of(dataset, "label", 0), "table");
	check_warning(dataset, 0, "table.tsv:3: ", "deadlines_met has no value");
}

/* What 0.22 printed, with titles of their own and no word above the loads, in quoted mail that broke a title. */
static void test_old_version(void **state)
{
	g_autoptr(Dataset) dataset = import_text(
	    "> --- Benchmarking Audio real time in the presence of loads ---\n"
	    "> \tLatency +/- SD (us)  Max Latency   % Desired CPU  % Deadlines Met\n"
	    "> None\t      3 +/- 0.262          5\t\t 100\t        100\n>\n"
	    ">> --- Benchmarking simulated cpu of X nice -10 in the presence of\n>> simulated ---\n>> " HEADER
	    ">> Burn\t   1 +/- 2          3\t\t 4\t        5\n");

	assert_int_equal(dataset->n_runs, 2);
	assert_string_equal(column_get(dataset->workload, 0), "Audio real time");
	check_row(dataset, 0, "None", (const double[]){0.003, 0.262e-3, 0.005, 100, 100});
	assert_string_equal(column_get(dataset->workload, 1), "X nice -10");
	check_row(dataset, 1, "Burn", (const double[]){1, 2, 3, 4, 5});
}

/* A load without numbers is pointed out; what the program says between the rows is not taken for one. */
static void test_odd_rows(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text(SECTION("X", "") HEADER "None\t   1 +/- 2     3\t 4\t 5\nCreating file for read load...\n"
						"Memload\t\n\nthe end\n7 8\n");

	assert_int_equal(dataset->n_runs, 1);
	assert_int_equal(dataset->warnings->len, 1);
	check_warning(dataset, 0, "table.tsv:5: ", "load 'Memload' has no numbers");
}

/* Rows that were cut off or hold what is no number are refused. */
static void test_refused(void **state)
{
	check_text_refused(SECTION("X", "") HEADER "None\t   1 +/- 2     3\t 4\n", "r.txt:3: ", "4 numbers where");
	check_text_refused(SECTION("X", "") HEADER "None\t   1 +/- 2     3\t 4 5 6\n", "r.txt:3: ", "more than the 5");
	check_text_refused(SECTION("X", "") HEADER "None\t   0,5 +/- 2     3\t 4 5\n",
			   "r.txt:3: ", "'0,5' is no number");
	check_text_refused(SECTION("X", ""), "r.txt: ", "no results in it");
	check_text_refused(SECTION("X", "") "--- Benchmarking simulated cpu of X in the pre\n",
			   "r.txt:2: ", "title is cut off");
}

/* Nothing else is taken for this format, and no bytes crash it. */
static void test_detection_and_hostile(void **state)
{
	check_detected(report, &import_interbench);
	check_hostile(&import_interbench, report);
	check_long_numbers(&import_interbench, report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_two_kernels),
	    cmocka_unit_test(test_report),
	    cmocka_unit_test(test_real_time),
	    cmocka_unit_test(test_odd_rows),
	    cmocka_unit_test(test_old_version),
	    cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_detection_and_hostile),
	};

	return cmocka_run_group_tests_name("import of interbench", tests, make_directory, remove_directory);
}
