#include "check.h"

#include <gsl/gsl_cdf.h>

#include "../stats/anderson_darling.h"
#include "../stats/anytime.h"
#include "../stats/change.h"
#include "../stats/describe.h"
#include "../stats/permutation.h"
#include "../stats/stream.h"
#include "../stats/ttest.h"

/* Errors that other tools of this trade make in single statistics, each a case that they get wrong. */

static double draw_normal(struct stream *stream)
{
	return gsl_cdf_ugaussian_Pinv(((double)(stream_bits(stream) >> 11) + 0.5) * 0x1p-53);
}

/* mmtests has the medians of odd and even n the wrong way round. */
static void test_mmtests_median(void **state)
{
	const double odd[] = {9, 1, 2}, even[] = {10, 1, 3, 2};
	double work[4];

	assert_close(describe(odd, 3, work).median, 2, 0);
	assert_close(describe(even, 4, work).median, 2.5, 0);
}

/* temci's Anderson-Darling test never rejects. */
static void test_temci_anderson(void **state)
{
	double x[10], y[10], work[100];
	const struct values groups[] = {{x, 10}, {y, 10}};

	assert_true(anderson_darling_bytes(groups, 2) <= sizeof work);
	for (size_t i = 0; i < 10; i++) {
		x[i] = (double)i;
		y[i] = (double)i + 20;
	}
	/* SciPy: anderson_ksamp gives its floor of .001 */
	assert_true(anderson_darling(groups, 2, work).p < 0.001);
}

/* Otava tests the split that it has just chosen as the best, as if it had been chosen beforehand. */
static void test_otava_best_split(void **state)
{
	static max_align_t work[1 << 16];
	unsigned found = 0;

	assert_true(change_points_bytes(60) <= sizeof work);
	for (unsigned i = 0; i < 100; i++) {
		struct stream stream = stream_init(2, i);
		struct change changes[4];
		double x[60];

		for (size_t j = 0; j < 60; j++)
			x[j] = draw_normal(&stream);
		found += change_points(x, 60, &change_settings_usual, changes, 4, work) > 0;
	}
	/* R: qbinom(.9999, 100, .02) */
	assert_true(found <= 9);
}

/* MongoDB's permutation p can be 0: no number of permutations shows that. */
static void test_mongodb_p_of_zero(void **state)
{
	double x[30], y[30], work[100];

	assert_true(permutation_work_bytes(30, 30) <= sizeof work);
	for (size_t i = 0; i < 30; i++) {
		x[i] = 1 + (double)i / 100;
		y[i] = 1000 + (double)i / 100;
	}
	/* twice (0 + 1) / (9999 + 1) */
	assert_close(permutation(x, 30, y, 30, 9999, 1, work).p, 2e-4, 1e-12);
}

/* ministat sums squares: an offset of 10^9 leaves nothing of a spread of 1. It also takes the upper of two middle
 * values.
 */
static void test_ministat_cancellation(void **state)
{
	const double x[] = {1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4};
	double work[4];
	struct description d = describe(x, 4, work);

	/* sd(1:4) */
	assert_close(d.sd, 1.2909944487358056, 1e-14);
	assert_close(d.median, 1e9 + 2.5, 0);
}

/* perf stat calls the standard error of the mean a standard deviation. */
static void test_perf_stat_sd(void **state)
{
	const double x[] = {2, 4, 4, 4, 5, 5, 7, 9};
	double work[8];

	/* by hand: squares about 5 sum up to 32, over 7 */
	assert_close(describe(x, 8, work).sd, sqrt(32.0 / 7), 1e-15);
}

/* The Phoronix Test Suite and temci look after every run and stop when they like what they see. Of pairs that differ in
 * nothing a t test at every look from n = 3 to 30 calls 24% different; the anytime-valid test at most 5%. */
static void test_looking(void **state)
{
	unsigned by_t = 0, anytime = 0;

	for (unsigned i = 0; i < 400; i++) {
		struct stream stream = stream_init(3, i);
		double x[30], y[30];
		int t_stops = 0, anytime_stops = 0;

		for (size_t n = 1; n <= 30; n++) {
			struct contrast c;

			x[n - 1] = draw_normal(&stream);
			y[n - 1] = draw_normal(&stream);
			c = paired(x, y, n);
			t_stops |= n >= 3 && c.p < 0.05;
			anytime_stops |= anytime_t(&c, 1).p < 0.05;
		}
		by_t += t_stops;
		anytime += anytime_stops;
	}
	/* R: qbinom(c(.0001, .9999), 400, .243); qbinom(.9999, 400, .05) */
	assert_true(by_t >= 67 && by_t <= 130);
	assert_true(anytime <= 38);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_mmtests_median),
	    cmocka_unit_test(test_temci_anderson),
	    cmocka_unit_test(test_otava_best_split),
	    cmocka_unit_test(test_mongodb_p_of_zero),
	    cmocka_unit_test(test_ministat_cancellation),
	    cmocka_unit_test(test_perf_stat_sd),
	    cmocka_unit_test(test_looking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
