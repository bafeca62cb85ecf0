#include "check.h"

#include "log_case.h"

/* The rows of a thread's table whose column has that level, in its order. */
static GArray *rows_of(const struct dataset *table, const char *column, const char *level)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint row = 0; row < table->n_runs; row++)
		if (g_str_equal(level_of(table, column, row), level))
			g_array_append_val(rows, row);
	return rows;
}

static void assert_same(const struct dataset *log, const char *metric, guint row, const struct dataset *table,
			const char *column, guint table_row)
{
	assert_value(log, metric, row, value_of(table, column, table_row));
}

/* dbench 32 on three kernels: throughput, times and faults of nine runs are those of the table beside the logs. */
static void test_dbench(void **state)
{
	static const char *const kernels[] = {"2.4.8-pre8", "2.4.7-ac10", "2.4.7"};
	static const char *const metrics[] = {"throughput", "user",         "system",      "elapsed",
					      "cpu",        "major_faults", "minor_faults"};
	g_autoptr(Dataset) table = import_shared("threads", "dbench32-kernels.tsv");

	for (gsize k = 0; k < G_N_ELEMENTS(kernels); k++) {
		g_autofree char *name = g_strdup_printf("dbench32-%s.log", kernels[k]);
		g_autofree char *label = g_strdup_printf("dbench32-%s", kernels[k]);
		g_autoptr(Dataset) log = import_shared("threads/raw", name);
		g_autoptr(GArray) rows = rows_of(table, "kernel", kernels[k]);

		assert_int_equal(log->n_runs, 3);
		assert_string_equal(g_hash_table_lookup(log->primary, "dbench"), "throughput");
		for (guint run = 0; run < 3; run++) {
			assert_level(level_of(log, "label", run), label);
			assert_level(level_of(log, "procs", run), "32");
			assert_level(column_get(log->workload, run), "dbench");
			for (gsize m = 0; m < G_N_ELEMENTS(metrics); m++)
				assert_same(log, metrics[m], run, table, metrics[m], g_array_index(rows, guint, run));
		}
	}
}

/* vmstat before and after each run tells of the memory, in bytes, and is shown only where it is asked for. */
static void test_memory_around_runs(void **state)
{
	g_autoptr(Dataset) log = import_shared("threads/raw", "dbench32-2.4.7.log");

	assert_value(log, "free_before", 0, 250760 * 1024.0);
	assert_value(log, "free_after", 0, 299012 * 1024.0);
	assert_value(log, "free_before", 1, 299012 * 1024.0);
	assert_value(log, "buffers_after", 2, 4796 * 1024.0);
	assert_value(log, "cache_after", 2, 23748 * 1024.0);
	assert_value(log, "swap_before", 2, 0);
	assert_true(dataset_find_metric(log, "free_before")->only_by_name);
	assert_null(dataset_find_metric(log, "cs"));
	assert_null(dataset_find_metric(log, "NB"));
	assert_null(dataset_find_metric(log, "max_rss"));
}

/* qsbench on eight kernels: 24 times and 6 kills for lack of memory, and which of them had more swap. */
static void test_qsbench(void **state)
{
	static const char *const metrics[] = {"user", "system", "elapsed", "cpu", "major_faults"};
	g_autoptr(Dataset) table = import_shared("threads", "qsbench-kernels.tsv");
	struct column *kernels = dataset_find_factor(table, "kernel");
	guint n_ok = 0, n_killed = 0;

	for (guint k = 0; k < kernels->level->len; k++) {
		const char *kernel = g_ptr_array_index(kernels->level, k);
		g_autofree char *name = g_strdup_printf("qsbench-%s.log", kernel);
		g_autoptr(Dataset) log = import_shared("threads/raw", name);
		g_autoptr(GArray) rows = rows_of(table, "kernel", kernel);

		assert_int_equal(log->n_runs, rows->len);
		for (guint run = 0; run < log->n_runs; run++) {
			guint row = g_array_index(rows, guint, run);
			const char *section =
			    dataset_find_factor(log, "section") ? level_of(log, "section", run) : "none";

			assert_level(column_get(log->workload, run), "qsbench");
			assert_level(level_of(log, "procs", run), "1");
			assert_string_equal(outcome_of(log, run), outcome_of(table, row));
			assert_int_equal(!g_str_equal(section, "none"), value_of(table, "swap", row) == 400);
			for (gsize m = 0; m < G_N_ELEMENTS(metrics); m++)
				if (dataset_ok(log, run))
					assert_same(log, metrics[m], run, table, metrics[m], row);
				else
					assert_value(log, metrics[m], run, NAN);
			n_ok += dataset_ok(log, run);
			n_killed += g_str_equal(outcome_of(log, run), "oom-killed");
		}
	}
	assert_int_equal(n_ok, 24);
	assert_int_equal(n_killed, 6);
}

/* The chart of asterisks has the 29 values of its table, in its order. */
static void test_stars(void **state)
{
	g_autoptr(Dataset) table = import_shared("threads", "dbench-procs-kernels.tsv");
	g_autoptr(Dataset) log = import_shared("threads/raw", "dbench-stars.txt");

	assert_int_equal(log->n_runs, 29);
	for (guint row = 0; row < 29; row++) {
		assert_level(level_of(log, "label", row), level_of(table, "kernel", row));
		assert_close(g_ascii_strtod(level_of(log, "procs", row), NULL), value_of(table, "procs", row), 0);
		assert_same(log, "throughput", row, table, "throughput", row);
		assert_level(column_get(log->workload, row), "dbench");
	}
}

/* The combined table of tiobench, with its no-break spaces, has the 12 rows of 8 figures of its table. */
static void test_tiobench(void **state)
{
	static const char *const figures[] = {"seq_read",  "seq_read_cpu",  "rand_read",  "rand_read_cpu",
					      "seq_write", "seq_write_cpu", "rand_write", "rand_write_cpu"};
	g_autoptr(Dataset) table = import_shared("threads", "tiobench.tsv");
	g_autoptr(Dataset) log = import_shared("threads/raw", "tiobench.txt");

	assert_int_equal(log->n_runs, 12);
	assert_int_equal(log->metrics->len, 8);
	for (guint row = 0; row < 12; row++) {
		assert_level(level_of(log, "label", row), level_of(table, "kernel", row));
		assert_close(g_ascii_strtod(level_of(log, "threads", row), NULL), value_of(table, "threads", row), 0);
		for (gsize i = 0; i < G_N_ELEMENTS(figures); i++)
			assert_same(log, figures[i], row, table, figures[i], row);
	}
}

/* growfiles: 12 counts, each of its test, and the elapsed time of the listing beside them. */
static void test_growfiles(void **state)
{
	static const char *const latencies[] = {"2", "32", "8192"};
	static const char *const workloads[] = {"ls -laR /", "Lgf02", "Lgf03", "Lgfile1", "Lgf04"};
	g_autoptr(Dataset) table = import_shared("threads", "elvtune-growfiles.tsv");

	for (guint l = 0; l < G_N_ELEMENTS(latencies); l++) {
		g_autofree char *name = g_strdup_printf("growfiles-latency%s.log", latencies[l]);
		g_autoptr(Dataset) log = import_shared("threads/raw", name);

		assert_int_equal(log->n_runs, 5);
		for (guint row = 0; row < 5; row++)
			assert_level(column_get(log->workload, row), workloads[row]);
		/* the table has the listing last */
		assert_same(log, "elapsed", 0, table, "iterations", l * 5 + 4);
		for (guint row = 1; row < 5; row++)
			assert_same(log, "iterations", row, table, "iterations", l * 5 + row - 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_dbench), cmocka_unit_test(test_memory_around_runs), cmocka_unit_test(test_qsbench),
	    cmocka_unit_test(test_stars),  cmocka_unit_test(test_tiobench),           cmocka_unit_test(test_growfiles),
	};

	return cmocka_run_group_tests_name("import of the threads' logs", tests, NULL, NULL);
}
