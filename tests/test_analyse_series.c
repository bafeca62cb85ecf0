#include "check.h"

#include "../src/analyse_series.h"
#include "../stats/stream.h"
#include "sample_data.h"

/* What the values of a side look like, by hand-made ones. */

static const struct estimate_row *show_one(const struct dataset *dataset, struct analysis **analysis)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	g_autoptr(GArray) rows = rows_with(dataset, NULL);

	*analysis = analyse_show(dataset, rows, &options, NULL);
	assert_non_null(*analysis);
	return g_ptr_array_index((*analysis)->estimates, 0);
}

#define LOOKS (FLAG_DRIFT | FLAG_AUTOCORRELATED | FLAG_OUTLIERS | FLAG_MODES)

/* The same 12 values in a rising and in a shuffled order: only the order makes drift. */
static void test_drift(void **state)
{
	const double shuffled[] = {107, 102, 110, 105, 101, 111, 104, 108, 103, 112, 106, 109};
	double rising[12];

	for (guint i = 0; i < 12; i++)
		rising[i] = 101 + i;
	/* cor.test(1:12, x, method = "kendall")$p.value: 4e-09 and .54 */
	assert_true(series_flags(rising, 12) & FLAG_DRIFT);
	assert_int_equal(series_flags(shuffled, 12), 0);
}

/* Waves are no drift, but each value is like the one before; values that alternate are neither. */
static void test_autocorrelation(void **state)
{
	double waves[24], alternating[24];

	for (guint i = 0; i < 24; i++) {
		waves[i] = 100 + 3 * sin((double)i * 2 * M_PI / 12);
		alternating[i] = 100 + (i % 2 ? 3 : -3) + (double)(i * 5 % 7) / 10;
	}
	assert_int_equal(series_flags(waves, 24), FLAG_AUTOCORRELATED);
	assert_int_equal(series_flags(alternating, 24), 0);
}

/* A value ten times the others is an outlier at any n from 4, and the only one; its place is told. */
static void test_outliers(void **state)
{
	const double x[] = {10, 10.4, 9.7, 10.1, 9.9, 10.2, 100};
	g_autoptr(GArray) places = outlying_values(x, 7), none = outlying_values(x, 6);
	guint n;

	assert_int_equal(places->len, 1);
	assert_int_equal(g_array_index(places, guint, 0), 6);
	assert_int_equal(none->len, 0);

	assert_int_equal(shape_flags(x, 7, &n), FLAG_OUTLIERS);
	assert_int_equal(n, 1);
	assert_int_equal(shape_flags(x, 6, &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(shape_flags(x + 3, 4, &n), FLAG_OUTLIERS);
}

/* Two separate groups are two modes; evenly spread values, and what rounding makes of them, are none; nine are too few.
 */
static void test_modes(void **state)
{
	double two[20], even[20], rounded[20];
	guint n;

	for (guint i = 0; i < 20; i++) {
		two[i] = (i % 2 ? 100 : 150) + (double)i / 10;
		even[i] = 100 + i;
		rounded[i] = 100 + (double)(i % 2) / 10;
	}
	assert_int_equal(shape_flags(two, 20, &n) & FLAG_MODES, FLAG_MODES);
	assert_int_equal(shape_flags(two, 9, &n) & FLAG_MODES, 0);
	assert_int_equal(shape_flags(even, 20, &n), 0);
	assert_int_equal(shape_flags(rounded, 20, &n), 0);
}

/* Values that are few, alike or absent raise no flag. */
static void test_nothing_to_see(void **state)
{
	const double constant[12] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
	guint outliers;

	for (guint n = 0; n <= 12; n++) {
		assert_int_equal(series_flags(constant, n), 0);
		assert_int_equal(shape_flags(constant, n, &outliers), 0);
		assert_int_equal(outliers, 0);
	}
}

/* A long series is looked at every few values: drift and modes do not hide between them. */
static void test_long(void **state)
{
	guint n = 25001, outliers;
	g_autofree double *x = g_new(double, n);
	struct stream stream = stream_init(1, 1);

	for (guint i = 0; i < n; i++)
		x[i] = 100 + (double)(stream_bits(&stream) >> 11) * 0x1p-53;
	assert_int_equal(series_flags(x, n), 0);
	assert_int_equal(shape_flags(x, n, &outliers), 0);
	for (guint i = 0; i < n; i++)
		x[i] += (double)i / n / 4;
	assert_int_equal(series_flags(x, n) & FLAG_DRIFT, FLAG_DRIFT);
	for (guint i = 0; i < n; i++)
		x[i] += i % 3 == 0 ? 50 : 0;
	assert_int_equal(shape_flags(x, n, &outliers) & FLAG_MODES, FLAG_MODES);
}

/* Estimates carry the flags, and every value stays in the mean. */
static void test_show(void **state)
{
	const double x[] = {10, 10.4, 9.7, 10.1, 9.9, 10.2, 100};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct estimate_row *row;

	add_runs(dataset, "A", x, 7);
	row = show_one(dataset, &analysis);
	assert_int_equal(row->flags & LOOKS, FLAG_OUTLIERS);
	assert_int_equal(row->outliers, 1);
	assert_int_equal(row->n, 7);
	/* sum / 7 */
	assert_close(row->summary.mean, 22.9, 1e-13);
}

/* Both sides drift alike: in pairs of the same block nothing is left of it, side by side both say so. */
static void test_pairs_remove_drift(void **state)
{
	g_autoptr(Dataset) blocked = dataset_new(), sequential = dataset_new();
	g_autoptr(Analysis) of_blocked = NULL, of_sequential = NULL;
	double x[12], y[12];

	for (guint i = 0; i < 12; i++) {
		x[i] = 100 + i + (double)(i * 5 % 7) / 10;
		y[i] = 103 + i + (double)(i * 3 % 11) / 10;
	}
	add_blocks(blocked, x, y, 12);
	for (guint i = 0; i < 12; i++) {
		add_run(sequential, "A", x[i]);
		add_run(sequential, "B", y[i]);
	}
	of_blocked = COMPARE(blocked, "A", "B");
	of_sequential = COMPARE(sequential, "A", "B");
	assert_int_equal(nth(of_blocked, 0)->flags & (FLAG_DRIFT | FLAG_AUTOCORRELATED), 0);
	assert_true(nth(of_sequential, 0)->baseline.flags & FLAG_DRIFT);
	assert_true(nth(of_sequential, 0)->other.flags & FLAG_DRIFT);
	assert_true(nth(of_sequential, 0)->flags & FLAG_DRIFT);
}

/* A difference that grows from block to block is drift that pairs do not remove. */
static void test_drift_of_pairs(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	double x[10], y[10];

	for (guint i = 0; i < 10; i++) {
		x[i] = 100 + (double)(i * 7 % 10);
		y[i] = x[i] * (1 + 0.01 * i);
	}
	add_blocks(dataset, x, y, 10);
	analysis = COMPARE(dataset, "A", "B");
	assert_true(nth(analysis, 0)->flags & FLAG_DRIFT);
	assert_false((nth(analysis, 0)->baseline.flags | nth(analysis, 0)->other.flags) & FLAG_DRIFT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_drift),          cmocka_unit_test(test_autocorrelation),
	    cmocka_unit_test(test_outliers),       cmocka_unit_test(test_modes),
	    cmocka_unit_test(test_nothing_to_see), cmocka_unit_test(test_long),
	    cmocka_unit_test(test_show),           cmocka_unit_test(test_pairs_remove_drift),
	    cmocka_unit_test(test_drift_of_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
