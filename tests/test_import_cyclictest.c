#include "check.h"

#include "import_report_case.h"

/* Formats: cyclictest(8) and cyclictest.c of rt-tests; the figures are made up. */
#define THREAD(n, pid, cycles, min, avg, max)                                                                          \
	"T: " n " ( " pid ") P:80 I:1000 C: " cycles " Min:      " min " Act:    5 Avg:    " avg " Max:      " max "\n"
#define LATENCY_TARGET "# /dev/cpu_dma_latency set to 0us\n"
#define HISTOGRAM(total, min, avg, max, overflows)                                                                     \
	"# Histogram\n000000 000000\t000000\n000001 000010\t000003\n# Total: " total "\n# Min Latencies: " min         \
	"\n# Avg Latencies: " avg "\n# Max Latencies: " max "\n# Histogram Overflows: " overflows                      \
	"\n# Histogram Overflow at cycle number:\n# Thread 0: 00021\n# Thread 1:\n\n"

static const char report[] =
    LATENCY_TARGET THREAD("0", "1234", "10000", "4", "6", "39") THREAD("1", "1235", " 5000", "3", "9", "52")
	LATENCY_TARGET HISTOGRAM("000000030 000000010", "00004 00002", "00006 00010", "00090 00041", "00000 00000");

static void check_run(const struct dataset *dataset, guint row, double min, double avg, double max)
{
	assert_close(value_of(dataset, "latency_min", row), min, 1e-15);
	assert_close(value_of(dataset, "latency_avg", row), avg, 1e-15);
	assert_close(value_of(dataset, "latency_max", row), max, 1e-15);
}

/* The lines of -q: a run a thread, here of one, twice; threads tell by their identity that they are of another run. */
static void test_quiet(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text(THREAD("0", "1234", "10000", "4", "6", "39") THREAD("0", "1240", "10000", "5", "7", "28"));

	assert_int_equal(dataset->n_runs, 2);
	check_run(dataset, 0, 4, 6, 39);
	check_run(dataset, 1, 5, 7, 28);
	assert_string_equal(dataset_find_metric(dataset, "latency_max")->metric.unit, "us");
	assert_int_equal(dataset_find_metric(dataset, "latency_max")->metric.better, BETTER_LOWER);
	assert_string_equal(g_hash_table_lookup(dataset->primary, "cyclictest"), "latency_max");
	assert_string_equal(setting_of(dataset, "threads", 0), "1");
	assert_string_equal(setting_of(dataset, "priority", 0), "80");
	assert_string_equal(setting_of(dataset, "interval", 1), "1000");
}

/* Threads of one run are one run: the worst maximum, the least minimum, and (6 x 10000 + 9 x 5000) / 15000 = 7. */
static void test_threads(void **state)
{
	g_autoptr(Dataset) dataset = import_text(report);

	assert_int_equal(dataset->n_runs, 2);
	check_run(dataset, 0, 3, 7, 52);
	/* the histogram's: (6 x 30 + 10 x 10) / 40 = 7 */
	check_run(dataset, 1, 2, 7, 90);
	assert_string_equal(setting_of(dataset, "threads", 1), "2");
}

/* Without -q the lines come again and again, at first of threads that have not begun: the last ones count. */
static void test_refreshed(void **state)
{
	g_autoptr(Dataset) dataset = import_text(
	    LATENCY_TARGET "policy: fifo: loadavg: 0.69 1.87 2.10 2/147 1337          \n\n"
			   "T: 0 ( 1336) P:80 I:1000 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0\n"
			   "T: 1 (    0) P:80 I:1500 C:      0 Min:1000000 Act:    0 Avg:    0 Max:       0\n"
			   "\x1b[4Apolicy: fifo: loadavg: 0.69 1.87 2.10 1/147 1337          \n\n"
			   "T: 0 ( 1336) P:80 I:1000 C:     10 Min:     65 Act:   66 Avg:   67 Max:      89\n"
			   "T: 1 ( 1337) P:80 I:1500 C:     10 Min:     67 Act:   67 Avg:   69 Max:      74\n"
			   "\x1b[4Apolicy: fifo: loadavg: 0.69 1.87 2.10 1/147 1337          \n\n"
			   "T: 0 ( 1336) P:80 I:1000 C:     20 Min:     64 Act:   64 Avg:   66 Max:      92\n"
			   "T: 1 ( 1337) P:80 I:1500 C:     20 Min:     66 Act:   66 Avg:   68 Max:      74\n");

	assert_int_equal(dataset->n_runs, 1);
	check_run(dataset, 0, 64, 67, 92);
}

/* A histogram behind the lines of its own run adds none; with --histall the sums of all threads are no thread. */
static void test_histograms(void **state)
{
	g_autoptr(Dataset) dataset = import_text(
	    THREAD("0", "1234", "10000", "4", "6", "39") HISTOGRAM("000010000", "00004", "00006", "00039", "00000")
		LATENCY_TARGET HISTOGRAM("000000000 000000000 000000000", "00068 00047", "00111 00084",
					 "02113 00733 02113", "00100 00100 00200")
		    HISTOGRAM("000000001", "00007", "00007", "00007", "00000"));

	assert_int_equal(dataset->n_runs, 3);
	check_run(dataset, 0, 4, 6, 39);
	check_run(dataset, 1, 47, 97.5, 2113);
	check_run(dataset, 2, 7, 7, 7);
}

/* Nanoseconds, where the command beside the figures asks for them; the next command does not. */
static void test_nanoseconds(void **state)
{
	g_autoptr(Dataset) dataset = import_text("# cyclictest -mNq -p80 -l 10000\n" THREAD(
	    "0", "1234", "10000", "4000", "6500",
	    "39250") "# cyclictest --mlockall -q --prio=80 -l 10000\n" THREAD("0", "1300", "10000", "4", "6", "39"));

	check_run(dataset, 0, 4, 6.5, 39.25);
	check_run(dataset, 1, 4, 6, 39);
}

/* A run without a cycle failed. */
static void test_no_cycles(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text(THREAD("0", "1234", "0", "1000000", "0", "0") THREAD("0", "1240", "1", "5", "5", "5"));

	assert_int_equal(dataset->n_runs, 2);
	assert_false(dataset_ok(dataset, 0));
	check_run(dataset, 0, NAN, NAN, NAN);
	check_run(dataset, 1, 5, 5, 5);
	check_warning(dataset, 0, "table.tsv:2: ", "no cycle");
}

/* Lines that were cut off, and threads without those before them, are refused. */
static void test_refused(void **state)
{
	check_text_refused(THREAD("0", "1", "1", "1", "1", "1") "T: 1 ( 2) P:80 I:1000 C: 10 Min:  4\n",
			   "r.txt:2: ", "cut off");
	check_text_refused(THREAD("1", "1", "1", "1", "1", "1"), "r.txt:1: ", "thread 1 where thread 0 should be");
	check_text_refused("# Max Latencies: 00039 0x\n", "r.txt:1: ", "numbers are missing");
	check_text_refused("# Max Latencies: 00039\n", "r.txt: ", "no results in it");
	check_text_refused(
	    THREAD("0", "1", "1", "1", "1", "1") "# Min Latencies: 00039 00012\n# Avg Latencies: 00039 000\n",
	    "r.txt:", "summary is cut off");
}

/* Nothing else is taken for this format, and no bytes crash it. */
static void test_detection_and_hostile(void **state)
{
	check_detected(report, &import_cyclictest);
	check_hostile(&import_cyclictest, report);
	check_long_numbers(&import_cyclictest, report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_quiet),       cmocka_unit_test(test_threads),
	    cmocka_unit_test(test_refreshed),   cmocka_unit_test(test_histograms),
	    cmocka_unit_test(test_nanoseconds), cmocka_unit_test(test_no_cycles),
	    cmocka_unit_test(test_refused),     cmocka_unit_test(test_detection_and_hostile),
	};

	return cmocka_run_group_tests_name("import of cyclictest", tests, make_directory, remove_directory);
}
