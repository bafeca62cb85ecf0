#include "chart_case.h"

#include "../src/profile.h"

/* The chart of profiles, made by hand. The first marks are those of the legend, one a profile. */

static void free_profile(gpointer data)
{
	struct profile *profile = data;

	g_array_unref(profile->allan);
	g_free(profile->instrument);
	g_free(profile);
}

static void add_profile(struct analysis *analysis, const char *workload, const char *instrument,
			const struct allan_point *points, guint n)
{
	struct profile *profile = g_new0(struct profile, 1);

	profile->workload = workload;
	profile->metric = bandwidth;
	profile->instrument = g_strdup(instrument);
	profile->n = 200;
	profile->allan = g_array_new(FALSE, FALSE, sizeof(struct allan_point));
	g_array_append_vals(profile->allan, points, n);
	g_ptr_array_add(analysis->profiles, profile);
}

static void init_profiles(struct analysis *analysis)
{
	*analysis = (struct analysis){.level = 0.95, .margin_pct = 5};
	analysis->profiles = g_ptr_array_new_with_free_func(free_profile);
}

static void clear_profiles(struct analysis *analysis)
{
	g_ptr_array_unref(analysis->profiles);
}

/* A point for each batch, both axes logarithmic: 1, 10 and 100 stand at equal distances, and so do deviations of 1, 0.1
 * and 0.01. The names, whatever they hold, and what is drawn are said. */
static void test_curve(void **state)
{
	static const struct allan_point points[] = {{1, 1, 199, NAN}, {10, 0.1, 19, NAN}, {100, 0.01, 1, NAN}};
	struct analysis analysis;
	struct svg svg;

	init_profiles(&analysis);
	add_profile(&analysis, "dd1", "host `touch hacked`, ext4", points, 3);
	draw(chart_named("allan"), &analysis, &svg);
	assert_int_equal(svg.marks->len, 1 + 3);
	assert_true(mark(&svg, 2).x - mark(&svg, 1).x > 100);
	assert_close(mark(&svg, 3).x - mark(&svg, 2).x, mark(&svg, 2).x - mark(&svg, 1).x, 0.001);
	assert_true(mark(&svg, 2).y - mark(&svg, 1).y > 50);
	assert_close(mark(&svg, 3).y - mark(&svg, 2).y, mark(&svg, 2).y - mark(&svg, 1).y, 0.001);
	assert_shows(&svg, "dd1, bandwidth (200 runs, host `touch hacked`, ext4)", 1);
	assert_shows(&svg, "runs in a batch", 1);
	assert_shows(&svg, "Allan deviation of their mean (%)", 1);
	svg_clear(&svg);
	clear_profiles(&analysis);
}

/* The line of white noise starts where the curve does and falls with the square root: 4 batches, half. */
static void test_white(void **state)
{
	static const struct allan_point points[] = {{1, 0.08, 100, NAN}, {4, 0.07, 25, NAN}};
	struct analysis analysis;
	struct picture picture;

	init_profiles(&analysis);
	add_profile(&analysis, "dd1", NULL, points, 2);
	picture_init(&picture, PICTURE_PAGE);
	assert_true(fill(chart_named("allan"), &analysis, &picture, NULL));
	assert_non_null(strstr(picture.data->str, "batch white\n1 8\n4 4\n"));
	assert_non_null(strstr(picture.data->str, "batch deviation\n1 8\n4 7"));
	picture_clear(&picture);
	clear_profiles(&analysis);
}

/* Without variation a logarithm has nothing to draw, and says so; a batch without variation is left out. */
static void test_constant(void **state)
{
	static const struct allan_point points[] = {{1, 0, 9, NAN}, {2, 0, 4, NAN}};
	static const struct allan_point mixed[] = {{1, 0.1, 9, NAN}, {2, 0, 4, NAN}, {3, NAN, 0, NAN}};
	struct analysis analysis;
	struct svg svg;

	init_profiles(&analysis);
	add_profile(&analysis, "", NULL, points, 2);
	draw(chart_named("allan"), &analysis, &svg);
	assert_int_equal(svg.marks->len, 1);
	assert_shows(&svg, "no variation at all", 1);
	svg_clear(&svg);
	add_profile(&analysis, "dd3", NULL, mixed, 3);
	draw(chart_named("allan"), &analysis, &svg);
	assert_int_equal(svg.marks->len, 2 + 1);
	svg_clear(&svg);
	clear_profiles(&analysis);
}

/* Nothing to plot, and more than a picture holds, are usage errors; thirty profiles are drawn. */
static void test_limits(void **state)
{
	static const struct allan_point points[] = {{1, 0.1, 9, NAN}, {2, 0.05, 4, NAN}};
	struct analysis analysis = {0};
	struct picture picture;
	struct svg svg;
	g_autoptr(GError) none = NULL, many = NULL;

	picture_init(&picture, PICTURE_PAGE);
	assert_false(fill(chart_named("allan"), &analysis, &picture, &none));
	assert_int_equal(err_exit_code(none), EXIT_USAGE);
	assert_string_equal(none->message, "nothing to plot");
	init_profiles(&analysis);
	for (guint i = 0; i < 30; i++)
		add_profile(&analysis, "dd1", NULL, points, 2);
	draw(chart_named("allan"), &analysis, &svg);
	assert_int_equal(svg.marks->len, 30 + 60);
	svg_clear(&svg);
	add_profile(&analysis, "dd1", NULL, points, 2);
	assert_false(fill(chart_named("allan"), &analysis, &picture, &many));
	assert_int_equal(err_exit_code(many), EXIT_USAGE);
	picture_clear(&picture);
	clear_profiles(&analysis);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_curve),
	    cmocka_unit_test(test_white),
	    cmocka_unit_test(test_constant),
	    cmocka_unit_test(test_limits),
	};

	return run_chart_tests(tests);
}
