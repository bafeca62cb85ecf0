#include "check.h"

#include <jansson.h>
#include <string.h>

#include "../src/document.h"
#include "../src/report.h"
#include "sample_data.h"

static const double x5[] = {50, 53, 47, 51, 55}, y5[] = {70, 72, 75, 69, 74};

static struct analysis *show_all(const struct dataset *dataset)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	g_autoptr(GArray) rows = rows_with(dataset, NULL);

	return analyse_show(dataset, rows, &options, NULL);
}

static char *rendered(const struct analysis *analysis, const char *format, gboolean is_compare)
{
	const struct report_format *report = report_find(format, NULL);
	GString *out = g_string_new(NULL);

	assert_non_null(analysis);
	(is_compare ? report->compare : report->show)(analysis, &(struct document){.out = out});
	return g_string_free(out, FALSE);
}

static json_t *parsed(const struct analysis *analysis, gboolean is_compare)
{
	g_autofree char *text = rendered(analysis, "json", is_compare);
	json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

	assert_non_null(root);
	assert_string_equal(json_string_value(json_object_get(root, "schema")), "vmstat-bench/1");
	return root;
}

/* The keys of an object in order, with spaces between. */
static void check_keys(json_t *object, const char *expected)
{
	g_autoptr(GString) keys = g_string_new(NULL);
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) g_string_append_printf(keys, "%s%s", keys->len ? " " : "", key);
	assert_string_equal(keys->str, expected);
}

static gboolean has_flag(json_t *object, const char *name)
{
	json_t *flags = json_object_get(object, "flags"), *flag;
	size_t i;

	json_array_foreach(flags, i, flag) if (g_str_equal(json_string_value(flag), name)) return TRUE;
	return FALSE;
}

static gboolean is_null(json_t *object, const char *key)
{
	return json_is_null(json_object_get(object, key));
}

/* The keys that scripts rely on, in order; the numbers read back as they are. */
static void test_show_json(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	json_t *root, *row;

	add_runs(dataset, "A", x5, 5);
	add_run(dataset, "A", 0.1);
	analysis = show_all(dataset);
	root = parsed(analysis, FALSE);
	row = json_array_get(json_object_get(root, "results"), 0);
	check_keys(row, "workload metric unit better treatment n failed mean sd cv median mad min max ci outliers "
			"components flags samples");
	check_keys(json_object_get(row, "ci"), "level low high method");
	check_keys(json_object_get(row, "treatment"), "label");
	assert_true(is_null(row, "workload"));
	assert_string_equal(json_string_value(json_object_get(row, "unit")), "MB/s");
	assert_string_equal(json_string_value(json_object_get(row, "better")), "higher");
	assert_string_equal(json_string_value(json_object_get(json_object_get(row, "ci"), "method")), "t");
	assert_int_equal(json_integer_value(json_object_get(row, "n")), 6);
	assert_close(json_real_value(json_array_get(json_object_get(row, "samples"), 5)), 0.1, 0);
	assert_close(json_real_value(json_object_get(row, "min")), 0.1, 0);
	json_decref(root);
}

/* One run has no spread: null with a flag, never 0. */
static void test_show_one_run_json(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *text = NULL;
	json_t *root, *row;

	add_run(dataset, "A", 7);
	analysis = show_all(dataset);
	root = parsed(analysis, FALSE);
	row = json_array_get(json_object_get(root, "results"), 0);
	assert_close(json_real_value(json_object_get(row, "mean")), 7, 0);
	assert_true(is_null(row, "sd") && is_null(row, "cv") && is_null(row, "mad"));
	assert_true(is_null(json_object_get(row, "ci"), "low") && is_null(json_object_get(row, "ci"), "high"));
	assert_true(has_flag(row, "too-few"));
	json_decref(root);
	text = rendered(analysis, "text", FALSE);
	/* mean, low, high, cv */
	assert_non_null(strstr(text, "     7    -     -   -  "));
}

/* A treatment without one complete run appears with n 0 and nulls. */
static void test_no_data_json(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	json_t *root, *row;

	add_runs(dataset, "A", x5, 5);
	set_level(&dataset->outcome, "outcome", add_run(dataset, "B", 3), "oom-killed");
	analysis = show_all(dataset);
	root = parsed(analysis, FALSE);
	row = json_array_get(json_object_get(root, "results"), 1);
	assert_int_equal(json_integer_value(json_object_get(row, "n")), 0);
	assert_int_equal(json_integer_value(json_object_get(row, "failed")), 1);
	assert_true(is_null(row, "mean") && is_null(row, "median") && is_null(row, "min") && is_null(row, "mad"));
	assert_true(has_flag(row, "no-data") && has_flag(row, "failures") && !has_flag(row, "too-few"));
	assert_int_equal(json_array_size(json_object_get(row, "samples")), 0);
	json_decref(root);
}

/* The keys of a comparison, in order. */
static void test_compare_json(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	json_t *root, *row;

	add_runs(dataset, "A", x5, 5);
	add_runs(dataset, "B", y5, 5);
	analysis = COMPARE(dataset, "A", "B");
	root = parsed(analysis, TRUE);
	check_keys(root, "schema baseline confidence margin_pct correction comparisons summary");
	assert_string_equal(json_string_value(json_object_get(root, "correction")), "holm");
	row = json_array_get(json_object_get(root, "comparisons"), 0);
	check_keys(row, "workload metric unit better baseline other ratio difference p p_adjusted verdict material "
			"detectable_pct runs_needed design replicates cross_check failure_rate facts_differ flags");
	check_keys(json_object_get(row, "baseline"), "name n failed mean outliers components flags");
	check_keys(json_object_get(row, "cross_check"), "hodges_lehmann permutation bca");
	check_keys(json_object_get(json_object_get(row, "cross_check"), "hodges_lehmann"), "estimate low high level");
	check_keys(json_object_get(json_object_get(row, "cross_check"), "permutation"), "p least_p exact");
	assert_true(is_null(json_object_get(row, "cross_check"), "bca"));
	check_keys(json_object_get(row, "failure_rate"), "baseline other p p_adjusted");
	check_keys(json_object_get(row, "ratio"), "estimate low high level method");
	check_keys(json_object_get(row, "difference"), "estimate low high level method");
	assert_true(json_is_true(json_object_get(row, "material")));
	assert_true(json_is_integer(json_object_get(row, "runs_needed")));
	assert_true(has_flag(row, "order-confounded"));
	json_decref(root);
}

/* No variation on either side: p is null, and the output is JSON still. */
static void test_constant_json(void **state)
{
	const double x[] = {5, 5, 5}, y[] = {6, 6, 6}, z[] = {0, 0, 0};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	json_t *root, *row;

	add_runs(dataset, "A", x, 3);
	add_runs(dataset, "B", y, 3);
	add_runs(dataset, "C", z, 3);
	analysis = COMPARE(dataset, "A", "B", "C");
	root = parsed(analysis, TRUE);
	row = json_array_get(json_object_get(root, "comparisons"), 0);
	assert_true(is_null(row, "p") && is_null(row, "p_adjusted") && is_null(row, "material"));
	assert_true(is_null(row, "detectable_pct") && is_null(row, "runs_needed"));
	assert_true(has_flag(row, "constant"));
	row = json_array_get(json_object_get(root, "comparisons"), 1);
	assert_true(is_null(row, "ratio"));
	assert_close(json_real_value(json_object_get(json_object_get(row, "difference"), "estimate")), -5, 0);
	json_decref(root);
}

/* A label may hold anything: the JSON parses, the text has no control character and no broken line. */
static void test_hostile_labels(void **state)
{
	static const char label[] = "a\"b\\c\n\x1b[31m\xff d";
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *text = NULL;

	add_runs(dataset, "A", x5, 5);
	add_runs(dataset, label, y5, 5);
	analysis = COMPARE(dataset, "A", label);
	json_decref(parsed(analysis, TRUE));
	text = rendered(analysis, "text", TRUE);
	assert_true(g_utf8_validate(text, -1, NULL));
	for (const char *at = text; *at; at++)
		assert_true(*at == '\n' || !g_ascii_iscntrl(*at));
}

static void check_width(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++)
		if (g_utf8_strlen(*line, -1) > 80)
			fail_msg("line of more than 80 cells: '%s'", *line);
}

/* A sentence names both numbers, the verdict, the replicates and who ran first; 80 columns hold it. */
static void test_compare_text(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *text = NULL;

	add_runs(dataset, "A", x5, 5);
	add_runs(dataset, "B", y5, 5);
	analysis = COMPARE(dataset, "A", "B");
	text = rendered(analysis, "text", TRUE);
	/* R: exp(mean(log(y)) - mean(log(x))) 1.407535, exp(t.test(log(y), log(x))$conf.int) 1.30654 1.516337 */
	assert_non_null(strstr(text, "B is 1.408x (1.307 to 1.516) of A: better, material, 5 runs a side\n"));
	assert_non_null(strstr(text, "A ran before B"));
	assert_non_null(strstr(text, "95% confidence, margin 5%, one comparison\n"));
	check_width(text);
}

/* Which test disagrees, and by how much; which side has what kind of values. */
static void test_fragile_text(void **state)
{
	const double x[] = {100, 101, 102, 103, 104, 105, 106, 107}, y[] = {109, 110, 111, 112, 113, 114, 115, 300};
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *text = NULL;

	for (guint i = 0; i < 8; i++) {
		add_run(dataset, "A", x[i * 3 % 8]);
		add_run(dataset, "B", y[i * 5 % 8]);
	}
	analysis = COMPARE(dataset, "A", "B");
	text = rendered(analysis, "text", TRUE);
	/* 2 / choose(16, 8); wilcox.test(log(y), log(x), conf.int = TRUE) */
	assert_non_null(strstr(text, "fragile: another test of the same runs disagrees: the permutation test has p ="));
	assert_non_null(strstr(text, "0.0001554, Hodges and Lehmann's interval is 1.058 to 1.127\n"));
	assert_non_null(strstr(text, "outliers: values stand out; none is left out: 1 of 8 of B\n"));
	check_width(text);
}

/* An interval whose level is not the one asked for says so; caveats that all share stand once. */
static void test_levels_are_printed(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *text = NULL;
	const char *caveat;

	add_runs(dataset, "A", x5, 5);
	add_runs(dataset, "B", y5, 5);
	add_runs(dataset, "C", y5, 5);
	analysis = COMPARE(dataset, "A", "B", "C");
	text = rendered(analysis, "text", TRUE);
	assert_non_null(strstr(text, ", 97.5% interval) of A"));
	assert_non_null(strstr(text, "Holm's correction over 2 comparisons"));
	caveat = strstr(text, "all runs of one side came before");
	assert_non_null(caveat);
	assert_null(strstr(caveat + 1, "all runs of one side came before"));
	assert_non_null(strstr(text, "A ran before C"));
	check_width(text);
}

/* A format that does not exist is a usage error that lists those that do; names in the table are unique. */
static void test_formats(void **state)
{
	g_autoptr(GError) error = NULL;

	assert_null(report_find("pdf", &error));
	assert_string_equal(error->message, "no format 'pdf': there are text, markdown, csv, bars, json");
	for (guint i = 0; report_table[i]; i++)
		assert_ptr_equal(report_find(report_table[i]->name, NULL), report_table[i]);
}

/* A format that has no form of an answer is none for it; one that has it is found. */
static void test_format_without_answer(void **state)
{
	g_autoptr(GError) error = NULL;

	assert_null(report_find_for("csv", REPORT_ANSWER(trend), &error));
	assert_string_equal(error->message, "no format 'csv': there are text, markdown, json");
	assert_string_equal(report_find_for("csv", REPORT_ANSWER(compare), NULL)->name, "csv");
	assert_null(report_find_for("bars", REPORT_ANSWER(compare), NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_show_json),     cmocka_unit_test(test_show_one_run_json),
	    cmocka_unit_test(test_no_data_json),  cmocka_unit_test(test_compare_json),
	    cmocka_unit_test(test_constant_json), cmocka_unit_test(test_hostile_labels),
	    cmocka_unit_test(test_compare_text),  cmocka_unit_test(test_levels_are_printed),
	    cmocka_unit_test(test_fragile_text),  cmocka_unit_test(test_formats),
	    cmocka_unit_test(test_format_without_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
