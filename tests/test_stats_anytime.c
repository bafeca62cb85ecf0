#include "check.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "../stats/anytime.h"
#include "../stats/ttest.h"
#include "reference/table.h"

static struct contrast pairs_of(double t, size_t n)
{
	return (struct contrast){.estimate = t, .se = 1, .df = (double)n - 1, .t = t, .p = 0.5, .nx = n, .ny = n};
}

/* log E is that of 50 digits, and the integral that it is the closed form of, which SciPy gives to 1e-8. */
static void test_is_the_integral(void **state)
{
	struct table *table = table_read("anytime.tsv");
	double worst = 0, worst_integral = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		struct contrast c = pairs_of(table_number(table, i, "t"), (size_t)table_number(table, i, "n"));
		struct test e = anytime_t(&c, table_number(table, i, "g"));

		assert_int_equal(e.flags, 0);
		table_check(table, i, "exact", e.statistic, 1e-12, &worst);
		if (!isnan(table_number(table, i, "log_e")))
			table_check(table, i, "log_e", e.statistic, 1e-8, &worst_integral);
		assert_close(e.p, fmin(1, exp(-e.statistic)), 1e-15);
	}
	table_report(table, "anytime.tsv", worst);
	table_free(table);
}

/* Pairs that differ by the same everywhere, an infinite t, are not tested; equal pairs are no evidence; few pairs, a
 * prior without width and a t of infinity get what they can. */
static void test_edges(void **state)
{
	const double x[] = {1, 2, 3}, y[] = {2, 3, 4};
	struct contrast same = paired(x, x, 3), shifted = paired(x, y, 3), one = paired(x, y, 1);
	struct contrast infinite = pairs_of(INFINITY, 5), some = pairs_of(2, 5);

	assert_close(anytime_t(&same, 1).statistic, -0.5 * log(4), 1e-15);
	assert_close(anytime_t(&same, 1).p, 1, 0);
	assert_close(anytime_t(&shifted, 1).statistic, NAN, 0);
	assert_int_equal(anytime_t(&shifted, 1).flags, EST_CONSTANT);
	assert_int_equal(anytime_t(&one, 1).flags, EST_TOO_FEW);
	assert_close(anytime_t(&some, 0).p, NAN, 0);
	/* (v / 2) log(1 + n g) is all that n pairs can say. */
	assert_close(anytime_t(&infinite, 1).statistic, 2 * log(6), 1e-14);
}

/* At its limit t gives p = alpha; three pairs can never say p <= .05 at g = 1, whose least p is 1/4. */
static void test_limit(void **state)
{
	const size_t sizes[] = {4, 5, 10, 100, 100000};

	for (size_t i = 0; i < 5; i++) {
		struct contrast c = pairs_of(anytime_t_limit(sizes[i], 4, 0.05), sizes[i]);

		assert_true(c.t > 2 && isfinite(c.t));
		assert_close(anytime_t(&c, 4).p, 0.05, 1e-11);
	}
	assert_close(anytime_t_limit(3, 1, 0.05), INFINITY, 0);
	assert_close(anytime_t_limit(1, 1, 0.05), INFINITY, 0);
	assert_close(anytime_t_limit(9, 1, 1), INFINITY, 0);
}

/* Looked at after each of 60 pairs that do not differ, 2,000 times: at most 5% stop, but for 3 standard errors, where a
 * plain t test stops in more than 20%. */
static void test_may_be_looked_at(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	int stopped = 0, naive = 0;

	for (int i = 0; i < 2000; i++) {
		double x[60] = {0}, y[60];
		int is_stopped = 0, is_naive = 0;

		for (size_t n = 1; n <= 60; n++) {
			struct contrast c;

			y[n - 1] = gsl_ran_gaussian(random, 1);
			if (n < 3)
				continue;
			c = paired(x, y, n);
			is_stopped |= anytime_t(&c, 1).p <= 0.05;
			is_naive |= c.p <= 0.05;
		}
		stopped += is_stopped;
		naive += is_naive;
	}
	gsl_rng_free(random);
	print_message("anytime: %.2f%% stop where nothing differs, %.1f%% by the plain test\n", stopped / 20.,
		      naive / 20.);
	assert_in_range(stopped, 10, 129);
	assert_true(naive > 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_the_integral),
	    cmocka_unit_test(test_edges),
	    cmocka_unit_test(test_limit),
	    cmocka_unit_test(test_may_be_looked_at),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
