#include "check.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "../stats/change.h"
#include "../stats/edivisive.h"
#include "../stats/pelt.h"
#include "../stats/ttest.h"
#include "reference/table.h"

#define CHANGES_MAX 50

/* m (log v + s^2 / v) of a segment, in two passes, with the floor of the variance given. */
static double segment_cost(const double *x, size_t from, size_t to, double floor)
{
	double m = (double)(to - from), mean = 0, squares = 0, v;

	for (size_t i = from; i < to; i++)
		mean += x[i] / m;
	for (size_t i = from; i < to; i++)
		squares += (x[i] - mean) * (x[i] - mean) / m;
	v = fmax(squares, floor);
	return m * (log(v) + squares / v);
}

/* The least cost of all segmentations, by the dynamic programme that looks at every last segment. */
static double least_cost(const double *x, size_t n, double floor, double penalty, size_t min_length)
{
	g_autofree double *best = g_new(double, n + 1);

	best[0] = -penalty;
	for (size_t to = 1; to <= n; to++) {
		best[to] = INFINITY;
		for (size_t from = 0; from + min_length <= to; from++)
			best[to] = fmin(best[to], best[from] + segment_cost(x, from, to, floor) + penalty);
	}
	return best[n];
}

/* Cost of the changes that pelt() finds, by the arithmetic above; they are ascending and min_length apart. */
static double found_cost(const double *x, size_t n, double floor, double penalty, size_t min_length, size_t *found)
{
	g_autofree size_t *changes = g_new(size_t, n);
	g_autofree void *work = g_malloc(pelt_bytes(n));
	size_t count = pelt(x, n, penalty, min_length, changes, work);
	double sum = 0;

	*found += count;
	for (size_t i = 0; i <= count; i++) {
		size_t from = i > 0 ? changes[i - 1] : 0, to = i < count ? changes[i] : n;

		assert_true(to >= from + min_length && to <= n);
		sum += segment_cost(x, from, to, floor) + (i > 0 ? penalty : 0);
	}
	return sum;
}

/* Normal values of mean 0 and sd 1 that jump in mean or spread now and then; in steps of 1/2, or else continuous. */
static void draw_jumps(gsl_rng *random, double *x, size_t n, gboolean in_steps)
{
	double mean = 0, sd = 1;

	for (size_t i = 0; i < n; i++) {
		if (gsl_rng_uniform(random) < 0.1) {
			mean = gsl_ran_gaussian(random, 4);
			sd = 0.2 + 3 * gsl_rng_uniform(random);
		}
		x[i] = mean + gsl_ran_gaussian(random, sd);
		if (in_steps)
			x[i] = round(2 * x[i]) / 2;
	}
}

static double smallest_gap(const double *x, size_t n)
{
	double gap = INFINITY;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < i; k++)
			gap = x[i] != x[k] ? fmin(gap, fabs(x[i] - x[k])) : gap;
	}
	return gap;
}

/* On 600 series that jump, pruned as PELT does, the cost is the least of all segmentations. */
static void test_pelt_is_the_optimum(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	size_t found = 0;

	for (int i = 0; i < 600; i++) {
		size_t n = 8 + gsl_rng_uniform_int(random, 60), min_length = 2 + (size_t)i % 4;
		double x[80], penalty = i % 3 == 0 ? pelt_penalty(n) : 8 * gsl_rng_uniform(random), floor, least;

		draw_jumps(random, x, n, i % 2);
		floor = pow(smallest_gap(x, n), 2) / 12;
		least = least_cost(x, n, floor, penalty, min_length);
		assert_true(fabs(found_cost(x, n, floor, penalty, min_length, &found) - least) <=
			    1e-9 * (n + fabs(least)));
	}
	gsl_rng_free(random);
	print_message("pelt: %zu changes in 600 series\n", found);
	assert_true(found > 1000);
}

/* Offset and scale change nothing; alike, scarce and broken values have no changes. */
static void test_pelt_edges(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double x[200], y[200], alike[] = {3, 3, 3, 3, 3, 3}, broken[] = {1, 1, 1, NAN, 9, 9, 9};
	g_autofree void *work = g_malloc(pelt_bytes(200));
	size_t of_x[100], of_y[100], count;

	draw_jumps(random, x, 200, FALSE);
	count = pelt(x, 200, 20, 2, of_x, work);
	assert_true(count > 5);
	for (int exponent = -1000; exponent <= 1000; exponent += 2000) {
		for (size_t i = 0; i < 200; i++)
			y[i] = ldexp(x[i], exponent);
		assert_int_equal(pelt(y, 200, 20, 2, of_y, work), count);
		assert_memory_equal(of_x, of_y, count * sizeof *of_x);
	}
	for (size_t i = 0; i < 200; i++)
		y[i] = 1e9 + x[i];
	assert_int_equal(pelt(y, 200, 20, 2, of_y, work), count);
	assert_memory_equal(of_x, of_y, count * sizeof *of_x);
	assert_int_equal(pelt(alike, 6, 1, 2, of_x, work), 0);
	assert_int_equal(pelt(broken, 7, 1, 2, of_x, work), 0);
	assert_int_equal(pelt(x, 3, 0, 2, of_x, work), 0);
	assert_int_equal(pelt(NULL, 0, 0, 2, of_x, work), 0);
	assert_close(pelt_cost(alike, 6, 1, NULL, 0, work), NAN, 0);
	/* Cost of standardised values: n (log(s^2) + 1), s^2 = (n - 1) / n. */
	assert_close(pelt_cost(x, 200, 1, NULL, 0, work), 200 * (log(199. / 200) + 1), 1e-9);
	gsl_rng_free(random);
}

/* The best split and its statistic are those of the definition; p is that of all orders of the values. */
static void test_edivisive_is_the_definition(void **state)
{
	struct table *table = table_read("edivisive.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		size_t n, min_length = (size_t)table_number(table, i, "min_length");
		g_autofree double *x = table_numbers(table, i, "x", &n);
		g_autofree void *work = g_malloc(edivisive_bytes(n));
		struct change c = best_split(x, n, min_length, work), found[1];
		struct change_settings settings = {
		    .alpha = 1, .permutations = 9999, .min_length = min_length, .seed = 3};
		double p = table_number(table, i, "p");

		table_check(table, i, "index", (double)c.index, 0, &worst);
		table_check(table, i, "q", c.gain, 1e-12, &worst);
		if (isnan(p))
			continue;
		assert_int_equal(edivisive(x, n, &settings, found, 1, work), 1);
		assert_int_equal(found[0].index, c.index);
		assert_close(found[0].gain, c.gain, 1e-12);
		/* 4.5 standard errors of 9999 random orders */
		assert_true(fabs(found[0].p - p) <= 4.5 * sqrt(p * (1 - p) / 9999));
	}
	table_report(table, "edivisive.tsv", worst);
	table_free(table);
}

static size_t find(const double *x, size_t n, const struct change_settings *settings, struct change *changes)
{
	g_autofree void *work = g_malloc(change_points_bytes(n));

	return change_points(x, n, settings, changes, CHANGES_MAX, work);
}

static void draw_steps(gsl_rng *random, double *x, size_t n, size_t steps, double sd)
{
	for (size_t i = 0; i < n; i++)
		x[i] = (double)(i * (steps + 1) / n % 2) + gsl_ran_gaussian(random, sd);
}

/* A thousand 0 and a thousand 1 in noise: one change, at 1000 +- 2; beyond 4000 values, where PELT finds it, as well.
 */
static void test_one_change(void **state)
{
	struct change_settings settings = change_settings_usual;
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct change changes[CHANGES_MAX];
	g_autofree double *x = g_new(double, 6000);

	settings.permutations = 49;
	draw_steps(random, x, 2000, 1, 0.25);
	assert_int_equal(find(x, 2000, &settings, changes), 1);
	assert_in_range(changes[0].index, 998, 1002);
	assert_close(changes[0].p, 0.02, 1e-15);
	draw_steps(random, x, 6000, 1, 0.25);
	assert_int_equal(find(x, 6000, &settings, changes), 1);
	assert_in_range(changes[0].index, 2998, 3002);
	assert_close(changes[0].p, 0.02, 1e-15);
	gsl_rng_free(random);
}

/* Three changes are found by both procedures, in order; so is one of spread alone; max is kept to. */
static void test_several_changes(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	g_autofree void *work = g_malloc(pelt_bytes(200));
	struct change changes[CHANGES_MAX];
	double x[200];

	draw_steps(random, x, 200, 3, 0.2);
	assert_int_equal(find(x, 200, &change_settings_usual, changes), 3);
	for (size_t i = 0; i < 3; i++)
		assert_in_range(changes[i].index, 50 * (i + 1) - 1, 50 * (i + 1) + 1);
	assert_int_equal(pelt_confirmed(x, 200, &change_settings_usual, changes, CHANGES_MAX, work), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_in_range(changes[i].index, 50 * (i + 1) - 1, 50 * (i + 1) + 1);
		assert_true(changes[i].p <= 0.02 && changes[i].gain > 0);
	}
	assert_int_equal(pelt_confirmed(x, 200, &change_settings_usual, changes, 2, work), 2);
	assert_int_equal(edivisive(x, 200, &change_settings_usual, changes, 1, work), 1);
	for (size_t i = 0; i < 200; i++)
		x[i] = gsl_ran_gaussian(random, i < 100 ? 1 : 6);
	assert_int_equal(find(x, 200, &change_settings_usual, changes), 1);
	assert_in_range(changes[0].index, 90, 103);
	gsl_rng_free(random);
}

/* Of 200 series of noise, of 10 to 120 values, normal, log-normal or whole numbers, at most 5.6% have a change: a split
 * that was maximised is compared with maximised ones. A t test of the two sides of it, as if it had been chosen before,
 * finds too many: more than 4.5 standard errors above 5%. */
static void test_noise_has_no_change(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct change changes[CHANGES_MAX];
	int with_change = 0, by_t_test = 0;
	double x[120], work[4 * 120 + 3];

	for (int i = 0; i < 200; i++) {
		size_t n = 10 + gsl_rng_uniform_int(random, 111), split;

		for (size_t k = 0; k < n; k++) {
			double z = gsl_ran_gaussian(random, 1);

			x[k] = i % 3 == 0 ? z : i % 3 == 1 ? exp(z) : round(2 * z);
		}
		with_change += find(x, n, &change_settings_usual, changes) > 0;
		split = best_split(x, n, 2, work).index;
		by_t_test += welch(x, split, x + split, n - split).p < 0.05;
	}
	gsl_rng_free(random);
	print_message("change points: in %d of 200 series of noise, by a t test of the best split in %d\n", with_change,
		      by_t_test);
	assert_true(with_change <= 11);
	assert_true(by_t_test > 10 + 4.5 * sqrt(200 * 0.05 * 0.95));
}

/* Alike, scarce and broken values have no changes, and the same seed gives the same p. */
static void test_no_answer(void **state)
{
	const double alike[] = {0.1 + 0.2, 0.3, 0.3, 0.3, 0.3, 0.3}, broken[] = {1, 1, 1, INFINITY, 9, 9, 9};
	const double few[] = {1, 1, 9}, step[] = {1, 1.5, 2, 1, 1.5, 2, 8, 9, 8.5, 9, 8, 8.5};
	struct change a[CHANGES_MAX], b[CHANGES_MAX];
	double work[4 * 7 + 3];

	assert_int_equal(find(alike, 6, &change_settings_usual, a), 0);
	assert_int_equal(find(broken, 7, &change_settings_usual, a), 0);
	assert_int_equal(find(few, 3, &change_settings_usual, a), 0);
	assert_int_equal(find(few, 0, &change_settings_usual, a), 0);
	assert_close(best_split(alike, 6, 2, work).gain, NAN, 0);
	assert_int_equal(best_split(few, 3, 2, work).index, 3);
	assert_int_equal(find(step, 12, &change_settings_usual, a), 1);
	assert_int_equal(find(step, 12, &change_settings_usual, b), 1);
	assert_int_equal(a[0].index, 6);
	assert_close(a[0].p, b[0].p, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_pelt_is_the_optimum),
	    cmocka_unit_test(test_pelt_edges),
	    cmocka_unit_test(test_edivisive_is_the_definition),
	    cmocka_unit_test(test_one_change),
	    cmocka_unit_test(test_several_changes),
	    cmocka_unit_test(test_noise_has_no_change),
	    cmocka_unit_test(test_no_answer),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
