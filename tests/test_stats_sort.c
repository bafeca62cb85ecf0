#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include <gsl/gsl_errno.h>

#include "../stats/describe.h"
#include "../stats/select.h"
#include "../stats/sort.h"
#include "../stats/stream.h"

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

enum order { ORDER_RANDOM, ORDER_TIES, ORDER_EQUAL, ORDER_UP, ORDER_DOWN, ORDER_ORGAN, ORDER_ENDS, ORDERS };

static void fill(double *x, size_t n, enum order order, struct stream *stream)
{
	for (size_t i = 0; i < n; i++) {
		double random = (double)(stream_bits(stream) >> 11) * 0x1p-53 - 0.5;

		switch (order) {
		case ORDER_RANDOM:
			x[i] = random * 1e9;
			break;
		case ORDER_TIES:
			x[i] = floor(random * 5);
			break;
		case ORDER_EQUAL:
			x[i] = -7;
			break;
		case ORDER_UP:
			x[i] = (double)i;
			break;
		case ORDER_DOWN:
			x[i] = -(double)i;
			break;
		case ORDER_ORGAN:
			x[i] = (double)(i < n / 2 ? i : n - i);
			break;
		default:
			x[i] = random < -0.1 ? -INFINITY : random > 0.1 ? INFINITY : random;
		}
	}
}

/* What qsort() makes of the same values, at all sizes about the switch to insertion and at large ones. */
static void test_sort_is_qsort(void **state)
{
	static const size_t sizes[] = {0, 1, 2, 3, 15, 16, 17, 18, 33, 1000, 100000};
	g_autofree double *x = g_new(double, 100000), *want = g_new(double, 100000);
	struct stream stream = stream_init(1, 1);

	for (int order = 0; order < ORDERS; order++)
		for (size_t s = 0; s < G_N_ELEMENTS(sizes); s++) {
			size_t n = sizes[s];

			fill(x, n, (enum order)order, &stream);
			memcpy(want, x, n * sizeof *x);
			qsort(want, n, sizeof *want, ascending);
			sort_values(x, n);
			assert_memory_equal(x, want, n * sizeof *x);
		}
}

/* Each place of a selection holds what qsort() puts there, and parts the values as promised. */
static void test_select_is_qsort(void **state)
{
	double x[41], original[41], want[41];
	struct stream stream = stream_init(1, 2);

	for (int order = 0; order < ORDERS; order++)
		for (size_t n = 1; n <= 41; n++) {
			fill(original, n, (enum order)order, &stream);
			memcpy(want, original, n * sizeof *want);
			qsort(want, n, sizeof *want, ascending);
			for (size_t k = 0; k < n; k++) {
				memcpy(x, original, n * sizeof *x);
				select_nth(x, n, k);
				assert_true(x[k] == want[k]);
				for (size_t i = 0; i < n; i++)
					assert_true(i < k ? x[i] <= x[k] : x[i] >= x[k]);
				qsort(x, n, sizeof *x, ascending);
				assert_memory_equal(x, want, n * sizeof *x);
			}
		}
}

/* Quantiles are those of the sorted values to the last bit; none of no values or of p outside [0, 1]. */
static void test_quantile_is_sorted(void **state)
{
	static const double p[] = {0, 0.05, 0.25, 0.5, 0.75, 0.9, 1};
	double x[100], sorted[100], original[100];
	struct stream stream = stream_init(1, 3);

	for (size_t n = 1; n <= 100; n++) {
		fill(original, n, n % 2 ? ORDER_RANDOM : ORDER_TIES, &stream);
		memcpy(sorted, original, n * sizeof *sorted);
		qsort(sorted, n, sizeof *sorted, ascending);
		for (size_t i = 0; i < G_N_ELEMENTS(p); i++) {
			memcpy(x, original, n * sizeof *x);
			assert_close(quantile_select(x, n, p[i]), quantile_sorted(sorted, n, p[i]), 0);
		}
	}
	assert_close(quantile_select(x, 0, 0.5), NAN, 0);
	assert_close(quantile_select(x, 5, -0.1), NAN, 0);
	assert_close(quantile_select(x, 5, NAN), NAN, 0);
}

/* The order that makes a quicksort with the median of three take time by the square (Musser 1997) is sorted too. */
static void test_slow_order(void **state)
{
	const size_t n = 200000;
	g_autofree double *x = g_new(double, n);

	for (size_t i = 0; i < n / 2; i++) {
		x[i] = i % 2 ? (double)(n / 2 + i / 2 * 2) : (double)i + 1;
		x[n / 2 + i] = (double)(2 * i + 2);
	}
	sort_values(x, n);
	for (size_t i = 1; i < n; i++)
		assert_true(x[i - 1] <= x[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sort_is_qsort),
	    cmocka_unit_test(test_select_is_qsort),
	    cmocka_unit_test(test_quantile_is_sorted),
	    cmocka_unit_test(test_slow_order),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
