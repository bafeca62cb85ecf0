#include "check.h"

#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "../src/analyse_trend.h"
#include "../src/document.h"
#include "../src/report.h"
#include "../stats/stream.h"
#include "sample_data.h"

static const double low10[] = {20, 21, 19.5, 20.5, 20, 21, 19, 20, 20.5, 19.5};
static const double high10[] = {25, 26, 24.5, 25.5, 24, 26.5, 25, 25.5, 24.5, 25};

static struct trend_analysis *analyse(const struct dataset *dataset, const char *const *order)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	struct trend_options trend = {.labels = dataset_find_factor(dataset, "label")};
	g_autoptr(GArray) rows = rows_with(dataset, NULL);
	g_autoptr(GPtrArray) labels = g_ptr_array_new();

	for (; order && *order; order++)
		names_add(labels, *order);
	trend.order = labels->len ? labels : NULL;
	return analyse_trend(dataset, rows, &trend, &options, NULL);
}

static const struct trend_series *series_at(const struct trend_analysis *analysis, guint i)
{
	assert_non_null(analysis);
	assert_true(i < analysis->series->len);
	return g_ptr_array_index(analysis->series, i);
}

static const struct trend_change *change_at(const struct trend_series *series, guint i)
{
	assert_true(i < series->changes->len);
	return g_ptr_array_index(series->changes, i);
}

/* Nearly normal noise of variance 1: twelve uniform numbers less 6. */
static double noise(struct stream *random)
{
	double sum = -6;

	for (guint i = 0; i < 12; i++)
		sum += (double)(stream_bits(random) >> 11) / (double)(UINT64_C(1) << 53);
	return sum;
}

/* 1000 runs about 0 and 1000 about 1: the one change is found at 1000, give or take 2. Under valgrind 250 of each. */
static void test_step(void **state)
{
	const guint half = getenv("VALGRIND") ? 250 : 1000;
	const double four_errors = 4 * 0.25 / sqrt(half);
	struct stream random = stream_init(2001, 0);
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(TrendAnalysis) analysis = NULL;
	const struct trend_change *change;

	for (guint i = 0; i < 2 * half; i++)
		add_run(dataset, "A", (i >= half) + 0.25 * noise(&random));
	analysis = analyse(dataset, NULL);
	assert_int_equal(series_at(analysis, 0)->changes->len, 1);
	change = change_at(series_at(analysis, 0), 0);
	assert_in_range(change->index, half - 2, half + 2);
	assert_int_equal(change->n_before + change->n_after, 2 * half);
	assert_true(fabs(change->before) < four_errors && fabs(change->after - 1) < four_errors);
	assert_true(isnan(change->ratio.estimate) && change->difference.low > 0.9);
	assert_int_equal(change->verdict, VERDICT_BETTER);
}

/* Longer than is searched value by value: 60000 runs that rise by half their spread at the 41003rd. The place is that
 * of the best split, within 40 here: the likelihood falls off by 1/8 a run. Under valgrind a fifth of the runs, which
 * is still too long. */
static void test_long(void **state)
{
	const guint fifths = getenv("VALGRIND") ? 1 : 5, at = fifths * 8200 + 2;
	struct stream random = stream_init(11, 4);
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(TrendAnalysis) analysis = NULL;

	for (guint i = 0; i < fifths * 12000; i++)
		add_run(dataset, "A", 100 + noise(&random) + (i >= at) * 0.5);
	analysis = analyse(dataset, NULL);
	assert_int_equal(series_at(analysis, 0)->changes->len, 1);
	assert_in_range(change_at(series_at(analysis, 0), 0)->index, at - 40, at + 40);
}

/* In 200 series of noise alone at most 5.6% hold a change. */
static void test_noise(void **state)
{
	guint found = 0;

	for (guint i = 0; i < 200; i++) {
		struct stream random = stream_init(i, 1);
		g_autoptr(Dataset) dataset = dataset_new();
		g_autoptr(TrendAnalysis) analysis = NULL;

		for (guint j = 0; j < 40; j++)
			add_run(dataset, "A", 100 + noise(&random));
		analysis = analyse(dataset, NULL);
		found += series_at(analysis, 0)->changes->len > 0;
	}
	print_message("%u of 200 series of noise hold a change\n", found);
	assert_true(found <= 11);
}

/* The ratio with its interval is R's exp(t.test(log(after), log(before))$conf.int); p is at most that of the settings;
 * which way is better decides the verdict. */
static void test_change(void **state)
{
	const struct {
		enum better better;
		enum verdict verdict;
	} known[] = {{BETTER_HIGHER, VERDICT_BETTER}, {BETTER_LOWER, VERDICT_WORSE}, {BETTER_NONE, VERDICT_CHANGED}};
	g_autoptr(Dataset) dataset = dataset_new();

	add_runs(dataset, "A", low10, 10);
	add_runs(dataset, "A", high10, 10);
	for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
		g_autoptr(TrendAnalysis) analysis = NULL;
		const struct trend_change *change;

		dataset_find_metric(dataset, "rate")->metric.better = known[i].better;
		analysis = analyse(dataset, NULL);
		change = change_at(series_at(analysis, 0), 0);
		assert_int_equal(series_at(analysis, 0)->changes->len, 1);
		assert_int_equal(change->index, 10);
		assert_string_equal(change->at, "run 11");
		assert_null(change->label);
		assert_close(change->before, 20.1, 1e-14);
		assert_close(change->after, 25.15, 1e-14);
		assert_close(change->ratio.estimate, 1.251354586375738, 1e-12);
		assert_close(change->ratio.low, 1.2151195780584725, 1e-10);
		assert_close(change->ratio.high, 1.2886701268903782, 1e-10);
		assert_true(change->p > 0 && change->p <= 0.02);
		assert_int_equal(change->verdict, known[i].verdict);
	}
}

/* A spread that grows while the mean stays is a change, and neither better nor worse. */
static void test_change_of_spread(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(TrendAnalysis) analysis = NULL;

	for (guint i = 0; i < 60; i++)
		add_run(dataset, "A", 100 + (i % 2 ? 1 : -1) * (i < 30 ? 1.0 + i % 3 * 0.1 : 30.0 + i % 5));
	analysis = analyse(dataset, NULL);
	assert_true(series_at(analysis, 0)->changes->len >= 1);
	assert_int_equal(change_at(series_at(analysis, 0), 0)->verdict, VERDICT_CHANGED);
}

/* Labels in the order given: runs in turn make no series of their own, and a change falls between two labels. */
static void test_labels(void **state)
{
	static const char *const order[] = {"v1", "v2", "v3", "v4", NULL}, *const other[] = {"v4", "v1", "v2", "v3",
											     NULL};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(TrendAnalysis) analysis = NULL, turned = NULL;

	for (guint i = 0; i < 5; i++)
		for (guint label = 4; label-- > 0;)
			add_run(dataset, order[label], (label < 2 ? low10 : high10)[2 * i + label % 2]);
	analysis = analyse(dataset, order);
	assert_int_equal(analysis->series->len, 1);
	assert_int_equal(series_at(analysis, 0)->n_labels, 4);
	assert_int_equal(series_at(analysis, 0)->changes->len, 1);
	assert_string_equal(change_at(series_at(analysis, 0), 0)->at, "v3");
	assert_int_equal(change_at(series_at(analysis, 0), 0)->index, 10);
	assert_close(change_at(series_at(analysis, 0), 0)->ratio.estimate, 1.251354586375738, 1e-12);
	/* v4 before the others: down, and up again */
	turned = analyse(dataset, other);
	assert_int_equal(series_at(turned, 0)->changes->len, 2);
	assert_string_equal(change_at(series_at(turned, 0), 0)->at, "v1");
	assert_int_equal(change_at(series_at(turned, 0), 0)->verdict, VERDICT_WORSE);
	assert_string_equal(change_at(series_at(turned, 0), 1)->at, "v3");
	assert_int_equal(change_at(series_at(turned, 0), 1)->n_before, 10);
}

/* Beyond what runs one by one can be searched for, the means of labels are: 70 labels of 60 runs, a step at the 40th.
 */
static void test_many_labels(void **state)
{
	struct stream random = stream_init(5, 2);
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(GPtrArray) order = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(TrendAnalysis) analysis = NULL;

	for (guint i = 0; i < 70; i++)
		g_ptr_array_add(order, g_strdup_printf("v%u", i));
	g_ptr_array_add(order, NULL);
	for (guint i = 0; i < 70 * 60; i++)
		add_run(dataset, g_ptr_array_index(order, i / 60), 100 + noise(&random) + (i >= 40 * 60 ? 1 : 0));
	analysis = analyse(dataset, (const char *const *)(gconstpointer)order->pdata);
	assert_int_equal(series_at(analysis, 0)->changes->len, 1);
	assert_string_equal(change_at(series_at(analysis, 0), 0)->at, "v40");
	assert_int_equal(change_at(series_at(analysis, 0), 0)->index, 2400);
}

/* Settings other than the label make series of their own; failed runs and runs without a value are in none. */
static void test_series(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(TrendAnalysis) analysis = NULL;

	for (guint i = 0; i < 20; i++) {
		guint row = add_run(dataset, i < 10 ? "v1" : "v2", i % 2 ? low10[i / 2] : high10[i / 2]);

		column_set(dataset_factor(dataset, "swap"), row, i % 2 ? "off" : "on");
	}
	set_level(&dataset->outcome, "outcome", 3, "failed");
	add_run(dataset, "v2", NAN);
	column_set(dataset_factor(dataset, "swap"), 20, "on");
	analysis = analyse(dataset, NULL);
	assert_int_equal(analysis->series->len, 2);
	assert_string_equal(series_at(analysis, 0)->treatment, "on");
	assert_int_equal(series_at(analysis, 0)->values->len, 10);
	assert_int_equal(series_at(analysis, 0)->changes->len, 0);
	assert_int_equal(series_at(analysis, 1)->failed, 1);
	assert_int_equal(series_at(analysis, 1)->values->len, 9);
}

/* Runs that follow their neighbours are said to; a change whose place has a start names it, and the label there. */
static void test_caveat_and_place(void **state)
{
	struct stream random = stream_init(9, 3);
	g_autoptr(Dataset) drifting = dataset_new(), dated = dataset_new();
	g_autoptr(TrendAnalysis) drift = NULL, analysis = NULL;
	double level = 0;

	for (guint i = 0; i < 80; i++) {
		level = 0.8 * level + noise(&random);
		add_run(drifting, "A", 100 + level);
	}
	drift = analyse(drifting, NULL);
	assert_true(series_at(drift, 0)->is_autocorrelated);
	add_runs(dated, "v1", low10, 10);
	add_runs(dated, "v2", high10, 10);
	dated->started_us = g_array_new(FALSE, TRUE, sizeof(gint64));
	for (guint i = 0; i < 20; i++) {
		/* date -u -d @1000000000: 2001-09-09 01:46:40; the 11th run starts 100 s later */
		gint64 start = (1000000000 + (gint64)10 * i) * G_USEC_PER_SEC;

		g_array_append_val(dated->started_us, start);
	}
	analysis = analyse(dated, NULL);
	assert_string_equal(change_at(series_at(analysis, 0), 0)->at, "2001-09-09T01:48:20Z");
	assert_string_equal(change_at(series_at(analysis, 0), 0)->label, "v2");
	assert_false(series_at(analysis, 0)->is_autocorrelated);
}

static char *rendered(const struct trend_analysis *analysis, const char *format)
{
	GString *out = g_string_new(NULL);

	report_find(format, NULL)->trend(analysis, &(struct document){.out = out});
	return g_string_free(out, FALSE);
}

/* The keys that scripts rely on; one sentence a change, or that there is none. */
static void test_reports(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new(), quiet = dataset_new();
	g_autoptr(TrendAnalysis) analysis = NULL, none = NULL;
	g_autofree char *text = NULL, *json = NULL, *nothing = NULL;
	json_t *root, *change;

	add_runs(dataset, "A", low10, 10);
	add_runs(dataset, "A", high10, 10);
	add_runs(quiet, "A", low10, 10);
	analysis = analyse(dataset, NULL);
	none = analyse(quiet, NULL);
	text = rendered(analysis, "text");
	nothing = rendered(none, "text");
	json = rendered(analysis, "json");
	assert_non_null(strstr(text, "from run 11 on rate is 1.251x (1.215 to 1.289) of what it was: better, p ="));
	assert_non_null(strstr(nothing, "no change found in 10 runs"));
	root = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
	change = json_array_get(json_object_get(root, "changes"), 0);
	assert_string_equal(json_string_value(json_object_get(change, "metric")), "rate");
	assert_int_equal(json_integer_value(json_object_get(change, "index")), 10);
	assert_close(json_real_value(json_object_get(change, "before")), 20.1, 1e-14);
	assert_close(json_real_value(json_object_get(change, "after")), 25.15, 1e-14);
	assert_close(json_real_value(json_object_get(json_object_get(change, "ratio"), "estimate")), 1.251354586375738,
		     1e-12);
	assert_string_equal(json_string_value(json_object_get(change, "verdict")), "better");
	assert_string_equal(json_string_value(json_object_get(change, "at")), "run 11");
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_step),
	    cmocka_unit_test(test_long),
	    cmocka_unit_test(test_noise),
	    cmocka_unit_test(test_change),
	    cmocka_unit_test(test_change_of_spread),
	    cmocka_unit_test(test_labels),
	    cmocka_unit_test(test_many_labels),
	    cmocka_unit_test(test_series),
	    cmocka_unit_test(test_caveat_and_place),
	    cmocka_unit_test(test_reports),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
