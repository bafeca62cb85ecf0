#include "check.h"

#include "log_case.h"

/* Expectations are those of INDEX.tsv beside the logs, computed apart from this project; where they say less than a
 * test, the figures of the logs themselves. */

/* dbench 4: one figure, none of those printed each second. */
static void test_dbench_4(void **state)
{
	g_autoptr(Dataset) log = import_shared("logs/dbench", "01-lkp-dbench4.txt");

	assert_int_equal(log->n_runs, 1);
	assert_int_equal(log->metrics->len, 2);
	assert_value(log, "throughput", 0, 13563.9);
	assert_value(log, "max_latency", 0, 53.132);
	assert_string_equal(dataset_find_metric(log, "max_latency")->metric.unit, "ms");
	assert_level(level_of(log, "procs", 0), "128");
	assert_null(dataset_find_factor(log, "clients"));
}

/* Two kernels that take turns, which only a sentence tells: no labels are made up, the order is kept. */
static void test_dbench_alternating(void **state)
{
	static const double throughput[] = {27.3983, 18.4711, 34.7552, 21.8827, 37.7379, 30.0396, 40.9394,
					    28.174,  41.4035, 25.2641, 38.6387, 30.4352, 33.3689, 30.8583};
	static const double times[][4] = {
	    {37.58, 115.73, 231.3, 66.2}, {37.71, 121.9, 343.05, 46.5}, {24.62, 73.98, 122.55, 80.4},
	    {25.41, 76.61, 194.04, 52.5}, {12.35, 35.33, 56.97, 83.6},  {12.97, 37.32, 70.31, 71.5},
	    {6.08, 17.42, 26.8, 87.6},    {6.28, 18.36, 38.49, 64.0},   {3.14, 8.24, 13.76, 82.7},
	    {3.27, 8.68, 21.91, 54.5},    {1.68, 4.03, 7.83, 72.9},     {1.69, 4.3, 9.68, 61.8},
	    {0.82, 2.0, 4.96, 56.8},      {0.75, 2.01, 5.28, 52.2}};
	static const char *const procs[] = {"48", "32", "16", "8", "4", "2", "1"};
	g_autoptr(Dataset) log = import_shared("logs/dbench", "10-lkml-2.4.7ac.txt");

	assert_int_equal(log->n_runs, 14);
	assert_int_equal(log->factors->len, 2);
	for (guint row = 0; row < 14; row++) {
		assert_value(log, "throughput", row, throughput[row]);
		assert_value(log, "user", row, times[row][0]);
		assert_value(log, "system", row, times[row][1]);
		assert_value(log, "elapsed", row, times[row][2]);
		assert_value(log, "cpu", row, times[row][3]);
		assert_level(level_of(log, "label", row), "10-lkml-2.4.7ac");
		assert_level(level_of(log, "procs", row), procs[row / 2]);
	}
}

/* A reply quotes three runs of another kernel: they are of a section of their own. */
static void test_dbench_quoted(void **state)
{
	static const double throughput[] = {150.159, 7.25691, 6.36332, 150.979, 150.796, 151.185,
					    141.255, 105.066, 69.3542, 32.4904, 30.4824, 19.0265};
	static const char *const procs[] = {"8", "16", "32", "1", "2", "4", "8", "16", "32", "64", "80", "128"};
	g_autoptr(Dataset) log = import_shared("logs/dbench", "11-lkml-procs-quoted.txt");

	assert_int_equal(log->n_runs, 12);
	assert_int_equal(log->metrics->len, 1);
	for (guint row = 0; row < 12; row++) {
		assert_value(log, "throughput", row, throughput[row]);
		assert_level(level_of(log, "procs", row), procs[row]);
		assert_level(level_of(log, "section", row), row < 3 ? ">>" : "none");
	}
}

/* bash's time with a decimal comma, of two commands. */
static void test_bash(void **state)
{
	g_autoptr(Dataset) log = import_shared("logs/time", "07-ex-bash-comma.txt");

	assert_int_equal(log->n_runs, 2);
	assert_value(log, "elapsed", 0, 18.116);
	assert_value(log, "elapsed", 1, 28.411);
	assert_value(log, "user", 0, 18.111);
	assert_value(log, "user", 1, 28.41);
	assert_value(log, "system", 0, 0.004);
	assert_value(log, "system", 1, 0.001);
	assert_level(column_get(log->workload, 0), "./venom benchmarks/fib40.vnm");
	assert_level(column_get(log->workload, 1), "python3 fib.py");
}

/* No time passed, though the CPU was used: a value all the same, and a warning. */
static void test_clock_stopped(void **state)
{
	g_autoptr(Dataset) log = import_shared("logs/time", "08-ex-clock-stopped.txt");

	assert_int_equal(log->n_runs, 1);
	assert_value(log, "elapsed", 0, 0);
	assert_value(log, "user", 0, 0);
	assert_value(log, "system", 0, 0.002);
	assert_level(column_get(log->workload, 0), "sleep 5");
	assert_int_equal(log->warnings->len, 1);
	assert_non_null(strstr(g_ptr_array_index(log->warnings, 0), "08-ex-clock-stopped.txt:1: "));
}

/* Commands that failed or were killed have no values. */
static void test_failures(void **state)
{
	static const char *const files[] = {"09-ex-nonzero.txt", "10-ex-signal2.txt"};

	for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autoptr(Dataset) log = import_shared("logs/time", files[i]);

		assert_int_equal(log->n_runs, 1);
		assert_string_equal(outcome_of(log, 0), "failed");
		assert_value(log, "elapsed", 0, NAN);
		assert_string_equal(g_hash_table_lookup(log->primary, ""), "elapsed");
	}
}

/* GNU time, the report of -v and the two lines, of commands too short for a share of the CPU. */
static void test_gnu_time(void **state)
{
	g_autoptr(Dataset) verbose = import_shared("logs/time", "13-ubuntu-18.04-time-verbose.out");
	g_autoptr(Dataset) lines = import_shared("logs/time", "15-ubuntu-18.04-time2.out");

	assert_int_equal(verbose->n_runs, 1);
	assert_level(column_get(verbose->workload, 0), "echo");
	assert_value(verbose, "elapsed", 0, 0);
	assert_value(verbose, "user", 0, 0);
	assert_value(verbose, "system", 0, 0);
	assert_value(verbose, "cpu", 0, 0);
	assert_value(verbose, "max_rss", 0, 2016);
	assert_value(verbose, "major_faults", 0, 0);
	assert_value(verbose, "minor_faults", 0, 71);
	assert_value(verbose, "ctx_switches", 0, 2);
	assert_true(dataset_ok(verbose, 0));
	assert_int_equal(lines->n_runs, 1);
	assert_value(lines, "elapsed", 0, 0);
	assert_value(lines, "minor_faults", 0, 70);
	assert_null(dataset_find_metric(lines, "cpu"));
}

/* n, mean and sd of a metric, as INDEX.tsv has them. */
static void assert_sample(const struct dataset *dataset, const char *metric, guint n, double mean, double sd)
{
	double sum = 0, squares = 0;
	guint count = 0;

	for (guint row = 0; row < dataset->n_runs; row++)
		if (!isnan(value_of(dataset, metric, row))) {
			sum += value_of(dataset, metric, row);
			count++;
		}
	assert_int_equal(count, n);
	assert_close(sum / n, mean, 1e-9);
	for (guint row = 0; row < dataset->n_runs && n > 1; row++)
		if (!isnan(value_of(dataset, metric, row)))
			squares += pow(value_of(dataset, metric, row) - mean, 2);
	if (n > 1)
		assert_close(sqrt(squares / (n - 1)), sd, 1e-6);
}

/* vmstat alone: its rows are the runs, without the rates of the first one; what is of the moment counts in all. */
static void test_vmstat(void **state)
{
	g_autoptr(Dataset) active = import_shared("logs/vmstat", "02-centos-7.7-vmstat-at-5-10.out");
	g_autoptr(Dataset) wide = import_shared("logs/vmstat", "07-generic-vmstat-extra-wide.out");
	g_autoptr(Dataset) two_heads = import_shared("logs/vmstat", "08-ubuntu-18.04-vmstat-1-long.out");

	assert_sample(active, "free", 4, 2794716, 0);
	assert_sample(active, "cs", 3, 85, 1.732050808);
	assert_sample(active, "id", 3, 100, 0);
	assert_value(active, "active", 3, 312752);
	assert_int_equal(wide->n_runs, 1);
	assert_sample(wide, "free", 1, 2430264, 0);
	assert_null(dataset_find_metric(wide, "cs"));
	assert_sample(two_heads, "free", 37, 763388, 0);
	assert_sample(two_heads, "cs", 36, 150.0555556, 55.29605744);
	assert_sample(two_heads, "id", 36, 99.22222222, 0.7968190729);
}

/* The four tables of tiobench are four phases of one run. */
static void test_tiobench(void **state)
{
	g_autoptr(Dataset) log = import_shared("logs/tiobench", "01-lkml-2.5.52.txt");

	assert_int_equal(log->n_runs, 1);
	assert_level(level_of(log, "label", 0), "2.5.52");
	assert_level(level_of(log, "size_MiB", 0), "252");
	assert_level(level_of(log, "block_B", 0), "4096");
	assert_level(level_of(log, "threads", 0), "10");
	assert_value(log, "seq_read", 0, 8.48);
	assert_value(log, "seq_read_cpu", 0, 5.251);
	assert_value(log, "seq_read_latency", 0, 12.152);
	assert_value(log, "seq_read_max_latency", 0, 1825.07);
	assert_value(log, "rand_read", 0, 0.50);
	assert_value(log, "seq_write", 0, 16.17);
	assert_value(log, "seq_write_cpu", 0, 30);
	assert_value(log, "seq_write_max_latency", 0, 29226.70);
	assert_value(log, "seq_write_over_2s", 0, 0.06094);
	assert_value(log, "seq_write_over_10s", 0, 0.00625);
	assert_value(log, "rand_write", 0, 0.78);
	assert_value(log, "rand_write_max_latency", 0, 992.39);
}

/* A test of growfiles that failed: no count, one failure, though two lines tell of it. */
static void test_growfiles(void **state)
{
	g_autoptr(Dataset) log = import_shared("logs/growfiles", "01-ltp-gf217.txt");

	assert_int_equal(log->n_runs, 1);
	assert_level(column_get(log->workload, 0), "gf217");
	assert_string_equal(outcome_of(log, 0), "failed");
	assert_value(log, "iterations", 0, NAN);
}

/* The project's and the threads' tables are no logs, though their comments tell of the same programs. */
static void test_tables(void **state)
{
	g_autofree char *threads = shared_path("threads", NULL);
	const char *const folders[] = {"samples", threads};

	for (gsize f = 0; f < G_N_ELEMENTS(folders); f++) {
		g_autoptr(GDir) files = g_dir_open(folders[f], 0, NULL);
		const char *name;

		while (files && (name = g_dir_read_name(files))) {
			g_autofree char *file = g_build_filename(folders[f], name, NULL), *text = NULL;

			if (!g_file_get_contents(file, &text, NULL, NULL))
				continue;
			for (guint i = 0; importer_table[i + 1]; i++)
				if (importer_table[i]->detect(text, strlen(text)))
					fail_msg("%s and the importer of %s", file, importer_table[i]->name);
		}
	}
}

/* No other importer than the table takes these logs for its own, and the log takes nobody's: the folder names whose. */
static void test_detection(void **state)
{
	static const char *const logs[] = {"dbench", "time", "vmstat", "tiobench", "growfiles"};
	g_autofree char *folder = shared_path("logs", NULL);
	g_autoptr(GDir) folders = g_dir_open(folder, 0, NULL);
	const char *format;

	if (!folders)
		skip();
	while ((format = g_dir_read_name(folders))) {
		g_autofree char *path = g_build_filename(folder, format, NULL);
		g_autoptr(GDir) files = g_dir_open(path, 0, NULL);
		gboolean is_log = FALSE;
		const char *name;

		for (gsize i = 0; i < G_N_ELEMENTS(logs); i++)
			is_log |= g_str_equal(format, logs[i]);
		while (files && (name = g_dir_read_name(files))) {
			g_autofree char *file = g_build_filename(path, name, NULL), *text = NULL;
			gsize length;

			assert_true(g_file_get_contents(file, &text, &length, NULL));
			text[MIN(length, 65536)] = '\0';
			for (guint i = 0; importer_table[i + 1]; i++)
				if (importer_table[i]->detect(text, strlen(text)) !=
					(is_log && g_str_equal(importer_table[i]->name, "log")) &&
				    (is_log || g_str_equal(importer_table[i]->name, "log")))
					fail_msg("%s/%s and the importer of %s", format, name, importer_table[i]->name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_dbench_4),      cmocka_unit_test(test_dbench_alternating),
	    cmocka_unit_test(test_dbench_quoted), cmocka_unit_test(test_bash),
	    cmocka_unit_test(test_clock_stopped), cmocka_unit_test(test_failures),
	    cmocka_unit_test(test_gnu_time),      cmocka_unit_test(test_vmstat),
	    cmocka_unit_test(test_tiobench),      cmocka_unit_test(test_growfiles),
	    cmocka_unit_test(test_tables),        cmocka_unit_test(test_detection),
	};

	return cmocka_run_group_tests_name("import of public logs", tests, NULL, NULL);
}
