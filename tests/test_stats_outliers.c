#include "check.h"

#include <gsl/gsl_errno.h>

#include "../stats/outliers.h"
#include "reference/table.h"

static void check_marks(const struct table *table, guint row, const char *column, const double *marks, size_t n,
			size_t marked)
{
	size_t length, count = 0;
	g_autofree double *want = table_numbers(table, row, column, &length);

	assert_int_equal(length, n);
	for (size_t i = 0; i < n; i++) {
		if (marks[i] != want[i])
			fail_msg("%s of '%s': mark of value %zu", column, table_text(table, row, "case"), i);
		count += marks[i] != 0;
	}
	assert_int_equal(count, marked);
}

/* Deviates, their limits and the number of outliers, and the marks of the two other rules, are R's. */
static void test_is_r(void **state)
{
	struct table *table = table_read("outliers.tsv");

	for (guint i = 0; i < table->rows->len; i++) {
		size_t n, steps, outliers;
		g_autofree double *x = table_numbers(table, i, "x", &n), *r = table_numbers(table, i, "r", &steps);
		g_autofree double *lambda = table_numbers(table, i, "lambda", &steps), *work = g_new(double, n);
		g_autofree double *marks = g_new(double, n);
		g_autofree size_t *order = g_new(size_t, n);
		struct gesd_step found[10];

		outliers = gesd(x, n, steps, table_number(table, i, "alpha"), found, work, order);
		assert_int_equal(outliers, (size_t)table_number(table, i, "outliers"));
		for (size_t k = 0; k < steps; k++) {
			assert_close(found[k].r, r[k], 1e-10);
			assert_close(found[k].lambda, lambda[k], 1e-11);
		}
		check_marks(table, i, "mad", marks, n, mad_outliers(x, n, marks, work));
		check_marks(table, i, "fences", marks, n, fence_outliers(x, n, marks, work));
	}
	table_report(table, "outliers.tsv", 0);
	table_free(table);
}

/* Rosner's 54 values: R and lambda to the digits that the NIST handbook (1.3.5.17.3) prints, and its 3 outliers. */
static void test_nist_handbook(void **state)
{
	const double x[] = {-0.25, 0.68, 0.94, 1.15, 1.20, 1.26, 1.26, 1.34, 1.38, 1.43, 1.49, 1.49, 1.55, 1.56,
			    1.58,  1.65, 1.69, 1.70, 1.76, 1.77, 1.81, 1.91, 1.94, 1.96, 1.99, 2.06, 2.09, 2.10,
			    2.14,  2.15, 2.23, 2.24, 2.26, 2.35, 2.37, 2.40, 2.47, 2.54, 2.62, 2.64, 2.90, 2.92,
			    2.92,  2.93, 3.21, 3.26, 3.30, 3.59, 3.68, 4.30, 4.64, 5.34, 5.42, 6.01};
	const double r[] = {3.118, 2.942, 3.179, 2.810, 2.815, 2.848, 2.279, 2.310, 2.101, 2.067};
	const double lambda[] = {3.158, 3.151, 3.143, 3.136, 3.128, 3.120, 3.111, 3.103, 3.094, 3.085};
	struct gesd_step steps[10];
	double work[54];
	size_t order[54];

	assert_int_equal(gesd(x, 54, 10, 0.05, steps, work, order), 3);
	for (size_t i = 0; i < 10; i++) {
		/* The handbook cuts the digits off. */
		assert_true(steps[i].r >= r[i] && steps[i].r < r[i] + 0.001);
		assert_true(steps[i].lambda >= lambda[i] && steps[i].lambda < lambda[i] + 0.001);
	}
	assert_int_equal(steps[0].index, 53);
	assert_int_equal(steps[1].index, 52);
	assert_int_equal(steps[2].index, 51);
}

/* By hand: of 1 2 3 4 100 the median is 3 and the MAD 1, so that z of 100 is 65 and of the others 1.35 at most; the
 * quartiles are 2 and 4, the fences -1 and 7. With one value unlike four, the mean deviation stands in for the MAD. */
static void test_by_hand(void **state)
{
	const double x[] = {1, 2, 3, 4, 100}, alike[] = {5, 5, 5, 5, 5, 6};
	double marks[6], work[6];

	assert_int_equal(mad_outliers(x, 5, marks, work), 1);
	assert_close(marks[4], 1, 0);
	assert_int_equal(fence_outliers(x, 5, marks, work), 1);
	assert_close(marks[4], 1, 0);
	assert_close(marks[0], 0, 0);
	/* 1 against 3.5 * 1.2533 / 6 */
	assert_int_equal(mad_outliers(alike, 6, marks, work), 1);
	assert_close(marks[5], 1, 0);
}

/* Nothing stands out of too few, alike or broken values, nor of those that are alike but for an outlier; steps that
 * were not made are NaN. */
static void test_nothing_to_mark(void **state)
{
	const double few[] = {1, 1000}, alike[] = {0.1 + 0.2, 0.3, 0.3}, broken[] = {1, 2, NAN, 1000};
	const double rest[] = {0.1 + 0.2, 0.3, 0.3, 5, 0.3};
	double marks[4] = {7, 7, 7, 7}, work[5];
	struct gesd_step steps[3];
	size_t order[5];

	assert_int_equal(mad_outliers(few, 2, marks, work), 0);
	assert_int_equal(fence_outliers(alike, 3, marks, work), 0);
	assert_int_equal(mad_outliers(broken, 4, marks, work), 0);
	for (size_t i = 0; i < 4; i++)
		assert_close(marks[i], 0, 0);
	assert_int_equal(gesd(few, 2, 3, 0.05, steps, work, order), 0);
	assert_int_equal(gesd(alike, 3, 3, 0.05, steps, work, order), 0);
	assert_int_equal(gesd(broken, 4, 3, 0.05, steps, work, order), 0);
	assert_close(steps[0].r, NAN, 0);
	assert_int_equal(gesd(rest, 5, 3, 0.05, steps, work, order), 1);
	assert_int_equal(steps[0].index, 3);
	assert_close(steps[1].r, NAN, 0);
	assert_close(steps[2].lambda, NAN, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_r),
	    cmocka_unit_test(test_nist_handbook),
	    cmocka_unit_test(test_by_hand),
	    cmocka_unit_test(test_nothing_to_mark),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
