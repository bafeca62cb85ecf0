#include "check.h"

#include "sample_data.h"

/* Expected values are R 4.2's; the call stands beside each. x and y are the samples as they are named here. */

static const double x5[] = {50, 53, 47, 51, 55}, y6[] = {52, 56, 49, 54, 57, 50};

/* Ratio, interval and p of independent runs; what could have been detected and the runs needed. */
static void test_welch_on_logs(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	add_runs(dataset, "A", x5, 5);
	add_runs(dataset, "B", y6, 6);
	analysis = COMPARE(dataset, "A", "B");
	c = nth(analysis, 0);
	/* t <- t.test(log(y), log(x)); exp(mean(log(y)) - mean(log(x))); exp(t$conf.int); t$p.value */
	assert_close(c->ratio.estimate, 1.0350206761554721, 1e-12);
	assert_close(c->ratio.low, 0.95266913409143139, 1e-10);
	assert_close(c->ratio.high, 1.1244909294673517, 1e-10);
	assert_close(c->p, 0.37065550524326829, 1e-10);
	assert_string_equal(c->ratio.method, "welch-log");
	assert_string_equal(c->design, "independent");
	/* uniroot of the noncentral power at t$stderr and t$parameter: expm1(delta) */
	assert_close(c->detectable_pct, 12.225788858401861, 1e-6);
	/* power.t.test(delta = log(1.05), sd = sqrt((var(log(x)) + var(log(y))) / 2), power = .8, strict = TRUE): 24.96
	 */
	assert_close(c->runs_needed, 25, 0);
	assert_int_equal(c->verdict, VERDICT_UNDECIDED);
	assert_int_equal(c->material, MATERIAL_UNKNOWN);
	/* sum / n */
	assert_close(c->baseline.mean, 51.2, 1e-14);
	assert_close(c->other.mean, 53, 1e-14);
	assert_close(c->difference.estimate, 1.8, 1e-13);
}

/* Runs of both sides in the same blocks are analysed in pairs. */
static void test_paired_in_blocks(void **state)
{
	const double x[] = {100, 104, 98, 103, 107, 101, 99, 105}, y[] = {103, 108, 100, 108, 109, 106, 101, 110};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	add_blocks(dataset, x, y, 8);
	analysis = COMPARE(dataset, "A", "B");
	c = nth(analysis, 0);
	/* t.test(log(y), log(x), paired = TRUE) */
	assert_close(c->ratio.estimate, 1.0341013596027107, 1e-12);
	assert_close(c->ratio.low, 1.0228466791454836, 1e-10);
	assert_close(c->ratio.high, 1.0454798785929036, 1e-10);
	assert_close(c->p, 0.00017054449541261521, 1e-8);
	/* t.test(y, x, paired = TRUE) */
	assert_close(c->difference.estimate, 3.5, 1e-12);
	assert_close(c->difference.low, 2.3176878742036076, 1e-10);
	assert_close(c->difference.high, 4.6823121257963924, 1e-10);
	/* the larger of two one-sided t.test(log(y) - log(x), mu = -+log(1.05)) */
	assert_close(c->equivalence_p, 0.0065889634345287088, 1e-8);
	/* power.t.test(n = 8, sd = sd(d), power = .8, type = "paired", strict = TRUE): expm1(delta) */
	assert_close(c->detectable_pct, 1.5247123608687163, 1e-6);
	/* ... $n is 2.81 */
	assert_close(c->runs_needed, 3, 0);
	assert_string_equal(c->ratio.method, "paired-log");
	assert_string_equal(c->design, "blocked");
	assert_string_equal(c->unit_of_replication, "run");
	assert_int_equal(c->verdict, VERDICT_BETTER);
	assert_int_equal(c->material, MATERIAL_NO);
	assert_int_equal(c->flags, 0);
}

/* Equivalence is claimed only where both one-sided tests pass, and a small sure difference is not material. */
static void test_same(void **state)
{
	const double x[] = {100, 100.4, 99.7, 100.1, 99.9, 100.2}, y[] = {100.3, 100.1, 99.8, 100.6, 100.0, 100.2};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	add_runs(dataset, "A", x, 6);
	add_runs(dataset, "B", y, 6);
	for (guint i = 0; i < 6; i++)
		add_run(dataset, "C", 1.01 * x[i]);
	analysis = COMPARE(dataset, "A", "B", "C");
	/* one-sided t.test(log(y), log(x), mu = log(1.05), alternative = "less"), the larger of the two */
	assert_close(nth(analysis, 0)->equivalence_p, 1.3586796584084837e-11, 1e-6);
	assert_close(nth(analysis, 0)->p, 0.4528855999759358, 1e-9);
	assert_int_equal(nth(analysis, 0)->verdict, VERDICT_SAME);
	assert_int_equal(nth(analysis, 0)->material, MATERIAL_NO);
	/* y <- 1.01 * x */
	assert_close(nth(analysis, 1)->p, 3.2999467214353076e-05, 1e-8);
	assert_close(nth(analysis, 1)->equivalence_p, 4.3454919949904694e-11, 1e-6);
	assert_int_equal(nth(analysis, 1)->verdict, VERDICT_BETTER);
	assert_int_equal(nth(analysis, 1)->material, MATERIAL_NO);
}

/* Equal p values are adjusted alike, and each interval has the level that its verdict rests on. */
static void test_holm_with_ties(void **state)
{
	const double x[] = {10, 11, 12, 10.5}, y[] = {13, 14, 12.5, 13.5}, z[] = {10.2, 11.5, 12.2, 10.1};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	add_runs(dataset, "A", x, 4);
	add_runs(dataset, "B", y, 4);
	add_runs(dataset, "C", y, 4);
	add_runs(dataset, "D", z, 4);
	analysis = COMPARE(dataset, "A", "B", "C", "D");
	for (guint i = 0; i < 2; i++) {
		const struct comparison *c = nth(analysis, i);

		/* p <- c(p1, p1, p2); p.adjust(p) */
		assert_close(c->p, 0.007259477278532332, 1e-10);
		assert_close(c->p_adjusted, 0.021778431835596995, 1e-10);
		/* 1 - .05 / 3; exp(t.test(log(y), log(x), conf.level = 1 - .05 / 3)$conf.int) */
		assert_close(c->ratio.level, 0.98333333333333328, 1e-12);
		assert_close(c->ratio.low, 1.0383754039833024, 1e-9);
		assert_close(c->ratio.high, 1.4335788238398572, 1e-9);
		assert_int_equal(c->verdict, VERDICT_BETTER);
	}
	assert_close(nth(analysis, 2)->p_adjusted, 0.86794815845901097, 1e-10);
	assert_close(nth(analysis, 2)->ratio.level, 0.95, 1e-12);
}

/* Where p is too small for a double, levels come from Holm's multiplier and stay below 1. */
static void test_p_of_zero(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	for (guint i = 0; i < 60; i++) {
		add_run(dataset, "A", 1 + 1e-6 * (i % 7));
		add_run(dataset, "B", 1000 + 1e-3 * (i % 5));
		add_run(dataset, "C", 2000 + 1e-3 * (i % 3));
	}
	analysis = COMPARE(dataset, "A", "B", "C");
	for (guint i = 0; i < 2; i++) {
		const struct comparison *c = nth(analysis, i);

		/* R: t.test(log(y), log(x))$p.value is 0 */
		assert_close(c->p, 0, 0);
		assert_close(c->p_adjusted, 0, 0);
		/* 1 - .05 / 2 */
		assert_close(c->ratio.level, 0.975, 1e-14);
		assert_true(isfinite(c->ratio.low) && c->ratio.low < c->ratio.estimate);
		assert_int_equal(c->verdict, VERDICT_BETTER);
	}
}

/* A zero has no logarithm: the difference decides, and there is no ratio. */
static void test_raw_scale(void **state)
{
	const double x[] = {0, 3, 1, 2, 4}, y[] = {5, 7, 6, 9, 8};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	add_runs(dataset, "A", x, 5);
	add_runs(dataset, "B", y, 5);
	analysis = COMPARE(dataset, "A", "B");
	c = nth(analysis, 0);
	/* t.test(y, x) */
	assert_close(c->difference.estimate, 5, 1e-13);
	assert_close(c->difference.low, 2.6939958647958346, 1e-10);
	assert_close(c->difference.high, 7.3060041352041658, 1e-10);
	assert_close(c->p, 0.0010528257933665405, 1e-9);
	assert_close(c->ratio.estimate, NAN, 0);
	assert_int_equal(c->verdict, VERDICT_BETTER);
	/* the margin is 5% of the baseline's mean of 2 */
	assert_int_equal(c->material, MATERIAL_YES);
	assert_true(c->flags & EST_NOT_POSITIVE);
}

/* One constant side can be tested; two cannot, equal or not, and give no p, no interval, no claim. */
static void test_constants(void **state)
{
	const double x[] = {5, 5, 5, 5}, y[] = {6, 6.5, 7, 6.2}, z[] = {8, 8, 8, 8};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	add_runs(dataset, "A", x, 4);
	add_runs(dataset, "B", y, 4);
	add_runs(dataset, "C", z, 4);
	add_runs(dataset, "D", x, 4);
	analysis = COMPARE(dataset, "A", "B", "C", "D");
	/* t.test(log(y), log(x)); alone in its family, since the others are no tests */
	assert_close(nth(analysis, 0)->p, 0.00501293866873017, 1e-9);
	assert_close(nth(analysis, 0)->p_adjusted, 0.00501293866873017, 1e-9);
	assert_close(nth(analysis, 0)->ratio.low, 1.1532961281627545, 1e-9);
	for (guint i = 1; i < 3; i++) {
		c = nth(analysis, i);
		assert_int_equal(c->verdict, VERDICT_UNTESTABLE);
		assert_string_equal(c->reason, "neither side varies");
		assert_true(c->flags & EST_CONSTANT);
		assert_close(c->p, NAN, 0);
		assert_close(c->ratio.low, NAN, 0);
		assert_close(c->detectable_pct, NAN, 0);
		assert_int_equal(c->material, MATERIAL_UNKNOWN);
	}
	assert_close(nth(analysis, 1)->ratio.estimate, 1.6, 1e-14);
	assert_close(nth(analysis, 2)->ratio.estimate, 1, 0);
}

/* A sample against itself is ratio 1 and never different, for every n, in pairs or not. */
static void test_against_itself(void **state)
{
	static const double values[] = {3, 1, 4, 1.5, 5, 9, 2, 6, 5.3, 5.8, 9.7, 9.3};

	for (guint n = 1; n <= G_N_ELEMENTS(values); n++)
		for (int is_blocked = 0; is_blocked < 2; is_blocked++) {
			g_autoptr(Dataset) dataset = dataset_new();
			g_autoptr(Analysis) analysis = NULL;
			const struct comparison *c;

			add_runs(dataset, "A", values, n);
			for (guint row = 0; row < n && is_blocked; row++)
				set_number(&dataset->block, "block", row, row);
			analysis = COMPARE(dataset, "A", "A");
			c = nth(analysis, 0);
			assert_close(c->ratio.estimate, 1, 0);
			assert_false(c->p < 0.9999);
			assert_true(c->verdict == (n < 3        ? VERDICT_UNTESTABLE
						   : is_blocked ? VERDICT_SAME
								: VERDICT_UNDECIDED));
			assert_true(n == 1 || !(c->flags & FLAG_ORDER_CONFOUNDED));
		}
}

/* Two runs a side are shown, not tested. */
static void test_too_few(void **state)
{
	const double x[] = {10, 10.1}, y[] = {20, 20.1};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	add_runs(dataset, "A", x, 2);
	add_runs(dataset, "B", y, 2);
	analysis = COMPARE(dataset, "A", "B");
	c = nth(analysis, 0);
	assert_int_equal(c->verdict, VERDICT_UNTESTABLE);
	assert_true(c->flags & EST_TOO_FEW);
	assert_close(c->p, NAN, 0);
	/* sqrt(20 * 20.1 / (10 * 10.1)) */
	assert_close(c->ratio.estimate, 1.9950433628876292, 1e-14);
}

/* Failed runs are counted and in no mean; a side of failures only has no data; mostly failures is untestable.
 */
static void test_failures(void **state)
{
	const double x[] = {10, 11, 12, 13}, y[] = {1, 11, 12, 10, 2, 3, 4};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	guint row;

	add_runs(dataset, "A", x, 4);
	row = add_run(dataset, "A", 99);
	set_level(&dataset->outcome, "outcome", row, "oom-killed");
	add_runs(dataset, "B", y, 7);
	for (row = 5; row < dataset->n_runs; row++)
		if (values_get(dataset_find_metric(dataset, "rate"), row) < 5)
			set_level(&dataset->outcome, "outcome", row, "failed");
	set_level(&dataset->outcome, "outcome", add_run(dataset, "C", NAN), "timed-out");
	analysis = COMPARE(dataset, "A", "B", "C");
	assert_int_equal(nth(analysis, 0)->baseline.n, 4);
	assert_int_equal(nth(analysis, 0)->baseline.failed, 1);
	assert_close(nth(analysis, 0)->baseline.mean, 11.5, 1e-14);
	assert_int_equal(nth(analysis, 0)->other.failed, 4);
	assert_close(nth(analysis, 0)->other.mean, 11, 1e-14);
	assert_int_equal(nth(analysis, 0)->verdict, VERDICT_UNTESTABLE);
	assert_string_equal(nth(analysis, 0)->reason, "most runs of a side failed");
	assert_true(nth(analysis, 0)->flags & FLAG_FAILURES);
	assert_int_equal(nth(analysis, 1)->other.n, 0);
	assert_close(nth(analysis, 1)->other.mean, NAN, 0);
	assert_close(nth(analysis, 1)->ratio.estimate, NAN, 0);
	assert_int_equal(nth(analysis, 1)->flags & (FLAG_NO_DATA | EST_TOO_FEW), FLAG_NO_DATA);
}

/* The same shift is better, worse or changed by the metric's direction. */
static void test_direction(void **state)
{
	const double x[] = {10, 11, 12}, y[] = {20, 21, 22};
	static const enum verdict expected[] = {VERDICT_CHANGED, VERDICT_BETTER, VERDICT_WORSE};

	for (int better = BETTER_NONE; better <= BETTER_LOWER; better++) {
		g_autoptr(Dataset) dataset = dataset_new();
		g_autoptr(Analysis) analysis = NULL;

		add_runs(dataset, "A", x, 3);
		add_runs(dataset, "B", y, 3);
		dataset_find_metric(dataset, "rate")->metric.better = (enum better)better;
		analysis = COMPARE(dataset, "A", "B");
		assert_int_equal(nth(analysis, 0)->verdict, expected[better]);
		assert_int_equal(nth(analysis, 0)->material, MATERIAL_YES);
	}
}

static const struct estimate_row *show_one(const struct dataset *dataset, struct analysis **analysis)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	g_autoptr(GArray) rows = rows_with(dataset, NULL);

	*analysis = analyse_show(dataset, rows, &options, NULL);
	assert_non_null(*analysis);
	assert_int_equal((*analysis)->estimates->len, 1);
	return g_ptr_array_index((*analysis)->estimates, 0);
}

/* The summary of a sample, its quartiles and the t interval of its mean; samples in run order. */
static void test_show(void **state)
{
	const double x[] = {1504, 1490, 1522, 1498, 1511};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct estimate_row *row;

	add_runs(dataset, "A", x, 5);
	row = show_one(dataset, &analysis);
	/* t.test(x); mean, sd, sd / mean, median, mad(x, constant = 1), quantile(x, c(.25, .75)) */
	assert_close(row->summary.mean, 1505, 1e-14);
	assert_close(row->summary.sd, 12.24744871391589, 1e-13);
	assert_close(row->summary.cv, 0.0081378396770205256, 1e-13);
	assert_close(row->summary.median, 1504, 0);
	assert_close(row->summary.mad, 7, 0);
	assert_close(row->ci.low, 1489.7927838620835, 1e-12);
	assert_close(row->ci.high, 1520.2072161379165, 1e-12);
	assert_close(row->q1, 1498, 0);
	assert_close(row->q3, 1511, 0);
	for (guint i = 0; i < 5; i++)
		assert_close(g_array_index(row->samples, double, i), x[i], 0);
	assert_string_equal(row->treatment, "A");
}

/* With three boots the interval rests on the means of boots, not on runs as if they were independent. */
static void test_show_boots(void **state)
{
	const double x[] = {10, 11, 12, 13, 12, 14, 9, 10, 11};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct estimate_row *row;

	add_runs(dataset, "A", x, 9);
	for (guint i = 0; i < 9; i++)
		set_number(&dataset->boot, "boot", i, i / 3);
	row = show_one(dataset, &analysis);
	/* t.test(c(11, 13, 10)) */
	assert_close(row->ci.low, 7.5387502997365736, 1e-12);
	assert_close(row->ci.high, 15.127916366930094, 1e-12);
	assert_string_equal(row->ci_method, "t-boot");
	assert_int_equal(row->n, 9);
}

/* One run has a mean and nothing that would need a second. */
static void test_show_one_run(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct estimate_row *row;

	add_run(dataset, "A", 7);
	row = show_one(dataset, &analysis);
	assert_close(row->summary.mean, 7, 0);
	assert_close(row->summary.sd, NAN, 0);
	assert_close(row->summary.cv, NAN, 0);
	assert_false(isfinite(row->ci.low) || isfinite(row->ci.high));
	assert_true(row->flags & EST_TOO_FEW);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_welch_on_logs), cmocka_unit_test(test_paired_in_blocks),
	    cmocka_unit_test(test_same),          cmocka_unit_test(test_holm_with_ties),
	    cmocka_unit_test(test_p_of_zero),     cmocka_unit_test(test_raw_scale),
	    cmocka_unit_test(test_constants),     cmocka_unit_test(test_against_itself),
	    cmocka_unit_test(test_too_few),       cmocka_unit_test(test_failures),
	    cmocka_unit_test(test_direction),     cmocka_unit_test(test_show),
	    cmocka_unit_test(test_show_boots),    cmocka_unit_test(test_show_one_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
