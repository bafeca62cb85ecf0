#include "check.h"

#include <math.h>
#include <string.h>

#include "../src/document.h"
#include "../src/report.h"
#include "sample_data.h"

static const double x5[] = {50, 53, 47, 51, 55}, y5[] = {70, 72, 75, 69, 74};

static char *rendered(const struct analysis *analysis, const char *format, gboolean is_compare, gboolean is_verbose)
{
	const struct report_format *report = report_find(format, NULL);
	GString *out = g_string_new(NULL);

	(is_compare ? report->compare : report->show)(analysis,
						      &(struct document){.out = out, .is_verbose = is_verbose});
	return g_string_free(out, FALSE);
}

static struct analysis *show_all(const struct dataset *dataset)
{
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	g_autoptr(GArray) rows = rows_with(dataset, NULL);

	return analyse_show(dataset, rows, &options, NULL);
}

/* The field under a header of a line without quotes. */
static char *field(const char *text, guint line, const char *name)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1), names = g_strsplit(lines[0], ",", -1),
		      fields = g_strsplit(lines[line], ",", -1);

	assert_int_equal(g_strv_length(names), g_strv_length(fields));
	for (guint i = 0; names[i]; i++)
		if (g_str_equal(names[i], name))
			return g_strdup(fields[i]);
	fail_msg("no column '%s'", name);
	return NULL;
}

static void check_number(const char *text, guint line, const char *name, double expected)
{
	g_autofree char *value = field(text, line, name);

	assert_close(g_ascii_strtod(value, NULL), expected, 1e-14);
}

static void check_field(const char *text, guint line, const char *name, const char *expected)
{
	g_autofree char *value = field(text, line, name);

	assert_string_equal(value, expected);
}

/* A row an estimate, every digit there; the unit and the treatment's levels have columns of their own. */
static void test_show_csv(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *text = NULL;

	add_runs(dataset, "A", x5, 5);
	add_run(dataset, "B", 0.1);
	analysis = show_all(dataset);
	text = rendered(analysis, "csv", FALSE, FALSE);
	check_field(text, 1, "unit", "MB/s");
	check_field(text, 1, "better", "higher");
	check_field(text, 1, "treatment", "A");
	check_field(text, 1, "treatment.label", "A");
	check_field(text, 1, "n", "5");
	/* R: mean(x), sd(x), t.test(x)$conf.int of c(50, 53, 47, 51, 55) */
	check_number(text, 1, "mean", 51.2);
	check_number(text, 1, "sd", 3.0331501776206204);
	check_number(text, 1, "median", 51);
	check_field(text, 2, "mean", "0.10000000000000001");
	check_field(text, 2, "low", "\"\"");
	check_field(text, 2, "flags", "too-few");
}

/* A row a comparison, with the verdict, the ratio and its interval. */
static void test_compare_csv(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *text = NULL, *low = NULL;
	g_auto(GStrv) lines = NULL;

	add_runs(dataset, "A", x5, 5);
	add_runs(dataset, "B", y5, 5);
	analysis = COMPARE(dataset, "A", "B");
	text = rendered(analysis, "csv", TRUE, FALSE);
	check_field(text, 1, "baseline", "A");
	check_field(text, 1, "other", "B");
	check_field(text, 1, "verdict", "better");
	check_field(text, 1, "material", "yes");
	check_field(text, 1, "method", "welch-log");
	check_field(text, 1, "baseline_replicates", "5");
	check_number(text, 1, "other_mean", 72);
	/* R: exp(t.test(log(y), log(x))$conf.int)[1] 1.30654 */
	low = field(text, 1, "ratio_low");
	assert_close(g_ascii_strtod(low, NULL), 1.30654, 1e-5);
	lines = g_strsplit(text, "\n", -1);
	assert_int_equal(g_strv_length(lines), 3); /* the header, the row and what follows its end */
}

/* Commas, quotes and line breaks of a label stay in one field, quotes doubled (RFC 4180, 2.6 and 2.7). */
static void test_csv_quotes(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *text = NULL;

	add_runs(dataset, "A", x5, 5);
	add_runs(dataset, "say \"x\",\ny", y5, 5);
	analysis = COMPARE(dataset, "A", "say \"x\",\ny");
	text = rendered(analysis, "csv", TRUE, FALSE);
	assert_non_null(strstr(text, ",A,\"say \"\"x\"\",\ny\",better,"));
}

/* A label cannot add a cell, a line or markup to the table. */
static void test_markdown_label(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *text = NULL;

	add_runs(dataset, "A", x5, 5);
	add_runs(dataset, "<b>|\n`*", y5, 5);
	analysis = COMPARE(dataset, "A", "<b>|\n`*");
	text = rendered(analysis, "markdown", TRUE, FALSE);
	assert_non_null(strstr(text,
			       "| verdict | metric | A | \\<b\\>\\|\\\\x0a\\`\\* | ratio | low | high | p adj. |\n"
			       "| :--- | :--- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
			       "| **better** | rate | 51.20 | 72 | 1.408 |"));
	assert_null(strstr(text, "<b>"));
}

/* The reasons name the test, the replicate, the level and the margin; the remedies are those of the flags. */
static void test_verbose(void **state)
{
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(Analysis) analysis = NULL;
	g_autofree char *text = NULL, *plain = NULL;

	add_blocks(dataset, x5, y5, 5);
	analysis = COMPARE(dataset, "A", "B");
	text = rendered(analysis, "text", TRUE, TRUE);
	plain = rendered(analysis, "text", TRUE, FALSE);
	assert_non_null(strstr(text, "\n  test: t test of pairs"));
	assert_non_null(strstr(text, "\n  replicate: the run"));
	assert_non_null(strstr(text, "below 0.05: the 95% interval leaves out 1\n"));
	/* 1/1.05 */
	assert_non_null(strstr(text, "margin: 5%, from 0.9524 to 1.050: the whole interval lies beyond it\n"));
	/* five pairs: 2 of the 32 signs are as extreme */
	assert_non_null(strstr(text, "cannot give less than p =\n    0.0625\n"));
	assert_null(strstr(plain, "margin: 5%, from"));
}

static struct estimate_row *row_of(struct analysis *analysis, const char *treatment, guint n, double mean, double low,
				   double high)
{
	struct estimate_row *row = g_new0(struct estimate_row, 1);

	row->workload = "";
	row->metric = rate;
	row->treatment = g_strdup(treatment);
	row->n = n;
	row->summary.mean = mean;
	row->ci.low = low;
	row->ci.high = high;
	g_ptr_array_add(analysis->estimates, row);
	return row;
}

static void row_free(gpointer row)
{
	g_free(((struct estimate_row *)row)->treatment);
	g_free(row);
}

/* 58 cells remain of 80 beside labels, numbers and notes, and the axis ends with 114: a cell is 2 MB/s. Where an
 * interval is known it takes the place of the stars; one run has none, and runs that failed are said to have. */
static void test_bars(void **state)
{
	static const char expected[] =
	    "rate in MB/s, higher is better\n"
	    "   0                                                      114      mean\n"
	    "A  ***************|--------------*--------------------------|   60 MB/s\n"
	    "B  ***************************************************         100 MB/s  one run\n"
	    "C  3 of 3 failed                                                      -\n"
	    "D  <---------*---------|                                        20 MB/s\n"
	    "\n"
	    "|--*--| 95% confidence interval of the mean; <--*--| one that begins below 0\n";
	struct analysis analysis = {.level = 0.95};
	g_autofree char *text = NULL;

	analysis.estimates = g_ptr_array_new_with_free_func(row_free);
	row_of(&analysis, "A", 3, 60, 30, 114);
	row_of(&analysis, "B", 1, 100, NAN, NAN);
	row_of(&analysis, "C", 0, NAN, NAN, NAN)->failed = 3;
	row_of(&analysis, "D", 3, 20, -5, 40);
	text = rendered(&analysis, "bars", FALSE, FALSE);
	assert_string_equal(text, expected);
	g_ptr_array_unref(analysis.estimates);
}

/* All zero, or below zero: nothing to draw, and no crash. */
static void test_bars_zero(void **state)
{
	struct analysis analysis = {.level = 0.95};
	g_autofree char *text = NULL;

	analysis.estimates = g_ptr_array_new_with_free_func(row_free);
	row_of(&analysis, "A", 3, 0, 0, 0);
	row_of(&analysis, "B", 3, -4, -5, -3);
	text = rendered(&analysis, "bars", FALSE, FALSE);
	assert_non_null(strstr(text, "\nA  *  "));
	assert_non_null(strstr(text, "\nB  below 0  "));
	g_ptr_array_unref(analysis.estimates);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_show_csv),   cmocka_unit_test(test_compare_csv),
	    cmocka_unit_test(test_csv_quotes), cmocka_unit_test(test_markdown_label),
	    cmocka_unit_test(test_verbose),    cmocka_unit_test(test_bars),
	    cmocka_unit_test(test_bars_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
