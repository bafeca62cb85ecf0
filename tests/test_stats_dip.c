#include "check.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>

#include "../stats/dip.h"
#include "reference/table.h"

static double dip(double *x, size_t n)
{
	g_autofree void *work = g_malloc(dip_bytes(n));

	gsl_sort(x, 1, n);
	return dip_sorted(x, n, work);
}

/* Hartigan's definition, by linear programming. */
static void test_is_the_definition(void **state)
{
	struct table *table = table_read("dip.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t n;
		g_autofree double *x = table_numbers(table, i, "x", &n);

		table_check(table, i, "dip", dip(x, n), 1e-10, &worst);
	}
	table_report(table, "dip.tsv", worst);
	table_free(table);
}

/* {1,1,2,2} and {0,2,3,5,6} as known; evenly spaced values have the least, 1 / (2n); two far heaps of n/2 alike values
 * have the most, 1/4; alike values have a single mode; scale and place do not matter. */
static void test_known(void **state)
{
	double pairs[] = {1, 1, 2, 2}, five[] = {0, 2, 3, 5, 6}, even[] = {1, 2, 3, 4, 5, 6, 7, 8};
	double heaps[] = {0, 0, 0, 9, 9, 9}, alike[] = {4, 4, 4}, two[] = {1, 2}, high[5];

	assert_close(dip(pairs, 4), 0.25, 1e-15);
	assert_close(dip(five, 5), 2. / 15, 1e-15);
	assert_close(dip(even, 8), 1. / 16, 1e-15);
	assert_close(dip(heaps, 6), 0.25, 1e-15);
	assert_close(dip(alike, 3), 1. / 6, 1e-15);
	assert_close(dip(two, 2), 0.25, 1e-15);
	assert_close(dip(alike, 0), NAN, 0);
	for (size_t i = 0; i < 5; i++)
		high[i] = ldexp(five[i], 1000);
	assert_close(dip(high, 5), 2. / 15, 1e-15);
}

static struct test run(const double *x, size_t n, size_t simulations)
{
	g_autofree void *work = g_malloc(dip_test_bytes(n));

	return dip_test(x, n, simulations, 7, work);
}

/* 300 uniform samples of 20: p is at most .1 in 30 of them, but for 4.5 standard errors of a binomial; and of the
 * normal distribution, where the test is conservative, in no more. */
static void test_level(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	int uniform = 0, normal = 0;
	double x[20];

	for (int i = 0; i < 300; i++) {
		for (size_t k = 0; k < 20; k++)
			x[k] = gsl_rng_uniform(random);
		uniform += run(x, 20, 199).p <= 0.1;
		for (size_t k = 0; k < 20; k++)
			x[k] = gsl_ran_gaussian(random, 1);
		normal += run(x, 20, 199).p <= 0.1;
	}
	gsl_rng_free(random);
	print_message("dip: %d of 300 uniform samples at p <= .1, %d of 300 normal ones\n", uniform, normal);
	assert_in_range(uniform, 7, 53);
	assert_in_range(normal, 0, 30);
}

/* Two heaps give the least p there is, 1 / (m + 1), the same seed the same p, and a sample above the size that is
 * simulated one as small. */
static void test_two_modes(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double x[3000];

	for (size_t k = 0; k < 3000; k++)
		x[k] = gsl_ran_gaussian(random, 1) + (k % 2 ? 0 : 8);
	assert_close(run(x, 60, 499).p, 1. / 500, 1e-15);
	assert_close(run(x, 3000, 99).p, 1. / 100, 1e-15);
	for (size_t k = 0; k < 3000; k++)
		x[k] = gsl_rng_uniform(random);
	assert_true(run(x, 3000, 99).p > 0.02);
	assert_close(run(x, 30, 499).p, run(x, 30, 499).p, 0);
	gsl_rng_free(random);
}

/* Alike, scarce and broken values are not tested. */
static void test_no_answer(void **state)
{
	const double alike[] = {0.1 + 0.2, 0.3, 0.3, 0.3}, broken[] = {1, 2, INFINITY, 4};

	assert_int_equal(run(alike, 4, 9).flags, EST_CONSTANT);
	assert_close(run(alike, 4, 9).p, NAN, 0);
	assert_int_equal(run(alike, 3, 9).flags, EST_TOO_FEW);
	assert_int_equal(run(broken, 4, 9).flags, EST_NOT_FINITE);
	assert_close(run(broken, 4, 9).statistic, NAN, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_the_definition), cmocka_unit_test(test_known),     cmocka_unit_test(test_level),
	    cmocka_unit_test(test_two_modes),         cmocka_unit_test(test_no_answer),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
