#include "check.h"

#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <string.h>

#include "../src/analyse_effects.h"
#include "../src/operand.h"
#include "../src/document.h"
#include "../src/report.h"
#include "sample_data.h"

/* Expected values are R 4.2's and SciPy 1.10's; the call stands beside each. */

static struct effects_analysis *analyse(const struct dataset *dataset, const GArray *rows, const char *first,
					const char *second, gboolean is_log, GError **error)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	const struct column *factors[] = {dataset_find_factor(dataset, first),
					  second ? dataset_find_factor(dataset, second) : NULL};

	assert_non_null(factors[0]);
	assert_true(!second || factors[1]);
	return analyse_effects(dataset, rows, factors, second ? 2 : 1, is_log, &options, error);
}

static struct effects_analysis *of_file(char **operand, const char *first, const char *second, const char *metric,
					gboolean is_log)
{
	g_autoptr(Operands) operands = operands_load(operand, "none.db", NULL);
	char *metrics[] = {g_strdup(metric), NULL};
	const struct analyse_options options = {.level = 0.95, .metrics = metrics};
	const struct column *factors[2];
	struct effects_analysis *analysis;

	assert_non_null(operands);
	factors[0] = operands_factor(operands, first, NULL);
	factors[1] = second ? operands_factor(operands, second, NULL) : NULL;
	analysis = analyse_effects(operands->dataset, operands_rows(operands), factors, second ? 2 : 1, is_log, &options, NULL);
	g_free(metrics[0]);
	return analysis;
}

static const struct effects *only(const struct effects_analysis *analysis)
{
	assert_non_null(analysis);
	assert_int_equal(analysis->effects->len, 1);
	return g_ptr_array_index(analysis->effects, 0);
}

static const struct effects_term *term(const struct effects *effects, const char *source)
{
	for (guint i = 0; i < effects->terms->len; i++) {
		const struct effects_term *t = &g_array_index(effects->terms, struct effects_term, i);

		if (g_str_equal(t->source, source))
			return t;
	}
	fail_msg("no term '%s'", source);
	return NULL;
}

static const struct effects_cell *cell(const struct effects *effects, const char *first, const char *second)
{
	for (guint i = 0; i < effects->cells->len; i++) {
		const struct effects_cell *c = &g_array_index(effects->cells, struct effects_cell, i);

		if (g_str_equal(c->level[0], first) && g_strcmp0(c->level[1], second) == 0)
			return c;
	}
	fail_msg("no cell '%s'", first);
	return NULL;
}

/* The grid of two thresholds, one run a cell: F 341.575 on 6, 18 and 1.493 on 3, 18, non-additivity 2.682 (aov), best
 * 80/90; scipy.stats.studentized_range.sf((8.910 - y) / sd, 28, 18) for the cells beside it. */
static void test_grid(void **state)
{
	char *operand[] = {(char[]){"samples/bdflush-grid.tsv"}, NULL};
	g_autoptr(EffectsAnalysis) analysis =
	    of_file(operand, "start_writeout_pct", "sync_wait_pct", "throughput", FALSE);
	const struct effects *e = only(analysis);
	const struct effects_term *start = term(e, "start_writeout_pct"), *wait = term(e, "sync_wait_pct");
	guint n_best = 0;

	assert_close(start->f, 341.57503910426658, 1e-10);
	assert_true(start->df == 6 && start->df_error == 18 && start->p < 1e-15);
	assert_close(wait->f, 1.4934709975375986, 1e-10);
	assert_close(wait->p, 0.25008886338333436, 1e-10);
	assert_true(e->has_nonadditivity);
	assert_close(e->nonadditivity.statistic, 2.6815878094844918, 1e-9);
	assert_close(e->nonadditivity.p, 0.11988995659977647, 1e-9);
	assert_close(e->sd, 0.13366129308757047, 1e-10);
	assert_close(e->luck, 2.01370692412327, 1e-12);
	assert_true(isnan(e->kruskal.p) && isnan(e->welch.p));
	assert_int_equal(e->cells->len, 28);
	for (guint i = 0; i < 28; i++)
		n_best += g_array_index(e->cells, struct effects_cell, i).is_best;
	assert_int_equal(n_best, 1);
	assert_true(cell(e, "80", "90")->is_best);
	assert_close(cell(e, "80", "90")->mean, 8.910, 1e-15);
	assert_close(cell(e, "90", "60")->p, 0.9999406001770943, 1e-9);
	assert_close(cell(e, "60", "60")->p, 0.13222009771185106, 1e-8);
	assert_close(cell(e, "60", "80")->p, 0.02144739869331358, 1e-8);
	assert_true(cell(e, "60", "60")->is_as_good && !cell(e, "60", "80")->is_as_good);
	assert_string_equal(e->confounded->pdata[0], "start_writeout_pct");
}

/* Kernels by the logarithm of elapsed time, complete runs only: anova(lm()), oneway.test(), kruskal.test(). */
static void test_kernels(void **state)
{
	char *operand[] = {(char[]){"samples/qsbench-kernels.tsv"}, (char[]){"swap_MB=200"}, NULL};
	g_autoptr(EffectsAnalysis) analysis = of_file(operand, "kernel", NULL, "elapsed", TRUE);
	const struct effects *e = only(analysis);

	assert_close(term(e, "kernel")->f, 225.56061376598075, 1e-10);
	assert_close(term(e, "kernel")->p, 1.9698303973783073e-11, 1e-9);
	assert_close(term(e, "residual")->ss, 0.0024809188709399, 1e-10);
	assert_true(isnan(term(e, "residual")->f));
	assert_close(e->welch.statistic, 1805.2828974608901, 1e-8);
	assert_close(e->welch.p, 1.0075799933146738e-07, 1e-8);
	assert_close(e->kruskal.statistic, 16.578947368421055, 1e-12);
	assert_close(e->kruskal.p, 0.0053715966757528974, 1e-10);
	assert_true(!e->has_nonadditivity && !e->welch_leads);
	assert_true(cell(e, "2.4.14-pre5", NULL)->is_best);
	/* exp(mean(log(x))) */
	assert_close(cell(e, "2.4.14-pre5", NULL)->mean, 134.58451336327866, 1e-13);
	assert_int_equal(e->failed, 6);
	assert_int_equal(e->without_runs->len, 2);
	assert_true(e->flags & FLAG_FAILURES);
}

/* Three labels in five blocks, in turn. */
static struct dataset *in_blocks(guint n)
{
	static const double y[3][5] = {{101, 107, 99, 110, 104}, {103, 110, 100, 115, 105}, {100, 104, 98, 107, 103}};
	static const char *const labels[] = {"A", "B", "C"};
	struct dataset *dataset = dataset_new();

	for (guint block = 0; block < 5; block++)
		for (guint i = 0; i < 3; i++) {
			guint at = (i + block) % 3;

			if (block * 3 + i < n)
				set_number(&dataset->block, "block", add_run(dataset, labels[at], y[at][block]),
					   block + 1);
		}
	return dataset;
}

/* Runs shuffled within blocks: anova(lm(y ~ block + label)), the block with a line of its own. */
static void test_blocks(void **state)
{
	g_autoptr(Dataset) dataset = in_blocks(15), less = in_blocks(14);
	g_autoptr(GArray) rows = rows_with(dataset, NULL), fewer = rows_with(less, NULL);
	g_autoptr(EffectsAnalysis) all = analyse(dataset, rows, "label", NULL, FALSE, NULL);
	g_autoptr(EffectsAnalysis) some = analyse(less, fewer, "label", NULL, FALSE, NULL);
	const struct effects *e = only(all);

	assert_string_equal(e->blocked_by, "block");
	assert_close(term(e, "label")->f, 11.892857142857135, 1e-12);
	assert_close(term(e, "label")->p, 0.0040126570805783081, 1e-10);
	assert_close(term(e, "block")->ss, 254.26666666666742, 1e-12);
	assert_close(term(e, "residual")->ms, 1.8666666666666707, 1e-12);
	assert_true(isnan(e->welch.p) && !e->confounded->len && !e->flags);
	/* studentized_range.sf((106.6 - mean) / sqrt(ms / 5), 3, 8) */
	assert_true(cell(e, "B", NULL)->is_best && cell(e, "A", NULL)->is_as_good && !cell(e, "C", NULL)->is_as_good);
	assert_close(cell(e, "A", NULL)->p, 0.05624113695737032, 1e-9);
	assert_close(cell(e, "C", NULL)->p, 0.0031740853422375093, 1e-9);
	/* the last block lacks a run: lm() of the first four */
	e = only(some);
	assert_int_equal(e->flags, FLAG_BROKEN_BLOCKS);
	assert_close(term(e, "label")->f, 11.535211267605634, 1e-12);
	assert_close(term(e, "label")->p, 0.0087922437253952507, 1e-10);
	assert_int_equal(e->n, 12);
}

/* A run of two factors. */
static guint add_pair(struct dataset *dataset, const char *a, const char *b, double value)
{
	guint row = add_run(dataset, a, value);

	column_set(dataset_factor(dataset, "swap"), row, b);
	return row;
}

/* Unequal numbers in a 2 by 2: each factor given the other, anova(lm(y ~ a * b)) and with b first. */
static void test_unbalanced(void **state)
{
	static const double y[] = {10, 11, 12.5, 13, 14, 9.5, 10.5, 15, 16.5, 15.5};
	static const char levels[] = "1112211222";
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(EffectsAnalysis) analysis = NULL;
	g_autoptr(GArray) rows = NULL;
	const struct effects *e;

	for (guint i = 0; i < 10; i++)
		add_pair(dataset, i < 5 ? "1" : "2", levels[i] == '1' ? "1" : "2", y[i]);
	rows = rows_with(dataset, NULL);
	analysis = analyse(dataset, rows, "label", "swap", FALSE, NULL);
	e = only(analysis);
	assert_close(term(e, "label")->f, 0.67500000000000149, 1e-11);
	assert_close(term(e, "label")->p, 0.44272829545379505, 1e-10);
	assert_close(term(e, "swap")->f, 43.20000000000001, 1e-11);
	assert_close(term(e, "label:swap")->f, 7.5, 1e-11);
	assert_close(term(e, "label:swap")->p, 0.033797787500090853, 1e-10);
	assert_true(!e->has_nonadditivity && isfinite(e->kruskal.p));
	/* (10 + 11 + 12.5) / 3 */
	assert_close(cell(e, "1", "1")->mean, 33.5 / 3, 1e-15);
	assert_int_equal(cell(e, "1", "1")->n, 3);
}

/* Three boots a label: their means are the sample, one-way: (mean of 1, 3), ... by hand. Means 2, 4, 6 | 5, 7, 9 give
 * SS 13.5 between and 8 + 8 within, F = 13.5 / 4. */
static void test_boots(void **state)
{
	static const double means[2][3] = {{2, 4, 6}, {5, 7, 9}};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(EffectsAnalysis) analysis = NULL;
	g_autoptr(GArray) rows = NULL;
	const struct effects *e;

	for (guint i = 0; i < 6; i++)
		for (int sign = -1; sign <= 1; sign += 2)
			set_number(&dataset->boot, "boot",
				   add_run(dataset, i < 3 ? "A" : "B", means[i / 3][i % 3] + sign), i + 1);
	rows = rows_with(dataset, NULL);
	analysis = analyse(dataset, rows, "label", NULL, FALSE, NULL);
	e = only(analysis);
	assert_string_equal(e->unit, "boot");
	assert_int_equal(e->n, 6);
	assert_close(term(e, "label")->ss, 13.5, 1e-14);
	assert_close(term(e, "label")->f, 3.375, 1e-14);
	assert_true(term(e, "label")->df_error == 4);
	assert_false(e->flags & (FLAG_ONE_BOOT | FLAG_FEW_BOOTS));
}

/* With unequal numbers of runs, or five and more of each, Welch's test speaks first. */
static void test_which_leads(void **state)
{
	static const double y[] = {10, 12, 11, 13, 12.5, 10.5};
	const guint sizes[][3] = {{3, 3, FALSE}, {3, 4, TRUE}, {5, 5, TRUE}, {1, 4, FALSE}};

	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autoptr(Dataset) dataset = dataset_new();
		g_autoptr(EffectsAnalysis) analysis = NULL;
		g_autoptr(GArray) rows = NULL;

		add_runs(dataset, "A", y, sizes[i][0]);
		add_runs(dataset, "B", y + 1, sizes[i][1]);
		rows = rows_with(dataset, NULL);
		analysis = analyse(dataset, rows, "label", NULL, FALSE, NULL);
		assert_int_equal(only(analysis)->welch_leads, sizes[i][2]);
	}
}

/* A metric without a direction has no best cell; one run of each tells nothing apart; no noise tells all apart. */
static void test_best(void **state)
{
	static const double alone[] = {3}, same[] = {5, 5}, other[] = {4, 4};
	g_autoptr(Dataset) single = dataset_new(), exact = dataset_new();
	g_autoptr(GArray) rows = NULL, all = NULL;
	g_autoptr(EffectsAnalysis) analysis = NULL, second = NULL, third = NULL;
	const struct effects *e;

	add_runs(single, "A", alone, 1);
	add_runs(single, "B", same, 1);
	rows = rows_with(single, NULL);
	analysis = analyse(single, rows, "label", NULL, FALSE, NULL);
	e = only(analysis);
	assert_true(e->flags & EST_TOO_FEW);
	assert_true(cell(e, "B", NULL)->is_best && cell(e, "A", NULL)->is_as_good && isnan(cell(e, "A", NULL)->p));
	add_runs(exact, "A", same, 2);
	add_runs(exact, "B", other, 2);
	all = rows_with(exact, NULL);
	second = analyse(exact, all, "label", NULL, FALSE, NULL);
	e = only(second);
	assert_true(e->flags & EST_CONSTANT);
	assert_true(cell(e, "A", NULL)->is_best && !cell(e, "B", NULL)->is_as_good);
	dataset_find_metric(exact, "rate")->metric.better = BETTER_NONE;
	third = analyse(exact, all, "label", NULL, FALSE, NULL);
	e = only(third);
	assert_false(cell(e, "A", NULL)->is_best || cell(e, "A", NULL)->is_as_good);
}

/* One level only, or a logarithm of zero: said as a usage error. */
static void test_errors(void **state)
{
	static const double y[] = {1, 2, 0};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(GArray) rows = NULL, all = NULL;
	g_autoptr(GError) error = NULL, other = NULL;

	add_runs(dataset, "A", y, 3);
	rows = rows_with(dataset, NULL);
	assert_null(analyse(dataset, rows, "label", NULL, FALSE, &error));
	assert_non_null(strstr(error->message, "'label' has no two levels"));
	add_runs(dataset, "B", y, 2);
	all = rows_with(dataset, NULL);
	assert_null(analyse(dataset, all, "label", NULL, TRUE, &other));
	assert_non_null(strstr(other->message, "--scale log"));
}

static char *rendered(const struct effects_analysis *analysis, const char *format)
{
	GString *out = g_string_new(NULL);

	report_find(format, NULL)->effects(analysis, &(struct document){.out = out});
	return g_string_free(out, FALSE);
}

/* JSON has the keys that scripts rely on, and null for what cannot be said; several workloads are an array. */
static void test_json(void **state)
{
	g_autoptr(Dataset) dataset = in_blocks(15);
	g_autoptr(GArray) rows = rows_with(dataset, NULL);
	g_autoptr(EffectsAnalysis) one = analyse(dataset, rows, "label", NULL, FALSE, NULL), two = NULL;
	g_autofree char *text = rendered(one, "json"), *several = NULL;
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *first, *cells;

	assert_string_equal(json_string_value(json_object_get(root, "schema")), "vmstat-bench/1");
	assert_string_equal(json_string_value(json_object_get(root, "metric")), "rate");
	assert_string_equal(json_string_value(json_object_get(root, "scale")), "raw");
	assert_true(json_is_null(json_object_get(root, "nonadditivity")));
	assert_true(json_is_null(json_object_get(root, "welch")));
	assert_close(json_real_value(json_object_get(json_object_get(root, "kruskal"), "df")), 2, 0);
	first = json_array_get(json_object_get(root, "terms"), 0);
	assert_string_equal(json_string_value(json_object_get(first, "source")), "label");
	assert_close(json_real_value(json_object_get(first, "f")), 11.892857142857135, 1e-12);
	assert_close(json_real_value(json_object_get(first, "df_error")), 8, 0);
	cells = json_object_get(root, "cells");
	assert_int_equal(json_array_size(cells), 3);
	first = json_array_get(cells, 1);
	assert_string_equal(json_string_value(json_object_get(json_object_get(first, "levels"), "label")), "B");
	assert_true(json_is_true(json_object_get(first, "best")) &&
		    json_is_true(json_object_get(first, "as_good_as_best")));
	json_decref(root);
	for (guint i = 0; i < 15; i++)
		set_level(&dataset->workload, "workload", i, i < 9 ? "w1" : "w2");
	two = analyse(dataset, rows, "label", NULL, FALSE, NULL);
	several = rendered(two, "json");
	root = json_loads(several, JSON_REJECT_DUPLICATES, NULL);
	assert_int_equal(json_array_size(json_object_get(root, "results")), 2);
	json_decref(root);
}

/* Text says what matters, what is best, what cannot be told from it, and what to run again. */
static void test_text(void **state)
{
	char *operand[] = {(char[]){"samples/bdflush-grid.tsv"}, NULL};
	g_autoptr(EffectsAnalysis) analysis =
	    of_file(operand, "start_writeout_pct", "sync_wait_pct", "throughput", FALSE);
	g_autofree char *text = rendered(analysis, "text");

	assert_non_null(strstr(text, "341.575"));
	assert_non_null(strstr(text, "start_writeout_pct matters (p = 1.6e-17)"));
	assert_non_null(strstr(text, "best is 80/90 (8.910 MB/s); 13 of the other 27 cannot be told from it"));
	assert_non_null(strstr(text, "the best of 28 cells of one run each beats a named cell by 2.0 sd"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_grid),       cmocka_unit_test(test_kernels), cmocka_unit_test(test_blocks),
	    cmocka_unit_test(test_unbalanced), cmocka_unit_test(test_boots),   cmocka_unit_test(test_which_leads),
	    cmocka_unit_test(test_best),       cmocka_unit_test(test_errors),  cmocka_unit_test(test_json),
	    cmocka_unit_test(test_text),
	};

	gsl_set_error_handler_off();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
