#include "check.h"

#include <gsl/gsl_errno.h>

#include "../stats/power.h"
#include "../stats/tdist.h"
#include "reference/table.h"

/* Power to 1e-9, and n and the detectable difference to 1e-6, are those of R's power.t.test(strict = TRUE). */
static void test_is_r(void **state)
{
	struct table *table = table_read("power.tsv");
	double worst[3] = {0, 0, 0};

	for (guint i = 0; i < table->rows->len; i++) {
		const char *unknown = table_text(table, i, "unknown");
		enum power_design design =
		    g_str_equal(table_text(table, i, "design"), "paired") ? POWER_PAIRED : POWER_UNPAIRED;
		double n = table_number(table, i, "n"), delta = table_number(table, i, "delta");
		double sd = table_number(table, i, "sd"), alpha = table_number(table, i, "alpha");
		double power = table_number(table, i, "power");

		if (g_str_equal(unknown, "power"))
			table_check(table, i, unknown, power_t(n, delta, sd, alpha, design), 1e-9, &worst[0]);
		else if (g_str_equal(unknown, "delta"))
			table_check(table, i, unknown, power_detectable(n, sd, alpha, power, design), 1e-7, &worst[1]);
		else
			table_check(table, i, unknown, power_n(delta, sd, alpha, power, design), 1e-7, &worst[2]);
	}
	table_report(table, "power.tsv, power", worst[0]);
	table_report(table, "power.tsv, delta", worst[1]);
	table_report(table, "power.tsv, n", worst[2]);
	table_free(table);
}

/* The three functions are inverses of each other, from a millionth of a standard deviation to a million of them. */
static void test_inverses(void **state)
{
	for (int design = POWER_UNPAIRED; design <= POWER_PAIRED; design++) {
		for (double n = 2; n < 1e7; n *= 7.3) {
			double delta = power_detectable(n, 0.3, 0.01, 0.8, (enum power_design)design);

			assert_close(power_t(n, delta, 0.3, 0.01, (enum power_design)design), 0.8, 1e-11);
			assert_close(power_n(delta, 0.3, 0.01, 0.8, (enum power_design)design), n, 1e-9);
			assert_close(power_n(-delta, 0.3, 0.01, 0.8, (enum power_design)design), n, 1e-9);
		}
	}
	/* As the variance becomes known: R, 2 * (root of pnorm(d - q) + pnorm(-d - q) = 0.8)^2 with q = qnorm(0.975).
	 */
	assert_close(power_n(1e-6, 1, 0.05, 0.8, POWER_UNPAIRED), 15.6977210187e12, 1e-10);
	assert_close(power_t(2, power_detectable(2, 1, 1e-6, 0.8, POWER_UNPAIRED), 1, 1e-6, POWER_UNPAIRED), 0.8,
		     1e-10);
}

/* Rises with n and with the difference, from alpha to 1. */
static void test_monotone(void **state)
{
	double last = 0;

	for (double delta = 0; delta < 40; delta += 0.25) {
		double power = power_t(4, delta, 1, 0.05, POWER_PAIRED);

		assert_true(power >= last - 1e-12 && power <= 1);
		last = power;
	}
	assert_close(last, 1, 1e-12);
	assert_close(power_t(4, 0, 1, 0.05, POWER_PAIRED), 0.05, 1e-12);
	last = 0;
	for (double n = 2; n < 1e5; n *= 1.5) {
		double power = power_t(n, 0.1, 1, 0.05, POWER_UNPAIRED);

		assert_true(power >= last - 1e-12 && power <= 1);
		last = power;
	}
}

/* The ends of the domain: no spread, no difference, a power that chance has, more than any n gives. */
static void test_limits(void **state)
{
	assert_close(power_t(3, 1, 0, 0.05, POWER_UNPAIRED), 1, 0);
	assert_close(power_t(3, 0, 0, 0.05, POWER_UNPAIRED), NAN, 0);
	assert_close(power_detectable(3, 0, 0.05, 0.8, POWER_UNPAIRED), 0, 0);
	assert_close(power_detectable(3, 1, 0.05, 0.04, POWER_UNPAIRED), 0, 0);
	assert_close(power_n(0, 1, 0.05, 0.8, POWER_UNPAIRED), INFINITY, 0);
	assert_close(power_n(1, 0, 0.05, 0.8, POWER_UNPAIRED), 2, 0);
	assert_close(power_n(100, 1, 0.05, 0.8, POWER_UNPAIRED), 2, 0);
	assert_close(power_n(1, 1, 0.05, 0.04, POWER_UNPAIRED), 2, 0);
	assert_close(power_n(1e-200, 1, 0.05, 0.8, POWER_UNPAIRED), INFINITY, 0);
	assert_true(isfinite(power_detectable(2, 1, 0.05, 1 - 1e-15, POWER_PAIRED)));
}

/* Outside the domain everything is NaN. */
static void test_domain(void **state)
{
	const double bad_n[] = {1.99, 0, -3, NAN, INFINITY}, bad_sd[] = {-1, NAN, INFINITY},
		     bad_p[] = {0, 1, -0.1, 2, NAN};

	for (size_t i = 0; i < 5; i++) {
		assert_close(power_t(bad_n[i], 1, 1, 0.05, POWER_PAIRED), NAN, 0);
		assert_close(power_detectable(bad_n[i], 1, 0.05, 0.8, POWER_PAIRED), NAN, 0);
		assert_close(power_t(3, 1, 1, bad_p[i], POWER_PAIRED), NAN, 0);
		assert_close(power_detectable(3, 1, bad_p[i], 0.8, POWER_PAIRED), NAN, 0);
		assert_close(power_detectable(3, 1, 0.05, bad_p[i], POWER_PAIRED), NAN, 0);
		assert_close(power_n(1, 1, bad_p[i], 0.8, POWER_PAIRED), NAN, 0);
		assert_close(power_n(1, 1, 0.05, bad_p[i], POWER_PAIRED), NAN, 0);
	}
	for (size_t i = 0; i < 3; i++) {
		assert_close(power_t(3, 1, bad_sd[i], 0.05, POWER_PAIRED), NAN, 0);
		assert_close(power_detectable(3, bad_sd[i], 0.05, 0.8, POWER_PAIRED), NAN, 0);
		assert_close(power_n(1, bad_sd[i], 0.05, 0.8, POWER_PAIRED), NAN, 0);
	}
	assert_close(power_t(3, NAN, 1, 0.05, POWER_PAIRED), NAN, 0);
	assert_close(power_n(NAN, 1, 0.05, 0.8, POWER_PAIRED), NAN, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_r),   cmocka_unit_test(test_inverses), cmocka_unit_test(test_monotone),
	    cmocka_unit_test(test_limits), cmocka_unit_test(test_domain),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
