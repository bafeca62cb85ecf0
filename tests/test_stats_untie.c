#include "check.h"

#include "../stats/untie.h"

static void check_untied(double *x, const double *want, size_t n)
{
	untie(x, n);
	for (size_t i = 0; i < n; i++)
		assert_close(x[i], want[i], 1e-14);
}

/* Values alike are spread over the width of one step, the least distance; by hand. */
static void test_ties_are_spread(void **state)
{
	double x[] = {1, 1, 1.5, 3, 3, 3, 3}, y[] = {0, 0, 0, 0, 6};
	/* width .5: 1 -+ .125; 3 + .5 * ({1, 3, 5, 7} / 8 - .5).  width 6: 6 * ({1, 3, 5, 7} / 8 - .5) */
	const double of_x[] = {0.875, 1.125, 1.5, 2.8125, 2.9375, 3.0625, 3.1875},
		     of_y[] = {-2.25, -0.75, 0.75, 2.25, 6};

	check_untied(x, of_x, 7);
	check_untied(y, of_y, 5);
}

/* Without ties, all alike, or few: as they were. */
static void test_nothing_to_do(void **state)
{
	double x[] = {1, 2, 4}, constant[] = {7, 7, 7}, one[] = {3};

	check_untied(x, (const double[]){1, 2, 4}, 3);
	check_untied(constant, (const double[]){7, 7, 7}, 3);
	check_untied(one, (const double[]){3}, 1);
	untie(NULL, 0);
}

/* A difference by rounding is none, at any scale, and no step. */
static void test_rounding(void **state)
{
	for (double scale = 1e-9; scale < 1e10; scale *= 1e18) {
		double x[] = {0.3 * scale, 0.30000000000000004 * scale, 0.4 * scale};
		/* .3 -+ .025 */
		const double want[] = {0.275 * scale, 0.325 * scale, 0.4 * scale};

		check_untied(x, want, 3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_ties_are_spread),
	    cmocka_unit_test(test_nothing_to_do),
	    cmocka_unit_test(test_rounding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
