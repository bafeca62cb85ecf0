#include "check.h"

#include <string.h>

#include "../src/flag.h"
#include "../src/profile.h"
#include "../src/document.h"
#include "../src/report.h"
#include "../src/shared.h"
#include "sample_data.h"

/* Profiles, and what a calibration does to a comparison. */

/* R: x <- c(3.1, ...); l <- log(x). */
static const double x[] = {3.1, 2.9, 3.4, 3.3, 3.6, 3.2, 3.8, 3.5, 3.9, 3.7, 4.0, 4.1};

static void add_sitting(struct dataset *dataset, const double *values, guint n, double factor, const char *sitting)
{
	for (guint i = 0; i < n; i++)
		set_level(&dataset->sitting, "sitting", add_run(dataset, "same", factor * values[i]), sitting);
}

static struct analysis *profile(const struct dataset *dataset)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	struct analysis *analysis = analyse_profile(dataset, NULL, NULL, &options, NULL);

	assert_non_null(analysis);
	assert_int_equal(analysis->profiles->len, 1);
	return analysis;
}

static const struct allan_point *allan(const struct profile *profile, guint size)
{
	for (guint i = 0; i < profile->allan->len; i++)
		if (g_array_index(profile->allan, struct allan_point, i).size == size)
			return &g_array_index(profile->allan, struct allan_point, i);
	return NULL;
}

/* One sitting, by R: acf(l)$acf[2]; cor.test(seq_along(l), l, method = "kendall"); sqrt(mean(diff(l)^2) / 2), the same
 * of colMeans(matrix(l, 2)); power.t.test(delta = log(1 + pct / 100), sd = sqrt(mean(diff(l)^2)), power = .8, type =
 * "paired", strict = TRUE)$n rounded up. */
static void test_profile(void **state)
{
	static const struct advice want[] = {{10, 11}, {5, 35}, {2, 202}, {1, 792}};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct profile *p;

	add_sitting(dataset, x, G_N_ELEMENTS(x), 1, "1");
	analysis = profile(dataset);
	p = g_ptr_array_index(analysis->profiles, 0);
	assert_int_equal(p->n, 12);
	assert_int_equal(p->n_sittings, 1);
	assert_close(p->mean, 3.541666666666667, 1e-14);
	assert_close(p->cv, 0.105960755286567, 1e-13);
	assert_close(p->lag_one.statistic, 0.414298176381518, 1e-13);
	assert_close(p->tau, 0.727272727272727293, 1e-14);
	assert_close(p->drift.p, 0.000498883511036219, 1e-11);
	assert_close(allan(p, 1)->deviation, 0.070565644609462, 1e-13);
	assert_int_equal(allan(p, 1)->pairs, 11);
	assert_close(allan(p, 2)->deviation, 0.0483390177079176, 1e-13);
	assert_int_equal(allan(p, 2)->pairs, 5);
	assert_null(allan(p, 10));
	assert_true(isnan(p->sitting_sd));
	assert_true(isnan(p->sitting_pct));
	assert_int_equal(p->block_size, 1);
	for (guint i = 0; i < G_N_ELEMENTS(want); i++)
		assert_close(profile_pairs(p, want[i].pct), want[i].pairs, 0);
	assert_close(profile_pairs(p, 3), 92, 0);
	/* 35 pairs find 5%, 34 do not */
	assert_true(profile_interleaved_pct(p, 35) < 5);
	assert_true(profile_interleaved_pct(p, 34) > 5);
}

/* Three sittings that are 1, e and e^2 times the first: the logarithms of their means have a standard deviation of 1,
 * and within them nothing has changed. */
static void test_sittings(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	const struct profile *p;

	add_sitting(dataset, x, G_N_ELEMENTS(x), 1, "1");
	add_sitting(dataset, x, G_N_ELEMENTS(x), M_E, "2");
	add_sitting(dataset, x, G_N_ELEMENTS(x), M_E * M_E, "3");
	analysis = profile(dataset);
	p = g_ptr_array_index(analysis->profiles, 0);
	assert_int_equal(p->n_sittings, 3);
	assert_close(p->sitting_sd, 1, 1e-13);
	assert_close(allan(p, 1)->deviation, 0.070565644609462, 1e-13);
	assert_int_equal(allan(p, 1)->pairs, 33);
	/* the clearest of three: three times its p */
	assert_close(p->drift.p, 3 * 0.000498883511036219, 1e-11);
	assert_true(p->sitting_pct > 1000);
}

/* Runs that alternate are anti-correlated: two of each in turn cancel it, and the block says so. Constant runs have no
 * noise, three pairs find anything; a value of 0 has no logarithm. */
static void test_blocks(void **state)
{
	g_autoptr(Dataset) alternating = dataset_new(), constant = dataset_new(), zero = dataset_new();
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	g_autoptr(Analysis) first = NULL, second = NULL;
	g_autoptr(GError) error = NULL;

	for (guint i = 0; i < 120; i++) {
		add_run(alternating, "same", (i % 2 ? 10.0 : 12.0) + 0.01 * ((i * 7) % 5));
		add_run(constant, "same", 7);
		add_run(zero, "same", i % 3);
	}
	first = profile(alternating);
	assert_int_equal(((const struct profile *)g_ptr_array_index(first->profiles, 0))->block_size, 2);
	second = profile(constant);
	assert_close(profile_pairs(g_ptr_array_index(second->profiles, 0), 1), 3, 0);
	assert_true(((const struct profile *)g_ptr_array_index(second->profiles, 0))->flags & EST_CONSTANT);
	assert_null(analyse_profile(zero, NULL, NULL, &options, &error));
	assert_non_null(error);
}

/* Both formats say what the profile holds; nothing that is not finite reaches JSON. */
static void test_reports(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(GString) text = g_string_new(NULL), json = g_string_new(NULL);
	g_autoptr(Analysis) analysis = NULL;

	add_sitting(dataset, x, G_N_ELEMENTS(x), 1, "1");
	analysis = profile(dataset);
	report_find("text", NULL)->calibrate(analysis, &(struct document){.out = text});
	report_find("json", NULL)->calibrate(analysis, &(struct document){.out = json});
	assert_non_null(strstr(text->str, "rate: 12 runs in 1 sitting, mean 3.542 MB/s, cv 11%"));
	assert_non_null(strstr(text->str, "it drifts: Kendall's tau 0.7273, p = 0.0005"));
	assert_non_null(strstr(text->str, "11 for 10%, 35"));
	assert_non_null(strstr(text->str, "792 for 1%"));
	assert_non_null(strstr(json->str, "\"sitting_sd\": null"));
	assert_non_null(strstr(json->str, "\"tau\": 0.72727272727272"));
	assert_null(strstr(json->str, "inf"));
	assert_null(strstr(json->str, "nan"));
}

/* What the facts of a run say of the machine. */
static void set_facts(struct dataset *dataset, guint first, const char *name, const char *host, const char *options)
{
	GHashTable *facts = g_hash_table_new(g_str_hash, g_str_equal);

	g_hash_table_insert(facts, shared("host"), shared(host));
	g_hash_table_insert(facts, shared("options of w"), shared(options));
	g_hash_table_insert(dataset->fact_sets, shared(g_intern_string(name)), facts);
	for (guint row = first; row < dataset->n_runs; row++) {
		set_level(&dataset->facts, "facts", row, name);
		set_level(&dataset->workload, "workload", row, "w");
	}
}

/* A comparison of A before B, each on host h with options o. */
static struct dataset *a_before_b(void)
{
	static const double a[] = {100, 101, 99, 100, 102}, b[] = {106, 107, 105, 106, 108};
	struct dataset *dataset = dataset_new();

	add_runs(dataset, "A", a, 5);
	add_runs(dataset, "B", b, 5);
	set_facts(dataset, 0, "f", "h", "o");
	return dataset;
}

static struct analysis *compare_calibrated(const struct dataset *dataset, const struct dataset *calibration)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5, .calibration = calibration};
	g_autoptr(GArray) a = rows_with(dataset, "A"), b = rows_with(dataset, "B");
	struct selection sides[] = {{.name = shared("A"), .rows = a}, {.name = shared("B"), .rows = b}};
	g_autoptr(GPtrArray) others = g_ptr_array_new();

	g_ptr_array_add(others, &sides[1]);
	return analyse_compare(dataset, &sides[0], others, &options, NULL);
}

/* The interval gets as wide as the noise of batches of five was: with logarithms that are 0 five times, then 1 five
 * times, and so on, adjacent batches differ by 1 each, in 5 pairs: R: qt(.975, 5) is 2.570581835636314, the standard
 * error 1. */
static void test_widened(void **state)
{
	g_autoptr(Dataset) dataset = a_before_b(), calibration = dataset_new();
	g_autoptr(Analysis) before = NULL, after = NULL;
	const struct comparison *c;

	for (guint i = 0; i < 30; i++)
		add_run(calibration, "same", i / 5 % 2 ? M_E : 1);
	before = compare_calibrated(dataset, NULL);
	assert_int_equal(nth(before, 0)->verdict, VERDICT_BETTER);
	assert_int_equal(nth(before, 0)->flags & FLAG_CALIBRATED, 0);
	after = compare_calibrated(dataset, calibration);
	c = nth(after, 0);
	assert_int_equal(c->verdict, VERDICT_UNDECIDED);
	assert_true(c->flags & FLAG_CALIBRATED);
	assert_true(c->flags & FLAG_ORDER_CONFOUNDED);
	assert_close(c->ratio.estimate, nth(before, 0)->ratio.estimate, 1e-14);
	assert_close(log(c->ratio.high / c->ratio.estimate), 2.570581835636314, 1e-12);
	assert_close(log(c->ratio.estimate / c->ratio.low), 2.570581835636314, 1e-12);
	/* of means: the same error, relative to their level */
	assert_close(c->difference.high - c->difference.estimate, 2.570581835636314 * (100.4 + 106.4) / 2, 1e-12);
	assert_true(isnan(c->runs_needed));
}

/* Noise that is smaller than the runs' own never narrows the interval; one that is too short says nothing. */
static void test_never_narrower(void **state)
{
	g_autoptr(Dataset) dataset = a_before_b(), quiet = dataset_new(), short_one = dataset_new();
	g_autoptr(Analysis) before = compare_calibrated(dataset, NULL), after = NULL, third = NULL;

	for (guint i = 0; i < 100; i++)
		add_run(quiet, "same", 1 + 1e-6 * ((i * 7) % 5));
	for (guint i = 0; i < 9; i++)
		add_run(short_one, "same", 1 + i);
	after = compare_calibrated(dataset, quiet);
	assert_close(nth(after, 0)->ratio.low, nth(before, 0)->ratio.low, 0);
	assert_close(nth(after, 0)->ratio.high, nth(before, 0)->ratio.high, 0);
	third = compare_calibrated(dataset, short_one);
	assert_int_equal(nth(third, 0)->flags, nth(before, 0)->flags);
}

/* A calibration of a store counts where host, options, workload and metric are the same, and not else; runs in pairs do
 * not need one. */
static void test_whose(void **state)
{
	static const double a[] = {100, 101, 99, 100, 102}, b[] = {106, 107, 105, 106, 108};
	static const struct {
		const char *host, *options;
		gboolean fits;
	} machines[] = {{"h", "o", TRUE}, {"other", "o", FALSE}, {"h", "other", FALSE}};
	g_autoptr(Dataset) dataset = a_before_b(), blocked = dataset_new();

	add_blocks(blocked, a, b, 5);
	set_facts(blocked, 0, "f", "h", "o");
	for (guint i = 0; i < G_N_ELEMENTS(machines); i++) {
		g_autoptr(Dataset) calibration = dataset_new();
		g_autoptr(Analysis) analysis = NULL, pairs = NULL;

		for (guint j = 0; j < 30; j++)
			add_run(calibration, "same", j / 5 % 2 ? M_E : 1);
		set_facts(calibration, 0, "g", machines[i].host, machines[i].options);
		analysis = compare_calibrated(dataset, calibration);
		assert_int_equal(!!(nth(analysis, 0)->flags & FLAG_CALIBRATED), machines[i].fits);
		pairs = compare_calibrated(blocked, calibration);
		assert_int_equal(nth(pairs, 0)->flags & FLAG_CALIBRATED, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_profile), cmocka_unit_test(test_sittings), cmocka_unit_test(test_blocks),
	    cmocka_unit_test(test_reports), cmocka_unit_test(test_widened),  cmocka_unit_test(test_never_narrower),
	    cmocka_unit_test(test_whose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
