#include "check.h"

#include "log_case.h"

#define PHASE_HEAD                                                                                                     \
	"                              File  Blk   Num                   Avg      Maximum      Lat%     Lat%    CPU\n" \
	"Identifier                    Size  Size  Thr   Rate  (CPU%)  Latency    Latency      >2s      >10s    Eff\n" \
	"---------------------------- ------ ----- ---  ------ ------ --------- -----------  -------- -------- "       \
	"-----\n"
#define PHASE_ROW(name, threads, rate) name " 128 4096 " threads " " rate " 5.5% 1.5 100.0 0.0 0.0 190\n"
#define PAIRS "1.5 2.5% 3.5 4.5% 5.5 6.5% 7.5 8.5%"
#define VMSTAT_HEAD                                                                                                    \
	"procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"                           \
	" r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"

/* Rows of the four tables meet in one run where all but the phase is the same; the n-th of a kind is so in all tables.
 */
static void test_phases(void **state)
{
	g_autoptr(Dataset) log = import_text(
	    "Sequential Reads\n" PHASE_HEAD PHASE_ROW("2.6 noatime", "1", "10.5") PHASE_ROW("2.6 noatime", "2", "20.5")
		PHASE_ROW("2.6 noatime", "1", "11.5")
		    PHASE_ROW("2.7", "1", "9.5") "\n"
						 "Random Writes\n" PHASE_HEAD PHASE_ROW("2.6 noatime", "1", "0.5")
						     PHASE_ROW("2.6 noatime", "1", "0.25"));
	static const double read[] = {10.5, 20.5, 11.5, 9.5}, written[] = {0.5, NAN, 0.25, NAN};

	assert_int_equal(log->n_runs, 4);
	for (guint row = 0; row < 4; row++) {
		assert_value(log, "seq_read", row, read[row]);
		assert_value(log, "rand_write", row, written[row]);
		assert_level(level_of(log, "threads", row), row == 1 ? "2" : "1");
		assert_level(level_of(log, "label", row), row == 3 ? "2.7" : "2.6 noatime");
	}
	assert_string_equal(dataset_find_metric(log, "seq_read")->metric.unit, "MiB/s");
	assert_null(dataset_find_metric(log, "seq_write"));
}

/* The combined table of tiobench as it prints it itself, with directory and sizes. */
static void test_combined_with_directory(void **state)
{
	g_autoptr(Dataset) log =
	    import_text("         File   Block  Num  Seq Read    Rand Read   Seq Write  Rand Write\n"
			"  Dir    Size   Size   Thr Rate (CPU%) Rate (CPU%) Rate (CPU%) Rate (CPU%)\n"
			"------- ------ ------- --- ----------- ----------- ----------- -----------\n"
			"   .     1024   4096    2  " PAIRS "\n");

	assert_int_equal(log->n_runs, 1);
	assert_level(level_of(log, "directory", 0), ".");
	assert_level(level_of(log, "size_MiB", 0), "1024");
	assert_level(level_of(log, "threads", 0), "2");
	assert_value(log, "seq_read", 0, 1.5);
	assert_value(log, "rand_write_cpu", 0, 8.5);
}

/* tiotest -T: rates and shares of the CPU follow from the amount and the times; a phase that was left out has none. */
static void test_terse(void **state)
{
	g_autoptr(Dataset) log = import_text("write:32.0,0.5,0.01,0.04,0.02,12.0,0.5,0.25\n"
					     "rwrite:4.0,2.0,0.0,0.02,1.0,20.0,0.0,0.0\n"
					     "read:32.0,0.25,0.0,0.05,0.01,1.0,0.0,0.0\n"
					     "rread:0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0\n"
					     "total:0.1,20.0,0.0,0.0\n"
					     "write:16.0,0.5,0.0,0.0,0.0,0.0,0.0,0.0\n");

	assert_int_equal(log->n_runs, 2);
	assert_value(log, "seq_write", 0, 64);
	assert_close(value_of(log, "seq_write_cpu", 0), 10, 1e-12);
	assert_value(log, "seq_write_latency", 0, 0.02);
	assert_value(log, "seq_write_max_latency", 0, 12);
	assert_value(log, "seq_write_over_2s", 0, 0.5);
	assert_value(log, "seq_write_over_10s", 0, 0.25);
	assert_value(log, "rand_write", 0, 2);
	assert_value(log, "seq_read", 0, 128);
	assert_null(dataset_find_metric(log, "rand_read"));
	assert_value(log, "seq_write", 1, 32);
	assert_value(log, "seq_read", 1, NAN);
}

/* Only a count at which the time was up is a result; the tag names the test. */
static void test_growfiles_ends(void **state)
{
	g_autoptr(Dataset) log = import_text(
	    "growfiles(gf16): 1234 growfiles.c/1593: DONE 13969 iterations to 10 files. Hit time value of 120\n"
	    "growfiles(gf15): 1234 growfiles.c/1593: DONE 500 iterations to 1 files. Hit iteration value\n"
	    "growfiles -W gf14 -b -e 1 -L 60 -f gfbig\n77 iterations to 1 files. Hit time value of 60\n"
	    "gf14        1  TPASS  :  Test passed\n"
	    "growfiles(gf13): 65884 growfiles.c/1765: 104203 Hit max errors value of 1\n"
	    "gf13        1  TFAIL  :  growfiles.c:134: Test failed\n"
	    "gf12        1  TBROK  :  no memory\n");

	assert_int_equal(log->n_runs, 4);
	assert_level(column_get(log->workload, 0), "gf16");
	assert_value(log, "iterations", 0, 13969);
	assert_level(column_get(log->workload, 1), "gf14");
	assert_value(log, "iterations", 1, 77);
	assert_level(column_get(log->workload, 2), "gf13");
	assert_string_equal(outcome_of(log, 2), "failed");
	assert_level(column_get(log->workload, 3), "gf12");
	assert_string_equal(outcome_of(log, 3), "failed");
}

/* Each call of vmstat begins with an average since boot; a head in the midst of a long one is no beginning. */
static void test_vmstat_calls(void **state)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (int call = 0; call < 2; call++) {
		g_string_append(text, VMSTAT_HEAD);
		for (int row = 0; row < 3; row++)
			g_string_append_printf(text, " 1 0 0 100 10 10 0 0 0 0 5 %d 1 1 98 0 0\n", call * 100 + row);
	}
	g_string_append(text, "some text\n" VMSTAT_HEAD);
	for (int row = 0; row < 12; row++)
		g_string_append_printf(text, "%s 1 0 0 100 10 10 0 0 0 0 5 %d 1 1 98 0 0\n",
				       row == 11 ? VMSTAT_HEAD : "", 1000 + row);
	g_autoptr(Dataset) log = import_text(text->str);

	assert_int_equal(log->n_runs, 18);
	for (guint row = 0; row < 18; row++) {
		gboolean is_first = row == 0 || row == 3 || row == 6;
		double cs = row < 6 ? row / 3 * 100 + row % 3 : 1000 + row - 6;

		assert_value(log, "free", row, 100);
		assert_value(log, "cs", row, is_first ? NAN : cs);
	}
	assert_level(column_get(log->workload, 0), "vmstat");
}

/* free, old and new, in KiB, in MiB (of -m, as no machine has so few KiB), and with letters. */
static void test_free_units(void **state)
{
	g_autoptr(Dataset) log =
	    import_text("             total       used       free     shared    buffers     cached\n"
			"Mem:        384000     380000       4000          0       5000      60000\n"
			"-/+ buffers/cache:     315000      69000\n"
			"Swap:       200000       1000     199000\n"
			"             total       used       free     shared    buffers     cached\n"
			"Mem:           512        500         12          0          4        400\n"
			"Swap:          200          3        197\n"
			"       total    used    free   shared  buff/cache   available\n"
			"Mem:   7.5Gi   1.0Gi   512Mi    1.0Mi       6.0Gi       6.5Gi\n"
			"Swap:     0B      0B      0B\n");

	assert_int_equal(log->n_runs, 3);
	assert_value(log, "free", 0, 4000);
	assert_value(log, "cached", 0, 60000);
	assert_value(log, "swpd", 0, 1000);
	assert_value(log, "total", 1, 512 * 1024);
	assert_value(log, "free", 1, 12 * 1024);
	assert_value(log, "swpd", 1, 3 * 1024);
	assert_value(log, "total", 2, 7.5 * 1024 * 1024);
	assert_value(log, "free", 2, 512 * 1024);
	assert_value(log, "swpd", 2, 0);
	assert_value(log, "available", 2, 6.5 * 1024 * 1024);
}

/* free before and after a run tells of its memory; the rows of free are no runs then. */
static void test_free_around_a_run(void **state)
{
#define FREE(free)                                                                                                     \
	"             total       used       free     shared    buffers     cached\n"                                  \
	"Mem:        384000     380000 " free "          0       5000      60000\n"                                    \
	"Swap:       200000       1000     199000\n"
	g_autoptr(Dataset) log =
	    import_text(FREE("4000") "$ time ./a\nreal\t0m1.0s\nuser\t0m0.5s\nsys\t0m0.5s\n" FREE("3000"));

	assert_int_equal(log->n_runs, 1);
	assert_level(column_get(log->workload, 0), "./a");
	assert_value(log, "free_before", 0, 4000 * 1024.0);
	assert_value(log, "free_after", 0, 3000 * 1024.0);
	assert_value(log, "swap_before", 0, 1000 * 1024.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_phases),
	    cmocka_unit_test(test_combined_with_directory),
	    cmocka_unit_test(test_terse),
	    cmocka_unit_test(test_growfiles_ends),
	    cmocka_unit_test(test_vmstat_calls),
	    cmocka_unit_test(test_free_units),
	    cmocka_unit_test(test_free_around_a_run),
	};

	return cmocka_run_group_tests_name("import of tables in logs", tests, make_directory, remove_directory);
}
