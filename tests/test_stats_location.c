#include "check.h"

#include <gsl/gsl_errno.h>

#include "../stats/effect_size.h"
#include "../stats/fieller.h"
#include "../stats/fisher.h"
#include "../stats/hodges_lehmann.h"
#include "../stats/median.h"
#include "reference/table.h"

static struct estimate run(const char *name, const double *x, size_t nx, const double *y, size_t ny, double level)
{
	g_autofree void *work = NULL;

	if (g_str_equal(name, "median"))
		return median_interval(x, nx, level, work = g_malloc(nx * sizeof *x));
	if (g_str_equal(name, "hodges-lehmann"))
		return hodges_lehmann(x, nx, y, ny, level, work = g_malloc(hodges_lehmann_work_bytes(nx, ny)));
	if (g_str_equal(name, "fieller"))
		return fieller(x, nx, y, ny, level);
	if (g_str_equal(name, "hedges-g"))
		return hedges_g(x, nx, y, ny, level);
	if (g_str_equal(name, "cliff-delta"))
		return cliff_delta(x, nx, y, ny, level, work = g_malloc(cliff_delta_work_bytes(nx, ny)));
	assert_string_equal(name, "hodges-lehmann-paired");
	assert_int_equal(nx, ny);
	return hodges_lehmann_paired(x, y, nx, level, work = g_malloc(hodges_lehmann_paired_work_bytes(nx)));
}

/* Medians, Hodges-Lehmann shifts with the level that was reached, Fieller's interval, Hedges' g and Cliff's delta are
 * R's. */
static void test_location_is_r(void **state)
{
	struct table *table = table_read("location.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t nx, ny;
		g_autofree double *x = table_numbers(table, i, "x", &nx);
		g_autofree double *y = table_numbers(table, i, "y", &ny);
		struct estimate e =
		    run(table_text(table, i, "procedure"), x, nx, y, ny, table_number(table, i, "level"));

		assert_int_equal(e.flags & ~(unsigned)EST_CONSTANT, 0);
		table_check(table, i, "value", e.value, 1e-10, &worst);
		table_check(table, i, "low", e.low, 1e-9, &worst);
		table_check(table, i, "high", e.high, 1e-9, &worst);
		table_check(table, i, "reached", e.level, 1e-10, &worst);
	}
	table_report(table, "location.tsv", worst);
	table_free(table);
}

/* Fisher's p is R's. */
static void test_fisher_is_r(void **state)
{
	struct table *table = table_read("fisher.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		struct test t =
		    fisher((unsigned)table_number(table, i, "failed_x"), (unsigned)table_number(table, i, "nx"),
			   (unsigned)table_number(table, i, "failed_y"), (unsigned)table_number(table, i, "ny"));

		assert_int_equal(t.flags, 0);
		table_check(table, i, "p", t.p, 1e-9, &worst);
	}
	table_report(table, "fisher.tsv", worst);
	table_free(table);
}

/* A table of nothing is no test; by hand, the odds ratio of 3 of 4 to 1 of 4 is 9, and no failure at all has p 1. */
static void test_fisher_edges(void **state)
{
	assert_int_equal(fisher(0, 0, 1, 2).flags, EST_TOO_FEW);
	assert_true(isnan(fisher(0, 0, 1, 2).p));
	assert_int_equal(fisher(3, 2, 1, 2).flags, EST_TOO_FEW);
	assert_close(fisher(1, 4, 3, 4).statistic, 9, 1e-15);
	assert_close(fisher(0, 4, 3, 4).statistic, INFINITY, 0);
	assert_true(isnan(fisher(0, 4, 0, 4).statistic));
	assert_close(fisher(0, 4, 0, 4).p, 1, 1e-15);
}

/* An interval that cannot reach its level is unbounded and says so: a median of 5, 3 against 3, 5 pairs. 1 - 2/32, 1 -
 * 2/20 and 1 - 2/32 are what they could reach. */
static void test_too_few_for_the_level(void **state)
{
	const double x[] = {1, 2, 4, 8, 16}, y[] = {3, 5, 9, 10, 40};
	const struct {
		const char *name;
		size_t n;
		double reached;
	} least[] = {{"median", 5, 0.9375}, {"hodges-lehmann", 3, 0.9}, {"hodges-lehmann-paired", 5, 0.9375}};

	for (size_t i = 0; i < 3; i++) {
		struct estimate e = run(least[i].name, x, least[i].n, y, least[i].n, 0.95);

		assert_int_equal(e.flags, EST_TOO_FEW);
		assert_true(isfinite(e.value) && e.low == -INFINITY && e.high == INFINITY);
		e = run(least[i].name, x, least[i].n, y, least[i].n, least[i].reached);
		assert_int_equal(e.flags, 0);
		assert_close(e.level, least[i].reached, 1e-14);
	}
}

/* 9 * 10^8 differences, which nobody lists. y is x + 1/4, so that is the shift. x is uniform on (0, 1), where the
 * estimate's standard error is sqrt((1/nx + 1/ny) / 12) in the limit, by 1 / (12 (integral of f^2)^2): the width within
 * 3%. */
static void test_many_values(void **state)
{
	size_t n = 30000;
	g_autofree double *x = g_new(double, n);
	g_autofree double *y = g_new(double, n);
	struct estimate e;

	for (size_t i = 0; i < n; i++) {
		x[i] = ((double)(i * 7919 % n) + 0.5) / (double)n;
		y[i] = x[i] + 0.25;
	}
	e = run("hodges-lehmann", x, n, y, n, 0.95);
	assert_close(e.value, 0.25, 1e-12);
	assert_close(e.high - e.low, 2 * 1.959963984540054 * sqrt(2 / (double)n / 12), 0.03);
	assert_close(e.level, 0.95, 1e-4);
}

/* Unbounded where the baseline's mean is not told from 0, b^2 <= t^2 v_b; the mean of y may be 0. By hand: x = -1, 1,
 * 2, 4 has mean 1.5 and standard error 1.04, t .975 above 3, so 2.25 < 9.7. */
static void test_fieller_unbounded(void **state)
{
	const double near_zero[] = {-1, 1, 2, 4}, far[] = {99, 100, 101}, about_zero[] = {-1, 0, 1};
	struct estimate e = fieller(near_zero, 4, far, 3, 0.95);

	assert_int_equal(e.flags, EST_UNBOUNDED);
	assert_true(e.low == -INFINITY && e.high == INFINITY);
	assert_close(e.value, 100 / 1.5, 1e-14);
	e = fieller(about_zero, 3, far, 3, 0.95);
	assert_int_equal(e.flags, EST_UNBOUNDED);
	assert_true(isnan(e.value));
	e = fieller(far, 3, about_zero, 3, 0.95);
	assert_int_equal(e.flags, 0);
	assert_close(e.value, 0, 0);
	assert_close(e.low, -e.high, 1e-14);
}

/* J of 3 v 3 is gamma(2) / (sqrt(2) gamma(1.5)) = 0.797885; apart by 1 with sd 1 on both sides g is just that. Sides
 * that do not overlap have delta 1, from (n - z^2) / (n + z^2), by hand -.5615 to 1 for n = 3 ... (3 - 3.8415) / (3
 * + 3.8415). */
static void test_effects_by_hand(void **state)
{
	const double x[] = {1, 2, 3}, y[] = {2, 3, 4}, z[] = {11, 12, 13};
	struct estimate e = hedges_g(x, 3, y, 3, 0.95);

	assert_close(e.value, 0.79788456080286536, 1e-14);
	e = run("cliff-delta", x, 3, z, 3, 0.95);
	assert_close(e.value, 1, 0);
	assert_close(e.high, 1, 0);
	assert_close(e.low, (3 - 3.8414588206941236) / (3 + 3.8414588206941236), 1e-12);
	assert_close(run("cliff-delta", x, 3, x, 3, 0.95).value, 0, 0);
	/* 9 pairs: 1 + 2 + 3 larger, 1 smaller, 2 equal. */
	assert_close(run("cliff-delta", x, 3, y, 3, 0.95).value, 5.0 / 9, 1e-14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_location_is_r),   cmocka_unit_test(test_fisher_is_r),
	    cmocka_unit_test(test_fisher_edges),    cmocka_unit_test(test_too_few_for_the_level),
	    cmocka_unit_test(test_many_values),     cmocka_unit_test(test_fieller_unbounded),
	    cmocka_unit_test(test_effects_by_hand),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
