#include "check.h"

#include <gsl/gsl_cdf.h>

#include "../stats/stream.h"
#include "sample_data.h"

/* Errors that other tools of this trade make, each a case that they get wrong: in what is said of runs. Those of single
 * statistics are in test_peers_stats.c. */

static double draw_normal(struct stream *stream)
{
	return gsl_cdf_ugaussian_Pinv(((double)(stream_bits(stream) >> 11) + 0.5) * 0x1p-53);
}

/* Runs in turns, so that order tells the sides apart in nothing. */
static struct analysis *compare_values(const double *x, guint nx, const double *y, guint ny)
{
	g_autoptr(Dataset) dataset = dataset_new();

	for (guint i = 0; i < MAX(nx, ny); i++) {
		if (i < nx)
			add_run(dataset, "A", x[i]);
		if (i < ny)
			add_run(dataset, "B", y[i]);
	}
	return COMPARE(dataset, "A", "B");
}

/* The only estimate of values in run order. */
static const struct estimate_row *show_values(const double *x, guint n, struct analysis **analysis)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(GArray) rows = NULL;

	add_runs(dataset, "A", x, n);
	rows = rows_with(dataset, NULL);
	*analysis = analyse_show(dataset, rows, &options, NULL);
	assert_non_null(*analysis);
	return g_ptr_array_index((*analysis)->estimates, 0);
}

/* pyperf calls samples of unequal size different whatever they hold. */
static void test_pyperf_unequal_counts(void **state)
{
	const double x[] = {10, 11, 12, 13, 14}, y[] = {10, 11, 12, 13, 14, 12};
	g_autoptr(Analysis) analysis = compare_values(x, 5, y, 6);

	/* R: t.test(log(y), log(x))$p.value */
	assert_close(nth(analysis, 0)->p, 0.98819382793650035, 1e-9);
	assert_int_equal(nth(analysis, 0)->verdict, VERDICT_UNDECIDED);
}

/* pyperf calls two constants different with certainty: two numbers say nothing about what varies. */
static void test_pyperf_zero_variance(void **state)
{
	const double x[] = {5, 5, 5, 5}, y[] = {5.01, 5.01, 5.01, 5.01};
	g_autoptr(Analysis) analysis = compare_values(x, 4, y, 4);

	assert_close(nth(analysis, 0)->p, NAN, 0);
	assert_int_equal(nth(analysis, 0)->verdict, VERDICT_UNTESTABLE);
}

/* mmtests' interval, 1.96 sd, does not narrow as n grows. Four times the runs halve the width, but for t. */
static void test_mmtests_root_n(void **state)
{
	g_autoptr(Analysis) of_ten = NULL, of_forty = NULL;
	double x[40];
	struct estimate ten, forty;

	for (size_t i = 0; i < 40; i++)
		x[i] = 100 + (double)(i % 10);
	ten = show_values(x, 10, &of_ten)->ci;
	forty = show_values(x, 40, &of_forty)->ci;
	/* R: qt(.975, 39) * sd(rep(1:10, 4)) / sqrt(40) / (qt(.975, 9) * sd(1:10) / sqrt(10)) */
	assert_close((forty.high - forty.low) / (ten.high - ten.low), 0.42953217584116909, 1e-9);
}

/* multitime divides by n, and takes t with n degrees of freedom: at n = 2 its interval covers 80%. */
static void test_multitime_two_runs(void **state)
{
	const double x[] = {1, 3};
	g_autoptr(Analysis) analysis = NULL;
	struct estimate e = show_values(x, 2, &analysis)->ci;

	/* R: qt(.975, 1) * sd(x) / sqrt(2) */
	assert_close(e.high - e.value, 12.706204736174694, 1e-12);
}

/* The min and median rule of lkp calls 20% of 3 against 3 different where nothing differs. */
static void test_lkp_three_runs(void **state)
{
	unsigned different = 0;

	for (unsigned i = 0; i < 1000; i++) {
		struct stream stream = stream_init(1, i);
		g_autoptr(Analysis) analysis = NULL;
		double x[3], y[3];

		for (size_t j = 0; j < 3; j++) {
			x[j] = 100 + draw_normal(&stream);
			y[j] = 100 + draw_normal(&stream);
		}
		analysis = compare_values(x, 3, y, 3);
		different += nth(analysis, 0)->verdict == VERDICT_BETTER || nth(analysis, 0)->verdict == VERDICT_WORSE;
	}
	/* 3.7% by simulation (STATISTICS.md); R: qbinom(.9999, 1000, .05) */
	assert_true(different <= 77);
	assert_true(different > 0);
}

/* hyperfine prints the mean +- a standard deviation, which is no interval of the mean. */
static void test_hyperfine_interval(void **state)
{
	g_autoptr(Analysis) analysis = NULL;
	const struct estimate_row *row;
	double x[25];

	for (size_t i = 0; i < 25; i++)
		x[i] = 100 + (double)(i * 7 % 25);
	row = show_values(x, 25, &analysis);
	/* R: qt(.975, 24) * sd(x) / sqrt(25) */
	assert_close(row->ci.high - row->summary.mean, 2.0638985616280254 * row->summary.sd / 5, 1e-12);
}

/* benchstat sorts the values, and with the order goes every sign of drift. */
static void test_benchstat_order(void **state)
{
	g_autoptr(Analysis) of_rising = NULL, of_shuffled = NULL;
	double x[10], y[10];

	for (size_t i = 0; i < 10; i++) {
		x[i] = 100 + (double)i;
		y[i] = 100 + (double)(i * 7 % 10);
	}
	assert_true(show_values(x, 10, &of_rising)->flags & FLAG_DRIFT);
	assert_false(show_values(y, 10, &of_shuffled)->flags & FLAG_DRIFT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_pyperf_unequal_counts), cmocka_unit_test(test_pyperf_zero_variance),
	    cmocka_unit_test(test_mmtests_root_n),        cmocka_unit_test(test_multitime_two_runs),
	    cmocka_unit_test(test_lkp_three_runs),        cmocka_unit_test(test_hyperfine_interval),
	    cmocka_unit_test(test_benchstat_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
