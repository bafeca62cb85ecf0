#include "chart_file.h"

/* Latencies at percentiles. In each panel's marks the legend comes first, and crosses last. */

#define HEAD "workload\tkernel\toutcome\trate_MBps\tfsync_p50_ms\tfsync_p90_ms\tfsync_max_ms\n"

/* One run each, and idle beside them; b failed. */
static const char table[] = HEAD "idle\ta\tok\t5\t1\t2\t3\ndd1\ta\tok\t5\t10\t100\t1000\ndd1\tb\tfailed\t\t\t\t\n";

/* 1 / (1 - p) is 2 for the median and 10 for p90, and the greatest stands four times as far; tenfold values are at
 * equal distances. Two lines are shifted by 1.3 to the power of -1/4 and 1/4. */
static void test_places(void **state)
{
	struct svg svg;
	struct picture picture;

	chart_file_draw("latency", table, NULL, &svg, &picture);
	/* legend: two; three points, three crosses */
	assert_int_equal(svg.marks->len, 2 + 3 + 3);
	assert_close((mark(&svg, 3).x - mark(&svg, 2).x) / (mark(&svg, 4).x - mark(&svg, 3).x), log(5) / log(4), 0.01);
	assert_close(mark(&svg, 2).y - mark(&svg, 3).y, mark(&svg, 3).y - mark(&svg, 4).y, 0.01);
	assert_close((mark(&svg, 5).x - mark(&svg, 2).x) / (mark(&svg, 3).x - mark(&svg, 2).x), log(sqrt(1.3)) / log(5),
		     0.05);
	assert_true(mark(&svg, 5).y > mark(&svg, 2).y);
	assert_shows(&svg, "dd1: fsync", 1);
	assert_shows(&svg, "a (n = 1); idle: n = 1", 1);
	assert_shows(&svg, "b (n = 0, 1 failed)", 1);
	assert_shows(&svg, "p50", 1);
	assert_shows(&svg, "p90", 1);
	assert_shows(&svg, "max", 1);
	assert_shows(&svg, "latency (ms), lower is better", 1);
	/* the machine at rest, dotted, in the colour of its treatment */
	assert_non_null(strstr(picture.script->str, "with lines lw 2 dt 3 lc rgb '#0072b2'"));
	assert_null(strstr(picture.script->str, "idle: fsync"));
	picture_clear(&picture);
	svg_clear(&svg);
}

/* The mean of runs with its interval: R's t.test(c(14, 10, 18, 12, 16)) says 10.07352 to 17.92648. */
static void test_interval(void **state)
{
	static const char five_runs[] = "kernel\tfsync_p50_ms\na\t14\na\t10\na\t18\na\t12\na\t16\n";
	struct svg svg;
	struct picture picture;

	chart_file_draw("latency", five_runs, NULL, &svg, &picture);
	assert_non_null(strstr(picture.data->str, "# x mean low high colour\n2 14 10.0735"));
	assert_non_null(strstr(picture.data->str, "# x mean\n2 14\n"));
	picture_clear(&picture);
	svg_clear(&svg);
}

/* Idle alone is drawn as any workload; without a percentile there is nothing to draw, though there be a greatest. */
static void test_alone(void **state)
{
	static const char idle[] = HEAD "idle\ta\tok\t5\t1\t2\t3\n",
			  none[] = "kernel\trate_MBps\tlag_max_ms\na\t1\t2\n";
	struct svg svg;
	struct picture picture;
	struct chart_file file;
	g_autoptr(GError) error = NULL;

	chart_file_draw("latency", idle, NULL, &svg, &picture);
	assert_shows(&svg, "idle: fsync", 1);
	assert_int_equal(svg.marks->len, 1 + 3);
	picture_clear(&picture);
	svg_clear(&svg);
	assert_true(chart_file_open(&file, chart_named("latency"), none, NULL, NULL));
	picture_init(&picture, PICTURE_PAGE);
	assert_false(chart_named("latency")->draw(&file.data, &picture, &error));
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
	assert_true(g_str_has_prefix(error->message, "nothing to plot: no latency at a percentile"));
	picture_clear(&picture);
	chart_file_close(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_places),
	    cmocka_unit_test(test_interval),
	    cmocka_unit_test(test_alone),
	};

	return run_chart_tests(tests);
}
