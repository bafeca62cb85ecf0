#include "check.h"

#include "import_report_case.h"

/* Forms of lines: what 0.15.06 prints, and tables of older and newer versions in mails. */
#define TAG "stress-ng: metrc: [28840] "
#define INFO "stress-ng: info:  [28840] "
#define TITLE(tag) tag "stressor       bogo ops real time  usr time  sys time   bogo ops/s     bogo ops/s\n"
#define UNITS(tag) tag "                          (secs)    (secs)    (secs)   (real time) (usr+sys time)\n"
#define HDD "hdd               10318      1.02      0.23      0.18     10157.78       25298.21"
#define FORK "fork                 92      1.01      0.04      0.04        91.31        1142.08"

/* Each stressor is a run of a workload of its own. The rates fit the table's own operations and times, as far as those
 * have digits: 10318 / 1.02, 10318 / (0.23 + 0.18). */
static void test_brief(void **state)
{
	g_autoptr(Dataset) dataset = import_text(INFO "dispatching hogs: 2 hdd, 1 fork\n" TITLE(TAG) UNITS(TAG) TAG HDD
						 "\n" TAG FORK "\n" INFO "successful run completed in 1.03s\n");

	assert_int_equal(dataset->n_runs, 2);
	assert_string_equal(column_get(dataset->workload, 0), "stress-ng hdd");
	assert_string_equal(column_get(dataset->workload, 1), "stress-ng fork");
	assert_close(value_of(dataset, "bogo_ops", 0), 10157.78, 0);
	assert_close(value_of(dataset, "bogo_ops", 0), 10318 / 1.02, 0.01);
	assert_close(value_of(dataset, "bogo_ops_cpu", 0), 10318 / 0.41, 0.01);
	assert_close(value_of(dataset, "elapsed", 1), 1.01, 0);
	assert_close(value_of(dataset, "user", 0), 0.23, 0);
	assert_close(value_of(dataset, "system", 0), 0.18, 0);
	assert_null(dataset_find_metric(dataset, "cpu_instance"));
	assert_null(dataset_find_metric(dataset, "rss_max"));
	assert_string_equal(g_hash_table_lookup(dataset->primary, "stress-ng fork"), "bogo_ops");
	assert_string_equal(setting_of(dataset, "workers", 0), "2");
	assert_true(dataset_ok(dataset, 0) && dataset_ok(dataset, 1));
	assert_int_equal(dataset->warnings->len, 0);
}

/* --metrics has two columns more, and figures of a stressor's own: MB are 2^20 bytes, and the direction is the unit's.
 * A rate per no CPU time is none. */
static void test_metrics(void **state)
{
	g_autoptr(Dataset) dataset = import_file("tests/corpus/stressng-metrics.txt", NULL);

	assert_non_null(dataset);
	assert_int_equal(dataset->n_runs, 2);
	assert_close(value_of(dataset, "bogo_ops", 0), 10000, 0);
	assert_close(value_of(dataset, "cpu_instance", 0), 25, 0);
	assert_close(value_of(dataset, "rss_max", 0), 2560, 0);
	assert_close(value_of(dataset, "write_rate", 0), 1200.5, 0);
	assert_string_equal(dataset_find_metric(dataset, "write_rate")->metric.unit, "MiB/s");
	assert_int_equal(dataset_find_metric(dataset, "write_rate")->metric.better, BETTER_HIGHER);
	assert_close(value_of(dataset, "per_fork_call", 1), 7000.25, 0);
	assert_string_equal(dataset_find_metric(dataset, "per_fork_call")->metric.unit, "ns");
	assert_int_equal(dataset_find_metric(dataset, "per_fork_call")->metric.better, BETTER_LOWER);
	assert_true(isnan(value_of(dataset, "per_fork_call", 0)) && isnan(value_of(dataset, "write_rate", 1)));
	assert_true(isnan(value_of(dataset, "bogo_ops_cpu", 1)));
	assert_true(dataset_ok(dataset, 0) && dataset_ok(dataset, 1));
}

/* Older ones say "info", --log-brief nothing, and a kernel log or a mail has more before it or between. */
static void test_forms(void **state)
{
	g_autoptr(Dataset) dataset = import_text(
	    TITLE("") UNITS("") HDD "\nsuccessful run completed in 1.02s (1 min, 0.01 secs)\n" TITLE(INFO) UNITS(INFO)
		INFO HDD "\n" INFO "for a 1.02s run time:\n" INFO "load average: 78.32 27.87 10.10\n"
			 "user  :notice: [  109.8] " TITLE(TAG) "kern  :warn  : [  109.9] CPU: 84 PID: 1612\n"
								"\nuser  :notice: [  109.9] " TAG HDD "\n"
								"> " TITLE(INFO) "> " INFO HDD "\n");

	assert_int_equal(dataset->n_runs, 4);
	for (guint row = 0; row < 4; row++) {
		assert_string_equal(column_get(dataset->workload, row), "stress-ng hdd");
		assert_close(value_of(dataset, "bogo_ops", row), 10157.78, 0);
	}
}

/* Figures that do not count are not kept: those of the stressors that are named, or else all of the table's. */
static void test_failures(void **state)
{
	g_autoptr(Dataset) named = import_text(
	    TITLE(TAG) TAG HDD "\n" TAG FORK "\n" INFO "passed: 2: hdd (2)\n" INFO "failed: 0\n" INFO
			       "metrics untrustworthy: 1: fork (1)\n" INFO "unsuccessful run completed in 1.03s\n");
	g_autoptr(Dataset) all =
	    import_text(TITLE(TAG) TAG HDD "\n" TITLE(TAG) TAG HDD
			"\n" TAG FORK "\n"
			"stress-ng: fail:  [28840] fork instance 0 corrupted bogo-ops counter\n" INFO
			"unsuccessful run completed in 0.95s\n");

	assert_true(dataset_ok(named, 0) && !dataset_ok(named, 1));
	assert_string_equal(column_get(named->outcome, 1), "failed");
	assert_true(isnan(value_of(named, "bogo_ops", 1)) && !isnan(value_of(named, "bogo_ops", 0)));
	assert_true(dataset_ok(all, 0) && !dataset_ok(all, 1) && !dataset_ok(all, 2));
	assert_true(isnan(value_of(all, "elapsed", 2)));
}

/* A table that is cut off, or has no lines. */
static void test_refused(void **state)
{
	check_text_refused(TITLE(TAG) TAG "hdd 10318 1.02 0.23 0.18 10157.78\n",
			   "r.txt:2: ", "the line of 'hdd' has no 5 numbers behind its operations");
	check_text_refused(TITLE(TAG) TAG "hdd 10318\n", "r.txt:2: ", "the line of 'hdd' has no 5 numbers");
	check_text_refused(TITLE(TAG) TAG "hdd 10318 1,02 0.23 0.18 1 2\n", "r.txt:2: ", "the line of 'hdd'");
	check_text_refused(TITLE(TAG) INFO "successful run completed in 1.03s\n", "r.txt: ", "no results in it");
}

/* What is of this format is of no other, and nothing crashes. */
static void test_detection_and_hostile(void **state)
{
	static const char report[] = INFO "dispatching hogs: 2 hdd, 1 fork\n" TITLE(TAG) UNITS(TAG) TAG HDD
	    "\n" TAG FORK "\n" TAG "miscellaneous metrics:\n" TAG
	    "hdd 846.55 MB/sec write rate (geometic mean of 2 instances)\n" INFO
	    "metrics untrustworthy: 1: fork (1)\n" INFO "unsuccessful run completed in 1.03s\n";

	check_detected(report, &import_stressng);
	check_detected(TITLE("") UNITS("") HDD "\n", &import_stressng);
	check_hostile(&import_stressng, report);
	check_long_numbers(&import_stressng, report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_brief),   cmocka_unit_test(test_metrics),
	    cmocka_unit_test(test_forms),   cmocka_unit_test(test_failures),
	    cmocka_unit_test(test_refused), cmocka_unit_test(test_detection_and_hostile),
	};

	return cmocka_run_group_tests_name("import of stress-ng", tests, make_directory, remove_directory);
}
