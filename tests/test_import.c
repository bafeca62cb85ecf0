#include "check.h"

#include "import_case.h"

/* The threads' tables: rows and column sums as awk counts them over the same files. */
static void test_threads(void **state)
{
	static const struct {
		const char *file, *metric;
		guint n;
		double sum;
	} tables[] = {
	    {"bdflush-grid.tsv", "throughput", 28, 212.823},
	    {"dbench-procs-kernels.tsv", "throughput", 29, 264.5},
	    {"dbench-procs-scaling.tsv", "throughput", 3, 172.4560},
	    {"dbench32-kernels.tsv", "throughput", 9, 71.32429},
	    {"dbench32-kernels.tsv", "elapsed", 9, 5038.9},
	    {"dbench32-tuned.tsv", "throughput", 6, 79.8419},
	    {"dd-kernels-synced.tsv", "sync", 3, 43},
	    {"dd-kernels.tsv", "MBps_per_stream", 27, 1147},
	    {"elvtune-dbench775.tsv", "value", 18, 7570.77166},
	    {"elvtune-growfiles.tsv", "iterations", 15, 426018.88},
	    {"elvtune-mp3.tsv", "played", 7, 3819},
	    {"elvtune-mp3.tsv", "pct_as_posted", 7, 342},
	    {"qsbench-kernels.tsv", "elapsed", 30, 4387.29},
	    {"qsbench-swapfull.tsv", "elapsed", 35, 5542.85},
	    {"tiobench.tsv", "seq_read", 12, 174.29},
	};
	const char *shared_dir = g_getenv("VMSTAT_BENCH_SHARED");
	g_autofree char *threads = g_build_filename(shared_dir ? shared_dir : "../shared", "threads", NULL);

	if (!g_file_test(threads, G_FILE_TEST_IS_DIR))
		skip();
	for (gsize i = 0; i < G_N_ELEMENTS(tables); i++) {
		g_autofree char *path = g_build_filename(threads, tables[i].file, NULL);
		g_autoptr(Dataset) dataset = import_file(path, NULL);

		assert_non_null(dataset);
		assert_int_equal(dataset->n_runs, tables[i].n);
		assert_close(sum_of(dataset, tables[i].metric), tables[i].sum, 1e-12);
	}
}

/* The project's own copies hold every figure of the threads' tables (skipped where those are not there). */
static void test_samples(void **state)
{
	static const char *const files[] = {"dbench32-kernels.tsv", "qsbench-kernels.tsv", "qsbench-swapfull.tsv",
					    "bdflush-grid.tsv"};
	const char *shared_dir = g_getenv("VMSTAT_BENCH_SHARED");

	for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *ours = g_build_filename("samples", files[i], NULL);
		g_autofree char *theirs =
		    g_build_filename(shared_dir ? shared_dir : "../shared", "threads", files[i], NULL);
		g_autoptr(Dataset) dataset = import_file(ours, NULL), original = NULL;

		assert_non_null(dataset);
		if (!g_file_test(theirs, G_FILE_TEST_EXISTS))
			skip();
		original = import_file(theirs, NULL);
		assert_int_equal(dataset->n_runs, original->n_runs);
		assert_int_equal(dataset->metrics->len, original->metrics->len);
		for (guint m = 0; m < original->metrics->len; m++) {
			const struct values *values = g_ptr_array_index(original->metrics, m);

			for (guint row = 0; row < original->n_runs; row++)
				assert_close(value_of(dataset, values->metric.name, row), values_get(values, row), 0);
		}
	}
}

/* Columns find their place: special names, factors, metrics by their units; rows stay in order. */
static void test_columns(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text("# a comment\n"
			"kernel\trun\tsession\tblock\tboot\toutcome\tworkload\tthroughput_MBps\tdisk\n"
			"6.1\t1\tmon\t1\t7\tok\tdd1\t10.5\tsda\n"
			"# another\n"
			"\n"
			"6.10\t2\tmon\t2\t7\toom-killed\tdd1\t3\tNA\n"
			"6.1\t3\ttue\t1\t8\t-\tdd1\t-\tsda\n");
	g_autofree char *path = g_build_filename(directory, "table.tsv", NULL);
	g_autofree char *sitting = g_strconcat(path, "/mon", NULL), *block = g_strconcat(path, "/tue/1", NULL);
	g_autofree char *boot = g_strconcat(path, "/8", NULL);

	assert_int_equal(dataset->n_runs, 3);
	assert_int_equal(dataset->factors->len, 3);
	assert_string_equal(((struct column *)g_ptr_array_index(dataset->factors, 0))->name, "label");
	assert_string_equal(level_of(dataset, "label", 2), "table");
	assert_string_equal(level_of(dataset, "kernel", 0), "6.1");
	assert_string_equal(level_of(dataset, "kernel", 1), "6.10");
	assert_null(level_of(dataset, "disk", 1));
	assert_int_equal(dataset->metrics->len, 1);
	assert_close(value_of(dataset, "throughput", 0), 10.5, 0);
	assert_close(value_of(dataset, "throughput", 2), NAN, 0);
	assert_string_equal(dataset_find_metric(dataset, "throughput")->metric.unit, "MB/s");
	assert_string_equal(column_get(dataset->sitting, 1), sitting);
	assert_string_equal(column_get(dataset->block, 2), block);
	assert_string_equal(column_get(dataset->boot, 2), boot);
	assert_string_equal(column_get(dataset->workload, 0), "dd1");
	assert_true(dataset_ok(dataset, 0));
	assert_false(dataset_ok(dataset, 1));
	assert_true(dataset_ok(dataset, 2));
	assert_string_equal(g_hash_table_lookup(dataset->primary, "dd1"), "throughput");
}

/* A boot_id is the same boot in every file, a number is one of its file's own. */
static void test_boot_ids(void **state)
{
	static const char *const id = "cb0d93d1-8bed-4a97-9ad4-9287f77f2955";
	g_autoptr(Dataset) dataset = import_text("boot\telapsed_s\ncb0d93d1-8bed-4a97-9ad4-9287f77f2955\t1\n7\t2\n");
	g_autofree char *other = g_build_filename(directory, "table.tsv", "7", NULL);

	assert_string_equal(column_get(dataset->boot, 0), id);
	assert_string_equal(column_get(dataset->boot, 1), other);
}

/* A file without sessions is one sitting; a label column stays a factor though all its levels are numbers. */
static void test_label_and_sitting(void **state)
{
	g_autoptr(Dataset) dataset = import_text("label\telapsed_s\n6.1\t1\n6.12\t2\n");
	g_autofree char *path = g_build_filename(directory, "table.tsv", NULL);

	assert_string_equal(level_of(dataset, "label", 0), "6.1");
	assert_string_equal(level_of(dataset, "label", 1), "6.12");
	assert_int_equal(dataset->factors->len, 1);
	assert_string_equal(column_get(dataset->sitting, 1), path);
	assert_null(dataset->boot);
	assert_null(dataset->block);
	assert_null(dataset->workload);
	assert_null(dataset->outcome);
}

/* A column without a single value is as if it were not there: the file is one sitting then. */
static void test_columns_without_values(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text("session\tblock\tdisk\tboot\tv\tw\n-\tNA\t\t-\t1\tNA\nNA\t-\t\t-\t2\t-\n");
	g_autofree char *path = g_build_filename(directory, "table.tsv", NULL);

	assert_string_equal(column_get(dataset->sitting, 0), path);
	assert_null(dataset->block);
	assert_null(dataset->boot);
	assert_null(dataset_find_factor(dataset, "disk"));
	assert_null(dataset_find_metric(dataset, "w"));
	assert_close(sum_of(dataset, "v"), 3, 0);
}

/* Line ends, byte order marks, quotes and delimiters of other programs give the same table. */
static void test_dialects(void **state)
{
	static const char *const texts[] = {
	    "kernel\telapsed_s\na,b\t1.5\nc\t2.5\n",
	    "kernel\telapsed_s\r\na,b\t1.5\r\nc\t2.5\r\n",
	    "\xef\xbb\xbfkernel\telapsed_s\na,b\t1.5\nc\t2.5",
	    "kernel,elapsed_s\n\"a,b\",1.5\nc,2.5\n",
	    "\"kernel\",\"elapsed_s\"\r\n\"a,b\",\"1.5\"\r\n\"c\",\"2.5\"\r\n",
	    "kernel;elapsed_s\na,b;1.5\nc;2.5\n",
	    "kernel , elapsed_s\n \"a,b\" , 1.5 \nc , 2.5\n,\n",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(Dataset) dataset = import_text(texts[i]);

		assert_int_equal(dataset->n_runs, 2);
		assert_string_equal(level_of(dataset, "kernel", 0), "a,b");
		assert_string_equal(level_of(dataset, "kernel", 1), "c");
		assert_close(value_of(dataset, "elapsed", 0), 1.5, 0);
		assert_close(value_of(dataset, "elapsed", 1), 2.5, 0);
	}
}

/* Quoted fields of CSV hold delimiters, quotes and line ends, and line numbers after them are still right. */
static void test_quotes(void **state)
{
	g_autoptr(Dataset) dataset = import_text("name,v\n\"say \"\"hi\"\"\",1\n\"two\nlines\",2\n");
	g_autofree char *path = write_file("q.csv", "name,v\n\"two\nlines\",2\nx\n", -1);
	g_autoptr(GError) error = NULL;

	assert_string_equal(level_of(dataset, "name", 0), "say \"hi\"");
	assert_string_equal(level_of(dataset, "name", 1), "two\nlines");
	assert_null(import_file(path, &error));
	assert_non_null(strstr(error->message, "q.csv:4: "));
}

/* Quotes mean nothing in a TSV, and a quote inside a comment opens nothing. */
static void test_quotes_that_are_none(void **state)
{
	g_autoptr(Dataset) tsv = import_text("disk\tv\n\"5in\t1\n");
	g_autoptr(Dataset) csv = import_text("disk,v\n# it is 5\" wide, \"open\na,1\nb 3\" c,2\n");

	assert_string_equal(level_of(tsv, "disk", 0), "\"5in");
	assert_int_equal(csv->n_runs, 2);
	assert_string_equal(level_of(csv, "disk", 1), "b 3\" c");
}

/* A column of numbers, with or without a header, is one metric. */
static void test_one_column(void **state)
{
	g_autoptr(Dataset) bare = import_text("# ministat\n1.5\n2\n\n3\n");
	g_autoptr(Dataset) named = import_text("elapsed_s\n1.5\n2\n3\n");

	assert_int_equal(bare->n_runs, 3);
	assert_close(sum_of(bare, "value"), 6.5, 0);
	assert_string_equal(g_hash_table_lookup(bare->primary, ""), "value");
	assert_int_equal(named->n_runs, 3);
	assert_close(sum_of(named, "elapsed"), 6.5, 0);
}

/* Columns that only their unit tells apart keep their whole names; the unit is still known. */
static void test_names_that_clash(void **state)
{
	g_autoptr(Dataset) dataset = import_text("read_MBps\tread_iops\twrite_MBps\n1\t2\t3\n");

	assert_close(value_of(dataset, "read_MBps", 0), 1, 0);
	assert_close(value_of(dataset, "read_iops", 0), 2, 0);
	assert_close(value_of(dataset, "write", 0), 3, 0);
	assert_string_equal(dataset_find_metric(dataset, "read_iops")->metric.unit, "/s");
	assert_null(dataset_find_metric(dataset, "read"));
}

/* A setting is not what a comparison looks at while the table has a metric with a direction. */
static void test_primary(void **state)
{
	g_autoptr(Dataset) dataset = import_text("swap_MB\tcpu_pct\telapsed_s\n200\t50\t3\n");
	g_autoptr(Dataset) undirected = import_text("iterations\tfiles\n200\t50\n");

	assert_string_equal(g_hash_table_lookup(dataset->primary, ""), "elapsed");
	assert_string_equal(g_hash_table_lookup(undirected->primary, ""), "iterations");
	assert_true(dataset_metric_to_factor(dataset, "swap_MB"));
	assert_string_equal(level_of(dataset, "swap_MB", 0), "200");
}

/* Few numbers and a word make a factor, with the numbers' own text. */
static void test_mixed_column_is_a_factor(void **state)
{
	g_autoptr(Dataset) dataset = import_text("cache\tv\n1.50\t1\nauto\t2\n007\t3\n");

	assert_string_equal(level_of(dataset, "cache", 0), "1.50");
	assert_string_equal(level_of(dataset, "cache", 1), "auto");
	assert_string_equal(level_of(dataset, "cache", 2), "007");
	assert_null(dataset_find_metric(dataset, "cache"));
}

/* A label is the file's name without an ending that is one. */
static void test_label_of_file(void **state)
{
	static const struct {
		const char *file, *label;
	} names[] = {{"6.12", "6.12"}, {"6.12.tsv", "6.12"}, {"plain", "plain"}, {".csv", ".csv"}};

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = write_file(names[i].file, "elapsed_s\n1\n", -1);
		g_autoptr(Dataset) dataset = import_file(path, NULL);

		assert_string_equal(level_of(dataset, "label", 0), names[i].label);
	}
}

/* A table far larger than the reader's buffer: every value arrives, in order (the sum of squares by its formula). */
static void test_large(void **state)
{
	const guint n = 200000;
	g_autoptr(GString) text = g_string_new("kernel,i\n");
	double sum = 0;

	for (guint i = 0; i < n; i++)
		g_string_append_printf(text, "%s,%u\n", i % 3 ? "6.1" : "6.12", i);
	g_autoptr(Dataset) dataset = import_text(text->str);
	assert_int_equal(dataset->n_runs, n);
	for (guint row = 0; row < n; row++) {
		sum += value_of(dataset, "i", row) * row;
		assert_string_equal(level_of(dataset, "kernel", row), row % 3 ? "6.1" : "6.12");
	}
	assert_close(sum, (n - 1.0) * n * (2.0 * n - 1) / 6, 1e-14);
}

/* Every importer has a name of its own, a line of help and both functions. */
static void test_importer_table(void **state)
{
	for (const struct importer *const *importer = importer_table; *importer; importer++) {
		assert_true((*importer)->name[0] && (*importer)->summary[0]);
		assert_null(strchr((*importer)->summary, '\n'));
		assert_non_null((*importer)->detect);
		assert_non_null((*importer)->read);
		for (const struct importer *const *other = importer_table; other < importer; other++)
			assert_string_not_equal((*other)->name, (*importer)->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_threads),
	    cmocka_unit_test(test_samples),
	    cmocka_unit_test(test_columns), cmocka_unit_test(test_boot_ids),
	    cmocka_unit_test(test_label_and_sitting),
	    cmocka_unit_test(test_columns_without_values),
	    cmocka_unit_test(test_dialects),
	    cmocka_unit_test(test_quotes),
	    cmocka_unit_test(test_quotes_that_are_none),
	    cmocka_unit_test(test_one_column),
	    cmocka_unit_test(test_names_that_clash),
	    cmocka_unit_test(test_primary),
	    cmocka_unit_test(test_mixed_column_is_a_factor),
	    cmocka_unit_test(test_label_of_file),
	    cmocka_unit_test(test_large),
	    cmocka_unit_test(test_importer_table),
	};

	return cmocka_run_group_tests_name("import", tests, make_directory, remove_directory);
}
