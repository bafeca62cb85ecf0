#include "chart_case.h"

/* Every chart has a name of its own and a summary of one line; an unknown one is a usage error that lists them. */
static void test_table(void **state)
{
	g_autoptr(GError) error = NULL;

	for (const struct chart *const *chart = chart_table; *chart; chart++) {
		assert_ptr_equal(chart_find((*chart)->name, NULL), *chart);
		assert_true(strlen((*chart)->summary) > 0);
		assert_null(strchr((*chart)->summary, '\n'));
	}
	assert_null(chart_find("pie", &error));
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
	assert_true(g_str_has_prefix(error->message, "no chart 'pie': choose one of interval, box, "));
}

/* Means lie to scale, a row each, top to bottom, also that of a single run; the texts name workload, metric, unit,
 * treatments, n, failures and what the bars are. */
static void test_interval(void **state)
{
	struct analysis analysis;
	struct svg svg;

	init(&analysis);
	add(&analysis, &(struct row){FIVE, .failed = 2});
	add(&analysis, &(struct row){.treatment = "6.12", ONE(24)});
	add(&analysis, &(struct row){.treatment = "6.13", ONE(19)});
	draw(chart_named("interval"), &analysis, &svg);
	assert_int_equal(svg.marks->len, 3);
	/* 14, 24 and 19: the last one half-way. Coordinates have two decimals. */
	assert_true(mark(&svg, 1).x - mark(&svg, 0).x > 100);
	assert_close(mark(&svg, 2).x, (mark(&svg, 0).x + mark(&svg, 1).x) / 2, 0.02 / mark(&svg, 2).x);
	assert_close(mark(&svg, 2).y - mark(&svg, 1).y, mark(&svg, 1).y - mark(&svg, 0).y, 0.002);
	assert_true(mark(&svg, 1).y - mark(&svg, 0).y > 20);
	assert_shows(&svg, "dd1", 1);
	assert_shows(&svg, "bandwidth (MB/s), higher is better", 1);
	assert_shows(&svg, "6.1", 1);
	assert_shows(&svg, "n = 5, 2 failed", 1);
	assert_shows(&svg, "n = 1", 2);
	assert_shows(&svg, "Point: mean. Bar: 95% confidence interval of the mean, none where n = 1. n: complete runs.",
		     1);
	svg_clear(&svg);
	clear(&analysis);
}

/* The interval's ends are what the analysis says, and a single run has none. */
static void test_interval_data(void **state)
{
	struct analysis analysis;
	struct picture picture;

	init(&analysis);
	add(&analysis, &(struct row){FIVE});
	add(&analysis, &(struct row){.treatment = "6.12", ONE(24)});
	picture_init(&picture, PICTURE_PAGE);
	assert_true(fill(chart_named("interval"), &analysis, &picture, NULL));
	assert_non_null(strstr(picture.data->str, "\n14 1 10.07352 17.92648 "));
	assert_null(strstr(picture.data->str, "inf"));
	/* Its point alone. */
	assert_non_null(strstr(picture.data->str, "\n24 2 "));
	assert_null(strstr(strstr(picture.data->str, "\n24 2 ") + 1, "\n24 2 "));
	picture_clear(&picture);
	clear(&analysis);
}

/* Every run is a point, to scale, in run order from the top of its row down. */
static void test_box(void **state)
{
	struct analysis analysis;
	struct svg svg;
	double unit;

	init(&analysis);
	add(&analysis, &(struct row){FIVE});
	draw(chart_named("box"), &analysis, &svg);
	assert_int_equal(svg.marks->len, 5);
	unit = (mark(&svg, 2).x - mark(&svg, 1).x) / (five[2] - five[1]);
	assert_true(unit > 10);
	for (guint i = 1; i < 5; i++) {
		assert_close(mark(&svg, i).x - mark(&svg, 0).x, unit * (five[i] - five[0]), 0.001);
		assert_true(mark(&svg, i).y > mark(&svg, i - 1).y);
	}
	assert_shows(&svg, "n = 5", 1);
	svg_clear(&svg);
	clear(&analysis);
}

/* Box and whiskers are the quartiles, median, least and greatest value of the analysis. */
static void test_box_data(void **state)
{
	struct analysis analysis;
	struct picture picture;

	init(&analysis);
	add(&analysis, &(struct row){FIVE});
	picture_init(&picture, PICTURE_PAGE);
	assert_true(fill(chart_named("box"), &analysis, &picture, NULL));
	assert_non_null(strstr(picture.data->str, "\n14 1 12 16 "));
	/* Whiskers: from 10 to 12 and from 16 to 18, as start and length. */
	assert_non_null(strstr(picture.data->str, "\n10 1 2 0 "));
	assert_non_null(strstr(picture.data->str, "\n16 1 2 0 "));
	picture_clear(&picture);
	clear(&analysis);
}

/* A treatment without a complete run says so and has no mark; so does a panel of nothing else. */
static void test_no_data(void **state)
{
	for_charts(chart) {
		struct analysis analysis;
		struct svg svg;

		init(&analysis);
		add(&analysis, &(struct row){.treatment = "oom", NOTHING, .failed = 3});
		add(&analysis, &(struct row){.treatment = "fine", ONE(7)});
		add(&analysis, &(struct row){.workload = "qsbench", .treatment = "oom", .metric = &elapsed, NOTHING});
		draw(*chart, &analysis, &svg);
		assert_int_equal(svg.marks->len, 1);
		assert_shows(&svg, "no data", 2);
		assert_shows(&svg, "n = 0, 3 failed", 1);
		assert_shows(&svg, "elapsed (s), lower is better", 1);
		svg_clear(&svg);
		clear(&analysis);
	}
}

/* A panel for each workload x metric in order of appearance; a treatment has the same colour and shape in each. */
static void test_panels(void **state)
{
	struct analysis analysis;
	struct picture picture;
	struct svg svg;
	char *first, *second;

	init(&analysis);
	add(&analysis, &(struct row){.treatment = "other", ONE(1)});
	add(&analysis, &(struct row){.treatment = "same", ONE(33)});
	add(&analysis, &(struct row){.treatment = "same", .workload = "qsbench", .metric = &elapsed, ONE(77)});
	add(&analysis, &(struct row){.treatment = "same", .workload = "", .metric = &cpu, ONE(50)});
	draw(chart_named("interval"), &analysis, &svg);
	assert_shows(&svg, "dd1", 1);
	assert_shows(&svg, "qsbench", 1);
	/* Data without a workload: the metric names the panel. */
	assert_shows(&svg, "cpu", 1);
	assert_shows(&svg, "cpu (%)", 1);
	assert_shows(&svg, "same", 3);
	svg_clear(&svg);
	picture_init(&picture, PICTURE_PAGE);
	assert_true(fill(chart_named("interval"), &analysis, &picture, NULL));
	first = strstr(picture.data->str, "\n33 2 ");
	second = strstr(picture.data->str, "\n77 1 ");
	assert_non_null(first);
	assert_non_null(second);
	/* "x row shape colour": alike from the shape on. */
	assert_memory_equal(first + 6, second + 6, strcspn(first + 6, "\n") + 1);
	picture_clear(&picture);
	clear(&analysis);
}

/* Runs spread by their order, never by chance: the same analysis gives the same script and data. */
static void test_deterministic(void **state)
{
	for_charts(chart) {
		struct picture first, second;
		struct analysis analysis;

		init(&analysis);
		add(&analysis, &(struct row){FIVE});
		picture_init(&first, PICTURE_PAGE);
		picture_init(&second, PICTURE_PAGE);
		assert_true(fill(*chart, &analysis, &first, NULL));
		assert_true(fill(*chart, &analysis, &second, NULL));
		assert_string_equal(first.script->str, second.script->str);
		assert_string_equal(first.data->str, second.data->str);
		assert_int_equal(first.height, second.height);
		picture_clear(&first);
		picture_clear(&second);
		clear(&analysis);
	}
}

/* Caveats of the estimates stand below; means of boots are named beside n. */
static void test_caveats(void **state)
{
	struct analysis analysis;
	struct svg svg;

	init(&analysis);
	add(&analysis, &(struct row){FIVE, .flags = FLAG_CACHE_NOT_DROPPED | EST_CONSTANT, .ci_method = "t-boot"});
	analysis.level = 0.99;
	draw(chart_named("interval"), &analysis, &svg);
	assert_shows(&svg, "Caveat: the kernel refused to drop its caches before the run (cache-not-dropped).", 1);
	assert_shows(&svg, "n = 5 in 5 boots", 1);
	assert_shows(&svg, "Point: mean. Bar: 99% confidence interval of the mean, none where n = 1. n: complete runs.",
		     1);
	svg_clear(&svg);
	clear(&analysis);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_table),  cmocka_unit_test(test_interval),      cmocka_unit_test(test_interval_data),
	    cmocka_unit_test(test_box),    cmocka_unit_test(test_box_data),      cmocka_unit_test(test_no_data),
	    cmocka_unit_test(test_panels), cmocka_unit_test(test_deterministic), cmocka_unit_test(test_caveats),
	};

	return run_chart_tests(tests);
}
