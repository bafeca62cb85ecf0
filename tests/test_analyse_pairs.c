#include "check.h"

#include <gsl/gsl_errno.h>
#include "sample_data.h"

/* All pairs and Dunnett's comparisons. Expected values: contrasts from R 4.2, distributions from SciPy 1.10
 * (studentized_range; Dunnett's by integrating norm and chi), whose call stands beside each. */

static const double a5[] = {50, 53, 47, 51, 55}, b6[] = {52, 56, 49, 54, 57, 50}, c5[] = {70, 72, 75, 69, 74},
		    d4[] = {48, 52, 50, 49};

static struct analysis *compare_with(const struct dataset *dataset, const struct analyse_options *options, guint k)
{
	static const char *const names[] = {"A", "B", "C", "D"};
	g_autoptr(GPtrArray) others = g_ptr_array_new();
	struct selection sides[4];
	struct analysis *analysis;

	for (guint i = 0; i < k; i++) {
		sides[i] = (struct selection){g_strdup(names[i]), NULL, rows_with(dataset, names[i])};
		if (i)
			g_ptr_array_add(others, &sides[i]);
	}
	analysis = analyse_compare(dataset, &sides[0], others, options, NULL);
	for (guint i = 0; i < k; i++) {
		g_free(sides[i].name);
		g_array_unref(sides[i].rows);
	}
	return analysis;
}

static const struct analyse_options all_pairs = {.level = 0.95, .margin_pct = 5, .all_pairs = TRUE},
				    dunnetts = {.level = 0.95, .margin_pct = 5, .use_dunnett = TRUE};

static void add_four(struct dataset *dataset)
{
	add_runs(dataset, "A", a5, 5);
	add_runs(dataset, "B", b6, 6);
	add_runs(dataset, "C", c5, 5);
	add_runs(dataset, "D", d4, 4);
}

/* Independent runs: every two sides once, each with its own variances. */
static void test_games_howell(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	add_four(dataset);
	analysis = compare_with(dataset, &all_pairs, 4);
	assert_int_equal(analysis->comparisons->len, 6);
	assert_null(analysis->baseline);
	assert_int_equal(analysis->corrections, 1u << CORRECTION_GAMES_HOWELL);
	c = nth(analysis, 0);
	assert_string_equal(c->baseline.name, "A");
	assert_string_equal(c->other.name, "B");
	/* t <- t.test(log(b), log(a)): t .943892582194503, df 8.7145144597747404;
	 * studentized_range.sf(t * 2**.5, 4, df); q = studentized_range.isf(.05, 4, df) / 2**.5; 1 - 2 * t.sf(q, df) */
	assert_close(c->p_adjusted, 0.78300870192245642, 1e-9);
	assert_close(c->ratio.level, 0.98764271082915567, 1e-9);
	/* exp(t$estimate -+ q * t$stderr) */
	assert_close(c->ratio.low, 1.0350206761554721 * exp(-3.1426378432363724 * 0.036467500782320368), 1e-9);
	assert_close(c->ratio.high, 1.0350206761554721 * exp(3.1426378432363724 * 0.036467500782320368), 1e-9);
	assert_int_equal(c->verdict, VERDICT_UNDECIDED);
	c = nth(analysis, 5);
	assert_string_equal(c->baseline.name, "C");
	assert_string_equal(c->other.name, "D");
	/* t 15.872325362816717, df 6.679330152469074 */
	assert_close(c->p_adjusted, 6.600319711225211e-06, 1e-8);
	assert_int_equal(c->verdict, VERDICT_WORSE);
	assert_string_equal(c->ratio.method, "welch-log");
}

static const double x6[] = {100, 104, 98, 103, 107, 101}, y6[] = {103, 108, 100, 108, 109, 106},
		    z6[] = {101, 103, 99, 105, 108, 100};

static void add_three_in_blocks(struct dataset *dataset)
{
	for (guint i = 0; i < 6; i++) {
		const double values[] = {x6[i], y6[i], z6[i]};

		for (guint j = 0; j < 3; j++) {
			guint side = (i + j) % 3;
			guint row = add_run(dataset, (const char *const[]){"A", "B", "C"}[side], values[side]);

			set_number(&dataset->block, "block", row, i + 1);
		}
	}
}

/* In blocks: Tukey's, with the error of a randomised complete block design. */
static void test_tukey_in_blocks(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	add_three_in_blocks(dataset);
	analysis = compare_with(dataset, &all_pairs, 3);
	assert_int_equal(analysis->comparisons->len, 3);
	assert_int_equal(analysis->corrections, 1u << CORRECTION_TUKEY);
	c = nth(analysis, 0);
	/* m <- aov(log(v) ~ t + b); se <- sqrt(2 * deviance(m) / df.residual(m) / 6); 2 * pt(-abs(d / se), 10) */
	assert_close(log(c->ratio.estimate), 0.033623616912422882, 1e-10);
	assert_close(c->p, 0.00033677461221308396, 1e-8);
	/* studentized_range.sf(d / se * 2**.5, 3, 10); TukeyHSD(m, "t") has .00089025, .00273165, -.046105 */
	assert_close(c->p_adjusted, 0.00089025375348594782, 1e-8);
	assert_close(c->ratio.level, 0.97921350778813221, 1e-9);
	assert_string_equal(c->design, "blocked");
	assert_string_equal(c->ratio.method, "blocks-log");
	assert_int_equal(c->verdict, VERDICT_BETTER);
	c = nth(analysis, 2);
	assert_close(c->p_adjusted, 0.0027316487356857655, 1e-8);
	assert_close(log(c->ratio.low), -0.046105283329111416, 1e-5);
	assert_close(log(c->ratio.high), -0.011467212114907237, 1e-4);
	assert_int_equal(nth(analysis, 1)->verdict, VERDICT_SAME);
}

/* A block that one side lacks is left out for all, and the replicates counted are those used. */
static void test_broken_block(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	add_three_in_blocks(dataset);
	set_number(&dataset->block, "block", add_run(dataset, "A", 500), 7);
	analysis = compare_with(dataset, &all_pairs, 3);
	assert_close(nth(analysis, 0)->p, 0.00033677461221308396, 1e-8);
	assert_int_equal(nth(analysis, 0)->baseline.n, 7);
	assert_int_equal(nth(analysis, 0)->baseline.n_units, 6);
	assert_true(nth(analysis, 0)->flags & FLAG_BROKEN_BLOCKS);
}

/* Against the baseline, with the variance of all sides: t from 16 degrees of freedom, unequal n. */
static void test_dunnett(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	add_four(dataset);
	analysis = compare_with(dataset, &dunnetts, 4);
	assert_int_equal(analysis->comparisons->len, 3);
	assert_int_equal(analysis->corrections, 1u << CORRECTION_DUNNETT);
	assert_string_equal(analysis->baseline, "A");
	c = nth(analysis, 0);
	/* m <- aov(log(v) ~ f); se <- sqrt(deviance(m) / 16 * (1 / 5 + 1 / 6)); 2 * pt(-t, 16) */
	assert_close(c->p, 0.27973992883819676, 1e-9);
	/* 1 - P(max |T| < t) with n = 6, 5, 4 against 5 */
	assert_close(c->p_adjusted, 0.557394759115487, 1e-9);
	assert_close(nth(analysis, 2)->p_adjusted, 0.756990758710596, 1e-9);
	assert_close(c->ratio.level, 0.980394176909913, 1e-6);
	assert_string_equal(c->ratio.method, "pooled-log");
	assert_int_equal(nth(analysis, 1)->verdict, VERDICT_BETTER);
}

/* A side that cannot be tested takes no part in the correction of the others. */
static void test_untestable_side(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) with = NULL, without = NULL;

	add_runs(dataset, "A", a5, 5);
	add_runs(dataset, "B", b6, 6);
	add_runs(dataset, "C", c5, 5);
	without = compare_with(dataset, &all_pairs, 3);
	add_runs(dataset, "D", d4, 2);
	with = compare_with(dataset, &all_pairs, 4);
	assert_close(nth(with, 0)->p_adjusted, nth(without, 0)->p_adjusted, 0);
	assert_int_equal(nth(with, 2)->verdict, VERDICT_UNTESTABLE);
	assert_close(nth(with, 2)->p_adjusted, NAN, 0);
	assert_true(isfinite(nth(with, 2)->ratio.estimate));
}

/* Two sides are one pair: p is that of Welch's test itself, by any of the methods. */
static void test_two_sides(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) pairs = NULL, dunnett = NULL;

	add_runs(dataset, "A", a5, 5);
	add_runs(dataset, "B", b6, 6);
	pairs = compare_with(dataset, &all_pairs, 2);
	dunnett = compare_with(dataset, &dunnetts, 2);
	/* t.test(log(b), log(a)); with var.equal = TRUE */
	assert_close(nth(pairs, 0)->p_adjusted, 0.37065550524326829, 1e-9);
	assert_close(nth(pairs, 0)->ratio.level, 0.95, 1e-9);
	assert_close(nth(dunnett, 0)->p_adjusted, 0.37090004784841402, 1e-8);
}

/* Two workloads are two families: each p is doubled, and each interval has the level that goes with it. */
static void test_families(void **state)
{
	g_autoptr(Dataset) one = dataset_new(), two = dataset_new();
	g_autoptr(Analysis) of_one = NULL, of_two = NULL;

	add_runs(one, "A", a5, 5);
	add_runs(one, "B", b6, 6);
	add_runs(one, "C", c5, 5);
	for (guint w = 0; w < 2; w++) {
		guint first = two->n_runs;

		add_runs(two, "A", a5, 5);
		add_runs(two, "B", b6, 6);
		add_runs(two, "C", c5, 5);
		for (guint row = first; row < two->n_runs; row++)
			set_level(&two->workload, "workload", row, w ? "dd2" : "dd1");
	}
	of_one = compare_with(one, &all_pairs, 3);
	of_two = compare_with(two, &all_pairs, 3);
	assert_int_equal(of_two->comparisons->len, 6);
	assert_int_equal(of_two->families, 2);
	assert_close(nth(of_two, 4)->p_adjusted, 2 * nth(of_one, 1)->p_adjusted, 1e-12);
	assert_true(nth(of_two, 0)->ratio.level > nth(of_one, 0)->ratio.level);
}

/* Values that have no logarithm are compared as they are, all of the family. */
static void test_raw_scale(void **state)
{
	const double x[] = {0, 3, 1, 2, 4}, y[] = {5, 7, 6, 9, 8};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;

	add_runs(dataset, "A", x, 5);
	add_runs(dataset, "B", y, 5);
	add_runs(dataset, "C", c5, 5);
	analysis = compare_with(dataset, &all_pairs, 3);
	assert_close(nth(analysis, 2)->ratio.estimate, NAN, 0);
	/* t.test(c, b) */
	assert_close(nth(analysis, 2)->difference.estimate, 65, 1e-12);
	assert_int_equal(nth(analysis, 2)->verdict, VERDICT_BETTER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_games_howell),    cmocka_unit_test(test_tukey_in_blocks),
	    cmocka_unit_test(test_broken_block),    cmocka_unit_test(test_dunnett),
	    cmocka_unit_test(test_untestable_side), cmocka_unit_test(test_two_sides),
	    cmocka_unit_test(test_families),        cmocka_unit_test(test_raw_scale),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
