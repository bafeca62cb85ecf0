#include "check.h"

#include <gsl/gsl_errno.h>

#include "../stats/blocked_two_way.h"
#include "../stats/error_contrast.h"
#include "../stats/normal_maximum.h"
#include "../stats/studentized_range.h"
#include "two_way_case.h"

/* Every line of the table of two factors in complete blocks is that of R's lm(): 2 to 7 blocks, cells left empty. */
static void test_blocked_two_way_is_r(void **state)
{
	struct table *table = table_read("blocked_two_way.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t levels_block = (size_t)table_number(table, i, "levels_block");
		g_autofree double *y = NULL;
		g_autofree size_t *a = NULL, *b = NULL;
		struct crossed data = crossed_read(table, i, &y, &a, &b);
		g_autofree size_t *block = levels_read(table, i, "block", data.n), *cell = g_new(size_t, data.n);
		g_autofree double *work =
		    g_new(double, blocked_two_way_work(data.levels_a, data.levels_b, levels_block));
		struct anova_term blocks;
		struct two_way t = blocked_two_way(&data, block, levels_block, &blocks, cell, work);

		assert_int_equal(t.flags, 0);
		check_term(table, i, "block_", &blocks, &worst);
		check_terms(table, i, &t, &worst);
	}
	table_report(table, "blocked_two_way.tsv", worst);
	table_free(table);
}

/* Nothing is left of the noise: values that cells and blocks explain to the last digit have no F. */
static void test_blocked_without_noise(void **state)
{
	const double y[] = {1, 2, 2, 3, 4, 5, 7, 8};
	const size_t a[] = {0, 0, 0, 0, 1, 1, 1, 1}, b[] = {0, 0, 1, 1, 0, 0, 1, 1}, block[] = {0, 1, 0, 1, 0, 1, 0, 1};
	struct crossed data = {.y = y, .a = a, .b = b, .n = 8, .levels_a = 2, .levels_b = 2};
	struct anova_term blocks;
	size_t cell[8];
	double work[128];
	struct two_way t;

	assert_true(blocked_two_way_work(2, 2, 2) <= 128);
	t = blocked_two_way(&data, block, 2, &blocks, cell, work);
	assert_int_equal(t.flags, EST_CONSTANT);
	assert_true(isnan(t.a.f) && isnan(t.b.p) && isnan(t.interaction.f));
	/* a: means 2 and 6 of four values each */
	assert_close(t.a.ss, 32, 1e-14);
}

/* The difference of two of three groups, its error from all: coef(summary(lm(y ~ g)))["g2", ]. */
static void test_error_contrast_is_r(void **state)
{
	const struct anova_term error = {.df = 5, .ms = 0.24666666666666762};
	struct contrast c = error_contrast(12.233333333333333, 3, 13.600000000000001, 2, &error);

	assert_close(c.estimate, 1.366666666666669583, 1e-14);
	assert_close(c.se, 0.453382350291182401, 1e-14);
	assert_close(c.t, 3.014379950584611834, 1e-13);
	assert_close(c.p, 0.029606482233806013, 1e-11);
	assert_close(c.df, 5, 0);
	assert_true(c.nx == 3 && c.ny == 2);
}

/* No degree of freedom, no value or no error: NaN and why. */
static void test_error_contrast_unanswerable(void **state)
{
	const struct anova_term none = {.df = 0, .ms = NAN}, exact = {.df = 3, .ms = 0}, error = {.df = 3, .ms = 1};
	struct contrast c = error_contrast(1, 1, 2, 1, &none);

	assert_int_equal(c.flags, EST_TOO_FEW);
	assert_close(c.estimate, 1, 0);
	assert_true(isnan(c.p) && isnan(c.se));
	assert_int_equal(error_contrast(1, 0, 2, 1, &error).flags, EST_TOO_FEW);
	c = error_contrast(1, 1, 2, 1, &exact);
	assert_int_equal(c.flags, EST_CONSTANT);
	assert_true(isnan(c.p) && isnan(tukey_p(&c, 4)));
	assert_int_equal(error_contrast(NAN, 1, 2, 1, &error).flags, EST_NOT_FINITE);
}

/* Tippett's means of the largest value: closed forms for 2 to 4, R's integrate(x k dnorm(x) pnorm(x)^(k-1)) beyond. */
static void test_normal_maximum(void **state)
{
	const double root = sqrt(4 * atan(1));

	assert_true(isnan(normal_maximum(0)));
	assert_true(normal_maximum(1) == 0);
	assert_close(normal_maximum(2), 1 / root, 1e-13);
	assert_close(normal_maximum(3), 1.5 / root, 1e-13);
	assert_close(normal_maximum(4), 1.02937537300396, 1e-13);
	assert_close(normal_maximum(5), 1.16296447364052, 1e-13);
	assert_close(normal_maximum(28), 2.01370692412327, 1e-13);
	assert_close(normal_maximum(1000), 3.24143576913344, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_blocked_two_way_is_r), cmocka_unit_test(test_blocked_without_noise),
	    cmocka_unit_test(test_error_contrast_is_r),  cmocka_unit_test(test_error_contrast_unanswerable),
	    cmocka_unit_test(test_normal_maximum),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
