#include "check.h"

#include "../src/analyse_crosscheck.h"
#include "sample_data.h"

/* Whether other tests of the same replicates agree. Expected values are R 4.2's; the call stands beside each. */

static const double x8[] = {100, 104, 98, 103, 107, 101, 99, 105}, y8[] = {103, 108, 100, 108, 109, 106, 101, 110};

/* Independent runs: the interval has the level that ranks allow, all splits are tried, and all agree. */
static void test_independent(void **state)
{
	const double x[] = {50, 53, 47, 51, 55}, y[] = {52, 56, 49, 54, 57, 50};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct cross_check *check;

	add_runs(dataset, "A", x, 5);
	add_runs(dataset, "B", y, 6);
	analysis = COMPARE(dataset, "A", "B");
	check = &nth(analysis, 0)->cross_check;
	/* exp(median(outer(log(y), log(x), "-"))) */
	assert_close(check->hodges_lehmann.estimate, 1.0381802260774291, 1e-12);
	/* k <- qwilcox(.025, 5, 6); exp(sort(outer(log(y), log(x), "-"))[c(k, 31 - k)]); 1 - 2 * pwilcox(k - 1, 5, 6)
	 */
	assert_close(check->hodges_lehmann.low, 0.94339622641509413, 1e-12);
	assert_close(check->hodges_lehmann.high, 1.1400000000000001, 1e-12);
	assert_close(check->hodges_lehmann.level, 0.96969696969696972, 1e-12);
	/* Welch's t of logs over combn(11, 5): twice the smaller tail; 2 / choose(11, 5) */
	assert_close(check->permutation_p, 0.354978354978355, 1e-12);
	assert_close(check->least_p, 0.0043290043290043, 1e-12);
	assert_true(check->is_exact);
	assert_null(check->bca.method);
	assert_false(nth(analysis, 0)->flags & FLAG_FRAGILE);
}

/* Pairs: Walsh averages and turned signs. */
static void test_pairs(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct cross_check *check;

	add_blocks(dataset, x8, y8, 8);
	analysis = COMPARE(dataset, "A", "B");
	check = &nth(analysis, 0)->cross_check;
	/* d <- log(y) - log(x); w <- outer(d, d, "+") / 2; w <- sort(w[upper.tri(w, TRUE)]); k <- qsignrank(.025, 8);
	 * exp(median(w)); exp(w[c(k, 37 - k)]); 1 - 2 * psignrank(k - 1, 8) */
	assert_close(check->hodges_lehmann.estimate, 1.0341027978717943, 1e-12);
	assert_close(check->hodges_lehmann.low, 1.0202020202020206, 1e-12);
	assert_close(check->hodges_lehmann.high, 1.0485436893203886, 1e-12);
	assert_close(check->hodges_lehmann.level, 0.9609375, 1e-12);
	/* all differences have one sign: 2 / 2^8 */
	assert_close(check->permutation_p, 0.0078125, 1e-14);
	assert_close(check->least_p, 0.0078125, 1e-14);
	assert_false(nth(analysis, 0)->flags & FLAG_FRAGILE);
}

/* One value far out hides from the t test what ranks and permutations see: undecided, and fragile. */
static void test_fragile(void **state)
{
	const double x[] = {100, 101, 102, 103, 104, 105, 106, 107}, y[] = {109, 110, 111, 112, 113, 114, 115, 300};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	for (guint i = 0; i < 8; i++) {
		add_run(dataset, "A", x[(i * 3) % 8]);
		add_run(dataset, "B", y[(i * 5) % 8]);
	}
	analysis = COMPARE(dataset, "A", "B");
	c = nth(analysis, 0);
	/* t.test(log(y), log(x)) */
	assert_close(c->p, 0.14556220902815684, 1e-9);
	assert_int_equal(c->verdict, VERDICT_UNDECIDED);
	/* wilcox.test(log(y), log(x), conf.int = TRUE); 2 / choose(16, 8) */
	assert_close(c->cross_check.hodges_lehmann.low, 1.0576923076923082, 1e-12);
	assert_close(c->cross_check.hodges_lehmann.high, 1.1274509803921575, 1e-12);
	assert_close(c->cross_check.permutation_p, 0.0001554001554001554, 1e-12);
	assert_true(c->cross_check.hodges_lehmann_disagrees && c->cross_check.permutation_disagrees);
	assert_true(c->flags & FLAG_FRAGILE);
	/* one of 16 is an outlier, and counted on its side only */
	assert_int_equal(c->baseline.outliers, 0);
	assert_int_equal(c->other.outliers, 1);
	assert_true(c->flags & FLAG_OUTLIERS);
	assert_int_equal(c->other.n, 8);
}

/* Three a side: no permutation and no rank interval can reach 95%, so neither can disagree. */
static void test_too_few_to_disagree(void **state)
{
	const double x[] = {10, 11, 12}, y[] = {20, 21, 22};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct cross_check *check;

	add_runs(dataset, "A", x, 3);
	add_runs(dataset, "B", y, 3);
	analysis = COMPARE(dataset, "A", "B");
	check = &nth(analysis, 0)->cross_check;
	/* 2 / choose(6, 3) */
	assert_close(check->least_p, 0.1, 1e-14);
	assert_close(check->permutation_p, NAN, 0);
	assert_close(check->hodges_lehmann.low, NAN, 0);
	assert_int_equal(nth(analysis, 0)->verdict, VERDICT_BETTER);
	assert_false(nth(analysis, 0)->flags & FLAG_FRAGILE);
}

/* Ranks reach only some levels: not to exclude 1 at 97.1% is no disagreement with p = .04 at 95%. */
static void test_coarse_levels(void **state)
{
	const double x[] = {100, 103, 106, 104}, y[] = {105, 107, 110, 108};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	add_runs(dataset, "A", x, 4);
	add_runs(dataset, "B", y, 4);
	analysis = COMPARE(dataset, "A", "B");
	c = nth(analysis, 0);
	/* t.test(log(y), log(x)) */
	assert_close(c->p, 0.042461661209820201, 1e-9);
	/* 1 - 2 * pwilcox(0, 4, 4) */
	assert_close(c->cross_check.hodges_lehmann.level, 0.97142857142857142, 1e-12);
	/* exp(min(outer(log(y), log(x), "-"))) */
	assert_close(c->cross_check.hodges_lehmann.low, 0.99056603773584895, 1e-12);
	assert_false(c->cross_check.hodges_lehmann_disagrees);
}

/* From 20 a side a bootstrap interval stands beside, near the t interval for such values; it decides nothing. */
static void test_bca(void **state)
{
	/* SciPy: exp of bootstrap() of the logarithms: of both samples, percentile, 100,000 (BCa takes one sample only,
	 * and these are symmetric); of the differences, BCa, 200,000. 10,000 replicates are within .2% of that. */
	static const double expected[][2] = {{1.0579001233671967, 1.1264386900635575},
					     {1.0567449016024444, 1.1274699472679184}};

	for (int is_blocked = 0; is_blocked < 2; is_blocked++) {
		g_autoptr(Dataset) dataset = dataset_new();
		g_autoptr(Analysis) analysis = NULL;
		double x[20], y[20];
		const struct comparison *c;

		for (guint i = 0; i < 20; i++) {
			x[i] = 100 + (i * 7) % 20;
			y[i] = 110 + (i * 11) % 20;
		}
		if (is_blocked) {
			add_blocks(dataset, x, y, 20);
		} else {
			add_runs(dataset, "A", x, 20);
			add_runs(dataset, "B", y, 20);
		}
		analysis = COMPARE(dataset, "A", "B");
		c = nth(analysis, 0);
		assert_close(c->cross_check.bca.estimate, c->ratio.estimate, 1e-12);
		assert_close(c->cross_check.bca.level, 0.95, 0);
		assert_close(c->cross_check.bca.low, expected[is_blocked][0], 2e-3);
		assert_close(c->cross_check.bca.high, expected[is_blocked][1], 2e-3);
		assert_false(c->cross_check.is_exact);
	}
}

/* More than CROSS_CHECK_MAX a side, or nothing to test: not asked. */
static void test_not_asked(void **state)
{
	g_autoptr(Dataset) large = dataset_new(), constant = dataset_new();
	g_autoptr(Analysis) of_large = NULL, of_constant = NULL;

	for (guint i = 0; i <= CROSS_CHECK_MAX; i++) {
		add_run(large, "A", 100 + i % 7);
		add_run(large, "B", 101 + i % 5);
	}
	for (guint i = 0; i < 8; i++)
		add_run(constant, i % 2 ? "A" : "B", 5);
	of_large = COMPARE(large, "A", "B");
	of_constant = COMPARE(constant, "A", "B");
	assert_close(nth(of_large, 0)->cross_check.permutation_p, NAN, 0);
	assert_null(nth(of_large, 0)->cross_check.hodges_lehmann.method);
	assert_true(isfinite(nth(of_large, 0)->p));
	assert_close(nth(of_constant, 0)->cross_check.least_p, NAN, 0);
	assert_false(nth(of_constant, 0)->flags & FLAG_FRAGILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_independent),   cmocka_unit_test(test_pairs),
	    cmocka_unit_test(test_fragile),       cmocka_unit_test(test_too_few_to_disagree),
	    cmocka_unit_test(test_coarse_levels), cmocka_unit_test(test_bca),
	    cmocka_unit_test(test_not_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
