#include "check.h"

#include <stdlib.h>

#include <gsl/gsl_errno.h>

#include "../stats/anova.h"
#include "../stats/dunnett.h"
#include "../stats/studentized_range.h"
#include "../stats/tdist.h"
#include "../stats/ttest.h"
#include "reference/table.h"

#define GROUPS_MAX 12

/* How far it is to the next step that a loop takes: valgrind needs minutes for all of them. */
static guint stride(guint under_valgrind)
{
	return getenv("VALGRIND") ? under_valgrind : 1;
}

static double tail(const struct table *table, guint row, double argument)
{
	size_t m, k = (size_t)table_number(table, row, "k");
	g_autofree double *numbers = table_numbers(table, row, "n", &m);
	double df = table_number(table, row, "df");
	size_t n[GROUPS_MAX];

	if (g_str_equal(table_text(table, row, "function"), "range"))
		return studentized_range_tail(argument, k, df);
	assert_string_equal(table_text(table, row, "function"), "dunnett");
	assert_true(m == k && m <= GROUPS_MAX);
	for (size_t i = 0; i < m; i++)
		n[i] = (size_t)numbers[i];
	return dunnett_tail(argument, n, m, (size_t)table_number(table, row, "control"), df);
}

/* Tails of the studentised range and of Dunnett's largest |t|, down to 2e-19: trapezoidal sums, of which the
 * former were held against SciPy's when the table was made. */
static void test_tails(void **state)
{
	struct table *table = table_read("studentized_range.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i += stride(7))
		table_check(table, i, "value", tail(table, i, table_number(table, i, "argument")), 1e-11, &worst);
	table_report(table, "studentized_range.tsv", worst);
	table_free(table);
}

/* Dunnett's tail of 300 comparisons, which falls steeply: dunnett_tail(3, [3] * 300, 3, 1) and (6, .., 4) of
 * make_studentized_range.py. */
static void test_many(void **state)
{
	size_t n[300];

	for (size_t i = 0; i < G_N_ELEMENTS(n); i++)
		n[i] = 3;
	assert_close(dunnett_tail(3, n, G_N_ELEMENTS(n), 3, 1), 0.61125070344343091, 1e-11);
	assert_close(dunnett_tail(6, n, G_N_ELEMENTS(n), 3, 4), 0.064179128188249251, 1e-11);
}

/* The critical value is the inverse of the tail, for p from .999 to 1e-12. */
static void test_inverse(void **state)
{
	const double p[] = {0.999, 0.5, 0.05, 1e-12}, df[] = {1, 6.3, INFINITY};
	const size_t n[] = {3, 10, 5};

	for (size_t i = 0; i < sizeof p / sizeof p[0]; i += stride(3)) {
		for (size_t j = 0; j < sizeof df / sizeof df[0]; j++) {
			double q = studentized_range_critical(p[i], 7, df[j]),
			       t = dunnett_critical(p[i], n, 3, 6, df[j]);

			assert_close(studentized_range_tail(q, 7, df[j]), p[i], 1e-10);
			assert_close(dunnett_tail(t, n, 3, 6, df[j]), p[i], 1e-10);
		}
	}
}

/* Also where p is near the smallest double and the value near the largest: df 1, where a tail is a constant / q. */
static void test_inverse_far_out(void **state)
{
	const size_t n[] = {3, 10, 5};
	double q = studentized_range_critical(1e-290, 4, 1), t = dunnett_critical(1e-290, n, 3, 6, 1);

	assert_close(q * 1e-290, studentized_range_critical(1e-20, 4, 1) * 1e-20, 1e-11);
	assert_close(t * 1e-290, dunnett_critical(1e-20, n, 3, 6, 1) * 1e-20, 1e-11);
}

/* Dunnett's critical values for alpha .05, and Tukey's q, to all the digits published: 2.862750 (m 2, v 6), 2.734677
 * (m 5, v 20); SciPy: studentized_range.ppf(.95, 3, 10), (.95, 10, 20), (.99, 5, 6.5). */
static void test_published(void **state)
{
	const size_t three[] = {3, 3}, five[] = {5, 5, 5, 5, 5};

	assert_close(dunnett_critical(0.05, three, 2, 3, 6), 2.862750, 2e-7);
	assert_close(dunnett_critical(0.05, five, 5, 5, 20), 2.734677, 2e-7);
	assert_close(studentized_range_critical(0.05, 3, 10), 3.876776750013, 1e-9);
	assert_close(studentized_range_critical(0.05, 10, 20), 5.007882667595, 1e-9);
	assert_close(studentized_range_critical(0.01, 5, 6.5), 7.252803607882, 1e-9);
}

/* One comparison is Student's t; two values have a range that is the difference; more comparisons are never cheaper,
 * and dearer by no more than Bonferroni's. With many more values in the control than elsewhere the t values are nearly
 * independent: then 1 - (1 - p)^m, with known variance. */
static void test_limits(void **state)
{
	const size_t n[] = {4, 4, 4, 4}, few[] = {1, 1, 1, 1};

	for (double df = 1; df < 1e5; df *= 40 * stride(40)) {
		for (double t = 0.5; t < 20; t *= 3) {
			double one = 2 * student_t_tail(t, df);

			assert_close(dunnett_tail(t, n, 1, 4, df), one, 1e-14);
			assert_close(studentized_range_tail(t * sqrt(2), 2, df), one, 1e-13);
			for (size_t m = 2; m <= 4; m++) {
				double several = dunnett_tail(t, n, m, 4, df), pairs = (double)(m * (m + 1) / 2);
				double range = studentized_range_tail(t * sqrt(2), m + 1, df);

				assert_true(several > dunnett_tail(t, n, m - 1, 4, df) &&
					    several <= (double)m * one * (1 + 1e-11));
				assert_true(range > several && range <= pairs * one * (1 + 1e-11));
			}
		}
	}
	assert_close(dunnett_tail(2, few, 4, 100000000, INFINITY), 1 - pow(1 - erfc(sqrt(2)), 4), 1e-7);
	/* And with far fewer they are all one. */
	assert_close(dunnett_tail(2, (const size_t[]){100000, 100000}, 2, 1, INFINITY), erfc(sqrt(2)), 1e-2);
}

/* Outside the domain the answer is NaN, and at its ends what the limit is. */
static void test_domain(void **state)
{
	const size_t n[] = {3, 3}, empty[] = {3, 0};

	assert_close(studentized_range_tail(NAN, 3, 5), NAN, 0);
	assert_close(studentized_range_tail(1, 1, 5), NAN, 0);
	assert_close(studentized_range_tail(1, 3, 0), NAN, 0);
	assert_close(studentized_range_tail(1, 3, NAN), NAN, 0);
	assert_close(studentized_range_tail(-1, 3, 5), 1, 0);
	assert_close(studentized_range_tail(1e-12, 3, 5), 1, 1e-12);
	assert_close(studentized_range_tail(INFINITY, 3, 5), 0, 0);
	assert_close(studentized_range_critical(0, 3, 5), INFINITY, 0);
	assert_close(studentized_range_critical(1, 3, 5), 0, 0);
	assert_close(studentized_range_critical(1.5, 3, 5), NAN, 0);
	assert_close(studentized_range_critical(0.05, 1, 5), NAN, 0);
	assert_close(dunnett_tail(NAN, n, 2, 3, 5), NAN, 0);
	assert_close(dunnett_tail(1, n, 0, 3, 5), NAN, 0);
	assert_close(dunnett_tail(1, n, 2, 0, 5), NAN, 0);
	assert_close(dunnett_tail(1, empty, 2, 3, 5), NAN, 0);
	assert_close(dunnett_tail(1, n, 2, 3, NAN), NAN, 0);
	assert_close(dunnett_tail(0, n, 2, 3, 5), 1, 0);
	assert_close(dunnett_tail(1e-12, n, 2, 3, 5), 1, 1e-11);
	assert_close(dunnett_tail(INFINITY, n, 2, 3, 5), 0, 0);
	assert_close(dunnett_critical(0, n, 2, 3, 5), INFINITY, 0);
	assert_close(dunnett_critical(1, n, 2, 3, 5), 0, 0);
	assert_close(dunnett_critical(-1, n, 2, 3, 5), NAN, 0);
}

/* p and interval of each pair: Tukey-Kramer is scipy.stats.tukey_hsd, Games-Howell numpy's arithmetic with SciPy's
 * distribution. Both are 1 - cdf in SciPy, so a small p is compared absolutely. */
static void test_pairs_are_scipy(void **state)
{
	struct table *table = table_read("tukey.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i += stride(3)) {
		size_t k, n, base = (size_t)table_number(table, i, "base"),
			     other = (size_t)table_number(table, i, "other");
		g_autofree double *sizes = table_numbers(table, i, "sizes", &k);
		g_autofree double *y = table_numbers(table, i, "y", &n);
		struct values groups[GROUPS_MAX], *x = &groups[base], *z = &groups[other];
		struct contrast c;
		double low, high, critical;

		assert_true(k <= GROUPS_MAX);
		for (size_t j = 0, first = 0; j < k; first += (size_t)sizes[j++])
			groups[j] = (struct values){y + first, (size_t)sizes[j]};
		c = g_str_equal(table_text(table, i, "test"), "tukey") ? pooled_contrast(groups, k, base, other, 0)
								       : welch(x->x, x->n, z->x, z->n);
		critical = studentized_range_critical(1 - table_number(table, i, "level"), k, c.df);
		tukey_interval(&c, critical, &low, &high);
		assert_true(fabs(tukey_p(&c, k) - table_number(table, i, "p")) < 1e-11);
		table_check(table, i, "low", low, 1e-9, &worst);
		table_check(table, i, "high", high, 1e-9, &worst);
		if (base != 0 || other != 1)
			continue;
		/* The interval at the level 1 - p ends at no difference. */
		tukey_interval(&c, studentized_range_critical(tukey_p(&c, k), k, c.df), &low, &high);
		assert_true(fmin(fabs(low), fabs(high)) <= 1e-9 * fabs(c.estimate));
	}
	table_report(table, "tukey.tsv", worst);
	table_free(table);
}

/* Sides without variation, or too small: as the contrast says. */
static void test_pairs_unanswerable(void **state)
{
	const double x[] = {3, 3}, y[] = {4, 4}, one[] = {5};
	const struct values equal[] = {{x, 2}, {x, 2}}, apart[] = {{x, 2}, {y, 2}}, scarce[] = {{one, 1}, {one, 1}};
	struct contrast c = pooled_contrast(equal, 2, 0, 1, 0);
	double low, high;

	assert_close(tukey_p(&c, 3), 1, 0);
	c = pooled_contrast(apart, 2, 0, 1, 0);
	assert_int_equal(c.flags, EST_CONSTANT);
	assert_close(tukey_p(&c, 3), NAN, 0);
	tukey_interval(&c, studentized_range_critical(0.05, 3, c.df), &low, &high);
	assert_true(low == 1 && high == 1);
	c = pooled_contrast(scarce, 2, 0, 1, 0);
	assert_int_equal(c.flags, EST_TOO_FEW);
	assert_close(tukey_p(&c, 3), NAN, 0);
	tukey_interval(&c, studentized_range_critical(0.05, 3, c.df), &low, &high);
	assert_true(low == -INFINITY && high == INFINITY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tails),
	    cmocka_unit_test(test_many),
	    cmocka_unit_test(test_inverse),
	    cmocka_unit_test(test_inverse_far_out),
	    cmocka_unit_test(test_published),
	    cmocka_unit_test(test_limits),
	    cmocka_unit_test(test_domain),
	    cmocka_unit_test(test_pairs_are_scipy),
	    cmocka_unit_test(test_pairs_unanswerable),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
