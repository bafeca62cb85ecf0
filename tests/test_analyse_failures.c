#include "check.h"

#include <string.h>

#include "../src/document.h"
#include "../src/report.h"
#include "sample_data.h"

/* Failures of the two sides, and the summary over workloads. */

static void add_outcomes(struct dataset *dataset, const char *label, const char *workload, guint n, guint failed)
{
	for (guint i = 0; i < n; i++) {
		guint row = add_run(dataset, label, 100 + i % 4);

		set_level(&dataset->workload, "workload", row, workload);
		if (i < failed)
			set_level(&dataset->outcome, "outcome", row, i % 2 ? "oom-killed" : "timed-out");
	}
}

static char *text_of(const struct analysis *analysis)
{
	GString *out = g_string_new(NULL);

	report_find("text", NULL)->compare(analysis, &(struct document){.out = out});
	return g_string_free(out, FALSE);
}

/* Six of ten against none: said, though most runs of the side failed and it cannot be tested otherwise. */
static void test_more_failures(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *text = NULL;
	const struct failure_rate *failures;

	add_outcomes(dataset, "A", "dd1", 10, 0);
	add_outcomes(dataset, "B", "dd1", 10, 6);
	analysis = COMPARE(dataset, "A", "B");
	failures = &nth(analysis, 0)->failure_rate;
	/* R: fisher.test(matrix(c(0, 6, 10, 4), 2))$p.value */
	assert_close(failures->p, 0.010835913312693499, 1e-12);
	assert_close(failures->p_adjusted, 0.010835913312693499, 1e-12);
	assert_close(failures->baseline, 0, 0);
	assert_close(failures->other, 0.6, 1e-15);
	assert_int_equal(nth(analysis, 0)->verdict, VERDICT_UNTESTABLE);
	text = text_of(analysis);
	assert_non_null(strstr(text, "B failed in 6 of 10 runs, A in 0 of 10: more often (p = 0.0108)\n"));
}

/* The family is that of the pairs of sides: a second metric of the same runs adds no test. */
static void test_family(void **state)
{
	const char *all[] = {"all", NULL};
	const struct metric time = {"time", "s", BETTER_LOWER, NULL};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autoptr(GPtrArray) others = g_ptr_array_new();
	struct selection sides[3];
	struct analyse_options options = {.level = 0.95, .margin_pct = 5};

	add_outcomes(dataset, "A", "dd1", 10, 0);
	add_outcomes(dataset, "B", "dd1", 10, 6);
	add_outcomes(dataset, "C", "dd1", 10, 1);
	for (guint row = 0; row < dataset->n_runs; row++)
		values_set(dataset_metric(dataset, &time), row, 5 + row % 3);
	for (guint i = 0; i < 3; i++) {
		const char *const name = (const char *const[]){"A", "B", "C"}[i];

		sides[i] = (struct selection){g_strdup(name), NULL, rows_with(dataset, name)};
		if (i)
			g_ptr_array_add(others, &sides[i]);
	}
	options.metrics = g_strdupv((char **)(gpointer)all);
	analysis = analyse_compare(dataset, &sides[0], others, &options, NULL);
	assert_int_equal(analysis->comparisons->len, 4);
	/* two pairs: p.adjust(c(.0108359, 1)) */
	assert_close(nth(analysis, 0)->failure_rate.p_adjusted, 2 * 0.010835913312693499, 1e-12);
	assert_close(nth(analysis, 2)->failure_rate.p_adjusted, 2 * 0.010835913312693499, 1e-12);
	assert_false(nth(analysis, 0)->failure_rate.is_repeat);
	assert_true(nth(analysis, 2)->failure_rate.is_repeat);
	g_strfreev(options.metrics);
	for (guint i = 0; i < 3; i++) {
		g_free(sides[i].name);
		g_array_unref(sides[i].rows);
	}
}

/* A side that did not run has no rate and no test. */
static void test_no_runs(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	add_outcomes(dataset, "A", "dd1", 5, 1);
	add_outcomes(dataset, "B", "dd2", 5, 1);
	analysis = COMPARE(dataset, "A", "B");
	assert_close(nth(analysis, 0)->failure_rate.p, NAN, 0);
	assert_close(nth(analysis, 0)->failure_rate.other, NAN, 0);
	assert_close(nth(analysis, 0)->failure_rate.baseline, 0.2, 1e-15);
}

static void add_workload(struct dataset *dataset, const char *workload, const char *label, double value)
{
	for (guint i = 0; i < 3; i++)
		set_level(&dataset->workload, "workload", add_run(dataset, label, value), workload);
}

/* 2x and 8x are 4x; a workload that one side lacks is not counted, nor is "idle", which is none. */
static void test_summary(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct summary_row *row;

	add_workload(dataset, "w1", "A", 10);
	add_workload(dataset, "w1", "B", 20);
	add_workload(dataset, "w2", "A", 1);
	add_workload(dataset, "w2", "B", 8);
	add_workload(dataset, "w3", "A", 1);
	add_workload(dataset, "w4", "B", 1);
	add_workload(dataset, "idle", "A", 1);
	add_workload(dataset, "idle", "B", 1000);
	analysis = COMPARE(dataset, "A", "B");
	assert_int_equal(analysis->summary->len, 1);
	row = &g_array_index(analysis->summary, struct summary_row, 0);
	/* sqrt(2 * 8) */
	assert_close(row->ratio, 4, 1e-12);
	assert_int_equal(row->workloads, 2);
	assert_string_equal(row->other, "B");
}

/* Lower is better: the ratio is turned; no direction, or a single workload: no summary. */
static void test_summary_direction(void **state)
{
	static const struct {
		enum better better;
		guint workloads;
		double expected;
	} cases[] = {{BETTER_LOWER, 2, 0.25}, {BETTER_NONE, 2, NAN}, {BETTER_HIGHER, 1, NAN}};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(Dataset) dataset = dataset_new();
		g_autoptr(Analysis) analysis = NULL;

		add_workload(dataset, "w1", "A", 10);
		add_workload(dataset, "w1", "B", 20);
		if (cases[i].workloads == 2) {
			add_workload(dataset, "w2", "A", 1);
			add_workload(dataset, "w2", "B", 8);
		}
		dataset_find_metric(dataset, "rate")->metric.better = cases[i].better;
		analysis = COMPARE(dataset, "A", "B");
		assert_int_equal(analysis->summary->len, isfinite(cases[i].expected) ? 1 : 0);
		if (analysis->summary->len)
			assert_close(g_array_index(analysis->summary, struct summary_row, 0).ratio, cases[i].expected,
				     1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_more_failures),     cmocka_unit_test(test_family),
	    cmocka_unit_test(test_no_runs),           cmocka_unit_test(test_summary),
	    cmocka_unit_test(test_summary_direction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
