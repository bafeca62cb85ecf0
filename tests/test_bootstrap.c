#include "check.h"

#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>

#include "../src/bootstrap.h"
#include "../stats/stream.h"

#define N 300
#define SEED 20240101

static void draw(double *x, gsize n, guint64 number)
{
	struct stream stream = stream_init(1, number);

	for (gsize i = 0; i < n; i++)
		x[i] = 50 + (double)(stream_bits(&stream) >> 40) / (1 << 20);
}

/* 1, 2, 3 and 7 threads, and as many as it likes, draw the same replicates: the bounds are those of bca_resample() in
 * one go, to the last bit, for each statistic, and in ascending order as well. */
static void test_threads(void **state)
{
	static const guint threads[] = {1, 2, 3, 7, 0};
	double x[N], y[N], work[2 * N], replicates[BCA_REPLICATES];
	uint32_t counts[N];

	draw(x, N, 1);
	draw(y, N, 2);
	for (int s = BCA_MEAN; s <= BCA_GEOMETRIC_RATIO; s++) {
		gsize ny = s >= BCA_MEAN_RATIO ? N : 0;
		struct bca bca = bca_prepare((enum bca_statistic)s, x, N, ny ? y : NULL, ny, SEED, work);
		struct estimate want, got;

		bca_resample(&bca, 0, BCA_REPLICATES, replicates, counts);
		gsl_sort(replicates, 1, BCA_REPLICATES);
		want = bca_interval(&bca, replicates, BCA_REPLICATES, 0.95);
		assert_int_equal(want.flags, 0);
		for (gsize i = 0; i < G_N_ELEMENTS(threads); i++) {
			got = bootstrap_bca((enum bca_statistic)s, x, N, ny ? y : NULL, ny, BCA_REPLICATES, 0.95, SEED,
					    threads[i]);
			assert_memory_equal(&got.low, &want.low, sizeof got.low);
			assert_memory_equal(&got.high, &want.high, sizeof got.high);
			assert_memory_equal(&got.value, &want.value, sizeof got.value);
			assert_int_equal(got.flags, 0);
		}
	}
}

/* Another seed gives another interval. */
static void test_seed(void **state)
{
	double x[N];
	struct estimate one, other;

	draw(x, N, 1);
	one = bootstrap_bca(BCA_MEAN, x, N, NULL, 0, 1000, 0.95, SEED, 2);
	other = bootstrap_bca(BCA_MEAN, x, N, NULL, 0, 1000, 0.95, SEED + 1, 2);
	assert_true(one.low != other.low && one.high != other.high);
	assert_true(one.low < one.value && one.value < one.high);
}

/* What cannot be drawn from is said by a flag, whatever the number of threads: a constant is an interval of no width.
 */
static void test_flags(void **state)
{
	static const double constant[] = {3, 3, 3}, zero[] = {1, 0, 2};

	for (guint threads = 0; threads < 4; threads++) {
		struct estimate e = bootstrap_bca(BCA_MEAN, constant, 3, NULL, 0, 1000, 0.95, SEED, threads);

		assert_int_equal(e.flags, EST_CONSTANT);
		assert_close(e.low, 3, 0);
		assert_close(e.high, 3, 0);
		e = bootstrap_bca(BCA_MEAN, constant, 1, NULL, 0, 1000, 0.95, SEED, threads);
		assert_true(e.flags & EST_TOO_FEW);
		e = bootstrap_bca(BCA_GEOMETRIC_RATIO, constant, 3, zero, 3, 1000, 0.95, SEED, threads);
		assert_int_equal(e.flags, EST_NOT_POSITIVE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_threads),
	    cmocka_unit_test(test_seed),
	    cmocka_unit_test(test_flags),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
