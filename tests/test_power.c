#include "check.h"

#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <string.h>

#include "../src/analyse_power.h"
#include "../src/document.h"
#include "../src/report.h"
#include "sample_data.h"

/* Expected values are those of R 4.2's power.t.test(..., strict = TRUE); the call stands beside each. */

static const struct power_options usual = {.power = 0.8, .detect_pct = 5};
static const double x5[] = {50, 53, 47, 51, 55};

static struct power_analysis *analyse(const struct dataset *dataset)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	g_autoptr(GArray) rows = rows_with(dataset, NULL);

	return analyse_power(dataset, rows, &usual, &options, NULL);
}

static const struct power_row *row_at(const struct power_analysis *analysis, guint i)
{
	assert_non_null(analysis);
	assert_true(i < analysis->rows->len);
	return g_ptr_array_index(analysis->rows, i);
}

static const struct power_point *point_at(const struct power_row *row, double n)
{
	for (guint i = 0; i < row->points->len; i++) {
		const struct power_point *point = &g_array_index(row->points, struct power_point, i);

		if (point->n == n)
			return point;
	}
	fail_msg("no point at %g", n);
	return NULL;
}

/* A given spread: ceiling(power.t.test(delta = 5, sd = sd, power = .8 and .9)$n), but never fewer than three. */
static void test_given_spread(void **state)
{
	static const double known[][3] = {{1, 3, 3}, {2, 4, 5}, {3, 7, 9}, {5, 17, 23}, {8, 42, 55}, {12, 92, 123}};

	for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
		g_autoptr(PowerAnalysis) analysis = analyse_power_of_sd(known[i][0], &usual, 0.95);
		const struct power_row *row = row_at(analysis, 0);

		assert_close(row->runs_needed, known[i][1], 0);
		assert_close(row->runs_needed_90, known[i][2], 0);
		assert_true(isnan(row->detectable_pct) && isnan(row->cost_s));
		assert_close(point_at(row, known[i][1])->n, known[i][1], 0);
	}
}

/* The table: power.t.test(n = 10, delta = 5, sd = 2)$power; sizes ascend and hold the one needed once. */
static void test_points(void **state)
{
	static const double sizes[] = {3, 4, 5, 10, 20, 30};
	g_autoptr(PowerAnalysis) analysis = analyse_power_of_sd(2, &usual, 0.95);
	g_autoptr(PowerAnalysis) wide = analyse_power_of_sd(12, &usual, 0.95),
				 close = analyse_power_of_sd(1, &usual, 0.95);
	const struct power_row *row = row_at(analysis, 0);

	assert_int_equal(row->points->len, 6);
	for (guint i = 0; i < 6; i++)
		assert_close(g_array_index(row->points, struct power_point, i).n, sizes[i], 0);
	assert_close(point_at(row, 10)->power, 0.99953853471860399, 1e-9);
	assert_int_equal(row_at(wide, 0)->points->len, 6);
	assert_close(g_array_index(row_at(wide, 0)->points, struct power_point, 5).n, 92, 0);
	assert_int_equal(row_at(close, 0)->points->len, 5);
}

/* From data, on logarithms: sd(log(x)); n for delta = log(1.05); 100 * expm1(delta) found by n = 5. */
static void test_from_data(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(PowerAnalysis) analysis = NULL;
	const struct power_row *row;

	add_runs(dataset, "A", x5, 5);
	add_run(dataset, "B", 3);
	analysis = analyse(dataset);
	row = row_at(analysis, 0);
	assert_close(row->cv, 0.059609718503463659, 1e-12);
	assert_close(row->runs_needed, 25, 0);    /* 24.43 */
	assert_close(row->runs_needed_90, 33, 0); /* 32.36 */
	assert_close(row->detectable_pct, 12.825958951481532, 1e-6);
	assert_close(point_at(row, 10)->power, 0.41017248207417201, 1e-9);
	assert_int_equal(row->n, 5);
	assert_string_equal(row->treatment, "A");
	/* one run has no spread */
	row = row_at(analysis, 1);
	assert_true(isnan(row->cv) && isnan(row->runs_needed) && isnan(row->detectable_pct) && row->points->len == 0);
	assert_true(row->flags & EST_TOO_FEW);
}

/* A zero has no logarithm: sd / mean of the values then; n for delta = .05, sd = sd(x) / mean(x). */
static void test_raw(void **state)
{
	static const double x[] = {0, 2, 3, 1, 4}, same[] = {7, 7, 7};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(PowerAnalysis) analysis = NULL;

	add_runs(dataset, "A", x, 5);
	add_runs(dataset, "B", same, 3);
	analysis = analyse(dataset);
	assert_true(row_at(analysis, 0)->is_raw && row_at(analysis, 0)->flags & EST_NOT_POSITIVE);
	assert_close(row_at(analysis, 0)->runs_needed, 3926, 0); /* 3925.39 */
	/* values that do not vary say nothing about how many are needed */
	assert_true(isnan(row_at(analysis, 1)->runs_needed) && row_at(analysis, 1)->flags & EST_CONSTANT);
}

/* Three boots of two runs: their geometric means are the sample, and one costs two runs. Starts 10 s apart, the next
 * sitting an hour later: 2 sides of n boots of 2 runs of 10 s. */
static void test_boots_and_cost(void **state)
{
	static const double y[] = {50, 50, 53, 53, 47, 47};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(PowerAnalysis) analysis = NULL;
	const struct power_row *row;

	dataset->started_us = g_array_new(FALSE, TRUE, sizeof(gint64));
	for (guint i = 0; i < 6; i++) {
		gint64 start = (gint64)1e15 + (i / 2 * 3600 + i % 2 * 10) * (gint64)G_USEC_PER_SEC;
		guint at = add_run(dataset, "A", y[i]);

		set_number(&dataset->boot, "boot", at, i / 2);
		set_number(&dataset->sitting, "sitting", at, i / 2);
		g_array_append_val(dataset->started_us, start);
	}
	analysis = analyse(dataset);
	row = row_at(analysis, 0);
	assert_string_equal(row->unit, "boot");
	assert_int_equal(row->n, 3);
	/* sd(log(c(50, 53, 47))) */
	assert_close(row->cv, 0.0600811769015, 1e-10);
	assert_close(row->run_s, 20, 1e-12);
	assert_close(row->cost_s, 2 * row->runs_needed * 20, 1e-12);
	assert_close(point_at(row, 5)->cost_s, 200, 1e-12);
}

/* Without starts the mean of elapsed is the time of a run, and without that no time is given. */
static void test_cost_of_elapsed(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new(), without = dataset_new();
	g_autoptr(PowerAnalysis) analysis = NULL, unknown = NULL;

	add_runs(without, "A", x5, 5);
	unknown = analyse(without);
	assert_true(isnan(row_at(unknown, 0)->cost_s));
	add_runs(dataset, "A", x5, 5);
	for (guint i = 0; i < 5; i++)
		values_set(dataset_metric(dataset, &run_metrics[RUN_ELAPSED]), i, 2 + i);
	analysis = analyse(dataset);
	assert_close(row_at(analysis, 0)->cost_s, 2 * 25 * 4, 1e-12);
}

static char *rendered(const struct power_analysis *analysis, const char *format)
{
	GString *out = g_string_new(NULL);

	report_find(format, NULL)->power(analysis, &(struct document){.out = out});
	return g_string_free(out, FALSE);
}

/* The keys that scripts rely on, and null for what is not known. */
static void test_json(void **state)
{
	static const char *const keys[] = {"workload",       "metric",     "cv",    "n",
					   "detectable_pct", "detect_pct", "power", "runs_needed",
					   "runs_needed_90", "cost_s"};
	g_autoptr(PowerAnalysis) analysis = analyse_power_of_sd(2, &usual, 0.95);
	g_autofree char *text = rendered(analysis, "json");
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	json_t *row = json_array_get(json_object_get(root, "rows"), 0);

	for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
		assert_non_null(json_object_get(row, keys[i]));
	assert_int_equal(json_integer_value(json_object_get(row, "runs_needed")), 4);
	assert_int_equal(json_integer_value(json_object_get(row, "runs_needed_90")), 5);
	assert_true(json_is_null(json_object_get(row, "n")) && json_is_null(json_object_get(row, "cost_s")));
	json_decref(root);
}

/* Text: one row is a table over n and a sentence, several are two tables. */
static void test_text(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(PowerAnalysis) one = analyse_power_of_sd(2, &usual, 0.95), several = NULL;
	g_autofree char *text = rendered(one, "text"), *tables = NULL;

	assert_non_null(strstr(text, "4 runs a side find a difference of 5% with a power of 80%, 5 with 90%"));
	add_runs(dataset, "A", x5, 5);
	add_runs(dataset, "B", x5, 4);
	several = analyse(dataset);
	tables = rendered(several, "text");
	assert_non_null(strstr(tables, "A          5  6%      13%   25   33"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_given_spread),   cmocka_unit_test(test_points),
	    cmocka_unit_test(test_from_data),      cmocka_unit_test(test_raw),
	    cmocka_unit_test(test_boots_and_cost), cmocka_unit_test(test_cost_of_elapsed),
	    cmocka_unit_test(test_json),           cmocka_unit_test(test_text),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
