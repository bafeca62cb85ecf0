#include "check.h"

#include <gsl/gsl_randist.h>
#include <stdio.h>

#include "../src/aa.h"
#include "../src/analyse.h"
#include "../src/dataset.h"
#include "../src/flag.h"
#include "../src/import.h"
#include "../src/shared.h"

/* Real series of one treatment, ../shared/noise: what the verdict makes of them. All comparisons go through
 * analyse_compare(). The bounds are those of the study in README.md beside the series. */

#define WORKLOADS 7
#define SEED 20261130
#define REPEATS 400

static const char *const names[WORKLOADS] = {"fdwrite64", "fdwrite256", "fsync4k", "randread",
					     "sort",      "mmaptouch",  "dbench"};
/* Medians of another sitting, 46 minutes later, over those of the first. */
static const double sitting_ratio[WORKLOADS] = {0.95, 0.86, 1.02, 1.16, 1.09, 1.08, 1.06};
static const struct metric metric = {.name = "value", .unit = ""};

static GArray *series[WORKLOADS];

static char *series_path(void)
{
	const char *shared_dir = g_getenv("VMSTAT_BENCH_SHARED");

	return g_build_filename(shared_dir ? shared_dir : "../shared", "noise", "series.tsv", NULL);
}

static int read_series(void **state)
{
	g_autofree char *path = series_path();
	g_autoptr(Dataset) dataset = import_file(path, NULL);
	const struct values *values = dataset ? dataset_find_metric(dataset, "value") : NULL;
	const struct column *workload = dataset ? dataset_find_factor(dataset, "workload") : NULL;

	if (dataset && dataset->workload)
		workload = dataset->workload;
	if (!values || !workload)
		return -1;
	for (guint w = 0; w < WORKLOADS; w++) {
		series[w] = g_array_new(FALSE, FALSE, sizeof(double));
		for (guint row = 0; row < dataset->n_runs; row++) {
			double value = values_get(values, row);

			if (g_strcmp0(column_get(workload, row), names[w]) == 0)
				g_array_append_val(series[w], value);
		}
	}
	return series[0]->len == 400 && series[WORKLOADS - 1]->len == 120 ? 0 : -1;
}

static GArray *half(const GArray *values, guint which)
{
	GArray *part = g_array_new(FALSE, FALSE, sizeof(double));
	guint n = values->len / 2;

	g_array_append_vals(part, &g_array_index(values, double, which *n), n);
	return part;
}

static void add_sitting(struct dataset *dataset, const double *values, guint n, double factor, const char *sitting)
{
	if (!dataset->sitting)
		dataset->sitting = column_new("sitting");
	for (guint i = 0; i < n; i++) {
		guint row = dataset_add_run(dataset);

		column_set(dataset->sitting, row, sitting);
		values_set(dataset_metric(dataset, &metric), row, factor * values[i]);
	}
}

static double percent(const struct aa_rate *rate)
{
	return 100.0 * rate->declared / rate->comparisons;
}

/* Prints a line of the table; returns its mean. */
static double print_rates(const char *title, const double *rates)
{
	double mean = 0;

	printf("%-34s", title);
	for (guint w = 0; w < WORKLOADS; w++) {
		printf(" %6.1f", rates[w]);
		mean += rates[w] / WORKLOADS;
	}
	printf("  mean %5.1f\n", mean);
	return mean;
}

static double mean_rate(const char *title, enum aa_order order, guint n, double factor)
{
	double rates[WORKLOADS];

	for (guint w = 0; w < WORKLOADS; w++) {
		struct aa_rate rate = aa_rate(series[w], order, n, factor, NULL, SEED + w);

		assert_true(rate.comparisons >= 90);
		rates[w] = percent(&rate);
	}
	return print_rates(title, rates);
}

/* In random pairs at most 5.6% of comparisons of what does not differ are called different, and at least 74% of
 * differences of 5% are found with ten. */
static void test_interleaved(void **state)
{
	assert_true(mean_rate("false alarms, pairs, n = 5", AA_INTERLEAVED, 5, 1) <= 5.6);
	assert_true(mean_rate("false alarms, pairs, n = 10", AA_INTERLEAVED, 10, 1) <= 5.6);
	assert_true(mean_rate("found +5%, pairs, n = 10", AA_INTERLEAVED, 10, 1.05) >= 74);
}

/* One after the other a third is called different with ten runs a side: the harm that a calibration is to undo. */
static void test_sequential(void **state)
{
	double ten;

	mean_rate("false alarms, AAA..BBB, n = 3", AA_SEQUENTIAL, 3, 1);
	mean_rate("false alarms, AAA..BBB, n = 5", AA_SEQUENTIAL, 5, 1);
	ten = mean_rate("false alarms, AAA..BBB, n = 10", AA_SEQUENTIAL, 10, 1);
	assert_true(ten > 27 && ten < 36);
}

/* Calibrated by the first half of each series, at most 6% of the second half's comparisons one after the other, on
 * average over the workloads. */
static void test_calibrated(void **state)
{
	static const guint sizes[] = {3, 5, 10};

	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autofree char *title = g_strdup_printf("the same, calibrated, n = %u", sizes[i]);
		g_autofree char *before = g_strdup_printf("second half, AAA..BBB, n = %u", sizes[i]);
		double rates[WORKLOADS], without[WORKLOADS];

		for (guint w = 0; w < WORKLOADS; w++) {
			g_autoptr(GArray) first = half(series[w], 0), second = half(series[w], 1);
			g_autoptr(Dataset) calibration = dataset_new();
			struct aa_rate rate;

			add_sitting(calibration, (const double *)(gconstpointer)first->data, first->len, 1, "1");
			rate = aa_rate(second, AA_SEQUENTIAL, sizes[i], 1, calibration, SEED);
			rates[w] = percent(&rate);
			rate = aa_rate(second, AA_SEQUENTIAL, sizes[i], 1, NULL, SEED);
			without[w] = percent(&rate);
		}
		print_rates(before, without);
		assert_true(print_rates(title, rates) <= 6);
	}
}

/* Two sittings, each shifted by chance as much as the real ones were. */
struct sittings {
	gsl_rng *random;
	double sd;
};

static double shift(const struct sittings *sittings)
{
	return exp(gsl_ran_gaussian(sittings->random, sittings->sd));
}

static struct dataset *two_sittings(const struct sittings *sittings, const GArray *values, guint n)
{
	struct dataset *dataset = dataset_new();

	for (guint side = 0; side < 2; side++) {
		guint start = (guint)gsl_rng_uniform_int(sittings->random, values->len - n + 1);

		add_sitting(dataset, &g_array_index(values, double, start), n, shift(sittings), side ? "B" : "A");
	}
	return dataset;
}

/* That many sittings of 60 runs, or of what there is. */
static struct dataset *calibrate(const struct sittings *sittings, const GArray *values, guint count)
{
	struct dataset *dataset = dataset_new();
	guint n = MIN(60, values->len), step = count > 1 ? (values->len - n) / (count - 1) : 0;

	for (guint i = 0; i < count; i++) {
		g_autofree char *name = g_strdup_printf("calibration %u", i);

		add_sitting(dataset, &g_array_index(values, double, i *step), n, shift(sittings), name);
	}
	return dataset;
}

static gboolean is_different(const struct dataset *dataset, guint n, const struct dataset *calibration, flag_set *flags)
{
	const struct analyse_options options = {
	    .level = 0.95, .margin_pct = 5, .verdict_only = TRUE, .calibration = calibration};
	struct selection sides[2] = {{.name = shared("A")}, {.name = shared("B")}};
	g_autoptr(GPtrArray) others = g_ptr_array_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct comparison *c;

	for (guint side = 0; side < 2; side++) {
		sides[side].rows = g_array_new(FALSE, FALSE, sizeof(guint));
		for (guint i = 0; i < n; i++) {
			guint row = side * n + i;

			g_array_append_val(sides[side].rows, row);
		}
	}
	g_ptr_array_add(others, &sides[1]);
	analysis = analyse_compare(dataset, &sides[0], others, &options, NULL);
	g_array_unref(sides[0].rows);
	g_array_unref(sides[1].rows);
	assert_non_null(analysis);
	c = g_ptr_array_index(analysis->comparisons, 0);
	*flags = c->flags;
	return c->verdict != VERDICT_SAME && c->verdict != VERDICT_UNDECIDED;
}

/* Across two sittings more than half is called different by runs alone, and says so: cross-sitting. Calibrated by three
 * or more sittings at most 6% is, and cross-sitting is gone; by two it stays. */
static void test_cross_sitting(void **state)
{
	static const guint counts[] = {0, 2, 3, 5};
	struct sittings sittings = {.random = gsl_rng_alloc(gsl_rng_mt19937)};
	double squares = 0;

	/* the logarithm of a ratio of two sittings has twice the variance of one */
	for (guint w = 0; w < WORKLOADS; w++)
		squares += log(sitting_ratio[w]) * log(sitting_ratio[w]) / WORKLOADS;
	sittings.sd = sqrt(squares / 2);
	gsl_rng_set(sittings.random, SEED);
	for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
		g_autofree char *title = g_strdup_printf("two sittings, %u calibrated, n = 10", counts[i]);
		double rates[WORKLOADS] = {0}, mean;

		for (guint w = 0; w < WORKLOADS; w++) {
			g_autoptr(GArray) first = half(series[w], 0), second = half(series[w], 1);

			for (guint repeat = 0; repeat < REPEATS; repeat++) {
				g_autoptr(Dataset) dataset = two_sittings(&sittings, second, 10);
				g_autoptr(Dataset) calibration =
				    counts[i] ? calibrate(&sittings, first, counts[i]) : NULL;
				flag_set flags;

				rates[w] += 100.0 / REPEATS * is_different(dataset, 10, calibration, &flags);
				assert_int_equal(!!(flags & FLAG_CALIBRATED), counts[i] > 0);
				assert_int_equal(!!(flags & FLAG_CROSS_SITTING), counts[i] < 3);
			}
		}
		mean = print_rates(title, rates);
		if (counts[i] == 0)
			assert_true(mean > 50);
		if (counts[i] >= 3)
			assert_true(mean <= 6);
	}
	gsl_rng_free(sittings.random);
}

static int free_series(void **state)
{
	for (guint w = 0; w < WORKLOADS; w++)
		g_clear_pointer(&series[w], g_array_unref);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_interleaved),
	    cmocka_unit_test(test_sequential),
	    cmocka_unit_test(test_calibrated),
	    cmocka_unit_test(test_cross_sitting),
	};
	g_autofree char *path = series_path();

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		printf("no series at %s\n", path);
		return EXIT_SKIPPED;
	}
	printf("%-34s", "per cent declared different");
	for (guint w = 0; w < WORKLOADS; w++)
		printf(" %6.6s", names[w]);
	puts("");
	return cmocka_run_group_tests(tests, read_series, free_series);
}
