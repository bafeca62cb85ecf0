#include "chart_case.h"

static const double zeros[] = {0, 0, 0}, fives[] = {5, 5, 5}, tiny[] = {1e-9, 2e-9, 3e-9}, huge[] = {1e300, 2e299, 0},
		    negative[] = {-3, -2, -1}, near[] = {1e6, 1e6 + 1e-6, 1e6 + 2e-6}, least[] = {5e-324, 0, 1e-310},
		    wide[] = {-1e300, 0, 1e300}, bad[] = {NAN, INFINITY, -INFINITY}, over[] = {1.7e308, -1.7e308, 1},
		    big[] = {123456789012, 123456789013, 123456789014};

#define THREE(array, mean_, low_, high_, min_, q1_, median_, q3_, max_)                                                \
	{                                                                                                              \
		.n = 3, .samples = (array), .mean = (mean_), .low = (low_), .high = (high_), .min = (min_),            \
		.q1 = (q1_), .median = (median_), .q3 = (q3_), .max = (max_)                                           \
	}

static const struct row extremes[] = {
    {ALIKE(3, zeros, 0)},
    {ALIKE(3, fives, 5)},
    {ALIKE(3, fives, -5)},
    THREE(tiny, 2e-9, -5e-10, 4.5e-9, 1e-9, 1.5e-9, 2e-9, 2.5e-9, 3e-9),
    THREE(huge, 4e299, -INFINITY, INFINITY, 0, 1e299, 2e299, 6e299, 1e300),
    THREE(negative, -2, -4.484138, 0.484138, -3, -2.5, -2, -1.5, -1),
    THREE(near, 1e6, 1e6 - 1e-6, 1e6 + 3e-6, 1e6, 1e6, 1e6 + 1e-6, 1e6 + 1.5e-6, 1e6 + 2e-6),
    THREE(least, 1e-311, 0, 1e-310, 0, 0, 5e-324, 1e-311, 1e-310),
    THREE(wide, 0, -1e300, 1e300, -1e300, -5e299, 0, 5e299, 1e300),
    THREE(bad, NAN, -INFINITY, INFINITY, NAN, NAN, NAN, NAN, NAN),
    THREE(over, 1, -1.7e308, 1.7e308, -1.7e308, -8e307, 1, 8e307, 1.7e308),
    THREE(big, 123456789013, 123456789012, 123456789014, 123456789012, 123456789012.5, 123456789013, 123456789013.5,
	  123456789014),
};

/* Alike, tiny, huge, negative, nearly alike or not finite at all: gnuplot draws each without a word. */
static void test_extremes(void **state)
{
	for_charts(chart)
		for (gsize i = 0; i < G_N_ELEMENTS(extremes); i++) {
			struct analysis analysis;
			struct svg svg;

			init(&analysis);
			add(&analysis, &extremes[i]);
			draw(*chart, &analysis, &svg);
			assert_shows(&svg, "n = 3", 1);
			assert_shows(&svg, "no finite value", extremes[i].samples == bad);
			svg_clear(&svg);
			clear(&analysis);
		}
}

/* Twelve treatments, a row each, and a picture that grows with them; a thousand runs, a point each. */
static void test_many(void **state)
{
	double thousand[1000];
	guint height = 0;

	for (guint i = 0; i < 1000; i++)
		thousand[i] = 100 + (i * 7919) % 1000;
	for_charts(chart)
		for (guint n = 1; n <= 12; n += 11) {
			struct analysis analysis;
			struct svg svg;

			init(&analysis);
			for (guint i = 0; i < n; i++) {
				g_autofree char *name = g_strdup_printf("treatment %u", i);

				add(&analysis, &(struct row){.treatment = name,
							     .n = 1000,
							     .samples = thousand,
							     .mean = 599.5,
							     .low = 581.6,
							     .high = 617.4,
							     .min = 100,
							     .q1 = 349.75,
							     .median = 599.5,
							     .q3 = 849.25,
							     .max = 1099});
			}
			draw(*chart, &analysis, &svg);
			assert_int_equal(svg.marks->len, strcmp((*chart)->name, "box") ? n : 1000 * n);
			assert_shows(&svg, "n = 1000", n);
			if (n == 1)
				height = svg.height;
			else
				assert_true(svg.height > height + 11 * 20);
			svg_clear(&svg);
			clear(&analysis);
		}
}

/* Names that mean something to gnuplot, a shell or XML stand in the picture as they are, wherever they come from. */
static void test_hostile_names(void **state)
{
	static const char *const names[] = {"`touch hacked`",   "';system('touch hacked');'",
					    "a_b^c {/Bold} @x", "<b>&amp;\"$HOME\"\\",
					    "''%d%s''",         "Größe 大きさ"};

	for_charts(chart)
		for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
			const struct metric metric = {names[i], names[i], BETTER_NONE, NULL};
			g_autofree char *axis = g_strdup_printf("%s (%s)", names[i], names[i]);
			struct analysis analysis;
			struct svg svg;

			init(&analysis);
			add(&analysis,
			    &(struct row){FIVE, .workload = names[i], .treatment = names[i], .metric = &metric});
			draw(*chart, &analysis, &svg);
			assert_shows(&svg, names[i], 2);
			assert_shows(&svg, axis, 1);
			svg_clear(&svg);
			clear(&analysis);
		}
	assert_false(g_file_test("hacked", G_FILE_TEST_EXISTS));
}

/* 40 columns: 24 from the front, the dots, 15 from the end; a wide letter takes two (Unicode annex 11). */
static void test_long_names(void **state)
{
	g_autoptr(GString) letters = g_string_new(NULL), twice = g_string_new(NULL);
	g_autofree char *cut = NULL, *cut_twice = NULL, *controls = label_cut("a\nb", 40);

	for (guint i = 0; i < 300; i++) {
		g_string_append_c(letters, (char)('a' + i % 26));
		g_string_append(twice, "大");
	}
	cut = label_cut(letters->str, 40);
	cut_twice = label_cut(twice->str, 40);
	/* Letter 285 of the 300 is the 26th of its row: 285 = 10 * 26 + 25. */
	assert_string_equal(cut, "abcdefghijklmnopqrstuvwx…zabcdefghijklmn");
	assert_string_equal(cut_twice, "大大大大大大大大大大大大…大大大大大大大");
	assert_string_equal(controls, "a\\x0ab");
	g_string_truncate(letters, 40);
	g_free(cut);
	cut = label_cut(letters->str, 40);
	assert_string_equal(cut, letters->str);
}

/* A name of 300 letters is in the picture, cut. */
static void test_long_name_drawn(void **state)
{
	g_autofree char *name = g_strnfill(300, 'W');
	g_autofree char *shown = label_cut(name, 40);

	for_charts(chart) {
		struct analysis analysis;
		struct svg svg;

		init(&analysis);
		add(&analysis, &(struct row){FIVE, .treatment = name});
		draw(*chart, &analysis, &svg);
		assert_shows(&svg, shown, 1);
		svg_clear(&svg);
		clear(&analysis);
	}
}

static void assert_refused(struct analysis *analysis, const char *message)
{
	for_charts(chart) {
		g_autoptr(GError) error = NULL;
		struct picture picture;

		picture_init(&picture, PICTURE_PAGE);
		assert_false(fill(*chart, analysis, &picture, &error));
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
		assert_string_equal(error->message, message);
		picture_clear(&picture);
	}
}

/* Nothing to plot is an error; 40 panels are drawn, 41 are refused; so are more rows than a PNG is high. */
static void test_limits(void **state)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	struct analysis analysis;
	struct svg svg;

	init(&analysis);
	assert_refused(&analysis, "nothing to plot");
	for (guint i = 0; i < 40; i++) {
		g_ptr_array_add(names, g_strdup_printf("w%u", i));
		add(&analysis, &(struct row){FIVE, .workload = names->pdata[i]});
	}
	draw(chart_named("box"), &analysis, &svg);
	assert_shows(&svg, "w39", 1);
	svg_clear(&svg);
	add(&analysis, &(struct row){FIVE});
	assert_refused(&analysis,
		       "41 panels are more than the 40 that a picture holds: choose with --metric or --workload");
	clear(&analysis);

	init(&analysis);
	for (guint i = 0; i < 2000; i++)
		add(&analysis, &(struct row){FIVE});
	assert_refused(&analysis,
		       "2000 rows are more than a picture holds: choose with --metric, --workload or NAME=LEVEL");
	clear(&analysis);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_extremes),        cmocka_unit_test(test_many),
	    cmocka_unit_test(test_hostile_names),   cmocka_unit_test(test_long_names),
	    cmocka_unit_test(test_long_name_drawn), cmocka_unit_test(test_limits),
	};

	return run_chart_tests(tests);
}
