#include "chart_case.h"

/* The chart of comparisons, made by hand. */

static void free_comparison(gpointer data)
{
	g_free(data);
}

static void init_comparisons(struct analysis *analysis, const char *baseline)
{
	*analysis = (struct analysis){.baseline = baseline, .level = 0.95, .margin_pct = 5};
	analysis->comparisons = g_ptr_array_new_with_free_func(free_comparison);
}

static void clear_comparisons(struct analysis *analysis)
{
	g_ptr_array_unref(analysis->comparisons);
}

static struct comparison *compare(struct analysis *analysis, const char *other, double ratio, double low, double high,
				  enum verdict verdict)
{
	struct comparison *c = g_new0(struct comparison, 1);

	c->workload = "dd1";
	c->metric = bandwidth;
	c->baseline = (struct side){.name = "6.1", .n = 5};
	c->other = (struct side){.name = other, .n = 4, .failed = 1};
	c->ratio = (struct interval_estimate){ratio, low, high, 0.95, "welch-log"};
	c->verdict = verdict;
	g_ptr_array_add(analysis->comparisons, c);
	return c;
}

/* Ratios lie to scale, a row each, with verdict and n in words, and each verdict has a shape of its own. */
static void test_forest(void **state)
{
	static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
	g_autoptr(GHashTable) shapes = g_hash_table_new(NULL, NULL);
	struct analysis analysis;
	struct picture picture;
	struct svg svg;
	char *record;

	init_comparisons(&analysis, "6.1");
	for (guint i = 0; i < G_N_ELEMENTS(names); i++)
		compare(&analysis, names[i], 1 + i / 10.0, 0.9 + i / 10.0, 1.2 + i / 10.0, (enum verdict)i);
	draw(chart_named("forest"), &analysis, &svg);
	assert_int_equal(svg.marks->len, 6);
	for (guint i = 2; i < 6; i++)
		assert_close(mark(&svg, i).x - mark(&svg, i - 1).x, mark(&svg, 1).x - mark(&svg, 0).x, 0.01);
	assert_shows(&svg, "dd1: bandwidth, higher is better", 1);
	assert_shows(&svg, "1 better, n = 5 and 4, 1 failed", 1);
	assert_shows(&svg, "1.100 worse, n = 5 and 4, 1 failed", 1);
	assert_shows(&svg, "1.400 undecided, n = 5 and 4, 1 failed", 1);
	assert_shows(&svg, "ratio to 6.1", 1);
	svg_clear(&svg);
	picture_init(&picture, PICTURE_PAGE);
	assert_true(fill(chart_named("forest"), &analysis, &picture, NULL));
	record = strstr(picture.data->str, "# ratio row shape colour\n");
	assert_non_null(record);
	for (guint i = 0; i < 6; i++) {
		double row, shape;
		char *at = strchr(record, '\n') + 1;

		record = at;
		g_ascii_strtod(at, &at);
		row = g_ascii_strtod(at, &at);
		shape = g_ascii_strtod(at, &at);
		assert_true(row == i + 1);
		assert_true(g_hash_table_add(shapes, GINT_TO_POINTER((int)shape)));
	}
	picture_clear(&picture);
	clear_comparisons(&analysis);
}

/* The margin is a band about 1: from 1 / 1.05 to 1.05 of ratios on logarithms, from 0.95 of others. */
static void test_margin(void **state)
{
	struct analysis analysis;
	struct picture picture;
	struct comparison *c;

	init_comparisons(&analysis, "6.1");
	c = compare(&analysis, "6.12", 1.2, 1.1, 1.3, VERDICT_BETTER);
	picture_init(&picture, PICTURE_PAGE);
	assert_true(fill(chart_named("forest"), &analysis, &picture, NULL));
	assert_non_null(strstr(picture.script->str, "rectangle from first 0.952381,"));
	assert_non_null(strstr(picture.script->str, "to first 1.05,"));
	assert_non_null(strstr(picture.script->str, "set arrow from first 1, graph 0 to first 1, graph 1 nohead"));
	picture_clear(&picture);
	c->ratio.method = "welch";
	picture_init(&picture, PICTURE_PAGE);
	assert_true(fill(chart_named("forest"), &analysis, &picture, NULL));
	assert_non_null(strstr(picture.script->str, "rectangle from first 0.95,"));
	picture_clear(&picture);
	clear_comparisons(&analysis);
}

/* An interval without an end reaches the axis's, a ratio beyond all bounds is drawn at 1000 and said to be, and what
 * has no ratio has no mark. */
static void test_without_end(void **state)
{
	struct analysis analysis;
	struct svg svg;

	init_comparisons(&analysis, "6.1");
	compare(&analysis, "open", 1.2, 0, INFINITY, VERDICT_UNDECIDED);
	compare(&analysis, "beyond", INFINITY, INFINITY, INFINITY, VERDICT_BETTER);
	compare(&analysis, "none", NAN, NAN, NAN, VERDICT_UNTESTABLE);
	draw(chart_named("forest"), &analysis, &svg);
	assert_int_equal(svg.marks->len, 2);
	assert_shows(&svg, "no ratio, untestable, n = 5 and 4, 1 failed", 1);
	assert_shows(&svg, "A ratio above 1000 or below 1/1000 is drawn as that.", 1);
	svg_clear(&svg);
	clear_comparisons(&analysis);
}

/* Pairs are named by both sides; caveats stand below; nothing to compare is a usage error. */
static void test_pairs(void **state)
{
	struct analysis analysis;
	struct picture picture;
	struct svg svg;
	g_autoptr(GError) error = NULL;

	init_comparisons(&analysis, NULL);
	picture_init(&picture, PICTURE_PAGE);
	assert_false(fill(chart_named("forest"), &analysis, &picture, &error));
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
	picture_clear(&picture);
	compare(&analysis, "6.12", 1.2, 1.1, 1.3, VERDICT_BETTER)->flags = FLAG_ONE_BOOT;
	draw(chart_named("forest"), &analysis, &svg);
	assert_shows(&svg, "6.12 / 6.1", 1);
	assert_shows(&svg, "ratio of the first to the second", 1);
	assert_shows(&svg,
		     "Caveat: a side rests on one boot: runs of one boot are not independent of each other (one-boot).",
		     1);
	svg_clear(&svg);
	clear_comparisons(&analysis);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_forest),
	    cmocka_unit_test(test_margin),
	    cmocka_unit_test(test_without_end),
	    cmocka_unit_test(test_pairs),
	};

	return run_chart_tests(tests);
}
