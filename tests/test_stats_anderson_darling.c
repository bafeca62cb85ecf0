#include "check.h"

#include <gsl/gsl_errno.h>

#include "../stats/anderson_darling.h"
#include "reference/table.h"

#define GROUPS_MAX 8

/* Cuts the numbers of a cell, groups with "nan" between them, into groups. */
static size_t cut(const double *numbers, size_t n, struct values *groups)
{
	size_t k = 0, first = 0;

	for (size_t i = 0; i <= n; i++) {
		if (i < n && !isnan(numbers[i]))
			continue;
		assert_true(k < GROUPS_MAX);
		groups[k++] = (struct values){numbers + first, i - first};
		first = i + 1;
	}
	return k;
}

/* The statistic is SciPy's; so, within 6% of itself, is p: SciPy interpolates between seven simulated levels with three
 * digits. */
static void test_is_scipy(void **state)
{
	struct table *table = table_read("anderson_darling.tsv");
	double worst = 0, worst_p = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t n;
		g_autofree double *numbers = table_numbers(table, i, "groups", &n);
		struct values groups[GROUPS_MAX];
		size_t k = cut(numbers, n, groups);
		g_autofree void *work = g_malloc(anderson_darling_bytes(groups, k));
		struct test t = anderson_darling(groups, k, work);

		assert_int_equal(t.flags, 0);
		assert_int_equal(t.n, n - k + 1);
		table_check(table, i, "statistic", t.statistic, 1e-10, &worst);
		if (isnan(table_number(table, i, "p")))
			assert_true(t.p < 0.00105 || t.p > 0.24);
		else
			table_check(table, i, "p", t.p, 0.06, &worst_p);
	}
	table_report(table, "anderson_darling.tsv", worst);
	table_free(table);
}

/* The limit distribution is that of three other formulas at 40 digits: within 1e-11, absolute. */
static void test_tail_is_exact(void **state)
{
	struct table *table = table_read("anderson_darling_tail.tsv");

	for (guint i = 0; i < table->rows->len; i++) {
		double got = anderson_darling_tail(table_number(table, i, "x"), (unsigned)table_number(table, i, "m"));

		assert_true(fabs(got - table_number(table, i, "tail")) < 1e-11);
	}
	table_free(table);
	/* The tail's leading term: m = 2, 3 exp(-x), the next being 5 exp(-3x). */
	assert_close(anderson_darling_tail(50, 2), 3 * exp(-50), 1e-10);
	assert_close(anderson_darling_tail(-1, 1), 1, 0);
	assert_true(anderson_darling_tail(1e-6, 1) > 1 - 1e-11);
}

/* It does reject: what temci's never does. 20 values against 20 that are larger, and against 20 of ten times the
 * spread. */
static void test_rejects(void **state)
{
	double x[20], larger[20], wider[20], work[200];

	for (int i = 0; i < 20; i++) {
		x[i] = 100 + 0.1 * (i * 7 % 20);
		larger[i] = 110 + 0.1 * (i * 11 % 20);
		wider[i] = 101 + (i * 13 % 20 - 9.5);
	}
	assert_true(anderson_darling((struct values[]){{x, 20}, {larger, 20}}, 2, work).p < 1e-6);
	assert_true(anderson_darling((struct values[]){{x, 20}, {wider, 20}}, 2, work).p < 0.01);
	assert_true(anderson_darling((struct values[]){{x, 20}, {x, 20}}, 2, work).p > 0.99);
}

/* Too little data, none that varies. */
static void test_edges(void **state)
{
	const double x[] = {1, 1, 1}, y[] = {2, 2, 2};
	double work[100];

	assert_int_equal(anderson_darling((struct values[]){{x, 3}}, 1, work).flags, EST_TOO_FEW);
	assert_int_equal(anderson_darling((struct values[]){{x, 3}, {y, 0}, {y, 3}}, 3, work).flags, EST_TOO_FEW);
	assert_int_equal(anderson_darling((struct values[]){{x, 1}, {y, 2}}, 2, work).flags, EST_TOO_FEW);
	assert_int_equal(anderson_darling((struct values[]){{x, 3}, {y, 3}}, 2, work).flags, EST_CONSTANT);
	assert_close(anderson_darling((struct values[]){{x, 3}, {y, 3}}, 2, work).p, NAN, 0);
	assert_close(anderson_darling((struct values[]){{x, 3}, {x, 2}}, 2, work).p, 1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_scipy),
	    cmocka_unit_test(test_tail_is_exact),
	    cmocka_unit_test(test_rejects),
	    cmocka_unit_test(test_edges),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
