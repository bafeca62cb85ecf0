#include "check.h"

#include <gsl/gsl_errno.h>

#include "../stats/tdist.h"
#include "reference/table.h"

/* Tail and quantile of Student's t are R's over 15 degrees of freedom and p from 0.975 to 1e-305. */
static void test_central_is_r(void **state)
{
	struct table *table = table_read("tdist.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		double argument = table_number(table, i, "argument"), df = table_number(table, i, "df");
		double (*f)(double, double) =
		    g_str_equal(table_text(table, i, "function"), "tail") ? student_t_tail : student_t_critical;

		table_check(table, i, "value", f(argument, df), 1e-11, &worst);
	}
	table_report(table, "tdist.tsv", worst);
	table_free(table);
}

/* Where R approximates: large degrees of freedom, and the noncentral t, against 40-digit arithmetic (mpmath). */
static void test_exact(void **state)
{
	struct table *table = table_read("tdist_exact.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		double t = table_number(table, i, "argument"), df = table_number(table, i, "df");
		double noncentrality = table_number(table, i, "noncentrality");
		double got = g_str_equal(table_text(table, i, "function"), "tail")
				 ? student_t_tail(t, df)
				 : noncentral_t_tails(t, df, noncentrality);

		table_check(table, i, "value", got, 1e-12, &worst);
	}
	table_report(table, "tdist_exact.tsv", worst);
	table_free(table);
}

/* The quantile is the inverse of the tail, for p over 300 decades. Degrees of freedom 1 by arithmetic: cot(pi p). */
static void test_inverse(void **state)
{
	const double df[] = {1, 1.01, 3, 17.5, 120, 1e5, 1e9};

	for (size_t i = 0; i < sizeof df / sizeof df[0]; i++) {
		for (double p = 0.4999; p > 1e-299; p *= p > 0.1 ? 0.8 : 1e-5)
			assert_close(student_t_tail(student_t_critical(p, df[i]), df[i]), p, 1e-11);
	}
	assert_close(student_t_critical(1e-12, 1), 1e12 / M_PI, 1e-12);
	assert_close(student_t_critical(1e-300, 1), 1e300 / M_PI, 1e-12);
	assert_close(student_t_critical(0.1, 1), 1 / tan(0.1 * M_PI), 1e-13);
}

/* A noncentrality of 0 is the central t; no t is beyond 0; the sign of the noncentrality does not matter. */
static void test_noncentral_limits(void **state)
{
	assert_close(noncentral_t_tails(2.5, 7, 0), 2 * student_t_tail(2.5, 7), 1e-13);
	assert_close(noncentral_t_tails(1e8, 1, 0), 2 * student_t_tail(1e8, 1), 1e-12);
	assert_close(noncentral_t_tails(0, 7, 3), 1, 0);
	assert_close(noncentral_t_tails(2.5, 7, -3), noncentral_t_tails(2.5, 7, 3), 0);
	assert_close(noncentral_t_tails(2.5, 7, INFINITY), 1, 0);
	assert_close(noncentral_t_tails(2.5, 7, 1e6), 1, 1e-12);
	/* No variance in the denominator: a normal, P(|Z + 3| > 2) = Phi(1) + Phi(-5). */
	assert_close(noncentral_t_tails(2, 1e18, 3), (erfc(-1 / M_SQRT2) + erfc(5 / M_SQRT2)) / 2, 1e-9);
}

/* Outside the domain the answer is NaN, and at its ends what the limit is. */
static void test_domain(void **state)
{
	const double bad_df[] = {NAN, 0, -1, 1e-300, INFINITY};

	for (size_t i = 0; i < sizeof bad_df / sizeof bad_df[0]; i++) {
		assert_close(student_t_tail(1, bad_df[i]), NAN, 0);
		assert_close(student_t_critical(0.1, bad_df[i]), NAN, 0);
		assert_close(noncentral_t_tails(1, bad_df[i], 1), NAN, 0);
	}
	assert_close(student_t_tail(NAN, 3), NAN, 0);
	assert_close(student_t_tail(INFINITY, 3), 0, 0);
	assert_close(student_t_tail(-INFINITY, 3), 1, 0);
	assert_close(student_t_critical(0, 3), INFINITY, 0);
	assert_close(student_t_critical(1, 3), -INFINITY, 0);
	assert_close(student_t_critical(0.5, 3), 0, 0);
	assert_close(student_t_critical(-0.1, 3), NAN, 0);
	assert_close(student_t_critical(1.1, 3), NAN, 0);
	assert_close(student_t_critical(NAN, 3), NAN, 0);
	assert_close(noncentral_t_tails(-1, 3, 1), NAN, 0);
	assert_close(noncentral_t_tails(NAN, 3, 1), NAN, 0);
	assert_close(noncentral_t_tails(1, 3, NAN), NAN, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_central_is_r),      cmocka_unit_test(test_exact),  cmocka_unit_test(test_inverse),
	    cmocka_unit_test(test_noncentral_limits), cmocka_unit_test(test_domain),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
