#include "check.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>

#include "../stats/bca.h"
#include "../stats/stream.h"
#include "reference/table.h"

#define RESAMPLES 10000

static enum bca_statistic statistic_named(const char *name)
{
	const char *names[] = {"mean", "median", "mean-ratio", "geometric-ratio"};

	for (int i = 0; i < 4; i++) {
		if (g_str_equal(name, names[i]))
			return (enum bca_statistic)i;
	}
	fail_msg("no statistic '%s'", name);
	return BCA_MEAN;
}

/* The statistic of x[picked_x] and y[picked_y] as a replicate, written without the library. */
static double statistic_of(enum bca_statistic statistic, const double *x, size_t nx, const double *y, size_t ny)
{
	double sum[2] = {0, 0}, logs[2] = {0, 0};

	for (size_t i = 0; i < nx + ny; i++) {
		sum[i >= nx] += i < nx ? x[i] : y[i - nx];
		logs[i >= nx] += log(i < nx ? x[i] : y[i - nx]);
	}
	switch (statistic) {
	case BCA_MEAN:
		return sum[0] / (double)nx;
	case BCA_MEDIAN: {
		double sorted[8];

		memcpy(sorted, x, nx * sizeof *x);
		gsl_sort(sorted, 1, nx);
		return (sorted[(nx - 1) / 2] + sorted[nx / 2]) / 2;
	}
	case BCA_MEAN_RATIO:
		return log(sum[1] / (double)ny) - log(sum[0] / (double)nx);
	case BCA_GEOMETRIC_RATIO:
		return logs[1] / (double)ny - logs[0] / (double)nx;
	}
	return NAN;
}

/* Every resample there is, once: m of them. */
static double *every_resample(enum bca_statistic statistic, const double *x, size_t nx, const double *y, size_t ny,
			      size_t *m)
{
	size_t pick[16] = {0}, n = nx + ny;
	GArray *all = g_array_new(FALSE, FALSE, sizeof(double));
	double drawn[16];

	for (;;) {
		size_t i = 0;
		double value;

		for (size_t j = 0; j < n; j++)
			drawn[j] = j < nx ? x[pick[j]] : y[pick[j]];
		value = statistic_of(statistic, drawn, nx, drawn + nx, ny);
		g_array_append_val(all, value);
		while (i < n && ++pick[i] == (i < nx ? nx : ny))
			pick[i++] = 0;
		if (i == n)
			break;
	}
	*m = all->len;
	return (double *)(void *)g_array_free(all, FALSE);
}

static void check_exact(const struct table *table, guint row, const struct bca *b, const double *x, const double *y,
			double *worst)
{
	size_t m;
	double level = table_number(table, row, "level");
	/* SciPy interpolates between ratios, this library between their logarithms. */
	double rel = b->ny > 0 ? 2e-6 : 1e-10;
	struct estimate e;
	g_autofree double *all = NULL;

	if (isnan(table_number(table, row, "exact_low")))
		return;
	all = every_resample(b->statistic, x, b->nx, y, b->ny, &m);
	e = bca_interval(b, all, m, level);
	table_check(table, row, "exact_low", e.low, rel, worst);
	table_check(table, row, "exact_high", e.high, rel, worst);
}

/* Of a drawn interval that SciPy's have this mean and spread of: 5 standard deviations. */
static void check_drawn(const struct table *table, guint row, const struct bca *b)
{
	g_autofree double *replicates = g_new(double, RESAMPLES);
	g_autofree uint32_t *counts = g_new(uint32_t, b->nx);
	struct estimate e;

	bca_resample(b, 0, RESAMPLES, replicates, counts);
	e = bca_interval(b, replicates, RESAMPLES, table_number(table, row, "level"));
	assert_int_equal(e.flags, 0);
	assert_true(fabs(e.low - table_number(table, row, "low")) <= 5 * table_number(table, row, "low_sd") + 1e-12);
	assert_true(fabs(e.high - table_number(table, row, "high")) <= 5 * table_number(table, row, "high_sd") + 1e-12);
}

/* Value and acceleration are the formula's, the interval from all resamples is SciPy's, the one from 10,000 drawn is
 * within the spread of SciPy's own. */
static void test_is_scipy(void **state)
{
	struct table *table = table_read("bca.tsv");
	double worst = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		enum bca_statistic statistic = statistic_named(table_text(table, i, "statistic"));
		size_t nx, ny;
		g_autofree double *x = table_numbers(table, i, "x", &nx);
		g_autofree double *y = table_numbers(table, i, "y", &ny);
		g_autofree double *work = NULL;
		struct bca b;

		if (statistic == BCA_MEAN || statistic == BCA_MEDIAN)
			ny = 0;
		work = g_new(double, nx + ny);
		b = bca_prepare(statistic, x, nx, y, ny, i, work);
		assert_int_equal(b.flags, 0);
		/* The script rounds to 12 places. */
		assert_true(fabs(b.value - table_number(table, i, "value")) < 1e-11);
		assert_true(fabs(b.acceleration - table_number(table, i, "acceleration")) < 1e-9);
		check_exact(table, i, &b, x, y, &worst);
		check_drawn(table, i, &b);
	}
	table_report(table, "bca.tsv", worst);
	table_free(table);
}

/* By hand. Of 1, 2, 6 the jackknife means are 4, 3.5, 1.5 about 3: U = -1, -.5, 1.5, so a = sum U^3 / (6 (sum U^2)^1.5)
 * = 2.25 / (6 * 3.5^1.5). Of ten replicates four lie below and one equals the value: z0 is the quantile of .45. */
static void test_by_hand(void **state)
{
	const double x[] = {1, 2, 6}, replicates[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
	double work[3];
	struct bca b = bca_prepare(BCA_MEAN, x, 3, NULL, 0, 1, work);

	assert_close(b.value, 3, 1e-15);
	assert_close(b.acceleration, 2.25 / (6 * 3.5 * sqrt(3.5)), 1e-14);
	assert_close(bca_bias(replicates, 10, 5, 0), -0.12566134685507402, 1e-12);
	assert_close(bca_bias(replicates, 10, 5.5, 0), 0, 1e-15);
}

/* The same bits however the replicates are shared out; another seed gives others. */
static void test_ranges_and_seeds(void **state)
{
	for (int statistic = BCA_MEAN; statistic <= BCA_GEOMETRIC_RATIO; statistic++) {
		double x[17], work[34], whole[100], parts[100];
		size_t ny = statistic < BCA_MEAN_RATIO ? 0 : 17;
		uint32_t counts[17];
		struct bca b;

		for (int i = 0; i < 17; i++)
			x[i] = 1 + (i * i % 17) / 7.0;
		b = bca_prepare((enum bca_statistic)statistic, x, 17, x, ny, 42, work);
		bca_resample(&b, 0, 100, whole, counts);
		bca_resample(&b, 60, 100, parts, counts);
		bca_resample(&b, 0, 13, parts, counts);
		bca_resample(&b, 13, 60, parts, counts);
		assert_memory_equal(whole, parts, sizeof whole);
		b.seed = 43;
		bca_resample(&b, 0, 100, parts, counts);
		assert_memory_not_equal(whole, parts, sizeof whole);
	}
}

/* Draws below n are even: over 600,000 the counts of 7 outcomes have chi-squared below its .9999 quantile, 27.86 on 6
 * (R qchisq); at n = 2^32 every draw is the bits themselves. */
static void test_stream_is_even(void **state)
{
	size_t counts[7] = {0}, draws = 600000;
	struct stream s = stream_init(1, 2), t = stream_init(1, 3);
	double chi = 0, expected = (double)draws / 7;

	for (size_t i = 0; i < draws; i++) {
		uint32_t below = stream_below(&s, (uint32_t)stream_bits(&s), 7);

		assert_true(below < 7);
		counts[below]++;
	}
	for (int i = 0; i < 7; i++)
		chi += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
	assert_true(chi < 27.86);
	assert_int_equal(stream_below(&t, 0xdeadbeef, UINT64_C(1) << 32), 0xdeadbeef);
	assert_int_equal(stream_below(&t, 0xdeadbeef, 1), 0);
}

/* Four draws below n are the digits, to the base n, of Lemire's draw below n^4 from the same 64 bits, and are refused
 * where that would be: of 100,000 of n = 16001, 144 (2^64 mod 16001^4 = 2^64 * 0.0014379), of a power of two none. */
static void test_four_are_one_of_n4(void **state)
{
	const struct {
		uint64_t n;
		double refused;
	} cases[] = {{1, 0}, {2, 0}, {3, 0}, {7, 0}, {1000, 0}, {16001, 143.8}, {STREAM_FOUR_BELOW, 0}};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		uint64_t n = cases[i].n, n4 = n * n * n * n, favoured = -n4 % n4, four[4];
		struct stream s = stream_init(1, n), t = s;
		int refused = 0;

		for (int draw = 0; draw < 100000; draw++) {
			unsigned __int128 product = (unsigned __int128)stream_bits(&t) * n4;
			uint64_t rest = (uint64_t)(product >> 64);
			bool is_refused = !stream_four_below(&s, n, four);

			assert_int_equal(is_refused, (uint64_t)product < favoured);
			refused += is_refused;
			for (int k = 3; k >= 0; k--, rest /= n)
				assert_int_equal(four[k], rest % n);
		}
		assert_true(fabs(refused - cases[i].refused) <= 5 * sqrt(cases[i].refused));
	}
}

/* Means of 1 to n drawn anew have mean (n + 1) / 2 and variance (n^2 - 1) / 12 / n, within 5 standard errors of 2000
 * replicates: of n that are drawn by fours, with and without a rest, and of one too large for that. */
static void test_moments_of_replicates(void **state)
{
	const size_t sizes[] = {2, 3, 4, 5, 10, 1000, STREAM_FOUR_BELOW, STREAM_FOUR_BELOW + 3}, m = 2000;
	g_autofree double *x = g_new(double, STREAM_FOUR_BELOW + 3), *work = g_new(double, STREAM_FOUR_BELOW + 3);
	g_autofree double *replicates = g_new(double, m);

	for (size_t i = 0; i < STREAM_FOUR_BELOW + 3; i++)
		x[i] = (double)i + 1;
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		double n = (double)sizes[i], variance = (n * n - 1) / 12 / n, mean = 0, squares = 0;
		struct bca b = bca_prepare(BCA_MEAN, x, sizes[i], NULL, 0, 1, work);

		bca_resample(&b, 0, m, replicates, NULL);
		for (size_t r = 0; r < m; r++) {
			double off = replicates[r] - (n + 1) / 2;

			mean += off / (double)m;
			squares += off * off / (double)m;
		}
		assert_true(fabs(mean) < 5 * sqrt(variance / (double)m));
		assert_true(fabs(squares / variance - 1) < 5 * sqrt(2 / (double)m));
	}
}

/* Replicates that all lie on one side have no bias: unbounded, not a wild interval. Constant data has a point. */
static void test_degenerate(void **state)
{
	const double x[] = {1, 2, 6}, same[] = {0.3, 0.1 + 0.2, 0.3};
	double above[] = {4, 5, 6}, work[3];
	struct bca b = bca_prepare(BCA_MEAN, x, 3, NULL, 0, 1, work);
	struct estimate e = bca_interval(&b, above, 3, 0.95);

	assert_int_equal(e.flags, EST_TOO_FEW);
	assert_true(e.low == -INFINITY && e.high == INFINITY);
	assert_int_equal(bca_interval(&b, NULL, 0, 0.95).flags, EST_TOO_FEW);
	b = bca_prepare(BCA_MEAN, same, 3, NULL, 0, 1, work);
	e = bca_interval(&b, NULL, 0, 0.95);
	assert_int_equal(e.flags, EST_CONSTANT);
	assert_true(e.low == e.value && e.high == e.value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_scipy),           cmocka_unit_test(test_by_hand),
	    cmocka_unit_test(test_ranges_and_seeds),   cmocka_unit_test(test_stream_is_even),
	    cmocka_unit_test(test_four_are_one_of_n4), cmocka_unit_test(test_moments_of_replicates),
	    cmocka_unit_test(test_degenerate),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
