#include "check.h"

#include <math.h>

#include "../plots/chart.h"
#include "../src/cmd_chart.h"
#include "../src/cmd_reading.h"
#include "../src/run_series.h"
#include "store_case.h"

/* What was seen in the course of runs, written and read back. */

static const struct metric columns[] = {
    {"r", "", BETTER_NONE, NULL}, {"bo", "KiB/s", BETTER_NONE, NULL}, {.name = NULL}};

/* Two runs of a store: the first with so many rows of the values given, the second with none. */
static void write_series(const char *path, const double *at_s, const double *values, guint n)
{
	g_autoptr(Store) store = open_store(path, STORE_WRITE);
	g_autoptr(Plan) plan = plan_of("cmd:true", "a", 2);
	struct store_sitting sitting = sitting_of("boot-1", NULL);
	struct run_result first = result_of(3, 1), second = result_of(4, 2);

	first.observation.series.columns = columns;
	first.observation.series.n_columns = 2;
	first.observation.series.at_s = g_array_new(FALSE, FALSE, sizeof(double));
	first.observation.series.values = g_array_new(FALSE, FALSE, sizeof(double));
	g_array_append_vals(first.observation.series.at_s, at_s, n);
	g_array_append_vals(first.observation.series.values, values, 2 * n);
	assert_true(store_begin(store, plan, &sitting, NULL));
	assert_true(store_finish_run(store, 0, &first, NULL, NULL));
	assert_true(store_finish_run(store, 1, &second, NULL, NULL));
	g_array_unref(first.observation.series.at_s);
	g_array_unref(first.observation.series.values);
}

static GPtrArray *read_series(const char *path, const struct dataset *dataset, const guint *row, guint n)
{
	g_autoptr(Store) store = open_store(path, STORE_READ);
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));
	GPtrArray *series;

	g_array_append_vals(rows, row, n);
	series = store_load_series(store, dataset, rows, NULL);
	assert_non_null(series);
	return series;
}

/* Each column comes back in time order with its unit, a value that was not finite is left out, and a run that was not
 * looked at has no entry. */
static void test_round_trip(void **state)
{
	static const double at_s[] = {1, 2.5, 3.25}, values[] = {1, 100, 2, NAN, 3, 300};
	struct store_case *fixture = store_case_new();
	g_autoptr(Dataset) dataset = NULL;
	g_autoptr(GPtrArray) series = NULL;
	const struct series_line *r, *bo;

	write_series(fixture->path, at_s, values, 3);
	dataset = read_store(fixture->path);
	series = read_series(fixture->path, dataset, (const guint[]){0, 1}, 2);
	assert_int_equal(series->len, 1);
	assert_int_equal(((struct run_series *)series->pdata[0])->row, 0);
	r = run_series_find(series->pdata[0], "r");
	bo = run_series_find(series->pdata[0], "bo");
	assert_null(run_series_find(series->pdata[0], "cs"));
	assert_int_equal(r->at_s->len, 3);
	assert_memory_equal(r->at_s->data, at_s, sizeof at_s);
	assert_memory_equal(r->value->data, ((const double[]){1, 2, 3}), sizeof(double[3]));
	assert_int_equal(bo->at_s->len, 2);
	assert_memory_equal(bo->at_s->data, ((const double[]){1, 3.25}), sizeof(double[2]));
	assert_memory_equal(bo->value->data, ((const double[]){100, 300}), sizeof(double[2]));
	assert_string_equal(bo->metric.unit, "KiB/s");
	store_case_free(fixture);
}

/* Only the rows asked for are read; those of another source, appended to the dataset, are no runs of the store. */
static void test_rows(void **state)
{
	static const double at_s[] = {1}, values[] = {1, 100};
	struct store_case *fixture = store_case_new();
	g_autoptr(Dataset) dataset = dataset_new(), from_store = NULL;
	g_autoptr(GPtrArray) none = NULL, one = NULL;

	write_series(fixture->path, at_s, values, 1);
	from_store = read_store(fixture->path);
	dataset_add_run(dataset);
	dataset_append(dataset, from_store);
	assert_int_equal(dataset_store_run(dataset, 0), 0);
	none = read_series(fixture->path, dataset, (const guint[]){0, 2}, 2);
	one = read_series(fixture->path, dataset, (const guint[]){0, 1, 2}, 3);
	assert_int_equal(none->len, 0);
	assert_int_equal(one->len, 1);
	assert_int_equal(((struct run_series *)one->pdata[0])->row, 1);
	store_case_free(fixture);
}

/* A chart of series gets those of the runs that the operands name, and of a file none. */
static void test_chart(void **state)
{
	static const double at_s[] = {1, 2}, values[] = {1, 100, 2, 200};
	struct store_case *fixture = store_case_new();
	g_autofree char *file = g_build_filename(fixture->directory, "table.tsv", NULL);
	char filter[] = "outcome=ok", *operands[][2] = {{NULL}, {filter, NULL}, {file, NULL}};
	const guint want[] = {1, 1, 0};

	write_series(fixture->path, at_s, values, 2);
	assert_true(g_file_set_contents(file, "kernel\ta_s\nx\t1\n", -1, NULL));
	for (gsize i = 0; i < G_N_ELEMENTS(operands); i++) {
		const struct chart_options options = {0};
		struct reading reading = {.store = g_strdup(fixture->path)};
		struct chart_data data;

		assert_true(reading_parse(&reading, operands[i], NULL));
		assert_true(chart_data_prepare(&data, CHART_RUNS | CHART_SERIES, &reading, &options, NULL));
		assert_int_equal(data.series->len, want[i]);
		assert_non_null(data.runs);
		chart_data_clear(&data);
		reading_clear(&reading);
	}
	g_unlink(file);
	store_case_free(fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_round_trip),
	    cmocka_unit_test(test_rows),
	    cmocka_unit_test(test_chart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
