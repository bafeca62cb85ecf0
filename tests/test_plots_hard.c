#include "chart_file.h"

/* Every chart of the table with data that is hard to draw, from a file to the picture: gnuplot says nothing, no text is
 * cut off or written over another, and there is something to see. */

#define PROCS_LEVELS 3
#define SIXTY "a label of sixty letters, as long as the names of kernels are"

struct hard_case {
	const char *name;
	guint treatments, runs; /* runs of each treatment and number of processes */
	double (*value)(guint treatment, guint run);
	gboolean (*fails)(guint treatment);
	const char *const *labels; /* NULL: "treatment 1", ... */
};

static double usual(guint treatment, guint run)
{
	return 100 + 7 * treatment + (double)(run * 7919 % 101) / 10;
}

static double constant_first(guint treatment, guint run)
{
	return treatment ? usual(treatment, run) : 100;
}

static double zero(guint treatment, guint run)
{
	return 0;
}

static double negative(guint treatment, guint run)
{
	return -usual(treatment, run);
}

static double huge_and_tiny(guint treatment, guint run)
{
	return (treatment ? 1e200 : 1e-200) * usual(treatment, run);
}

static double with_outlier(guint treatment, guint run)
{
	return run == 4 ? 1e4 : usual(treatment, run);
}

static gboolean never(guint treatment)
{
	return FALSE;
}

static gboolean last(guint treatment)
{
	return treatment == 1;
}

static gboolean always(guint treatment)
{
	return TRUE;
}

static const char *const long_labels[] = {SIXTY " 1", SIXTY " 2", SIXTY " 3"};
static const char *const hostile_labels[] = {"`touch hacked` $(touch hacked)", "';system('touch hacked');'",
					     "a_b^c {/Bold} @x <b>&amp; %d%s Größe 大きさ"};

static const struct hard_case cases[] = {
    {"one treatment", 1, 5, usual, never, NULL},
    {"twelve treatments", 12, 5, usual, never, NULL},
    {"one run", 3, 1, usual, never, NULL},
    {"a thousand runs", 2, 1000, usual, never, NULL},
    {"one is constant", 3, 5, constant_first, never, NULL},
    {"one has failed runs only", 2, 5, usual, last, NULL},
    {"all have failed runs only", 2, 5, usual, always, NULL},
    {"labels of 60 letters", 3, 5, usual, never, long_labels},
    {"hostile labels", 3, 5, usual, never, hostile_labels},
    {"nothing but zero", 3, 5, zero, never, NULL},
    {"negative values", 3, 5, negative, never, NULL},
    {"huge and tiny values", 2, 5, huge_and_tiny, never, NULL},
    {"outliers", 2, 12, with_outlier, never, NULL},
};

static char *label_of(const struct hard_case *hard, guint treatment)
{
	return hard->labels ? g_strdup(hard->labels[treatment]) : g_strdup_printf("treatment %u", treatment + 1);
}

/* What a probe says, in proportion to the value. */
static void add_percentiles(GString *text, const char *value)
{
	for (guint i = 1; i <= 3; i++) {
		char number[G_ASCII_DTOSTR_BUF_SIZE];

		g_string_append_printf(
		    text, "\t%s", *value ? g_ascii_dtostr(number, sizeof number, i * g_ascii_strtod(value, NULL)) : "");
	}
}

/* In blocks that have each combination once, two boots, two sittings in each. */
static char *table_of(const struct hard_case *hard, gboolean with_percentiles)
{
	static const guint procs[PROCS_LEVELS] = {1, 16, 256};
	GString *text = g_string_new("kernel\tprocs\tblock\tboot\tsession\toutcome\tthroughput_MBps");

	g_string_append(text, with_percentiles ? "\tfsync_p50_ms\tfsync_p99_ms\tfsync_max_ms\n" : "\n");

	for (guint run = 0; run < hard->runs; run++)
		for (guint i = 0; i < hard->treatments; i++)
			for (guint j = 0; j < PROCS_LEVELS; j++) {
				g_autofree char *label = label_of(hard, i);
				char value[G_ASCII_DTOSTR_BUF_SIZE] = "";

				if (!hard->fails(i))
					g_ascii_dtostr(value, sizeof value, hard->value(i, run) / (j + 1));
				g_string_append_printf(text, "%s\t%u\t%u\t%u\t%u\t%s\t%s", label, procs[j], run,
						       2 * run / hard->runs, 4 * run / hard->runs,
						       hard->fails(i) ? "failed" : "ok", value);
				if (with_percentiles)
					add_percentiles(text, value);
				g_string_append_c(text, '\n');
			}
	return g_string_free(text, FALSE);
}

/* What a user would give. */
static const char *by_for(const struct chart *chart)
{
	return chart->needs & CHART_EFFECTS       ? "kernel,procs"
	       : chart->needs & CHART_COMPARISONS ? "kernel"
	       : chart->needs & CHART_FACTOR      ? "procs"
						  : NULL;
}

struct box {
	double left, right, top, bottom;
};

/* At least so much room a text takes: letters are half as wide as high, and more of their height is above the line. */
static struct box box_of(const struct svg *svg, guint i)
{
	const struct svg_place *place = &g_array_index(svg->places, struct svg_place, i);
	g_autofree char *text = g_strstrip(g_strdup(svg->texts->pdata[i]));
	double width = 0.5 * place->size * text_width(text);
	double left = place->anchor == 'e' ? place->x - width : place->anchor == 'm' ? place->x - width / 2 : place->x;

	return (struct box){left, left + width, place->y - 0.7 * place->size, place->y};
}

static gboolean overlap(const struct box *a, const struct box *b)
{
	return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static void check_texts(const struct svg *svg, const char *what)
{
	for (guint i = 0; i < svg->texts->len; i++) {
		struct box box = box_of(svg, i);
		const char *text = svg->texts->pdata[i];

		if (box.left < 0 || box.top < 0 || box.right > svg->width || box.bottom > svg->height)
			fail_msg("%s: '%s' is cut off", what, text);
		for (guint j = 0; j < i; j++) {
			struct box other = box_of(svg, j);

			if (overlap(&box, &other))
				fail_msg("%s: '%s' is written over '%s'", what, text, (char *)svg->texts->pdata[j]);
		}
	}
}

/* What a chart is of may be in none of the runs. */
static gboolean may_refuse(const GError *error)
{
	return err_exit_code(error) == EXIT_USAGE && g_str_has_prefix(error->message, "nothing to plot");
}

static void draw_as(const struct chart *chart, const struct chart_data *data, const char *ending,
		    enum picture_size size, const char *what)
{
	g_autofree char *path = g_strdup_printf("%s/picture%s", folder, ending), *warnings = NULL;
	g_autoptr(GError) error = NULL;
	struct picture picture;
	struct svg svg;

	picture_init(&picture, size);
	if (!chart->draw(data, &picture, &error) && may_refuse(error)) {
		picture_clear(&picture);
		return;
	}
	if (error || !gnuplot_run(&picture, &(struct gnuplot_arg){.output = path}, &warnings, &error))
		fail_msg("%s: %s", what, error->message);
	if (warnings)
		fail_msg("%s: gnuplot warns: %s", what, warnings);
	if (strstr(picture.data->str, "nan") || strstr(picture.data->str, "inf"))
		fail_msg("%s: a number that is none is to be drawn", what);
	picture_clear(&picture);
	if (g_str_equal(ending, ".svg")) {
		if (!svg_read(path, &svg, &error))
			fail_msg("%s: %s", what, error->message);
		assert_true(svg.texts->len > 3);
		check_texts(&svg, what);
		svg_clear(&svg);
	}
	g_unlink(path);
}

static void draw_case(const struct chart *chart, const struct hard_case *hard)
{
	static const struct {
		const char *ending;
		enum picture_size size;
	} kinds[] = {{".svg", PICTURE_PAGE}, {".txt", PICTURE_TEXT}, {".svg", PICTURE_SLIDE}};
	g_autofree char *table = table_of(hard, chart->needs & CHART_ALL_METRICS);
	g_autofree char *what = g_strdup_printf("%s, %s", chart->name, hard->name);
	/* a slide has less room than a page: for names, and for many of them */
	gboolean is_crowded = hard->labels || hard->treatments > 3;
	struct chart_file file;
	g_autoptr(GError) error = NULL;

	/* with one treatment there is nothing to compare, with failures nothing to analyse */
	if (chart_file_open(&file, chart, table, by_for(chart), &error))
		for (gsize i = 0; i < G_N_ELEMENTS(kinds) - !is_crowded; i++)
			draw_as(chart, &file.data, kinds[i].ending, kinds[i].size, what);
	else
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
	chart_file_close(&file);
}

/* Charts of files; what needs a store has tests of its own. */
static void test_hard(void **state)
{
	for (const struct chart *const *chart = chart_table; *chart; chart++)
		for (gsize i = 0; i < G_N_ELEMENTS(cases) && !((*chart)->needs & CHART_SERIES); i++)
			draw_case(*chart, &cases[i]);
	assert_false(g_file_test("hacked", G_FILE_TEST_EXISTS));
}

/* What the analysis refuses of the cases is little: all charts draw the usual one. */
static void test_usual(void **state)
{
	const struct hard_case hard = {"usual", 3, 5, usual, never, NULL};
	g_autofree char *table = table_of(&hard, TRUE);

	for (const struct chart *const *chart = chart_table; *chart; chart++) {
		struct chart_file file;
		struct picture picture;
		g_autoptr(GError) error = NULL;

		if (!chart_file_open(&file, *chart, table, by_for(*chart), &error))
			fail_msg("%s: %s", (*chart)->name, error->message);
		picture_init(&picture, PICTURE_PAGE);
		if (!((*chart)->needs & CHART_SERIES) && !(*chart)->draw(&file.data, &picture, &error))
			fail_msg("%s: %s", (*chart)->name, error->message);
		picture_clear(&picture);
		chart_file_close(&file);
	}
}

/* An option that a chart has no use for is refused, and one that it cannot do without is asked for. */
static void test_options(void **state)
{
	char *operands[] = {NULL};
	struct reading reading = {0};
	struct chart_options with_by = {.by = g_strdup("procs")}, without = {0};
	struct chart_data data;
	g_autoptr(GError) useless = NULL, missing = NULL;

	assert_true(reading_parse(&reading, operands, NULL));
	assert_false(chart_data_prepare(&data, chart_named("box")->needs, &reading, &with_by, &useless));
	assert_string_equal(useless->message, "--by is nothing to this chart: leave it out");
	assert_false(chart_data_prepare(&data, chart_named("scaling")->needs, &reading, &without, &missing));
	assert_string_equal(missing->message, "plot against what? name a factor or numeric column with --by");
	assert_int_equal(err_exit_code(missing), EXIT_USAGE);
	chart_options_clear(&with_by);
	reading_clear(&reading);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_usual),
	    cmocka_unit_test(test_hard),
	    cmocka_unit_test(test_options),
	};

	return run_chart_tests(tests);
}
