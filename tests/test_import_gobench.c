#include "check.h"

#include "import_report_case.h"

/* Values of a benchmark at a level of the factor "note" (NULL: all), from the logs' index. */
struct benchmark {
	const char *file, *name, *note;
	struct column_case values;
};

/* A dataset of those of the rows only that have the level. */
static struct dataset *rows_with(const struct dataset *dataset, const char *metric, const char *note)
{
	struct dataset *chosen = dataset_new();
	const struct values *values = dataset_find_metric(dataset, metric);

	assert_non_null(values);
	chosen->workload = column_new("workload");
	for (guint row = 0; row < dataset->n_runs; row++)
		if (!note || g_strcmp0(level_of(dataset, "note", row), note) == 0) {
			guint to = dataset_add_run(chosen);

			column_set(chosen->workload, to, column_get(dataset->workload, row));
			values_set(dataset_metric(chosen, &values->metric), to, values_get(values, row));
		}
	return chosen;
}

/* Real files: the values of the logs' index, two notes in one file apart. */
static void test_logs(void **state)
{
	static const struct benchmark benchmarks[] = {
	    {"gobench/08-issue19565.txt", "BenchmarkA", "before", {"ns/op", "ns/op", 6, 100, 0, 100, 100, 100}},
	    {"gobench/08-issue19565.txt", "BenchmarkB", "before", {"ns/op", "ns/op", 6, 10000, 0, 10000, 10000, 10000}},
	    {"gobench/08-issue19565.txt", "BenchmarkA", "after", {"ns/op", "ns/op", 6, 100, 0, 100, 100, 100}},
	    {"gobench/08-issue19565.txt", "BenchmarkC", "after", {"ns/op", "ns/op", 6, 10000, 0, 10000, 10000, 10000}},
	    {"gobench/10-new.txt",
	     "BenchmarkEncode/format=json-48",
	     NULL,
	     {"ns/op", "ns/op", 10, 1421.9, 10.50343859, 1422.5, 1411, 1447}},
	    {"gobench/10-new.txt",
	     "BenchmarkEncode/format=gob-48",
	     NULL,
	     {"ns/op", "ns/op", 10, 3087.5, 41.350131, 3070, 3059, 3186}},
	    {"gobench/11-old.txt",
	     "BenchmarkEncode/format=json-48",
	     NULL,
	     {"ns/op", "ns/op", 10, 1722.7, 21.09791986, 1718, 1705, 1774}},
	    {"gobench/11-old.txt",
	     "BenchmarkEncode/format=gob-48",
	     NULL,
	     {"ns/op", "ns/op", 10, 3079.4, 45.12008668, 3065.5, 3058, 3207}},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(benchmarks); i++) {
		const struct benchmark *b = &benchmarks[i];
		g_autoptr(Dataset) all = import_public(b->file), dataset = rows_with(all, b->values.metric, b->note);

		check_column_case(dataset, b->name, &b->values);
		assert_int_equal(all->warnings->len, 0);
	}
}

/* Zeros, large numbers and units of the author's own; what is the same in the whole file is a fact. */
static void test_zero(void **state)
{
	g_autoptr(Dataset) dataset = import_public("gobench/15-zero.txt"), facts = import_public("gobench/10-new.txt");

	assert_int_equal(dataset->n_runs, 12);
	assert_close(value_of(dataset, "a-bytes", 0), 1234567890, 0);
	assert_close(value_of(dataset, "b-bytes", 0), 171717171716, 0);
	assert_close(value_of(dataset, "c-bytes", 1), 99999930, 0);
	assert_close(value_of(dataset, "x", 2), 0, 0);
	assert_close(value_of(dataset, "y", 4), 0, 0);
	assert_close(value_of(dataset, "y", 10), 100, 0);
	assert_string_equal(g_hash_table_lookup(dataset->primary, "BenchmarkImperceptible"), "a-bytes");
	assert_string_equal(level_of(dataset, "note", 5), "before");
	assert_string_equal(level_of(dataset, "note", 6), "after");
	assert_int_equal(facts->factors->len, 1); /* the label */
	assert_string_equal(setting_of(facts, "goos", 0), "linux");
	assert_string_equal(setting_of(facts, "pkg", 19), "golang.org/x/perf/cmd/benchstat/testdata");
}

/* Each unit of a line is a metric of its own, and better in its own direction: Go's units, those that end in a time,
 * and those that a line says something of, wherever it stands. */
static void test_units(void **state)
{
	static const struct {
		const char *name;
		double value;
		enum better better;
	} metrics[] = {
	    {"ns/op", 12.5, BETTER_LOWER},  {"MB/s", 80, BETTER_HIGHER},   {"B/op", 16, BETTER_LOWER},
	    {"allocs/op", 2, BETTER_LOWER}, {"req/s", 1e6, BETTER_HIGHER}, {"misses", 3, BETTER_NONE},
	    {"hits", 4, BETTER_HIGHER},     {"p99-ns", -5, BETTER_LOWER},
	};
	g_autoptr(Dataset) dataset = import_text(
	    "Unit hits assume=exact better=higher\n"
	    "BenchmarkX-8 \t 10 \t 12.5 ns/op\t80 MB/s\t 16 B/op 2 allocs/op 1e+06 req/s 3 misses 4 hits -5 p99-ns\r\n"
	    "Unit p99-ns better=lower\nUnit misses better=sideways\n");

	assert_int_equal(dataset->n_runs, 1);
	assert_int_equal(dataset->metrics->len, G_N_ELEMENTS(metrics));
	for (gsize i = 0; i < G_N_ELEMENTS(metrics); i++) {
		assert_close(value_of(dataset, metrics[i].name, 0), metrics[i].value, 0);
		assert_int_equal(dataset_find_metric(dataset, metrics[i].name)->metric.better, metrics[i].better);
	}
	assert_string_equal(column_get(dataset->workload, 0), "BenchmarkX-8");
	assert_string_equal(g_hash_table_lookup(dataset->primary, "BenchmarkX-8"), "ns/op");
	check_warning(dataset, 0, ":4: ", "'better=sideways' is neither");
}

/* Benchmarks of one name in two packages are two; one that has its name for itself keeps it. */
static void test_packages(void **state)
{
	g_autoptr(Dataset) dataset = import_text("pkg: p/a\nBenchmarkX 1 1 ns/op\nBenchmarkY 1 2 ns/op\n"
						 "pkg: p/b\nBenchmarkX 1 3 ns/op\n");

	assert_string_equal(column_get(dataset->workload, 0), "p/a.BenchmarkX");
	assert_string_equal(column_get(dataset->workload, 1), "BenchmarkY");
	assert_string_equal(column_get(dataset->workload, 2), "p/b.BenchmarkX");
	assert_string_equal(g_hash_table_lookup(dataset->primary, "p/b.BenchmarkX"), "ns/op");
	assert_null(dataset_find_factor(dataset, "pkg"));
}

/* A key holds until it is set anew or taken back; it is a factor where it changes, be it between benchmarks. What is no
 * key is text. */
static void test_keys(void **state)
{
	g_autoptr(Dataset) between = import_text("os: a\nBenchmarkX 1 1 ns/op\nos: b\nBenchmarkY 1 2 ns/op\n");
	g_autoptr(Dataset) dataset =
	    import_text("goos: linux\ncommit: a1\nnot a key: 1\nUpper: 2\nnospace:3\n"
			"BenchmarkX 1 1 ns/op\ncommit: b2\nlabel:  one \nBenchmarkX 1 2 ns/op\ncommit:\n"
			"BenchmarkX 1 3 ns/op\ngoos: linux\n");

	assert_string_equal(level_of(between, "os", 1), "b");
	assert_int_equal(dataset->factors->len, 2);
	assert_string_equal(level_of(dataset, "commit", 0), "a1");
	assert_string_equal(level_of(dataset, "commit", 1), "b2");
	assert_null(level_of(dataset, "commit", 2));
	assert_null(level_of(dataset, "label", 0));
	assert_string_equal(level_of(dataset, "label", 2), "one");
	assert_string_equal(setting_of(dataset, "goos", 2), "linux");
	assert_null(setting_of(dataset, "nospace", 0));
}

/* A benchmark that failed is a failed run; names alone (go test -v) and text are none. */
static void test_failed(void **state)
{
	g_autoptr(Dataset) dataset =
	    import_text("BenchmarkX\nBenchmarkX-2 1 5 ns/op\n--- FAIL: BenchmarkY-2\n    x_test.go:9: no\n"
			"BenchmarkX-2 failed once\nBenchmarks of 2 kinds\nFAIL\nexit status 1\n");

	assert_int_equal(dataset->n_runs, 2);
	assert_true(dataset_ok(dataset, 0));
	assert_string_equal(column_get(dataset->workload, 1), "BenchmarkY-2");
	assert_string_equal(column_get(dataset->outcome, 1), "failed");
	assert_close(value_of(dataset, "ns/op", 1), NAN, 0);
	assert_string_equal(g_hash_table_lookup(dataset->primary, "BenchmarkY-2"), "ns/op");
	assert_int_equal(dataset->warnings->len, 1);
	check_warning(dataset, 0, ":5: ", "'BenchmarkX-2' is followed by no number of iterations");
}

/* What is not a number is a missing value where it says so, and else refused, as a line is that was cut off. */
static void test_odd(void **state)
{
	g_autoptr(Dataset) dataset = import_text("BenchmarkX 1 NaN ns/op +Inf MB/s 1e999 x 7 y\n");

	assert_close(value_of(dataset, "y", 0), 7, 0);
	assert_int_equal(dataset->metrics->len, 1);
	check_warning(dataset, 1, ":1: ", "'+Inf' is not a finite number");
	check_warning(dataset, 2, ":1: ", "'1e999' is not a finite number");
	check_text_refused("BenchmarkX 1 2 ns/op\nBenchmarkX 1 2,5 ns/op\n", "r.txt:2: ", "'2,5' has a decimal comma");
	check_text_refused("BenchmarkX 1 2 ns/op\nBenchmarkX 1 2ns/op x\n", "r.txt:2: ", "'2ns/op' is not a number");
	check_text_refused("BenchmarkX 1 2 ns/op\nBenchmarkX 1 3\n", "r.txt:2: ", "'3' has no unit");
	check_text_refused("BenchmarkX 1 2 ns/op\nBenchmarkX 100 ", "r.txt:2: ", "'BenchmarkX' has no values");
	check_text_refused("BenchmarkX 1 2 ns/op\nBenchmarkX 1 \xff ns/op\n", "r.txt:2: ", "not text in UTF-8");
	check_detected("text\nBenchmarkX-8\t1\t2 ns/op", &import_gobench);
	assert_false(import_gobench.detect("BenchmarkX 1 2\nBenchmarks 1 2 x\nBenchmarkX 1.5 2 x\n", 50));
}

/* Hundreds of keys are cut down to 200, with a warning. */
static void test_many_keys(void **state)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(Dataset) dataset = NULL;

	for (guint i = 0; i < 300; i++)
		g_string_append_printf(text, "key%u: %u\n", i, i);
	g_string_append(text, "BenchmarkX 1 2 ns/op\n");
	dataset = import_text(text->str);
	assert_int_equal(g_hash_table_size(g_hash_table_lookup(dataset->fact_sets, column_get(dataset->facts, 0))),
			 200);
	check_warning(dataset, 0, "table.tsv: ", "more than 200 keys");
}

/* Any byte may be missing or wrong, and numbers may have a million digits. */
static void test_hostile(void **state)
{
	static const char text[] = "pkg: a\nnote: b\nUnit x better=lower\nBenchmarkX-8 10 1.5 ns/op 2 x\npkg: c\n"
				   "BenchmarkX-8 10 2 ns/op\n--- FAIL: BenchmarkY\n";

	check_hostile(&import_gobench, text);
	check_long_numbers(&import_gobench, text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_logs),     cmocka_unit_test(test_zero),      cmocka_unit_test(test_units),
	    cmocka_unit_test(test_packages), cmocka_unit_test(test_keys),      cmocka_unit_test(test_failed),
	    cmocka_unit_test(test_odd),      cmocka_unit_test(test_many_keys), cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests_name("import of Go's benchmarks", tests, make_directory, remove_directory);
}
