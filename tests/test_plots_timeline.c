#include "chart_file.h"

#include "../src/dataset.h"
#include "../src/run_series.h"

/* What vmstat shows in the course of one run, from hand-made runs and series. */

static const struct metric us = {"us", "%", BETTER_NONE, NULL}, si = {"si", "KiB/s", BETTER_NONE, NULL},
			   bo = {"bo", "KiB/s", BETTER_NONE, NULL};
static const struct metric elapsed_metric = {"elapsed", "s", BETTER_LOWER, NULL};

static void add_line(struct run_series *series, const struct metric *metric, const double *at_s, const double *value,
		     guint n)
{
	struct series_line *line = run_series_add(series, metric);

	for (guint i = 0; i < n; i++)
		series_line_add(line, at_s[i], value[i]);
}

/* Runs 11 and 12 of a store, of 4 s each; the first wrote, of the second only the processor was seen, always alike. */
struct timeline {
	struct dataset *dataset;
	struct chart_data data;
};

static void timeline_open(struct timeline *timeline)
{
	static const double at_s[] = {1, 2, 3}, percent[] = {10, 50, 100}, kib[] = {0, 1024, 2048}, zero[] = {0, 0, 0};
	struct run_series *first = run_series_new(0, 11), *second = run_series_new(1, 12);
	gint64 numbers[] = {11, 12};

	timeline->dataset = dataset_new();
	timeline->dataset->store_run = g_array_new(FALSE, TRUE, sizeof(gint64));
	g_array_append_vals(timeline->dataset->store_run, numbers, 2);
	for (guint i = 0; i < 2; i++) {
		dataset_add_run(timeline->dataset);
		values_set(dataset_metric(timeline->dataset, &elapsed_metric), i, 4);
		column_set(dataset_factor(timeline->dataset, "label"), i, "a_b");
	}
	add_line(first, &us, at_s, percent, 3);
	add_line(first, &bo, at_s, kib, 3);
	add_line(first, &si, at_s, zero, 3);
	add_line(second, &us, at_s, zero, 3);
	timeline->data = (struct chart_data){.runs = timeline->dataset};
	timeline->data.series = g_ptr_array_new_with_free_func((GDestroyNotify)run_series_free);
	g_ptr_array_add(timeline->data.series, first);
	g_ptr_array_add(timeline->data.series, second);
}

static void timeline_close(struct timeline *timeline)
{
	g_ptr_array_unref(timeline->data.series);
	dataset_free(timeline->dataset);
}

/* A panel for each group of columns that were seen, and not always 0, on one time axis up to the end of the run; KiB/s
 * as MiB/s. */
static void test_panels(void **state)
{
	struct timeline timeline;
	struct svg svg;

	timeline_open(&timeline);
	timeline.data.run = 11;
	draw_data(chart_named("timeline"), &timeline.data, &svg);
	/* a mark in the legend and three points, twice */
	assert_int_equal(svg.marks->len, 8);
	for (guint i = 1; i < 4; i++)
		assert_close(mark(&svg, i).x, mark(&svg, i + 4).x, 1e-9);
	assert_close(mark(&svg, 3).x - mark(&svg, 1).x, 2 * (mark(&svg, 2).x - mark(&svg, 1).x), 0.001);
	/* 10, 50 and 100 */
	assert_close(mark(&svg, 1).y - mark(&svg, 3).y, 2.25 * (mark(&svg, 1).y - mark(&svg, 2).y), 0.01);
	assert_shows(&svg, "us: user (n = 3)", 1);
	assert_shows(&svg, "bo: written (n = 3)", 1);
	assert_shows(&svg, "processor (%)", 1);
	assert_shows(&svg, "block devices (MiB/s)", 1);
	assert_shows(&svg, "memory (MiB)", 0);
	assert_shows(&svg, "swap (MiB/s)", 0);
	assert_shows(&svg, "Always 0: swap.", 1);
	assert_shows(&svg, "seconds since the run began", 2);
	assert_shows(&svg, "Run 11, label=a_b: ok.", 1);
	svg_clear(&svg);
	timeline_close(&timeline);
}

/* MiB are 1024 KiB, and start and end of the workload are lines at 0 and 4 s. */
static void test_numbers(void **state)
{
	struct timeline timeline;
	struct picture picture;

	timeline_open(&timeline);
	timeline.data.run = 11;
	picture_init(&picture, PICTURE_PAGE);
	assert_true(chart_named("timeline")->draw(&timeline.data, &picture, NULL));
	assert_non_null(strstr(picture.data->str, "# seconds value\n1 0\n2 1\n3 2"));
	assert_non_null(strstr(picture.script->str, "set arrow from first 0, graph 0 to first 0, graph 1 nohead dt 3"));
	assert_non_null(strstr(picture.script->str, "set arrow from first 4, graph 0 to first 4, graph 1 nohead dt 3"));
	picture_clear(&picture);
	timeline_close(&timeline);
}

/* Without --run it is the last; one that is constant has its marks; a run that was not looked at is a usage error. */
static void test_choice(void **state)
{
	struct timeline timeline;
	struct svg svg;
	struct picture picture;
	g_autoptr(GError) absent = NULL, none = NULL;

	timeline_open(&timeline);
	draw_data(chart_named("timeline"), &timeline.data, &svg);
	assert_shows(&svg, "Run 12, label=a_b: ok.", 1);
	assert_int_equal(svg.marks->len, 4);
	svg_clear(&svg);
	picture_init(&picture, PICTURE_PAGE);
	timeline.data.run = 13;
	assert_false(chart_named("timeline")->draw(&timeline.data, &picture, &absent));
	assert_int_equal(err_exit_code(absent), EXIT_USAGE);
	assert_true(g_str_has_prefix(absent->message, "nothing to plot: run 13 is none of these"));
	g_ptr_array_set_size(timeline.data.series, 0);
	timeline.data.run = 0;
	assert_false(chart_named("timeline")->draw(&timeline.data, &picture, &none));
	assert_int_equal(err_exit_code(none), EXIT_USAGE);
	picture_clear(&picture);
	timeline_close(&timeline);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_panels),
	    cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_choice),
	};

	return run_chart_tests(tests);
}
