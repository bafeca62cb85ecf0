#include "chart_file.h"

/* Values in their order, with the places where they changed. */

/* Ten runs about 10 and ten about 20; the label changes with the value, after 5, 10 and 15 runs. */
static char *table_of(const char *third)
{
	static const double around[] = {-0.2, 0.1, 0, 0.3, -0.1, 0.2, -0.3, 0.1, -0.1, 0};
	GString *text = g_string_new("kernel\telapsed_s\n");

	for (guint i = 0; i < 20; i++)
		g_string_append_printf(text, "%s\t%.1f\n",
				       i < 5    ? "a"
				       : i < 10 ? "b"
				       : i < 15 ? third
						: "d",
				       (i < 10 ? 10 : 20) + around[i % 10]);
	return g_string_free(text, FALSE);
}

/* A line where it changed, after ten runs; means of both sides, 10 and 20, with the interval of Student's t: R's
 * t.test(10 + c(-.2, .1, 0, .3, -.1, .2, -.3, .1, -.1, 0)) says 9.8693943 to 10.1306057; what it was is told. */
static void test_change(void **state)
{
	g_autofree char *table = table_of("c");
	struct svg svg;
	struct picture picture;

	chart_file_draw("trend", table, "kernel", &svg, &picture);
	assert_non_null(
	    strstr(picture.script->str, "set arrow from first 10.5, graph 0 to first 10.5, graph 1 nohead lw 2 "));
	assert_non_null(strstr(picture.data->str, "# run mean\n0.5 10\n10.5 10\n\n10.5 20\n20.5 20"));
	assert_non_null(strstr(picture.data->str, "\n0.5 10 0.5 10.5 9.86939"));
	/* legend, and all runs at equal distances */
	assert_int_equal(svg.marks->len, 1 + 20);
	assert_close(mark(&svg, 20).x - mark(&svg, 1).x, 19 * (mark(&svg, 2).x - mark(&svg, 1).x), 0.001);
	assert_shows(&svg, "run (n = 20)", 1);
	assert_shows(&svg, "1", 1);
	assert_shows(&svg, "elapsed (s), lower is better", 1);
	for (guint i = 0; i < 4; i++)
		assert_shows(&svg, (const char *[]){"a", "b", "c", "d"}[i], 1);
	assert_non_null(strstr(picture.script->str, "'elapsed, change 1 at c: 2.000x ("));
	assert_non_null(strstr(picture.script->str, ", worse, p = "));
	picture_clear(&picture);
	svg_clear(&svg);
}

/* A label's name is no format: its percent signs stay, and no command is run. */
static void test_hostile_label(void **state)
{
	g_autofree char *table = table_of("%d%s'`x`");
	struct svg svg;
	struct picture picture;

	chart_file_draw("trend", table, "kernel", &svg, &picture);
	assert_shows(&svg, "%d%s'`x`", 1);
	picture_clear(&picture);
	svg_clear(&svg);
}

/* Values that are alike have a level line and no change, and the legend says that they are alike. */
static void test_constant(void **state)
{
	struct svg svg;
	struct picture picture;

	chart_file_draw("trend", "rate_MBps\n5\n5\n5\n5\n", NULL, &svg, &picture);
	assert_shows(&svg, "run (n = 4, all alike)", 1);
	assert_shows(&svg, "No change was found. Means with 95% intervals.", 1);
	assert_non_null(strstr(picture.data->str, "# run mean\n0.5 5\n4.5 5"));
	picture_clear(&picture);
	svg_clear(&svg);
}

/* There is no run between the first and the second, however few there are. */
static void test_whole_numbers(void **state)
{
	struct svg svg;
	struct picture picture;

	chart_file_draw("trend", "rate_MBps\n5\n6\n5\n", NULL, &svg, &picture);
	assert_shows(&svg, "1", 1);
	assert_shows(&svg, "2", 1);
	assert_shows(&svg, "3", 1);
	assert_shows(&svg, "1.5", 0);
	picture_clear(&picture);
	svg_clear(&svg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_change),
	    cmocka_unit_test(test_hostile_label),
	    cmocka_unit_test(test_constant),
	    cmocka_unit_test(test_whole_numbers),
	};

	return run_chart_tests(tests);
}
