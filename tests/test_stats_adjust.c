#include "check.h"

#include <string.h>

#include <gsl/gsl_errno.h>

#include "../stats/adjust.h"
#include "reference/table.h"

/* Holm's p values are R's p.adjust, NaN entries not counted; and the same where the result overwrites the input. */
static void test_holm_is_r(void **state)
{
	struct table *table = table_read("adjust.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t m, m_want;
		g_autofree double *p = table_numbers(table, i, "p", &m);
		g_autofree double *want = table_numbers(table, i, "holm", &m_want);
		g_autofree double *adjusted = g_new(double, m);
		g_autofree size_t *work = g_new(size_t, m);

		assert_int_equal(m, m_want);
		holm(p, m, adjusted, work);
		holm(p, m, p, work);
		for (size_t j = 0; j < m; j++) {
			assert_close(adjusted[j], want[j], 1e-14);
			assert_close(p[j], want[j], 1e-14);
			worst = want[j] > 0 ? fmax(worst, fabs(adjusted[j] / want[j] - 1)) : worst;
		}
	}
	table_report(table, "adjust.tsv", worst);
	table_free(table);
}

/* Equal p get equal adjusted ones, a larger p never a smaller one, and none is smaller than it was. By definition. */
static void test_holm_is_monotone(void **state)
{
	double p[40], adjusted[40];
	size_t work[40];

	for (size_t i = 0; i < 40; i++)
		p[i] = (double)(i * 17 % 23) / 400;
	holm(p, 40, adjusted, work);
	for (size_t i = 0; i < 40; i++) {
		assert_true(adjusted[i] >= p[i] && adjusted[i] <= 1);
		for (size_t j = 0; j < 40; j++) {
			assert_true(p[i] != p[j] || adjusted[i] == adjusted[j]);
			assert_true(p[i] >= p[j] || adjusted[i] <= adjusted[j]);
		}
	}
}

/* What is no probability is no test, and no tests are no answer. */
static void test_holm_domain(void **state)
{
	const double p[] = {0.01, -0.5, 2, INFINITY, 0.02, -INFINITY};
	double adjusted[6];
	size_t work[6];

	holm(p, 6, adjusted, work);
	assert_close(adjusted[0], 0.02, 1e-15);
	assert_close(adjusted[4], 0.02, 1e-15);
	for (size_t i = 1; i < 6; i++)
		assert_true(i == 4 || isnan(adjusted[i]));
	holm(NULL, 0, NULL, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_holm_is_r),
	    cmocka_unit_test(test_holm_is_monotone),
	    cmocka_unit_test(test_holm_domain),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
