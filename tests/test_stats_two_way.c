#include "check.h"

#include <string.h>

#include <gsl/gsl_errno.h>

#include "../stats/ttest.h"
#include "two_way_case.h"

/* Every line of the table, Tukey's test and the contrast of the last with the first level are R's lm(): one value a
 * cell, several, unequal numbers, empty cells, incomplete blocks; values of 1e9, 1e-9 and 1e298. */
static void test_is_r(void **state)
{
	struct table *table = table_read("two_way.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		g_autofree double *y = NULL;
		g_autofree size_t *a = NULL, *b = NULL;
		struct crossed data = crossed_read(table, i, &y, &a, &b);
		g_autofree double *work = g_new(double, two_way_work(data.levels_a, data.levels_b));
		struct two_way t = two_way(&data, table_number(table, i, "interaction") > 0, work);
		struct contrast c;

		assert_int_equal(t.flags, t.error.df > 0 ? 0 : EST_TOO_FEW);
		check_terms(table, i, &t, &worst);
		table_check(table, i, "tukey_f", t.nonadditivity.statistic, 1e-8, &worst);
		table_check(table, i, "tukey_df", t.nonadditivity.df_error, 0, &worst);
		table_check(table, i, "tukey_p", t.nonadditivity.p, 1e-8, &worst);
		c = block_contrast(&data, 0, data.levels_a - 1, work);
		assert_int_equal(c.flags, 0);
		table_check(table, i, "estimate", c.estimate, 1e-9, &worst);
		table_check(table, i, "se", c.se, 1e-9, &worst);
		table_check(table, i, "t", c.t, 1e-9, &worst);
		table_check(table, i, "p", c.p, 1e-9, &worst);
	}
	table_report(table, "two_way.tsv", worst);
	table_free(table);
}

/* dbench by the percentages at which bdflush starts and waits (90 to 30, 60 to 90): one run a cell, MB/s. */
static const double bdflush[] = {8.693, 8.690, 8.853, 8.875, 8.822, 8.724, 8.703, 8.910, 8.558, 8.557,
				 8.785, 8.420, 8.194, 8.141, 8.006, 7.847, 6.662, 6.738, 6.904, 6.892,
				 6.347, 6.252, 6.380, 6.274, 5.687, 5.802, 6.209, 5.898};

/* What was found in that grid: F 341.575 on 6 and 18, F 1.493 on 3 and 18 (p .25), non-additivity F 2.682 (p .120). */
static void test_bdflush(void **state)
{
	size_t a[28], b[28];
	struct crossed data = {.y = bdflush, .a = a, .b = b, .n = 28, .levels_a = 7, .levels_b = 4};
	double work[512];
	struct two_way t;

	for (size_t i = 0; i < 28; i++) {
		a[i] = i / 4;
		b[i] = i % 4;
	}
	assert_true(two_way_work(7, 4) <= 512);
	t = two_way(&data, true, work);
	assert_int_equal(t.flags, 0);
	assert_close(t.a.f, 341.575, 2e-6);
	assert_true(t.a.df == 6 && t.b.df == 3 && t.error.df == 18 && t.interaction.df == 0);
	assert_true(t.a.p < 1e-15 && t.a.p > 0);
	assert_close(t.b.f, 1.493, 4e-4);
	assert_close(t.b.p, 0.25, 2e-2);
	assert_close(t.nonadditivity.statistic, 2.682, 2e-4);
	assert_close(t.nonadditivity.p, 0.120, 4e-3);
	assert_true(t.cells == 28 && t.n == 28);
	/* Balanced: it does not matter which factor comes first. */
	assert_close(t.a_given_b.ss, t.a.ss, 1e-14);
}

/* Two treatments in complete blocks are pairs, in whatever order the values come. */
static void test_two_treatments_are_pairs(void **state)
{
	const double x[] = {5.1, 7.25, 6.5, 9.75, 4.5}, y[] = {5.5, 7.5, 7.75, 9.5, 5.25};
	const double all[] = {5.5, 7.25, 7.75, 4.5, 9.75, 5.1, 7.5, 6.5, 9.5, 5.25};
	const size_t treatment[] = {1, 0, 1, 0, 0, 0, 1, 0, 1, 1}, block[] = {0, 1, 2, 4, 3, 0, 1, 2, 3, 4};
	struct crossed data = {.y = all, .a = treatment, .b = block, .n = 10, .levels_a = 2, .levels_b = 5};
	double work[128];
	struct contrast got = block_contrast(&data, 0, 1, work), want = paired(x, y, 5);

	assert_true(two_way_work(2, 5) <= 128);
	assert_close(got.estimate, want.estimate, 1e-14);
	assert_close(got.se, want.se, 1e-14);
	assert_close(got.df, want.df, 0);
	assert_close(got.p, want.p, 1e-13);
	assert_true(got.nx == 5 && got.ny == 5);
	assert_close(block_contrast(&data, 1, 0, work).estimate, -want.estimate, 1e-14);
}

/* Complete blocks by hand: 3 treatments in 2 blocks, treatment totals 3, 7, 11 and block totals 12, 9; the residuals
 * are +-.5, -+1 and +-.5, so their sum of squares is 3 on 2 degrees of freedom, and se is sqrt(1.5 (1/2 + 1/2)). */
static void test_complete_blocks_by_hand(void **state)
{
	const double y[] = {2.5, 3, 6.5, 0.5, 4, 4.5};
	const size_t treatment[] = {0, 1, 2, 0, 1, 2}, block[] = {0, 0, 0, 1, 1, 1};
	struct crossed data = {.y = y, .a = treatment, .b = block, .n = 6, .levels_a = 3, .levels_b = 2};
	double work[128];
	struct contrast c = block_contrast(&data, 0, 2, work);
	struct two_way t = two_way(&data, false, work);

	assert_close(c.estimate, 4, 1e-15);
	assert_close(c.se, sqrt(1.5), 1e-14);
	assert_close(c.df, 2, 0);
	assert_close(t.error.ss, 3, 1e-14);
	assert_close(t.a.ss, 16, 1e-14);
	assert_close(t.b.ss, 1.5, 1e-14);
	assert_close(t.a.f, 16.0 / 2 / 1.5, 1e-14);
}

/* Treatments that no chain of blocks connects are not compared; the others are. */
static void test_unconnected(void **state)
{
	const double y[] = {1, 2.5, 2, 3, 5, 7, 6, 9};
	const size_t treatment[] = {0, 1, 0, 1, 2, 3, 2, 3}, block[] = {0, 0, 1, 1, 2, 2, 3, 3};
	struct crossed data = {.y = y, .a = treatment, .b = block, .n = 8, .levels_a = 5, .levels_b = 4};
	double work[256];
	struct contrast c = block_contrast(&data, 0, 2, work);

	assert_true(two_way_work(5, 4) <= 256);
	assert_int_equal(c.flags, EST_TOO_FEW);
	assert_true(isnan(c.estimate) && isnan(c.se) && isnan(c.p));
	c = block_contrast(&data, 2, 3, work);
	assert_int_equal(c.flags, 0);
	assert_close(c.estimate, 2.5, 1e-15);
	/* 8 values less 4 blocks less 2: differences 1.5, 1 | 2, 3 have squares .125 + .5 about their means, half each.
	 */
	assert_close(c.df, 2, 0);
	assert_close(c.se, sqrt((0.125 + 0.5) / 2 / 2), 1e-14);
	/* A level without values is compared with nothing. */
	assert_int_equal(block_contrast(&data, 2, 4, work).flags, EST_TOO_FEW);
}

/* Nothing to test with: no values, a NaN, no error left, one level only, no variation at all or none beside the model.
 */
static void test_unanswerable(void **state)
{
	const double exact[] = {1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3}, same[] = {0.3, 0.1 + 0.2, 0.3, 0.3};
	const double bad[] = {1, 2, NAN, 4}, y[] = {1, 2, 4, 9};
	const size_t a[] = {0, 0, 1, 1}, b[] = {0, 1, 0, 1}, none[] = {0, 0, 0, 0}, chain[] = {0, 1, 1, 2};
	struct crossed data = {.y = exact, .a = a, .b = b, .n = 4, .levels_a = 2, .levels_b = 2};
	double work[64];
	struct two_way t = two_way(&data, false, work);
	struct contrast c = block_contrast(&data, 0, 1, work);

	assert_int_equal(t.flags, EST_CONSTANT);
	assert_true(isnan(t.a.f) && isnan(t.a.p));
	assert_close(t.a.ss, 4, 1e-14);
	assert_int_equal(c.flags, EST_CONSTANT);
	assert_close(c.estimate, 2, 1e-14);
	assert_true(c.se == 0 && isnan(c.p));
	data.y = same;
	c = block_contrast(&data, 0, 1, work);
	assert_int_equal(c.flags, EST_CONSTANT);
	assert_true(c.estimate == 0 && c.p == 1);
	data.y = bad;
	assert_int_equal(two_way(&data, true, work).flags, EST_NOT_FINITE);
	assert_int_equal(two_way(&data, true, work).nonadditivity.flags, EST_NOT_FINITE);
	assert_int_equal(block_contrast(&data, 0, 1, work).flags, EST_NOT_FINITE);
	data.y = y;
	/* 2 x 2 of one: the additive model leaves one degree of freedom, which the test of non-additivity would need.
	 */
	assert_int_equal(two_way(&data, true, work).nonadditivity.flags, EST_TOO_FEW);
	data.n = 0;
	assert_int_equal(two_way(&data, true, work).flags, EST_TOO_FEW);
	assert_int_equal(block_contrast(&data, 0, 1, work).flags, EST_TOO_FEW);
	data.n = 4;
	data.b = none;
	data.levels_b = 1;
	assert_int_equal(two_way(&data, true, work).flags, EST_TOO_FEW);
	/* Four values, four cells, a model of rank four: a straight chain. */
	data.b = chain;
	data.levels_b = 3;
	t = two_way(&data, true, work);
	assert_int_equal(t.flags, EST_TOO_FEW);
	assert_close(t.error.df, 0, 0);
	assert_int_equal(block_contrast(&data, 0, 1, work).flags, EST_TOO_FEW);
}

/* A factor without any effect has no product with the other: non-additivity is not asked of rounding. */
static void test_no_effect_no_product(void **state)
{
	double y[12], work[128];
	size_t a[12], b[12];
	struct crossed data = {.y = y, .a = a, .b = b, .n = 12, .levels_a = 3, .levels_b = 4};

	for (size_t i = 0; i < 12; i++) {
		a[i] = i / 4;
		b[i] = i % 4;
		/* Rows of one sum, so that a has no effect: turned by one each. */
		y[i] = 10 + 0.1 * (double)((i % 4 + i / 4) % 4 == 0) + 0.3 * (double)((i % 4 + i / 4) % 4 == 1);
	}
	assert_true(two_way_work(3, 4) <= 128);
	assert_int_equal(two_way(&data, false, work).nonadditivity.flags, EST_CONSTANT);
}

/* Digits that all values have in common cost none of F: values in eighths, which 1e12 in front leaves exact. And
 * one_way() is the table in which the second factor and the interaction belong to the error. */
static void test_leading_digits(void **state)
{
	double y[60], work[256];
	size_t a[60], b[60];
	struct crossed data = {.y = y, .a = a, .b = b, .n = 60, .levels_a = 5, .levels_b = 4};
	struct values groups[5];
	struct two_way t, far;
	struct one_way o;

	for (size_t i = 0; i < 60; i++) {
		a[i] = i / 12;
		b[i] = i % 4;
		y[i] = 0.125 * (double)(i * i % 17) + 0.25 * (double)(i / 12);
		groups[i / 12] = (struct values){y + i / 12 * 12, 12};
	}
	assert_true(two_way_work(5, 4) <= 256);
	t = two_way(&data, true, work);
	o = one_way(groups, 5, 0);
	assert_close(t.a.ss, o.between.ss, 1e-13);
	assert_close(t.b.ss + t.interaction.ss + t.error.ss, o.within.ss, 1e-13);
	for (size_t i = 0; i < 60; i++)
		y[i] += 1e12;
	far = two_way(&data, true, work);
	assert_close(far.a.f, t.a.f, 1e-11);
	assert_close(far.b.f, t.b.f, 1e-11);
	assert_close(far.interaction.f, t.interaction.f, 1e-11);
	assert_close(far.nonadditivity.statistic, t.nonadditivity.statistic, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_r),
	    cmocka_unit_test(test_bdflush),
	    cmocka_unit_test(test_two_treatments_are_pairs),
	    cmocka_unit_test(test_complete_blocks_by_hand),
	    cmocka_unit_test(test_unconnected),
	    cmocka_unit_test(test_unanswerable),
	    cmocka_unit_test(test_no_effect_no_product),
	    cmocka_unit_test(test_leading_digits),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
