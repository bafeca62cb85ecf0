#include "chart_file.h"

#include "../plots/look.h"

/* Means of two factors as colours. */

static guint count(const char *text, const char *part)
{
	guint n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

/* One run a cell, but for one that failed: that is empty. a/1 is the best by far, a/2 the worst. */
static const char table[] = "fs\tsize\toutcome\trate_MBps\n"
			    "a\t1\tok\t90\na\t2\tok\t10\nb\t1\tok\t50.5\nb\t2\tfailed\t\n"
			    "c\t1\tok\t50\nc\t2\tok\t70\n";

/* Colours go from the darkest of viridis (0x440154, 4456788) to its brightest (0xfde725, 16639781); half-way between
 * least and greatest is its middle, 0x21918c or 2199948. */
static void test_cells(void **state)
{
	struct svg svg;
	struct picture picture;

	chart_file_draw("heatmap", table, "fs,size", &svg, &picture);
	assert_non_null(strstr(picture.data->str, "\n1 1 0.5 1.5 0.5 1.5 16639781\n"));
	assert_non_null(strstr(picture.data->str, "\n2 1 1.5 2.5 0.5 1.5 4456788\n"));
	assert_non_null(strstr(picture.data->str, "\n1 3 0.5 1.5 2.5 3.5 2199948\n"));
	assert_non_null(strstr(picture.data->str, "\n2 2 1.5 2.5 1.5 2.5 15658734\n"));
	assert_shows(&svg, "90 *", 1);
	assert_shows(&svg, "50.50", 1);
	assert_shows(&svg, "–", 1);
	/* the cell, and the end of the scale */
	assert_shows(&svg, "10", 2);
	assert_shows(&svg, "rows: fs; columns: size", 1);
	assert_shows(&svg, "rate (MB/s), higher is better", 1);
	assert_shows(&svg, "rate: n = 1 run a cell, 5 in all; failed runs: 1.", 1);
	assert_shows(&svg, "No complete run: b/2.", 1);
	/* bright letters on dark, dark ones on bright */
	assert_non_null(
	    strstr(picture.script->str, "'10' at first 2, first 1 noenhanced center front tc rgb '#ffffff'"));
	assert_non_null(
	    strstr(picture.script->str, "'90 *' at first 1, first 1 noenhanced center front tc rgb '#000000'"));
	picture_clear(&picture);
	svg_clear(&svg);
}

/* Of the 28 cells of the sample 13 cannot be told from the best one, as README.md has them: 14 outlines, one thick. */
static void test_best(void **state)
{
	g_autofree char *grid = NULL;
	struct svg svg;
	struct picture picture;

	assert_true(g_file_get_contents("samples/bdflush-grid.tsv", &grid, NULL, NULL));
	chart_file_draw("heatmap", grid, "start_writeout_pct,sync_wait_pct", &svg, &picture);
	assert_int_equal(count(picture.script->str, "fs empty border"), 14);
	assert_int_equal(count(picture.script->str, "lw 4\n"), 1);
	/* 80/90 */
	assert_shows(&svg, "8.910 *", 1);
	assert_non_null(strstr(picture.script->str, "'8.910 *' at first 4, first 2 "));
	picture_clear(&picture);
	svg_clear(&svg);
}

/* One factor makes no grid. */
static void test_one_factor(void **state)
{
	struct chart_file file;
	struct picture picture;
	g_autoptr(GError) error = NULL;

	assert_true(
	    chart_file_open(&file, chart_named("heatmap"), "fs\trate_MBps\na\t1\na\t2\nb\t3\nb\t4\n", "fs", NULL));
	picture_init(&picture, PICTURE_PAGE);
	assert_false(chart_named("heatmap")->draw(&file.data, &picture, &error));
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
	assert_string_equal(error->message, "a heat map is of two factors: name them with --by F1,F2");
	picture_clear(&picture);
	chart_file_close(&file);
}

/* CIE 1976 lightness of sRGB, by its definition. */
static double lightness(guint32 colour)
{
	static const double weights[] = {0.2126, 0.7152, 0.0722};
	double y = 0;

	for (guint i = 0; i < 3; i++) {
		double c = ((colour >> (16 - 8 * i)) & 0xff) / 255.0;

		y += weights[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

/* In grey, too, a greater share is brighter, by steps that are even to the eye: a tenth of the way from 15 to 91, or
 * a quarter more or less. */
static void test_grey(void **state)
{
	for (guint i = 0; i < 10; i++) {
		double step = lightness(look_shade((i + 1) / 10.0)) - lightness(look_shade(i / 10.0));

		assert_true(step > 7.6 * 0.75 && step < 7.6 * 1.25);
	}
	assert_int_equal(look_on(look_shade(0)), 0xffffff);
	assert_int_equal(look_on(look_shade(1)), 0x000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_cells),
	    cmocka_unit_test(test_best),
	    cmocka_unit_test(test_one_factor),
	    cmocka_unit_test(test_grey),
	};

	return run_chart_tests(tests);
}
