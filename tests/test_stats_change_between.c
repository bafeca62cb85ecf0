#include "check.h"

#include <gsl/gsl_errno.h>

#include "../stats/change_between.h"
#include "../stats/edivisive.h"
#include "../stats/stream.h"
#include "reference/table.h"

static size_t *whole(const struct table *table, guint row, const char *column, size_t *n)
{
	g_autofree double *numbers = table_numbers(table, row, column, n);
	size_t *values = g_new(size_t, *n);

	for (size_t i = 0; i < *n; i++)
		values[i] = (size_t)numbers[i];
	return values;
}

/* The first split is the one that is best by the definition, over all splits and ends between groups. */
static void test_best_split_is_brute_force(void **state)
{
	/* every split is taken: all is kept that is found first */
	const struct change_settings settings = {.alpha = 1, .permutations = 1, .min_length = 2, .seed = 1};
	struct table *table = table_read("change_between.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t n, n_groups;
		g_autofree double *x = table_numbers(table, i, "x", &n);
		g_autofree size_t *starts = whole(table, i, "starts", &n_groups);
		g_autofree void *work = g_malloc(change_between_bytes(n, n_groups));
		struct change change;

		assert_int_equal(change_between(x, n, starts, n_groups, &settings, &change, 1, work), 1);
		table_check(table, i, "q", change.gain, 1e-11, &worst);
		assert_int_equal(change.index, (size_t)table_number(table, i, "index"));
	}
	table_report(table, "change_between.tsv", worst);
	table_free(table);
}

/* With groups of one value each the answer is that of edivisive(), permutations and all. */
static void test_single_values_are_edivisive(void **state)
{
	double x[60];
	size_t starts[60];
	struct stream random = stream_init(7, 0);
	struct change got[30], want[30];
	g_autofree void *work = g_malloc(change_between_bytes(60, 60)), *other = g_malloc(edivisive_bytes(60));
	size_t n, total = 0;

	for (size_t i = 0; i < 60; i++)
		starts[i] = i;
	for (double shift = 0; shift < 6; shift++) {
		for (size_t i = 0; i < 60; i++)
			x[i] = 50 + (double)(stream_bits(&random) >> 40) / (1 << 24) + (i >= 20) * shift +
			       (i >= 45) * shift / 2;
		n = edivisive(x, 60, &change_settings_usual, want, 30, other);
		assert_int_equal(change_between(x, 60, starts, 60, &change_settings_usual, got, 30, work), n);
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(got[i].index, want[i].index);
			assert_close(got[i].gain, want[i].gain, 1e-9);
			assert_close(got[i].p, want[i].p, 1e-12);
		}
		total += n;
	}
	assert_true(total >= 8);
}

/* A change inside a group is not seen as one there: it is found at a boundary or not at all. */
static void test_only_between_groups(void **state)
{
	const double x[] = {1, 1.1, 0.9, 1, 1.2, 5, 5.1, 4.9, 5.2, 5, 5.1, 4.8};
	const size_t starts[] = {0, 4, 8}, one[] = {0};
	g_autofree void *work = g_malloc(change_between_bytes(12, 3));
	struct change changes[12];
	size_t n = change_between(x, 12, starts, 3, &change_settings_usual, changes, 12, work);

	assert_int_equal(n, 1);
	assert_int_equal(changes[0].index, 4);
	assert_int_equal(change_between(x, 12, one, 1, &change_settings_usual, changes, 12, work), 0);
}

/* No values, a NaN, no variation, groups too short on one side: no change. */
static void test_nothing_to_find(void **state)
{
	const double bad[] = {1, 2, NAN, 4, 5, 6}, same[] = {3, 3, 3, 3, 3, 3}, few[] = {1, 9, 9};
	const size_t starts[] = {0, 3}, early[] = {0, 1};
	double work[16];
	struct change change;

	assert_true(change_between_bytes(6, 2) <= sizeof work);
	assert_int_equal(change_between(bad, 6, starts, 2, &change_settings_usual, &change, 1, work), 0);
	assert_int_equal(change_between(same, 6, starts, 2, &change_settings_usual, &change, 1, work), 0);
	assert_int_equal(change_between(few, 3, early, 2, &change_settings_usual, &change, 1, work), 0);
	assert_int_equal(change_between(few, 0, starts, 0, &change_settings_usual, &change, 1, work), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_best_split_is_brute_force),
	    cmocka_unit_test(test_single_values_are_edivisive),
	    cmocka_unit_test(test_only_between_groups),
	    cmocka_unit_test(test_nothing_to_find),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
