#include "check.h"

#include <gsl/gsl_errno.h>

#include "../stats/brunner_munzel.h"
#include "../stats/kolmogorov_smirnov.h"
#include "../stats/mann_whitney.h"
#include "../stats/permutation.h"
#include "../stats/signed_rank.h"
#include "reference/table.h"

#define RESAMPLES 9999
#define SEED 3

/* The test of that name; a work area of just the size that it asks for, so that a sanitizer sees the end. */
static struct test run(const char *name, const double *x, size_t nx, const double *y, size_t ny)
{
	g_autofree void *pooled = g_malloc(24 * (nx + ny));
	g_autofree void *work = NULL;

	if (g_str_equal(name, "mann-whitney"))
		return mann_whitney(x, nx, y, ny, work = g_malloc(mann_whitney_work_bytes(nx, ny)));
	if (g_str_equal(name, "mann-whitney-normal"))
		return mann_whitney_normal(x, nx, y, ny, pooled);
	if (g_str_equal(name, "kolmogorov-smirnov"))
		return kolmogorov_smirnov(x, nx, y, ny, work = g_malloc(kolmogorov_smirnov_work_bytes(nx, ny)));
	if (g_str_equal(name, "kolmogorov-smirnov-limit"))
		return kolmogorov_smirnov_limit(x, nx, y, ny, pooled);
	if (g_str_equal(name, "brunner-munzel"))
		return brunner_munzel(x, nx, y, ny, work = g_malloc(brunner_munzel_work_bytes(nx, ny)));
	if (g_str_equal(name, "brunner-munzel-permuted"))
		return brunner_munzel_permuted(x, nx, y, ny, RESAMPLES, SEED,
					       work = g_malloc(brunner_munzel_work_bytes(nx, ny)));
	if (g_str_equal(name, "permutation"))
		return permutation(x, nx, y, ny, RESAMPLES, SEED, work = g_malloc(permutation_work_bytes(nx, ny)));
	assert_int_equal(nx, ny);
	if (g_str_equal(name, "signed-rank"))
		return signed_rank(x, y, nx, work = g_malloc(signed_rank_work_bytes(nx)));
	assert_string_equal(name, "permutation-paired");
	return permutation_paired(x, y, nx, RESAMPLES, SEED, work = g_malloc(nx * sizeof *x));
}

static void check_table(const char *name, double rel)
{
	struct table *table = table_read(name);
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t nx, ny;
		g_autofree double *x = table_numbers(table, i, "x", &nx);
		g_autofree double *y = table_numbers(table, i, "y", &ny);
		struct test t = run(table_text(table, i, "test"), x, nx, y, ny);

		assert_int_equal(t.flags, 0);
		assert_int_equal(t.n, nx + ny);
		table_check(table, i, "statistic", t.statistic, rel, &worst);
		if (g_str_equal(table_text(table, i, "test"), "kolmogorov-smirnov"))
			assert_true(fabs(t.p - table_number(table, i, "p")) <= 1e-11);
		else
			table_check(table, i, "p", t.p, rel, &worst);
	}
	table_report(table, name, worst);
	table_free(table);
}

/* Mann-Whitney, signed rank and Kolmogorov-Smirnov are R's; it takes an exact
 * Kolmogorov-Smirnov p from 1, in sums that leave it 12 places; the next test asks for more. */
static void test_ranks_are_r(void **state)
{
	check_table("rank_tests.tsv", 1e-10);
}

/* With ties, and for what R has not, they are SciPy's over all splits or signs, or counted in whole numbers. Statistics
 * were rounded there to 1e-11, for SciPy takes sums in another order as different values. */
static void test_permutations_are_scipy(void **state)
{
	check_table("permutation.tsv", 1e-9);
}

/* Least p of all splits: 3v3 .1, 3v4 .0571, 4v4 .0286, 5v5 .00794, 6v6 .00216, that is 2 over the binomial coefficient,
 * by hand; what is drawn stops at 2 / (m + 1). Sides that do not overlap have just that p. */
static void test_least_p(void **state)
{
	const struct {
		size_t nx, ny;
		double splits;
	} sizes[] = {{3, 3, 20}, {3, 4, 35}, {4, 4, 70}, {5, 5, 252}, {6, 6, 924}, {2, 5, 21}};
	double x[60], y[60];

	for (size_t i = 0; i < 60; i++) {
		x[i] = (double)(i * 7 % 60);
		y[i] = 100 + (double)(i * i * 11 % 97);
	}
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		assert_close(permutation_least_p(sizes[i].nx, sizes[i].ny, 999), 2 / sizes[i].splits, 1e-14);
		assert_close(run("brunner-munzel-permuted", x, sizes[i].nx, y, sizes[i].ny).p, 2 / sizes[i].splits,
			     1e-14);
		assert_close(run("mann-whitney", x, sizes[i].nx, y, sizes[i].ny).p, 2 / sizes[i].splits, 1e-14);
		assert_close(run("kolmogorov-smirnov", x, sizes[i].nx, y, sizes[i].ny).p, 2 / sizes[i].splits, 1e-13);
		assert_true(run("permutation", x, sizes[i].nx, y, sizes[i].ny).p >= 2 / sizes[i].splits - 1e-14);
	}
	assert_close(permutation_least_p(10, 10, 999), 2.0 / 184756, 1e-14);
	assert_close(permutation_least_p(30, 30, 999), 2.0 / 1000, 1e-14);
	assert_close(permutation_paired_least_p(5, 999), 2.0 / 32, 1e-14);
	assert_close(permutation_paired_least_p(40, 999), 2.0 / 1000, 1e-14);
	assert_close(permutation_least_p(1, 1, 999), 1, 0);
}

/* A drawn p is never 0, however far the sides are apart: 2 / (m + 1), not 0 of m. MongoDB's can be 0. */
static void test_drawn_p_is_never_zero(void **state)
{
	double x[40], y[40];

	for (size_t i = 0; i < 40; i++) {
		x[i] = 1 + 1e-3 * (double)(i * 7 % 40);
		y[i] = 1000 + (double)(i * 11 % 40);
	}
	assert_close(run("permutation", x, 40, y, 40).p, 2.0 / (RESAMPLES + 1), 1e-14);
	assert_close(run("brunner-munzel-permuted", x, 40, y, 40).p, 2.0 / (RESAMPLES + 1), 1e-14);
	assert_close(run("permutation-paired", x, 40, y, 40).p, 2.0 / (RESAMPLES + 1), 1e-14);
	assert_true(run("mann-whitney", x, 40, y, 40).p > 0);
	assert_true(run("kolmogorov-smirnov", x, 40, y, 40).p > 0);
}

/* A drawn p is near the exact one: the same 12 v 11 values by all 1,352,078 splits gave SciPy's
 * permutation_test .0802350; 9999 draws leave a standard error of .004. */
static void test_drawn_p_is_near(void **state)
{
	const double x[] = {3.1, 4.7, 5.2, 2.9, 6.3, 4.4, 5.9, 3.8, 4.1, 5.5, 2.2, 6.8};
	const double y[] = {5.1, 6.2, 7.7, 3.9, 5.8, 6.6, 4.9, 8.1, 2.7, 6.9, 5.3};
	struct test t = run("permutation", x, 12, y, 11);

	assert_true(fabs(t.p - 0.08023501602718186) < 0.012);
	assert_close(t.p, run("permutation", x, 12, y, 11).p, 0);
	assert_true(t.p != permutation(x, 12, y, 11, RESAMPLES, SEED + 1, (double[46]){0}).p);
}

/* Two constant sides are not tested, however many the values and however unequal their counts, but equal ones have p 1;
 * pyperf calls such sides significant. */
static void test_no_variation(void **state)
{
	const char *names[] = {"mann-whitney", "kolmogorov-smirnov", "brunner-munzel",    "brunner-munzel-permuted",
			       "permutation",  "signed-rank",        "permutation-paired"};
	double x[20], y[20];

	for (size_t i = 0; i < 20; i++) {
		x[i] = 0.1 + 0.2;
		y[i] = 0.3;
	}
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		size_t ny = i < 5 ? 7 : 20;
		struct test alike = run(names[i], x, 20, y, ny), apart;

		assert_int_equal(alike.flags, EST_CONSTANT);
		assert_close(alike.p, 1, 0);
		y[0] = 0.3;
		for (size_t j = 0; j < 20; j++)
			y[j] = 0.4;
		apart = run(names[i], x, 20, y, ny);
		assert_int_equal(apart.flags, EST_CONSTANT);
		assert_true(isnan(apart.p));
		for (size_t j = 0; j < 20; j++)
			y[j] = 0.3;
	}
}

/* Unequal counts alone are no difference: a sample against a part of itself, repeated. */
static void test_unequal_counts(void **state)
{
	const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, y[] = {2, 5, 8, 11};

	assert_close(run("mann-whitney", x, 12, y, 4).p, 1, 1e-14);
	assert_true(run("kolmogorov-smirnov", x, 12, y, 4).p > 0.99);
	assert_true(run("permutation", x, 12, y, 4).p > 0.99);
	assert_true(run("brunner-munzel", x, 12, y, 4).p > 0.99);
}

/* Sides that do not overlap have no Brunner-Munzel t: said so, not p = 0. */
static void test_brunner_munzel_without_overlap(void **state)
{
	const double x[] = {1, 2, 3, 4}, y[] = {5, 6, 7, 8, 9};
	struct test t = run("brunner-munzel", x, 4, y, 5);

	assert_int_equal(t.flags, EST_UNBOUNDED);
	assert_true(isnan(t.p) && isnan(t.statistic));
	t = run("brunner-munzel-permuted", x, 4, y, 5);
	assert_close(t.statistic, INFINITY, 0);
	assert_close(t.p, 2.0 / 126, 1e-14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_ranks_are_r),     cmocka_unit_test(test_permutations_are_scipy),
	    cmocka_unit_test(test_least_p),         cmocka_unit_test(test_drawn_p_is_never_zero),
	    cmocka_unit_test(test_drawn_p_is_near), cmocka_unit_test(test_no_variation),
	    cmocka_unit_test(test_unequal_counts),  cmocka_unit_test(test_brunner_munzel_without_overlap),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
