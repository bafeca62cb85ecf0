#include "check.h"

#include <gsl/gsl_errno.h>

#include "../stats/ttest.h"
#include "reference/table.h"

/* Throughput of dbench with 32 clients under two kernels, MB/s, three runs each. */
static const double kernel_247[] = {10.2184, 10.0105, 10.0215}, kernel_ac10[] = {7.84171, 7.68447, 7.85119};

static struct contrast run(const char *test, const double *x, size_t nx, const double *y, size_t ny, double *work)
{
	if (g_str_equal(test, "welch"))
		return welch(x, nx, y, ny);
	if (g_str_equal(test, "welch-log"))
		return welch_log(x, nx, y, ny, work);
	assert_int_equal(nx, ny);
	if (g_str_equal(test, "paired"))
		return paired(x, y, nx);
	assert_string_equal(test, "paired-log");
	return paired_log(x, y, nx, work);
}

/* Estimate, standard error, degrees of freedom, t, p down to 1e-300, interval and equivalence p are R's. */
static void test_is_r(void **state)
{
	struct table *table = table_read("ttest.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t nx, ny;
		g_autofree double *x = table_numbers(table, i, "x", &nx);
		g_autofree double *y = table_numbers(table, i, "y", &ny);
		g_autofree double *work = g_new(double, nx + ny);
		struct contrast c = run(table_text(table, i, "test"), x, nx, y, ny, work);
		double low, high;

		assert_int_equal(c.flags, 0);
		assert_int_equal(c.nx, nx);
		assert_int_equal(c.ny, ny);
		contrast_interval(&c, table_number(table, i, "level"), &low, &high);
		table_check(table, i, "estimate", c.estimate, 1e-10, &worst);
		table_check(table, i, "se", c.se, 1e-10, &worst);
		table_check(table, i, "df", c.df, 1e-10, &worst);
		table_check(table, i, "t", c.t, 1e-10, &worst);
		table_check(table, i, "p", c.p, 1e-10, &worst);
		table_check(table, i, "low", low, 1e-10, &worst);
		table_check(table, i, "high", high, 1e-10, &worst);
		table_check(
		    table, i, "equivalence_p",
		    contrast_tost_p(&c, table_number(table, i, "bound_low"), table_number(table, i, "bound_high")),
		    1e-10, &worst);
	}
	table_report(table, "ttest.tsv", worst);
	table_free(table);
}

/* The ratio that was found between the kernels: 0.7728 (0.7524 to 0.7938), p 1.184e-05. Four digits, from R. */
static void test_kernels(void **state)
{
	double work[6], low, high;
	struct contrast c = welch_log(kernel_247, 3, kernel_ac10, 3, work), other_way;

	contrast_interval(&c, 0.95, &low, &high);
	assert_close(exp(c.estimate), 0.7728, 5e-5);
	assert_close(exp(low), 0.7524, 7e-5);
	assert_close(exp(high), 0.7938, 7e-5);
	assert_close(c.p, 1.184e-05, 5e-4);
	other_way = welch_log(kernel_ac10, 3, kernel_247, 3, work);
	assert_close(other_way.estimate, -c.estimate, 0);
	assert_close(other_way.p, c.p, 0);
}

/* A sample against itself never differs: estimate 0, p 1, for every n and every scale. */
static void test_against_itself(void **state)
{
	for (size_t n = 2; n < 60; n++) {
		for (double scale = 1e-200; scale < 1e300; scale *= 1e50) {
			double x[60], work[120], low, high;
			struct contrast all[4];

			for (size_t i = 0; i < n; i++)
				x[i] = scale * (1 + 0.1 * (double)(i * i % 7));
			all[0] = welch(x, n, x, n);
			all[1] = welch_log(x, n, x, n, work);
			all[2] = paired(x, x, n);
			all[3] = paired_log(x, x, n, work);
			for (int i = 0; i < 4; i++) {
				assert_close(all[i].estimate, 0, 0);
				assert_close(all[i].t, 0, 0);
				assert_close(all[i].p, 1, 1e-15);
				assert_int_equal(all[i].flags, i < 2 ? 0 : EST_CONSTANT);
				contrast_interval(&all[i], 0.95, &low, &high);
				assert_true(low <= 0 && high >= 0);
			}
		}
	}
}

/* Both sides constant: nothing can be tested; equal but for rounding has p 1 and a difference of exactly 0, else p NaN.
 */
static void test_both_constant(void **state)
{
	const double x[] = {0.1 + 0.2, 0.1 + 0.2}, y[] = {0.3, 0.3, 0.3}, z[] = {0.31, 0.31};
	double low, high;
	struct contrast equal = welch(x, 2, y, 3), different = welch(x, 2, z, 2);

	assert_int_equal(equal.flags, EST_CONSTANT);
	assert_close(equal.estimate, 0, 0);
	assert_close(equal.se, 0, 0);
	assert_close(equal.df, NAN, 0);
	assert_close(equal.p, 1, 0);
	assert_int_equal(different.flags, EST_CONSTANT);
	assert_close(different.estimate, 0.01, 1e-13);
	assert_close(different.se, 0, 0);
	assert_close(different.p, NAN, 0);
	contrast_interval(&different, 0.95, &low, &high);
	assert_close(low, different.estimate, 0);
	assert_close(high, different.estimate, 0);
	assert_close(contrast_tost_p(&different, -1, 1), NAN, 0);
}

/* One side constant: df is n - 1 of the other, exactly. R: t.test(c(4, 5, 6, 9), c(3, 3, 3))$p.value */
static void test_one_constant(void **state)
{
	const double x[] = {3, 3, 3}, y[] = {4, 5, 6, 9};
	struct contrast c = welch(x, 3, y, 4);

	assert_int_equal(c.flags, 0);
	assert_close(c.df, 3, 0);
	assert_close(c.se, sqrt(14.0 / 12), 1e-14);
	assert_close(c.p, 0.0691368692644288, 1e-12);
	assert_close(welch(y, 4, x, 3).df, 3, 0);
}

/* Variances 300 decades apart: the larger one's side decides. */
static void test_extreme_variances(void **state)
{
	const double x[] = {1e-150, 2e-150, 4e-150}, y[] = {1e150, 2e150, 5e150, 3e150};
	struct contrast c = welch(x, 3, y, 4);

	assert_int_equal(c.flags, 0);
	assert_close(c.df, 3, 1e-15);
	assert_close(c.estimate, 2.75e150, 1e-15);
	assert_close(c.se, 1e150 * sqrt(8.75 / 12), 1e-14);
}

/* Pairs whose differences are alike but for the rounding of the values: constant, however large the values are. */
static void test_paired_constant(void **state)
{
	const double x[] = {1e9, 1e9 + 1, 1e9 + 2.5}, small[] = {1, 2, 3};
	double y[3], work[6];
	struct contrast c;

	for (int i = 0; i < 3; i++)
		y[i] = x[i] + 0.1;
	assert_true(y[1] - x[1] != 0.1);
	c = paired(x, y, 3);
	assert_int_equal(c.flags, EST_CONSTANT);
	assert_close(c.se, 0, 0);
	assert_close(c.df, 2, 0);
	assert_close(c.estimate, 0.1, 1e-6);
	assert_close(c.p, NAN, 0);
	for (int i = 0; i < 3; i++)
		y[i] = small[i] * 1.1;
	c = paired_log(small, y, 3, work);
	assert_int_equal(c.flags, EST_CONSTANT);
	assert_close(c.estimate, log(1.1), 1e-15);
	assert_close(c.p, NAN, 0);
	for (int i = 0; i < 3; i++)
		y[i] = small[i] * (1 + (i - 1) * 0x1p-51);
	c = paired(small, y, 3);
	assert_int_equal(c.flags, EST_CONSTANT);
	assert_close(c.estimate, 0, 0);
	assert_close(c.p, 1, 0);
}

/* The rounding of a value near 1 is no spread of its logarithm, though that is as small. */
static void test_rounding_near_one(void **state)
{
	const double x[] = {1, 1 + 0x1p-52}, y[] = {1, 1 - 0x1p-53};
	double work[4];
	struct contrast c = welch_log(x, 2, y, 2, work);

	assert_int_equal(c.flags, EST_CONSTANT);
	assert_close(c.estimate, 0, 0);
	assert_close(c.p, 1, 0);
	c = paired_log(x, y, 2, work);
	assert_int_equal(c.flags, EST_CONSTANT);
	assert_close(c.p, 1, 0);
}

/* Fewer than two values a side: the difference where there is one, and nothing that would say how sure it is. */
static void test_too_few(void **state)
{
	const double x[] = {1, 2, 4}, y[] = {3};
	double low, high;
	struct contrast c = welch(x, 3, y, 1);

	assert_int_equal(c.flags, EST_TOO_FEW);
	assert_close(c.estimate, 3 - 7.0 / 3, 1e-15);
	assert_close(c.se, NAN, 0);
	assert_close(c.df, NAN, 0);
	assert_close(c.p, NAN, 0);
	contrast_interval(&c, 0.95, &low, &high);
	assert_close(low, -INFINITY, 0);
	assert_close(high, INFINITY, 0);
	assert_close(contrast_tost_p(&c, -1, 1), NAN, 0);
	assert_close(welch(x, 3, y, 0).estimate, NAN, 0);
	assert_int_equal(paired(x, y, 1).flags, EST_TOO_FEW);
	assert_close(paired(x, y, 1).estimate, 2, 0);
	assert_close(paired(x, y, 0).estimate, NAN, 0);
}

/* Equivalence is the worse of two one-sided tests: with a side open it is the other. By definition, and p at the bound.
 */
static void test_equivalence(void **state)
{
	struct contrast c = welch(kernel_247, 3, kernel_ac10, 3);

	assert_close(contrast_tost_p(&c, -INFINITY, 0), c.p / 2, 1e-13);
	assert_close(contrast_tost_p(&c, 0, INFINITY), 1 - c.p / 2, 1e-13);
	assert_close(contrast_tost_p(&c, c.estimate, INFINITY), 0.5, 1e-13);
	assert_close(contrast_tost_p(&c, -INFINITY, INFINITY), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_r),
	    cmocka_unit_test(test_kernels),
	    cmocka_unit_test(test_against_itself),
	    cmocka_unit_test(test_both_constant),
	    cmocka_unit_test(test_one_constant),
	    cmocka_unit_test(test_extreme_variances),
	    cmocka_unit_test(test_paired_constant),
	    cmocka_unit_test(test_rounding_near_one),
	    cmocka_unit_test(test_too_few),
	    cmocka_unit_test(test_equivalence),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
