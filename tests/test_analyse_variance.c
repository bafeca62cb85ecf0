#include "check.h"

#include <string.h>

#include "../src/document.h"
#include "../src/report.h"
#include "../src/variance.h"
#include "sample_data.h"

/* How much of the noise lies between boots. Expected values are R 4.2's, from a <- anova(lm(x ~ boot)). */

static const double x9[] = {10, 11, 12, 13, 12, 14, 9, 10, 11};

static void add_boots(struct dataset *dataset, const char *label, const double *values, guint n, guint each)
{
	guint first = dataset->n_runs;

	add_runs(dataset, label, values, n);
	for (guint i = 0; i < n; i++)
		set_number(&dataset->boot, "boot", first + i, first + i / each);
}

static struct analysis *show_all(const struct dataset *dataset)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	g_autoptr(GArray) rows = rows_with(dataset, NULL);

	return analyse_show(dataset, rows, &options, NULL);
}

static const struct variance_report *variance_of(const struct analysis *analysis)
{
	assert_non_null(analysis);
	return ((const struct estimate_row *)g_ptr_array_index(analysis->estimates, 0))->variance;
}

/* Shares, F test and the plan where costs are not known: a boot counts as much as a run. */
static void test_components(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct variance_report *report;

	add_boots(dataset, "A", x9, 9, 3);
	analysis = show_all(dataset);
	report = variance_of(analysis);
	assert_non_null(report);
	assert_int_equal(report->boots, 3);
	assert_int_equal(report->runs, 9);
	/* a$Mean[2]; (a$Mean[1] - a$Mean[2]) / 3 */
	assert_close(report->within, 1, 1e-12);
	assert_close(report->between, 2, 1e-12);
	assert_close(report->between_share, 2.0 / 3, 1e-12);
	/* a$F, a$P */
	assert_close(report->f, 7, 1e-12);
	assert_close(report->p, 0.027000000000000014, 1e-12);
	assert_close(report->df, 2, 0);
	assert_close(report->df_error, 6, 0);
	/* r <- ceiling(sqrt(1 / 2)); smallest n with qt(.975, n - 1) * sqrt((2 + 1 / r) / n) <= .05 * mean(x) */
	assert_close(report->runs_per_boot, 1, 0);
	assert_close(report->boots_needed, 39, 0);
	assert_false(report->is_cost_measured);
	assert_close(report->time_s, NAN, 0);
}

/* Starts of runs give the costs: 10 s from run to run, 110 s from the last of a boot to the first of the next. */
static void test_costs(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct variance_report *report;

	add_boots(dataset, "A", x9, 9, 3);
	dataset->started_us = g_array_new(FALSE, FALSE, sizeof(gint64));
	for (guint i = 0; i < 9; i++) {
		/* the third boot came after a night */
		gint64 at = G_USEC_PER_SEC * (1000 + i * G_GINT64_CONSTANT(10) + i / 3 * 100 + i / 6 * 30000);

		g_array_append_val(dataset->started_us, at);
	}
	analysis = show_all(dataset);
	report = variance_of(analysis);
	assert_true(report->is_cost_measured);
	assert_close(report->run_cost_s, 10, 1e-12);
	assert_close(report->boot_cost_s, 100, 1e-12);
	/* r <- ceiling(sqrt(100 / 10 * 1 / 2)); boots as above; n * (100 + 10 * r) */
	assert_close(report->runs_per_boot, 3, 0);
	assert_close(report->boots_needed, 31, 0);
	assert_close(report->time_s, 4030, 1e-12);
}

/* Where boots add nothing that can be seen, three boots and runs enough in them. */
static void test_no_variance_between(void **state)
{
	const double y[] = {10, 12, 14, 10.5, 12.5, 13.2, 13, 11, 12};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct variance_report *report;

	add_boots(dataset, "A", y, 9, 3);
	analysis = show_all(dataset);
	report = variance_of(analysis);
	assert_close(report->between, -0.77222222222222292, 1e-12);
	assert_close(report->between_share, 0, 0);
	assert_close(report->p, 0.99808764992093257, 1e-12);
	/* smallest r with qt(.975, 2) * sqrt(a$Mean[2] / r / 3) <= .05 * mean(y) */
	assert_close(report->runs_per_boot, 40, 0);
	assert_close(report->boots_needed, 3, 0);
}

/* Two boots, or one run in each: nothing to report. */
static void test_not_enough(void **state)
{
	for (guint each = 1; each <= 5; each += 4) {
		g_autoptr(Dataset) dataset = dataset_new();
		g_autoptr(Analysis) analysis = NULL;

		add_boots(dataset, "A", x9, 9, each);
		analysis = show_all(dataset);
		assert_null(variance_of(analysis));
	}
}

/* A comparison reports each side, on logarithms as its ratio is. */
static void test_compare(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	add_boots(dataset, "A", x9, 9, 3);
	add_runs(dataset, "B", x9, 9);
	analysis = COMPARE(dataset, "A", "B");
	c = nth(analysis, 0);
	/* anova(lm(log(x) ~ boot)) */
	assert_close(c->baseline.variance->f, 6.5906702315709476, 1e-10);
	assert_close(c->baseline.variance->p, 0.03060672695286035, 1e-9);
	assert_close(c->baseline.variance->within, 0.0081117230834816118, 1e-10);
	assert_null(c->other.variance);
}

/* The line of text below the table says the shares and what to do. */
static void test_text(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autoptr(GString) out = g_string_new(NULL);

	add_boots(dataset, "A", x9, 9, 3);
	analysis = show_all(dataset);
	report_find("text", NULL)->show(analysis, &(struct document){.out = out});
	assert_non_null(strstr(out->str, "rate: 67% of the variance is between 3 boots, 33% within"));
	assert_non_null(strstr(out->str, "39 boots of 1 run"));
	assert_non_null(strstr(out->str, "not measured"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_components),
	    cmocka_unit_test(test_costs),
	    cmocka_unit_test(test_no_variance_between),
	    cmocka_unit_test(test_not_enough),
	    cmocka_unit_test(test_compare),
	    cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
