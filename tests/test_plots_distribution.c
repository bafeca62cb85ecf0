#include "chart_file.h"

#include "../src/analyse_distribution.h"

/* Charts of how values are distributed. In each legend comes first. */

/* One run fails; a has five values with one twice, b one. */
static const char table[] = "kernel\toutcome\trate_MBps\n"
			    "a\tok\t10\na\tok\t20\na\tok\t14\na\tok\t12\na\tok\t14\nb\tok\t16\nb\tfailed\t\n";

/* Five runs are steps of a fifth, two of them at a value that two runs have; one run is a step from 0 to 1. */
static void test_ecdf(void **state)
{
	struct svg svg;
	struct picture picture;

	chart_file_draw("ecdf", table, NULL, &svg, &picture);
	assert_non_null(strstr(picture.data->str, "# value share\n10 0\n10 0.2\n12 0.4\n14 0.8\n20 1\n"));
	assert_non_null(strstr(picture.data->str, "# value share\n16 0\n16 1\n"));
	/* legend: two; four points, and one */
	assert_int_equal(svg.marks->len, 2 + 4 + 1);
	assert_close(mark(&svg, 2).y - mark(&svg, 5).y, 4 * (mark(&svg, 2).y - mark(&svg, 3).y), 0.001);
	assert_close(mark(&svg, 5).x - mark(&svg, 2).x, 5 * (mark(&svg, 3).x - mark(&svg, 2).x), 0.001);
	assert_shows(&svg, "a (n = 5)", 1);
	assert_shows(&svg, "b (n = 1, 1 failed)", 1);
	assert_shows(&svg, "rate (MB/s), higher is better", 1);
	assert_shows(&svg, "share of runs", 1);
	picture_clear(&picture);
	svg_clear(&svg);
}

/* R: sort(qqnorm(c(10, 20, 14, 12, 14))$x) is -1.1797611 -0.4972006 0 0.4972006 1.1797611; quartiles 12 and 14, so
 * that qqline() has the slope 1.4826022 and the intercept 13, and is 11.2508835497 and 14.7491164503 at the ends. */
static void test_qq(void **state)
{
	static const double scores[] = {-1.1797611, -0.4972006, 0, 0.4972006, 1.1797611};
	struct svg svg;
	struct picture picture;
	struct chart_file file;
	const struct distribution *distribution;

	chart_file_draw("qq", table, NULL, &svg, &picture);
	/* legend: two; five points, and one in the middle */
	assert_int_equal(svg.marks->len, 2 + 5 + 1);
	assert_close(mark(&svg, 7).x, mark(&svg, 4).x, 0.001);
	assert_close((mark(&svg, 6).x - mark(&svg, 4).x) / (mark(&svg, 5).x - mark(&svg, 4).x), scores[4] / scores[3],
		     0.002);
	picture_clear(&picture);
	svg_clear(&svg);
	assert_true(chart_file_open(&file, chart_named("qq"), table, NULL, NULL));
	distribution = g_ptr_array_index(file.data.distributions, 0);
	for (guint i = 0; i < 5; i++)
		assert_true(fabs(g_array_index(distribution->scores, double, i) - scores[i]) < 1e-7);
	assert_close(distribution->line[0], 11.2508835497, 1e-8);
	assert_close(distribution->line[1], 14.7491164503, 1e-8);
	chart_file_close(&file);
}

static gboolean open_log(struct chart_file *file, const char *text, GError **error)
{
	if (!chart_file_open(file, chart_named("qq"), text, NULL, NULL))
		return FALSE;
	chart_data_clear(&file->data);
	file->options.scale = g_strdup("log");
	return chart_data_prepare(&file->data, chart_named("qq")->needs, &file->reading, &file->options, error);
}

/* Logarithms: R's line through the quartiles of log(x) is 11.326762005572 and 14.832129422102 at the ends, turned back
 * by exp(). What has no logarithm is a usage error. */
static void test_qq_log(void **state)
{
	static const char negative[] = "kernel\trate_MBps\na\t1\na\t-1\n";
	struct chart_file file;
	const struct distribution *distribution;
	struct picture picture;
	g_autoptr(GError) error = NULL;

	assert_true(open_log(&file, table, NULL));
	distribution = g_ptr_array_index(file.data.distributions, 0);
	assert_close(distribution->line[0], 11.326762005572, 1e-12);
	assert_close(distribution->line[1], 14.832129422102, 1e-12);
	picture_init(&picture, PICTURE_PAGE);
	assert_true(chart_named("qq")->draw(&file.data, &picture, NULL));
	assert_non_null(strstr(picture.script->str, "set logscale y 10\n"));
	picture_clear(&picture);
	chart_file_close(&file);
	assert_false(open_log(&file, negative, &error));
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
	assert_true(g_str_has_prefix(error->message, "--scale log: a value of 'rate' is zero or negative"));
	chart_file_close(&file);
}

/* log2(5) + 1 and Freedman and Diaconis's width of 2 * 2 / cbrt(5) = 2.339 give 4 and 5 bins of (10..20): each 2 wide,
 * of 1, 1, 2, 0 and 1 runs, whose densities are runs / 5 / 2. */
static void test_histogram(void **state)
{
	struct svg svg;
	struct picture picture;
	struct chart_file file;
	const struct distribution *distribution;
	static const double bins[] = {0.1, 0.1, 0.2, 0, 0.1};

	assert_true(chart_file_open(&file, chart_named("histogram"), table, NULL, NULL));
	distribution = g_ptr_array_index(file.data.distributions, 0);
	assert_int_equal(distribution->bins->len, 5);
	for (guint i = 0; i < 5; i++)
		assert_close(g_array_index(distribution->bins, double, i), bins[i], 1e-12);
	assert_int_equal(((struct distribution *)g_ptr_array_index(file.data.distributions, 1))->bins->len, 0);
	chart_file_close(&file);
	chart_file_draw("histogram", table, NULL, &svg, &picture);
	assert_shows(&svg, "n = 5; density (per MB/s)", 1);
	assert_shows(&svg, "n = 1, 1 failed; density (per MB/s): none of one run", 1);
	/* of b, as high as the panel */
	assert_non_null(strstr(picture.data->str, "# value height\n16 1"));
	picture_clear(&picture);
	svg_clear(&svg);
}

/* The density ends where it cannot be seen, its steps are close, and it adds up to 1, also far from other values. */
static void test_density(void **state)
{
	static const char far[] = "rate_MBps\n1\n2\n3\n4\n1000000\n1000001\n";
	struct chart_file file;
	const struct distribution *distribution;
	double sum = 0;

	assert_true(chart_file_open(&file, chart_named("histogram"), far, NULL, NULL));
	distribution = g_ptr_array_index(file.data.distributions, 0);
	assert_true(distribution->density->len > 20 && distribution->density->len < 1000);
	for (guint i = 1; i < distribution->density->len; i++) {
		const struct density_point *at = &g_array_index(distribution->density, struct density_point, i);

		sum += (at[0].density + at[-1].density) / 2 * (at[0].at - at[-1].at);
	}
	assert_close(sum, 1, 1e-3);
	chart_file_close(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_ecdf),      cmocka_unit_test(test_qq),      cmocka_unit_test(test_qq_log),
	    cmocka_unit_test(test_histogram), cmocka_unit_test(test_density),
	};

	return run_chart_tests(tests);
}
