#include "chart_file.h"

/* Charts over two axes: means against a factor, and runs in their order. The first marks of each are the legend's, the
 * last ones the crosses at the axis. */

/* One run a cell, means by hand. a: 10, 20 and 40 at 1, 4 and 16; b: 30 at 1, failed at 4, 10 at 16. */
static const char scaling[] = "kernel\tprocs\toutcome\trate_MBps\n"
			      "a\t1\tok\t10\na\t4\tok\t20\na\t16\tok\t40\n"
			      "b\t1\tok\t30\nb\t4\tfailed\t\nb\t16\tok\t10\n";

/* 1, 4 and 16 span more than 8: they stand at equal distances, values to scale, and a failed cell is a cross. */
static void test_scaling(void **state)
{
	struct svg svg;
	struct picture picture;

	chart_file_draw("scaling", scaling, "procs", &svg, &picture);
	/* legend: two; then three points, two, and the cross */
	assert_int_equal(svg.marks->len, 2 + 3 + 2 + 1);
	assert_close(mark(&svg, 3).x - mark(&svg, 2).x, mark(&svg, 4).x - mark(&svg, 3).x, 0.001);
	assert_close(mark(&svg, 2).y - mark(&svg, 4).y, 3 * (mark(&svg, 2).y - mark(&svg, 3).y), 0.001);
	/* 30 is half-way between 20 and 40 */
	assert_close(mark(&svg, 5).y, (mark(&svg, 3).y + mark(&svg, 4).y) / 2, 0.001);
	assert_true(mark(&svg, 7).y > mark(&svg, 6).y);
	assert_true(mark(&svg, 7).x > mark(&svg, 3).x && mark(&svg, 7).x < mark(&svg, 4).x);
	assert_non_null(strstr(picture.script->str, "set logscale x 2\n"));
	assert_shows(&svg, "a (n = 1 a point)", 1);
	assert_shows(&svg, "b (n = 0 to 1 a point, 1 failed)", 1);
	assert_shows(&svg, "16", 1);
	assert_shows(&svg, "procs", 1);
	assert_shows(&svg, "rate (MB/s), higher is better", 1);
	picture_clear(&picture);
	svg_clear(&svg);
}

/* Levels within 8 of each other stand to scale; sizes are numbers, too; without another factor there is one line, with
 * the interval of its runs: R's t.test(c(14, 10, 18, 12, 16)) says 10.07352 to 17.92648. */
static void test_scaling_linear(void **state)
{
	static const char table[] = "size\trate_MBps\n1M\t14\n1M\t10\n1M\t18\n1M\t12\n1M\t16\n2M\t20\n4M\t30\n";
	struct svg svg;
	struct picture picture;
	guint last;

	chart_file_draw("scaling", table, "size", &svg, &picture);
	/* legend, points; gnuplot blanks the place of the first, which has a bar */
	last = svg.marks->len - 1;
	assert_in_range(last, 3, 4);
	assert_close(mark(&svg, last).x - mark(&svg, last - 2).x, 3 * (mark(&svg, last - 1).x - mark(&svg, last - 2).x),
		     0.001);
	assert_null(strstr(picture.script->str, "\nset logscale x"));
	assert_non_null(strstr(picture.data->str, "\n1048576 14 10.0735"));
	assert_shows(&svg, "all runs (n = 1 to 5 a point)", 1);
	assert_shows(&svg, "4M", 1);
	picture_clear(&picture);
	svg_clear(&svg);
}

/* Levels that are no numbers are left out and counted; where there is no other that is a usage error. */
static void test_scaling_words(void **state)
{
	static const char mixed[] = "fs\tsize\trate_MBps\nx\tfew\t1\nx\t1\t2\nx\t2\t3\n",
			  words[] = "fs\trate_MBps\nx\t1\ny\t2\n";
	struct svg svg;
	struct picture picture;
	struct chart_file file;
	g_autoptr(GError) error = NULL;

	chart_file_draw("scaling", mixed, "size", &svg, &picture);
	assert_int_equal(svg.marks->len, 1 + 2);
	assert_shows(&svg, "1 not drawn: their level of size is no number.", 1);
	picture_clear(&picture);
	svg_clear(&svg);
	assert_true(chart_file_open(&file, chart_named("scaling"), words, "fs", NULL));
	picture_init(&picture, PICTURE_PAGE);
	assert_false(chart_named("scaling")->draw(&file.data, &picture, &error));
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
	assert_true(g_str_has_prefix(error->message, "'fs' has no level that is a number"));
	picture_clear(&picture);
	chart_file_close(&file);
}

/* Two blocks of four runs, a reboot and a new sitting between them; b failed once, and one value of a stands out from
 * five of the usual ones. */
static const char order[] = "kernel\tblock\tboot\tsession\toutcome\trate_MBps\n"
			    "a\t1\t1\t1\tok\t10\nb\t1\t1\t1\tok\t20\na\t1\t1\t1\tok\t10.4\na\t1\t1\t1\tok\t9.7\n"
			    "a\t2\t2\t2\tok\t10.1\nb\t2\t2\t2\tfailed\t\na\t2\t2\t2\tok\t9.9\na\t2\t2\t2\tok\t100\n";

static guint count(const char *text, const char *part)
{
	guint n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

/* Runs stand at equal distances in their order, whatever their treatment; failed ones at the axis. */
static void test_order(void **state)
{
	struct svg svg;
	struct picture picture;
	double step;

	chart_file_draw("order", order, NULL, &svg, &picture);
	/* legend: two; a: six and a ring, b: one; the cross */
	assert_int_equal(svg.marks->len, 2 + 6 + 1 + 1 + 1);
	step = (mark(&svg, 3).x - mark(&svg, 2).x) / 2;
	assert_true(step > 50);
	assert_close(mark(&svg, 9).x - mark(&svg, 2).x, step, 0.001);
	assert_close(mark(&svg, 10).x - mark(&svg, 2).x, 5 * step, 0.001);
	assert_close(mark(&svg, 7).x - mark(&svg, 2).x, 7 * step, 0.001);
	/* the ring */
	assert_close(mark(&svg, 8).x, mark(&svg, 7).x, 0.001);
	assert_close(mark(&svg, 8).y, mark(&svg, 7).y, 0.001);
	assert_true(mark(&svg, 10).y > mark(&svg, 4).y);
	assert_shows(&svg, "a (n = 6)", 1);
	assert_shows(&svg, "b (n = 1, 1 failed)", 1);
	picture_clear(&picture);
	svg_clear(&svg);
}

/* A band behind the second block; a line at the reboot, and a dotted one where a sitting begins. */
static void test_order_breaks(void **state)
{
	static const char *const parts[] = {"set object rectangle",
					    "set object rectangle from first 4.5, graph 0 to first 8.5, graph 1 behind",
					    "set arrow from first 4.5, graph 0 to first 4.5, graph 1 nohead lw",
					    "set arrow from first 4.5, graph 0 to first 4.5, graph 1 nohead dt 3"};
	struct svg svg;
	struct picture picture;

	chart_file_draw("order", order, NULL, &svg, &picture);
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
		assert_int_equal(count(picture.script->str, parts[i]), 1);
	picture_clear(&picture);
	svg_clear(&svg);
}

/* Of very many runs those are drawn that can be told apart: of 80 of each of two values on 2 of the picture's 1000 pixels
 * one each, and a single one that is far from both. */
static void test_order_many(void **state)
{
	g_autoptr(GString) table = g_string_new("rate_MBps\n");
	struct svg svg;
	struct picture picture;

	for (guint i = 1; i <= 80000; i++)
		g_string_append(table, i == 40001 ? "9\n" : i % 2 ? "1\n" : "2\n");
	chart_file_draw("order", table->str, NULL, &svg, &picture);
	assert_int_equal(count(picture.data->str, " 1\n"), 500);
	assert_int_equal(count(picture.data->str, " 2\n"), 500);
	assert_true(count(picture.data->str, "\n40001 9\n") >= 1);
	picture_clear(&picture);
	svg_clear(&svg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_scaling), cmocka_unit_test(test_scaling_linear), cmocka_unit_test(test_scaling_words),
	    cmocka_unit_test(test_order),   cmocka_unit_test(test_order_breaks),
	    cmocka_unit_test(test_order_many),
	};

	return run_chart_tests(tests);
}
