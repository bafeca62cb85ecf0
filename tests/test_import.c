#include "check.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "../src/dataset.h"
#include "../src/err.h"
#include "../src/import.h"

static char *directory;

static char *write_file(const char *name, const char *text, gssize length)
{
	char *path = g_build_filename(directory, name, NULL);

	assert_true(g_file_set_contents(path, text, length, NULL));
	return path;
}

static struct dataset *import_text(const char *text)
{
	g_autofree char *path = write_file("table.tsv", text, -1);
	g_autoptr(GError) error = NULL;
	struct dataset *dataset = import_file(path, &error);

	if (!dataset)
		fail_msg("%s", error->message);
	return dataset;
}

static double sum_of(const struct dataset *dataset, const char *metric)
{
	const struct values *values = dataset_find_metric(dataset, metric);
	double sum = 0;

	assert_non_null(values);
	for (guint row = 0; row < dataset->n_runs; row++)
		if (!isnan(values_get(values, row)))
			sum += values_get(values, row);
	return sum;
}

static double value_of(const struct dataset *dataset, const char *metric, guint row)
{
	const struct values *values = dataset_find_metric(dataset, metric);

	assert_non_null(values);
	return values_get(values, row);
}

static const char *level_of(const struct dataset *dataset, const char *factor, guint row)
{
	return column_get(dataset_find_factor(dataset, factor), row);
}

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

/* Everything that is wrong with a table is a usage error (exit 2) that names file and line and says what it is. */
static void test_bad_tables(void **state)
{
	static const struct {
		const char *text, *where, *what;
	} tables[] = {
	    {"a\tb\nx\t1\ny\n", "t.tsv:3: ", "1 field where the header has 2"},
	    {"a\tb\nx\t1\ny\t2\t3\n", "t.tsv:3: ", "3 fields where the header has 2"},
	    {"a,b\nx,1\n\ny,2,3,4\n", "t.tsv:4: ", "4 fields where the header has 2"},
	    {"a\tb\n", "t.tsv:1: ", "a header and no rows"},
	    {"# c\na\tb\n# d\n", "t.tsv:3: ", "a header and no rows"},
	    {"a\tb\ta\n1\t2\t3\n", "t.tsv:1: ", "two columns are named 'a'"},
	    {"a\t\tc\n1\t2\t3\n", "t.tsv:1: ", "column 2 has no name"},
	    {"a\tb\nx\t1\ny\tnan\n", "t.tsv:3: ", "column 'b': 'nan' is not a finite number"},
	    {"a\tb\nx\tinf\ny\t1\n", "t.tsv:2: ", "column 'b': 'inf' is not a finite number"},
	    {"a\tb\nx\t-Infinity\ny\t1\n", "t.tsv:2: ", "'-Infinity' is not a finite number"},
	    {"a\tb\nx\t1e999\ny\t1\n", "t.tsv:2: ", "'1e999' is not a finite number"},
	    {"a\tb\nx\tNaN\n", "t.tsv:2: ", "'NaN' is not a finite number"},
	    {"a\tb\nx\t12,5\ny\t13,5\n", "t.tsv:2: ", "column 'b': '12,5' has a decimal comma; write a point"},
	    {"a;b\nx;1.5\ny;13,5\n", "t.tsv:3: ", "'13,5' has a decimal comma"},
	    {"1\t2\n3\t4\n", "t.tsv:1: ", "the first line must name the columns"},
	    {"a\tb\nx\ty\n", "t.tsv: ", "no column holds numbers"},
	    {"a\tb\nNA\t-\n", "t.tsv: ", "no column holds numbers"},
	    {"a\tb\noutcome\nok\n", "t.tsv:2: ", "1 field where"},
	    {"outcome\tb\nfine\t1\n", "t.tsv:2: ", "outcome 'fine' is none of ok, failed, oom-killed"},
	    {"a\tb\nx\t1\nb\xff\t2\n", "t.tsv:3: ", "not text in UTF-8"},
	    {"a,b\nx,1\n\"y,2\n", "t.tsv:3: ", "a quote is not closed"},
	    {"a,b\n\"x\"y,1\n", "t.tsv:2: ", "a quote is not closed, or text follows it"},
	    {"\"a,b\nx,1\n", "t.tsv:1: ", "a quote is not closed, or text follows it"},
	    {"# only\n\n# comments, here\n", "'", "is of no format that can be read: table"},
	    {"{\"a\": 1, \"b\": 2}\n", "'", "is of no format that can be read: table"},
	    {"just some words\n", "'", "is of no format that can be read: table"},
	    {"\n\n\n", "'", "is of no format"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(tables); i++) {
		g_autofree char *path = write_file("t.tsv", tables[i].text, -1);
		g_autoptr(GError) error = NULL;
		struct dataset *dataset = import_file(path, &error);

		if (dataset)
			fail_msg("case %zu was read", i);
		if (!strstr(error->message, tables[i].where) || !strstr(error->message, tables[i].what))
			fail_msg("case %zu says \"%s\"", i, error->message);
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
	}
}

static void check_refused(const char *path, int code, const char *what)
{
	g_autoptr(GError) error = NULL;

	assert_null(import_file(path, &error));
	if (!strstr(error->message, path) || !strstr(error->message, what))
		fail_msg("\"%s\" does not name %s and \"%s\"", error->message, path, what);
	assert_int_equal(err_exit_code(error), code);
}

/* Files that are no text: empty, binary at the start, binary far below it. */
static void test_no_text(void **state)
{
	static const char binary[] = "a\tb\nx\t1\ny\0\t2\n";
	g_autofree char *empty = write_file("empty", "", 0), *bin = write_file("bin", binary, sizeof binary - 1),
			*late = NULL;
	g_autoptr(GString) text = g_string_new("a\tb\n");

	check_refused(empty, EXIT_USAGE, "is empty");
	check_refused(bin, EXIT_USAGE, "bin:3: binary data, not text");
	for (int i = 0; i < 50000; i++)
		g_string_append(text, "x\t1\n");
	g_string_append_c(text, '\0');
	late = write_file("late", text->str, (gssize)text->len);
	check_refused(late, EXIT_USAGE, "late:50002: binary data, not text");
}

/* Files that cannot be read are the world's failure (exit 3). */
static void test_unreadable(void **state)
{
	g_autofree char *missing = g_build_filename(directory, "missing.tsv", NULL);

	check_refused(missing, EXIT_RUNTIME, g_strerror(ENOENT));
	check_refused(directory, EXIT_RUNTIME, g_strerror(EISDIR));
	if (geteuid() != 0) {
		g_autofree char *closed = write_file("closed.tsv", "a\tb\nx\t1\n", -1);

		assert_int_equal(g_chmod(closed, 0), 0);
		check_refused(closed, EXIT_RUNTIME, g_strerror(EACCES));
	}
}

/* A line of 1 MiB is read, a longer one is refused, also inside a quoted field. */
static void test_long_lines(void **state)
{
	g_autofree char *name = g_strnfill((1u << 20) - 2, 'x'), *path = NULL;
	g_autoptr(GString) text = g_string_new("a\tb\n");

	g_string_append_printf(text, "%s\t1\n", name);
	g_autoptr(Dataset) dataset = import_text(text->str);
	assert_int_equal(strlen(level_of(dataset, "a", 0)), (1u << 20) - 2);

	g_string_printf(text, "a\tb\nx\t1\nx%s\t1\n", name);
	path = write_file("long.tsv", text->str, -1);
	check_refused(path, EXIT_USAGE, "long.tsv:3: a line of more than 1048576 bytes");

	g_string_assign(text, "a,b\n\"");
	for (int i = 0; i < 600000; i++)
		g_string_append(text, "x\n");
	g_free(path);
	path = write_file("long.tsv", text->str, -1);
	check_refused(path, EXIT_USAGE, "long.tsv:2: a line of more than 1048576 bytes");
}

/* In a column with thousands of distinct numbers a text is a mistake, whether it stands below or above them. */
static void test_text_among_many_numbers(void **state)
{
	static const char *const odd[] = {"oops", "1,5", "nan"};

	for (gsize i = 0; i < G_N_ELEMENTS(odd); i++) {
		g_autoptr(GString) below = g_string_new("a\tb\n"), above = g_string_new("a\tb\n");
		g_autofree char *path = NULL;

		g_string_append_printf(above, "x\t%s\n", odd[i]);
		for (int n = 0; n < 2000; n++) {
			g_string_append_printf(below, "x\t%d\n", n);
			g_string_append_printf(above, "x\t%d\n", n);
		}
		g_string_append_printf(below, "x\t%s\n", odd[i]);
		path = write_file("b.tsv", below->str, -1);
		check_refused(path, EXIT_USAGE, "b.tsv:2002: column 'b': '");
		if (i > 0) {
			g_free(path);
			path = write_file("b.tsv", above->str, -1);
			check_refused(path, EXIT_USAGE, "b.tsv:2: column 'b': '");
		}
	}
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

static int set_up(void **state)
{
	directory = g_dir_make_tmp("test-import-XXXXXX", NULL);
	return directory ? 0 : -1;
}

static int tear_down(void **state)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);

		g_unlink(path);
	}
	g_rmdir(directory);
	g_free(directory);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_threads),
	    cmocka_unit_test(test_samples),
	    cmocka_unit_test(test_columns),
	    cmocka_unit_test(test_label_and_sitting),
	    cmocka_unit_test(test_dialects),
	    cmocka_unit_test(test_quotes),
	    cmocka_unit_test(test_quotes_that_are_none),
	    cmocka_unit_test(test_one_column),
	    cmocka_unit_test(test_names_that_clash),
	    cmocka_unit_test(test_primary),
	    cmocka_unit_test(test_bad_tables),
	    cmocka_unit_test(test_no_text),
	    cmocka_unit_test(test_unreadable),
	    cmocka_unit_test(test_long_lines),
	    cmocka_unit_test(test_text_among_many_numbers),
	    cmocka_unit_test(test_mixed_column_is_a_factor),
	    cmocka_unit_test(test_label_of_file),
	    cmocka_unit_test(test_large),
	    cmocka_unit_test(test_importer_table),
	};

	return cmocka_run_group_tests_name("import", tests, set_up, tear_down);
}
