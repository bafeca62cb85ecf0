#include "check.h"

#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>

#include "simulate.h"

/* A figure whose true value is its bound goes beyond it as far as this once in a million runs. */
#define CHANCE 1e-6

static guint repetitions(void)
{
#ifdef __SANITIZE_ADDRESS__
	return 200;
#else
	return getenv("VALGRIND") ? 20 : 1000;
#endif
}

static gboolean is_kept(const struct simulate_row *row, const struct bound *bound)
{
	guint count = row->counts[g_bit_nth_lsf(bound->event, -1)], n = row->repetitions;

	if (!isnan(bound->low) && gsl_cdf_binomial_P(count, bound->low / 100, n) < CHANCE)
		return FALSE;
	return isnan(bound->high) || count == 0 || gsl_cdf_binomial_Q(count - 1, bound->high / 100, n) >= CHANCE;
}

static void count_broken(const struct simulate_row *row, gpointer data)
{
	guint *broken = data;

	for (gsize i = 0; i < G_N_ELEMENTS(row->scenario->bounds); i++) {
		const struct bound *bound = &row->scenario->bounds[i];

		if (!bound->event || is_kept(row, bound))
			continue;
		print_error("%s, n = %u: %s %.2f%%\n", row->scenario->name, row->n, bound->name,
			    simulate_percent(row, bound));
		(*broken)++;
	}
}

/* No scenario of 'make simulate' is beyond its bounds by more than chance explains. */
static void test_bounds(void **state)
{
	guint broken = 0;

	assert_true(simulate(repetitions(), 2, count_broken, &broken));
	assert_int_equal(broken, 0);
}

static void append_row(const struct simulate_row *row, gpointer data)
{
	g_array_append_vals(data, row->counts, EVENTS);
}

/* The figures do not depend on how many processes share the work. */
static void test_processes(void **state)
{
	g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autoptr(GArray) three = g_array_new(FALSE, FALSE, sizeof(guint));

	assert_true(simulate(10, 1, append_row, one));
	assert_true(simulate(10, 3, append_row, three));
	assert_true(one->len > 0);
	assert_int_equal(one->len, three->len);
	assert_memory_equal(one->data, three->data, one->len * sizeof(guint));
}

/* The bounds tell a rule that errs from one that does not: 5% of 2,000 is 100; looking after every run until p < .05
 * errs in about a quarter; a rule that never finds anything is beyond the lower bound. */
static void test_bounds_can_break(void **state)
{
	const struct bound bound = {EVENT_DIFFERENT, "false alarms", 4, 5.6};
	struct simulate_row row = {.repetitions = 2000, .counts = {100}};

	assert_true(is_kept(&row, &bound));
	row.counts[0] = 486;
	assert_false(is_kept(&row, &bound));
	row.counts[0] = 0;
	assert_false(is_kept(&row, &bound));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_bounds),
	    cmocka_unit_test(test_processes),
	    cmocka_unit_test(test_bounds_can_break),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
