#include "check.h"

#include <string.h>

#include <gsl/gsl_errno.h>

#include "../stats/adjust.h"
#include "reference/table.h"

typedef void adjustment(const double *p, size_t m, double *adjusted, size_t *work);

static void check_against_r(const char *column, adjustment *adjust)
{
	struct table *table = table_read("adjust.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t m, m_want;
		g_autofree double *p = table_numbers(table, i, "p", &m);
		g_autofree double *want = table_numbers(table, i, column, &m_want);
		g_autofree double *adjusted = g_new(double, m);
		g_autofree size_t *work = g_new(size_t, m);

		assert_int_equal(m, m_want);
		adjust(p, m, adjusted, work);
		adjust(p, m, p, work);
		for (size_t j = 0; j < m; j++) {
			assert_close(adjusted[j], want[j], 1e-14);
			assert_close(p[j], want[j], 1e-14);
			worst = want[j] > 0 ? fmax(worst, fabs(adjusted[j] / want[j] - 1)) : worst;
		}
	}
	table_report(table, "adjust.tsv", worst);
	table_free(table);
}

/* Holm's p values are R's p.adjust, NaN entries not counted; and the same where the result overwrites the input. */
static void test_holm_is_r(void **state)
{
	check_against_r("holm", holm);
}

/* The same of Benjamini and Hochberg's. */
static void test_benjamini_hochberg_is_r(void **state)
{
	check_against_r("bh", benjamini_hochberg);
}

/* Equal p get equal adjusted ones, a larger p never a smaller one, and none is smaller than it was. By definition. And
 * what holds the family-wise rate is never smaller than what holds the rate of false discoveries. */
static void test_monotone(void **state)
{
	adjustment *const adjustments[] = {holm, benjamini_hochberg};
	double p[40], adjusted[2][40];
	size_t work[40];

	for (size_t i = 0; i < 40; i++)
		p[i] = (double)(i * 17 % 23) / 400;
	for (size_t k = 0; k < 2; k++) {
		adjustments[k](p, 40, adjusted[k], work);
		for (size_t i = 0; i < 40; i++) {
			assert_true(adjusted[k][i] >= p[i] && adjusted[k][i] <= 1);
			for (size_t j = 0; j < 40; j++) {
				assert_true(p[i] != p[j] || adjusted[k][i] == adjusted[k][j]);
				assert_true(p[i] >= p[j] || adjusted[k][i] <= adjusted[k][j]);
			}
		}
	}
	for (size_t i = 0; i < 40; i++)
		assert_true(adjusted[1][i] <= adjusted[0][i]);
}

/* What is no probability is no test, and no tests are no answer. Two tests: twice the smaller; and the larger as it is,
 * but for Holm no smaller than that. */
static void test_domain(void **state)
{
	const double p[] = {0.01, -0.5, 2, INFINITY, 0.02, -INFINITY};
	adjustment *const adjustments[] = {holm, benjamini_hochberg};
	double adjusted[6];
	size_t work[6];

	for (size_t k = 0; k < 2; k++) {
		adjustments[k](p, 6, adjusted, work);
		assert_close(adjusted[0], 0.02, 1e-15);
		assert_close(adjusted[4], 0.02, 1e-15);
		for (size_t i = 1; i < 6; i++)
			assert_true(i == 4 || isnan(adjusted[i]));
		adjustments[k](NULL, 0, NULL, NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_holm_is_r),
	    cmocka_unit_test(test_benjamini_hochberg_is_r),
	    cmocka_unit_test(test_monotone),
	    cmocka_unit_test(test_domain),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
