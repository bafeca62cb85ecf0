#include "check.h"

#include "import_report_case.h"

#define BEGIN(threads) "Running the test with following options:\nNumber of threads: " threads "\n\n"
#define FAIRNESS                                                                                                       \
	"Threads fairness:\n    events (avg/stddev):           1.0000/0.00\n    execution time (avg/stddev):   "       \
	"1.0000/0.00\n\n"
#define LATENCY                                                                                                        \
	"Latency (ms):\n         min:                                  0.25\n         avg:                       "     \
	"           0.5\n         max:                                 12.5\n         99th percentile:         "       \
	"             2.75\n         sum:                               1994.60\n\n"
#define FILEIO(mode)                                                                                                   \
	"Extra file open flags: (none)\n4 files, 4MiB each\n16MiB total file size\nBlock size 16KiB\nDoing " mode      \
	" test\nInitializing worker threads...\n\nThreads started!\n\n"

/* The output of 1.0.20 and of the master that came after it. */
#define RUN_10                                                                                                         \
	"sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\n" BEGIN("2") FILEIO(                                     \
	    "random r/w") "[ 1s ] reads: 83.29 MiB/s writes: 55.53 MiB/s fsyncs: 354.38/s latency (ms,95%): 0.008\n"   \
			  "\nFile operations:\n    reads/s:                      5429.74\n    writes/s:              " \
			  "       3619.82\n"                                                                           \
			  "    fsyncs/s:                     362.98\n\nThroughput:\n    read, MiB/s:                 " \
			  " 84.75\n"                                                                                   \
			  "    written, MiB/s:               56.5\n\nGeneral statistics:\n    total time:            " \
			  "          "                                                                                 \
			  "    2.0108s\n    total number of events:              18926\n\n" LATENCY FAIRNESS
#define RUN_11                                                                                                         \
	"sysbench 1.1.0 (using bundled LuaJIT 2.1.0-beta3)\n\n" BEGIN("1")                                             \
	    FILEIO("sequential read") "Throughput:\n         read:  IOPS=7036.75 109.95 MiB/s (115.29 MB/s)\n        " \
				      " write: IOPS=4691.17 73.5 "                                                     \
				      "MiB/s (77.07 MB/s)\n         fsync: IOPS=15046.58\n\n" LATENCY                  \
				      "Throughput:\n    events/s (eps):      "                                         \
				      "                26774.5\n    time elapsed:                        10.0s\n    "  \
				      "total number of events:  "                                                      \
				      "            267745\n\n" LATENCY FAIRNESS

/* Five runs of 0.4.12 in one file: values as the index of the logs has them; its Mb are MiB. */
static void test_five_runs(void **state)
{
	static const struct column_case columns[] = {
	    {"throughput", "MiB/s", 5, 48.8072, 1.406895767, 49.451, 46.512, 49.954},
	    {"requests", "/s", 5, 12494.694, 360.145052, 12659.38, 11907.17, 12788.34},
	    {"latency_avg", "ms", 5, 0.08, 0, 0.08, 0.08, 0.08},
	};
	g_autoptr(Dataset) dataset = import_public("sysbench/01-do-5bucks-ubuntu-randrd.log");

	for (gsize i = 0; i < G_N_ELEMENTS(columns); i++)
		check_column_case(dataset, "fileio", &columns[i]);
	assert_int_equal(dataset->n_runs, 5);
	assert_string_equal(setting_of(dataset, "mode", 0), "random read");
	assert_string_equal(setting_of(dataset, "block_size", 0), "4KiB");
	assert_string_equal(setting_of(dataset, "file_size", 0), "8GiB");
	assert_string_equal(setting_of(dataset, "threads", 0), "1");
	assert_string_equal(g_hash_table_lookup(dataset->primary, "fileio"), "throughput");
	assert_int_equal(dataset->warnings->len, 0);
}

/* Preparing and cleaning up are no runs; carriage returns and prompts do no harm. */
static void test_prompts(void **state)
{
	g_autoptr(Dataset) dataset = import_public("sysbench/06-subhshetty.txt");

	assert_int_equal(dataset->n_runs, 1);
	assert_close(value_of(dataset, "throughput", 0), 1.6996, 1e-12);
	assert_close(value_of(dataset, "requests", 0), 108.78, 0);
	assert_close(value_of(dataset, "latency_avg", 0), 5.68, 1e-12);
	assert_close(value_of(dataset, "latency_p95", 0), 15.26, 1e-12);
	assert_close(value_of(dataset, "elapsed", 0), 300.0437, 1e-12);
}

/* Files in 1.0 and 1.1; the sum of both directions is what 0.4 prints. */
static void test_fileio(void **state)
{
	g_autoptr(Dataset) dataset = import_text(RUN_10 RUN_11);

	assert_int_equal(dataset->n_runs, 2);
	assert_close(value_of(dataset, "reads", 0), 5429.74, 0);
	assert_close(value_of(dataset, "writes", 0), 3619.82, 0);
	assert_close(value_of(dataset, "fsyncs", 0), 362.98, 0);
	assert_close(value_of(dataset, "read", 0), 84.75, 0);
	assert_close(value_of(dataset, "written", 0), 56.5, 0);
	assert_close(value_of(dataset, "throughput", 0), 141.25, 0);
	assert_close(value_of(dataset, "elapsed", 0), 2.0108, 1e-12);
	assert_close(value_of(dataset, "latency_min", 0), 0.25, 0);
	assert_close(value_of(dataset, "latency_max", 0), 12.5, 0);
	assert_close(value_of(dataset, "latency_p99", 0), 2.75, 0);
	assert_close(value_of(dataset, "events", 0), NAN, 0);
	assert_string_equal(level_of(dataset, "mode", 0), "random r/w");
	assert_string_equal(level_of(dataset, "threads", 0), "2");
	assert_close(value_of(dataset, "reads", 1), 7036.75, 0);
	assert_close(value_of(dataset, "read", 1), 109.95, 1e-12);
	assert_close(value_of(dataset, "fsyncs", 1), 15046.58, 0);
	assert_close(value_of(dataset, "throughput", 1), 183.45, 1e-12);
	assert_close(value_of(dataset, "elapsed", 1), 10, 0);
	assert_string_equal(level_of(dataset, "mode", 1), "sequential read");
}

/* Other tests: events a second are printed, or are the events by the time (10000 / 12.5 s = 800 /s). */
static void test_other_tests(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text("sysbench 0.4.12:  multi-threaded system evaluation benchmark\n\n" BEGIN(
		"1") "Doing CPU performance "
		     "benchmark\n\nThreads started!\nDone.\n\nMaximum prime number checked in CPU test: 20000\n\n"
		     "Test execution summary:\n    total time:                          12.5000s\n    total number of "
		     "events:  "
		     "            10000\n    total time taken by event execution: 12.4\n    per-request statistics:\n"
		     "         min:                                  1.00ms\n         avg:                             "
		     "    "
		     " 1250us\n\n" FAIRNESS "sysbench 1.0.20\n\n" BEGIN(
			 "4") "Prime numbers limit: 10000\n\nCPU speed:\n    events per second:  2198.26\n\n"
			      "General statistics:\n    total time:                          1.0001s\n" FAIRNESS
			      "sysbench 1.0.20\n\n" BEGIN(
				  "1") "Running memory speed test with the following options:\n  block size: 1KiB\n"
				       "  operation: write\n\nTotal operations: 1048576 ( 4007989.24 per second)\n\n"
				       "1024.00 MiB transferred (3914.05 MiB/sec)\n\n    total time:                   "
				       "       0.2610s\n" FAIRNESS
				       "$ sysbench --threads=2 /usr/share/sysbench/oltp_read_write.lua --tables=4 "
				       "run\nsysbench 1.0.20\n\n" BEGIN(
					   "2") "    transactions:                        411    (41.05 per sec.)\n"
						"    queries:                             8220   (821.03 per sec.)\n"
						"    total time:                          10.0110s\n    total number "
						"of events:              411\n" FAIRNESS);

	assert_int_equal(dataset->n_runs, 4);
	assert_string_equal(column_get(dataset->workload, 0), "cpu");
	assert_close(value_of(dataset, "events", 0), 800, 1e-12);
	assert_close(value_of(dataset, "latency_avg", 0), 1.25, 1e-12);
	assert_string_equal(level_of(dataset, "prime_limit", 0), "20000");
	assert_string_equal(column_get(dataset->workload, 1), "cpu");
	assert_close(value_of(dataset, "events", 1), 2198.26, 0);
	assert_string_equal(level_of(dataset, "threads", 1), "4");
	assert_string_equal(column_get(dataset->workload, 2), "memory");
	assert_close(value_of(dataset, "operations", 2), 4007989.24, 0);
	assert_close(value_of(dataset, "throughput", 2), 3914.05, 1e-12);
	assert_close(value_of(dataset, "events", 2), NAN, 0);
	assert_string_equal(column_get(dataset->workload, 3), "oltp_read_write");
	assert_close(value_of(dataset, "transactions", 3), 41.05, 0);
	assert_close(value_of(dataset, "queries", 3), 821.03, 0);
	assert_string_equal(g_hash_table_lookup(dataset->primary, "cpu"), "events");
	assert_string_equal(g_hash_table_lookup(dataset->primary, "oltp_read_write"), "transactions");
}

/* Runs that ended with an error, or without a report before the next one, failed and have no values. */
static void test_failures(void **state)
{
	g_autoptr(Dataset) dataset = import_text(RUN_10 BEGIN("2") FILEIO(
	    "random r/w") "FATAL: Size of file 'test_file.0' is 4MiB, but at least 24.75MiB is expected.\n"
			  "WARNING: Did you run 'prepare'?\n" BEGIN("2") FILEIO("random r/w") RUN_10);

	assert_int_equal(dataset->n_runs, 4);
	assert_true(dataset_ok(dataset, 0));
	assert_false(dataset_ok(dataset, 1));
	assert_false(dataset_ok(dataset, 2));
	assert_true(dataset_ok(dataset, 3));
	assert_string_equal(column_get(dataset->workload, 2), "fileio");
	assert_close(value_of(dataset, "throughput", 1), NAN, 0);
	assert_close(value_of(dataset, "throughput", 3), 141.25, 0);
	check_warning(dataset, 0, "table.tsv:", "the run that begins here has no results");
}

/* Excerpts without their beginning are runs, too, as many as there are; one that is not complete is pointed out. */
static void test_excerpts(void **state)
{
	g_autoptr(Dataset) excerpts =
	    import_text("    read, MiB/s:                  1.5\n    written, MiB/s:               2\n"
			"    read, MiB/s:                  3\n    written, MiB/s:               4\n");
	g_autoptr(Dataset) incomplete = import_text(BEGIN("1") FILEIO(
	    "random write") "    read, MiB/s:   0.00\n    written, MiB/s:  2\n    total time:  1.0s\n");

	assert_int_equal(excerpts->n_runs, 2);
	assert_close(value_of(excerpts, "throughput", 0), 3.5, 0);
	assert_close(value_of(excerpts, "throughput", 1), 7, 0);
	assert_int_equal(incomplete->n_runs, 1);
	check_warning(incomplete, 0, "table.tsv:", "the report of the last run is not complete");
}

/* Files that end before a run's results, and values that were cut off or have a comma, are refused. */
static void test_refused(void **state)
{
	check_text_refused("sysbench 1.0.20\n\n" BEGIN("1") FILEIO("random write") "    reads/s:    1\n",
			   "r.txt:3: ", "the file ends before the results of this run");
	check_text_refused(BEGIN("1") "Read 14.635Gb  Written 0b  Total transferred 14.635Gb  (49.9\n",
			   "r.txt:4: ", "throughput cannot be read from 'Read 14.635Gb");
	check_text_refused(BEGIN("1") "    total time:                          300,0013s\n",
			   "r.txt:4: ", "elapsed cannot be read");
	check_text_refused(BEGIN("1") "    reads/s:       5429,74\n", "r.txt:4: ", "reads cannot be read");
	check_text_refused("sysbench 1.0.20\n\nRemoving test files...\n", "r.txt: ", "no results in it");
}

/* Nothing else is taken for this format, and no bytes crash it. */
static void test_detection_and_hostile(void **state)
{
	check_detected(RUN_10, &import_sysbench);
	check_detected("sysbench v0.4.5:  multi-threaded system evaluation benchmark\n", &import_sysbench);
	check_hostile(&import_sysbench, RUN_10 RUN_11);
	check_long_numbers(&import_sysbench, RUN_11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_five_runs), cmocka_unit_test(test_prompts),
	    cmocka_unit_test(test_fileio),    cmocka_unit_test(test_other_tests),
	    cmocka_unit_test(test_failures),  cmocka_unit_test(test_excerpts),
	    cmocka_unit_test(test_refused),   cmocka_unit_test(test_detection_and_hostile),
	};

	return cmocka_run_group_tests_name("import of sysbench", tests, make_directory, remove_directory);
}
