#include "check.h"

#include <gsl/gsl_errno.h>

#include "../stats/components.h"
#include "reference/table.h"

#define UNITS_MAX 64

/* Column of a table as sizes. */
static size_t read_sizes(const struct table *table, guint row, const char *column, size_t *sizes)
{
	size_t n;
	g_autofree double *numbers = table_numbers(table, row, column, &n);

	assert_true(n <= UNITS_MAX);
	for (size_t i = 0; i < n; i++)
		sizes[i] = (size_t)numbers[i];
	return n;
}

/* Mean squares and variances are R's: balanced from aov's mean squares, unbalanced from tapply's means. */
static void test_is_r(void **state)
{
	struct table *table = table_read("components.tsv");

	for (guint i = 0; i < table->rows->len; i++) {
		size_t n, levels, count[3][UNITS_MAX];
		g_autofree double *y = table_numbers(table, i, "y", &n);
		g_autofree double *mean_square = table_numbers(table, i, "mean_square", &levels);
		g_autofree double *variance = table_numbers(table, i, "variance", &levels);
		g_autofree double *work = g_new(double, n);
		const size_t *sizes[3] = {count[0], count[1], count[2]};
		struct nested data = {.y = y, .n = n, .levels = levels, .sizes = sizes};
		struct components c;

		read_sizes(table, i, "runs", count[0]);
		if (levels == 3)
			read_sizes(table, i, "boots", count[1]);
		read_sizes(table, i, "tops", count[levels - 1]);
		c = components(&data, work);
		assert_int_equal(c.flags, 0);
		assert_int_equal(c.levels, levels);
		for (size_t level = 0; level < levels; level++) {
			assert_close(c.mean_square[level], mean_square[level], 1e-11);
			/* A difference of mean squares: relative to what is subtracted. */
			assert_true(fabs(c.variance[level] - variance[level]) <= 1e-11 * mean_square[level]);
		}
	}
	print_message("components.tsv: %u rows\n", table->rows->len);
	table_free(table);
}

static const double example[] = {9, 5, 8, 3, 10, 6, 7, 11, 1, 12, 2, 4};
static const size_t two_runs[] = {2, 2, 2, 2, 2, 2}, two_boots[] = {2, 2, 2}, three[] = {3};
static const size_t *const example_sizes[] = {two_runs, two_boots, three};

/* Kalibera and Jones's worked example: S^2 = 16.5, 2.5833, 3.5625 and T^2 = 16.5, -5.667, 2.2708. */
static void test_example(void **state)
{
	struct nested data = {.y = example, .n = 12, .levels = 3, .sizes = example_sizes};
	double work[12];
	struct components c = components(&data, work);

	assert_close(c.mean_square[0], 16.5, 1e-14);
	assert_close(c.mean_square[1], 31.0 / 12, 1e-14);
	assert_close(c.mean_square[2], 3.5625, 1e-14);
	assert_close(c.variance[0], 16.5, 1e-14);
	assert_close(c.variance[1], 31.0 / 12 - 8.25, 1e-14);
	assert_close(c.variance[2], 3.5625 - 31.0 / 24, 1e-14);
	assert_true(c.repeats[0] == 2 && c.repeats[1] == 2);
	assert_true(c.df[0] == 6 && c.df[1] == 3 && c.df[2] == 2);
}

/* The same digits behind 1e9, at 1e-9 and at 1e200, where squares overflow: only those are not finite. */
static void test_scales(void **state)
{
	double y[12], work[12];
	struct nested data = {.y = y, .n = 12, .levels = 3, .sizes = example_sizes};
	struct components c;

	for (int i = 0; i < 12; i++)
		y[i] = 1e9 + example[i];
	c = components(&data, work);
	assert_close(c.variance[1], 31.0 / 12 - 8.25, 1e-13);
	assert_close(c.variance[2], 3.5625 - 31.0 / 24, 1e-13);
	for (int i = 0; i < 12; i++)
		y[i] = 0x1p-30 * example[i];
	c = components(&data, work);
	assert_close(c.variance[2], (3.5625 - 31.0 / 24) * 0x1p-60, 1e-13);
	for (int i = 0; i < 12; i++)
		y[i] = 0x1p-400 * example[i];
	c = components(&data, work);
	assert_close(c.variance[2], (3.5625 - 31.0 / 24) * 0x1p-800, 1e-13);
}

/* The mean estimate over every way in which six values can take +-1 in boots of 1, 2 and 3 runs is what theory says of
 * independent runs: T1^2 = 1 (variance of +-1), T2^2 = 0. Exact, by enumeration. */
static void test_unbiased_unbalanced(void **state)
{
	const size_t runs[] = {1, 2, 3}, boots[] = {3}, *const sizes[] = {runs, boots};
	double y[6], work[6], sum[2] = {0, 0};
	struct nested data = {.y = y, .n = 6, .levels = 2, .sizes = sizes};

	for (unsigned bits = 0; bits < 64; bits++) {
		struct components c;

		for (unsigned i = 0; i < 6; i++)
			y[i] = bits >> i & 1 ? 1 : -1;
		c = components(&data, work);
		sum[0] += c.variance[0];
		sum[1] += c.variance[1];
	}
	assert_close(sum[0] / 64, 1, 1e-14);
	assert_true(fabs(sum[1] / 64) < 1e-14);
}

/* By hand: sqrt((30 / 1) (8 / 2)) = 10.95, sqrt((600 / 30) (2 / 5)) = 2.83. A level that adds nothing is made once, and
 * one beneath such a level as often as one likes. Variance with 11 runs and 3 boots: 5 + (2 + 8 / 11) / 3. */
static void test_split(void **state)
{
	struct components c = {.variance = {8, 2, 5}, .levels = 3};
	const double cost[] = {1, 30, 600};
	double repeats[2];

	components_split(&c, cost, repeats);
	assert_close(repeats[0], 11, 0);
	assert_close(repeats[1], 3, 0);
	assert_close(components_variance(&c, repeats), 5 + (2 + 8.0 / 11) / 3, 1e-15);
	c.variance[1] = -1;
	components_split(&c, cost, repeats);
	assert_close(repeats[0], INFINITY, 0);
	assert_close(repeats[1], 1, 0);
	assert_close(components_variance(&c, (const double[]){4, 2}), 5 + 8.0 / 8, 1e-15);
	c.variance[0] = 0;
	components_split(&c, cost, repeats);
	assert_close(repeats[0], 1, 0);
	c.variance[2] = NAN;
	components_split(&c, cost, repeats);
	assert_close(repeats[1], NAN, 0);
	assert_close(components_variance(&c, repeats), NAN, 0);
}

/* R: n <- 2:100; n[which(qt(.975, n - 1) * sqrt(4 / n) <= 1)[1]] is 18; for half 3 and 0.1 it is 5 and 1540. */
static void test_units(void **state)
{
	assert_close(components_units(4, 1, 0.95), 18, 0);
	assert_close(components_units(4, 3, 0.95), 5, 0);
	assert_close(components_units(4, 0.1, 0.95), 1540, 0);
	assert_close(components_units(0, 1, 0.95), 2, 0);
	assert_close(components_units(4, 0, 0.95), INFINITY, 0);
	assert_close(components_units(-1, 1, 0.95), NAN, 0);
	assert_close(components_units(NAN, 1, 0.95), NAN, 0);
	assert_close(components_units(4, 1, 1), NAN, 0);
}

/* One boot tells nothing of boots; a boot of one run nothing of runs; a NaN nothing at all; no variation is none. */
static void test_unanswerable(void **state)
{
	const size_t four[] = {4}, single[] = {1, 1, 1, 1}, one[] = {1};
	const size_t *const one_boot[] = {four, one}, *const one_run[] = {single, four};
	double y[] = {1, 2, 4, 3}, work[4];
	struct nested data = {.y = y, .n = 4, .levels = 2, .sizes = one_boot};
	struct components c = components(&data, work);

	assert_int_equal(c.flags, EST_TOO_FEW);
	assert_close(c.variance[0], 5.0 / 3, 1e-15);
	assert_close(c.variance[1], NAN, 0);
	data.sizes = one_run;
	c = components(&data, work);
	assert_int_equal(c.flags, EST_TOO_FEW);
	assert_close(c.mean_square[1], 5.0 / 3, 1e-15);
	assert_true(isnan(c.variance[0]) && isnan(c.variance[1]));
	y[2] = NAN;
	c = components(&data, work);
	assert_true(c.flags & EST_NOT_FINITE && isnan(c.mean_square[1]));
	for (int i = 0; i < 4; i++)
		y[i] = i == 1 ? 0.1 + 0.2 : 0.3;
	data.sizes = (const size_t *const[]){(const size_t[]){2, 2}, (const size_t[]){2}};
	c = components(&data, work);
	assert_int_equal(c.flags, EST_CONSTANT);
	assert_true(c.variance[0] < 1e-30 && fabs(c.variance[1]) < 1e-30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_r),         cmocka_unit_test(test_example),
	    cmocka_unit_test(test_scales),       cmocka_unit_test(test_unbiased_unbalanced),
	    cmocka_unit_test(test_split),        cmocka_unit_test(test_units),
	    cmocka_unit_test(test_unanswerable),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
