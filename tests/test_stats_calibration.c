#include "check.h"

#include <glib.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "../stats/calibration.h"
#include "../stats/ttest.h"

/* By hand: 1 2 | 4 7 | 11 16 have means that differ by 4 and 8; 1 | 2 4 | 7 | 11 16 by 2, 4 and 6.5; as two sittings of
 * three, neighbours differ by 1 2, 4 5 and the sittings by 9. */
static void test_by_hand(void **state)
{
	const double x[] = {1, 2, 4, 7, 11, 16};
	const size_t one[] = {6}, two[] = {3, 3}, holes[] = {0, 3, 0, 3};
	struct calibration c = {x, one, 1}, sittings = {x, two, 2}, with_holes = {x, holes, 4};
	struct spread s = calibration_spread(&c, 2, 2, false);
	size_t pairs;

	assert_close(s.variance, 40, 1e-14);
	assert_close(s.df, 2, 0);
	assert_close(s.between, 0, 0);
	assert_close(allan_deviation(&c, 2, &pairs), sqrt(20), 1e-14);
	assert_int_equal(pairs, 2);
	s = calibration_spread(&c, 1, 2, false);
	assert_close(s.variance, 62.25 / 3, 1e-14);
	assert_int_equal(s.pairs, 3);
	for (int i = 0; i < 2; i++) {
		s = calibration_spread(i ? &with_holes : &sittings, 1, 1, true);
		assert_close(s.within, 11.5, 1e-14);
		assert_close(s.between, 81, 1e-14);
		assert_close(s.variance, 92.5, 1e-14);
		assert_close(s.df, 1, 0);
		assert_int_equal(s.flags, 0);
	}
}

/* A batch that fits once only, a batch of none, a single sitting for two, alike and broken values get no answer and say
 * so. */
static void test_no_answer(void **state)
{
	const double x[] = {1, 2, 4, 7, 11, 16}, alike[] = {0.1 + 0.2, 0.3, 0.3}, broken[] = {1, NAN, 2};
	const size_t one[] = {6}, three[] = {3};
	struct calibration c = {x, one, 1}, same = {alike, three, 1}, bad = {broken, three, 1}, none = {x, one, 0};
	size_t pairs;

	assert_int_equal(calibration_spread(&c, 4, 4, false).flags, EST_TOO_FEW);
	assert_close(calibration_spread(&c, 4, 4, false).variance, NAN, 0);
	assert_int_equal(calibration_spread(&c, 0, 1, false).flags, EST_TOO_FEW);
	assert_int_equal(calibration_spread(&c, 2, 2, true).flags, EST_TOO_FEW);
	assert_close(calibration_spread(&c, 2, 2, true).df, NAN, 0);
	assert_int_equal(calibration_spread(&none, 1, 1, false).flags, EST_TOO_FEW);
	assert_int_equal(calibration_spread(&bad, 1, 1, false).flags, EST_NOT_FINITE);
	assert_int_equal(calibration_spread(&same, 1, 1, false).flags, EST_CONSTANT);
	assert_close(calibration_spread(&same, 1, 1, false).variance, 0, 0);
	assert_close(allan_deviation(&c, 4, &pairs), NAN, 0);
	assert_int_equal(pairs, 0);
}

/* An interval gets wider or stays; p is R's 2 * pt(-1.5, 5). Two sides without variation can be tested then. */
static void test_widens(void **state)
{
	const double x[] = {1, 1}, y[] = {4, 4};
	struct contrast c = {.estimate = 3, .se = 1, .df = 18, .t = 3, .p = 0.00768, .nx = 10, .ny = 10},
			alike = welch(x, 2, y, 2);
	struct spread wide = {.variance = 4, .df = 5}, narrow = {.variance = 0.5, .df = 5}, none = {.variance = NAN};
	struct contrast got = calibrated(&c, &wide, NULL);
	bool is_calibrated;

	assert_close(got.se, 2, 0);
	assert_close(got.df, 5, 0);
	assert_close(got.p, 0.19390368024247315, 1e-12);
	got = calibrated(&c, &narrow, &is_calibrated);
	assert_false(is_calibrated);
	assert_close(got.p, c.p, 0);
	assert_close(calibrated(&c, &none, &is_calibrated).se, 1, 0);
	assert_false(is_calibrated);
	assert_int_equal(alike.flags, EST_CONSTANT);
	got = calibrated(&alike, &wide, &is_calibrated);
	assert_true(is_calibrated);
	assert_int_equal(got.flags, 0);
	assert_close(got.p, 0.19390368024247315, 1e-12);
}

/* In white noise the mean square difference of batches of n1 and n2 is 1/n1 + 1/n2, here to 4 of its standard errors.
 */
static void test_white_noise(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	const size_t sizes[][2] = {{1, 1}, {5, 5}, {10, 3}, {3, 10}}, n = 20000;
	g_autofree double *x = g_new(double, n);
	struct calibration c = {x, &n, 1};

	for (size_t i = 0; i < n; i++)
		x[i] = gsl_ran_gaussian(random, 1);
	for (size_t i = 0; i < 4; i++) {
		struct spread s = calibration_spread(&c, sizes[i][0], sizes[i][1], false);

		/* Neighbouring differences share a batch: their squares have 3/2 the variance of independent ones at
		 * most. */
		assert_close(s.variance, 1. / (double)sizes[i][0] + 1. / (double)sizes[i][1], 4 * sqrt(3 / s.df));
	}
	gsl_rng_free(random);
}

/* Logarithms of the workloads' series, in the order of the file. */
static GPtrArray *read_series(void)
{
	const char *shared = g_getenv("VMSTAT_BENCH_SHARED");
	g_autofree char *path = g_build_filename(shared ? shared : "../shared", "noise", "series.tsv", NULL);
	g_autofree char *text = NULL, *last = g_strdup("");
	g_auto(GStrv) lines = NULL;
	GPtrArray *all;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		print_message("the shared folder with the noise series is not there\n");
		return NULL;
	}
	all = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines + 1; *line && **line; line++) {
		g_auto(GStrv) cells = g_strsplit(*line, "\t", -1);
		double value = log(g_ascii_strtod(cells[3], NULL));

		if (!g_str_equal(cells[0], last)) {
			g_ptr_array_add(all, g_array_new(FALSE, FALSE, sizeof(double)));
			g_free(last);
			last = g_strdup(cells[0]);
		}
		g_array_append_val((GArray *)g_ptr_array_index(all, all->len - 1), value);
	}
	return all;
}

/* Consecutive windows of the second halves, calibrated on the first: at most 6% of comparisons of nothing with nothing
 * are declared different, on average over the workloads, where more than three times as many are without at n = 10. */
static void test_real_noise_in_sequence(void **state)
{
	g_autoptr(GPtrArray) all = read_series();
	const size_t sizes[] = {3, 5, 10};

	if (!all)
		skip();
	for (size_t s = 0; s < 3; s++) {
		double plain_rate = 0, rate = 0, replaced_rate = 0;
		size_t n = sizes[s];

		for (guint w = 0; w < all->len; w++) {
			GArray *series = g_ptr_array_index(all, w);
			const double *x = (const double *)(const void *)series->data;
			size_t half = series->len / 2, windows = series->len - half - 2 * n + 1;
			struct calibration c = {x, &half, 1};
			struct spread spread = calibration_spread(&c, n, n, false);

			for (size_t i = half; i < half + windows; i++) {
				struct contrast plain = welch(x + i, n, x + i + n, n), narrow = plain;

				plain_rate += (plain.p < 0.05) / (double)windows;
				rate += (calibrated(&plain, &spread, NULL).p < 0.05) / (double)windows;
				narrow.se = 0;
				replaced_rate += (calibrated(&narrow, &spread, NULL).p < 0.05) / (double)windows;
			}
		}
		print_message(
		    "in sequence, n = %zu: %.1f%% by Welch, %.1f%% calibrated (%.1f%% by the calibration alone)\n", n,
		    100 * plain_rate / all->len, 100 * rate / all->len, 100 * replaced_rate / all->len);
		assert_true(rate / all->len <= 0.06);
		assert_true(replaced_rate / all->len <= 0.06);
		assert_true(n < 10 || plain_rate / all->len > 0.18);
	}
}

/* Measured ratios of the second sitting to the first, in the order of the workloads. */
static const double sitting_ratios[] = {0.95, 0.86, 1.02, 1.16, 1.09, 1.08, 1.06};

/* A comparison of two sittings where nothing differs, with a calibration of so many sittings of 60 runs from the first
 * half of a series. Each sitting is off by a measured log ratio, of either sign, over the root of 2, so that two differ
 * as measured. Returns p. */
static double compare_sittings(gsl_rng *random, const GArray *series, size_t n_sittings, size_t n, gboolean is_plain)
{
	const double *x = (const double *)(const void *)series->data;
	size_t half = series->len / 2, length = MIN(60, half), at = 0, lengths[8];
	double values[8 * 60], sides[2][10];
	struct calibration c = {values, lengths, n_sittings};
	struct spread spread;
	struct contrast plain;

	for (size_t s = 0; s < n_sittings + 2; s++) {
		double level = (gsl_rng_uniform(random) < 0.5 ? -0.5 : 0.5) * M_SQRT2 *
			       log(sitting_ratios[gsl_rng_uniform_int(random, 7)]);
		gboolean is_side = s >= n_sittings;
		size_t from = is_side ? half + gsl_rng_uniform_int(random, series->len - half - n + 1)
				      : gsl_rng_uniform_int(random, half - length + 1);

		for (size_t i = 0; i < (is_side ? n : length); i++)
			*(is_side ? &sides[s - n_sittings][i] : &values[at++]) = x[from + i] + level;
		if (!is_side)
			lengths[s] = length;
	}
	plain = welch(sides[0], n, sides[1], n);
	spread = calibration_spread(&c, n, n, true);
	return is_plain ? plain.p : calibrated(&plain, &spread, NULL).p;
}

/* Across two sittings, of which Welch declares more than half different, a calibration of three to eight sittings
 * leaves at most 6%. */
static void test_real_noise_across_sittings(void **state)
{
	g_autoptr(GPtrArray) all = read_series();
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	const size_t sizes[] = {3, 5, 10}, counts[] = {3, 5, 8};

	for (size_t s = 0; all && s < 9; s++) {
		size_t n = sizes[s / 3], n_sittings = counts[s % 3];
		int different = 0, by_welch = 0, repetitions = 1400;

		for (int i = 0; i < repetitions; i++) {
			const GArray *series = g_ptr_array_index(all, (guint)i % all->len);

			different += compare_sittings(random, series, n_sittings, n, FALSE) < 0.05;
			by_welch += compare_sittings(random, series, n_sittings, n, TRUE) < 0.05;
		}
		print_message("across sittings, n = %zu, %zu sittings: %.1f%% by Welch, %.1f%% calibrated\n", n,
			      n_sittings, 100. * by_welch / repetitions, 100. * different / repetitions);
		assert_true(different <= 0.06 * repetitions);
		assert_true(by_welch > 0.25 * repetitions);
	}
	gsl_rng_free(random);
	if (!all)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_by_hand),
	    cmocka_unit_test(test_no_answer),
	    cmocka_unit_test(test_widens),
	    cmocka_unit_test(test_white_noise),
	    cmocka_unit_test(test_real_noise_in_sequence),
	    cmocka_unit_test(test_real_noise_across_sittings),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
