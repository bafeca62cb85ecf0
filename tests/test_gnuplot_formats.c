#include "gnuplot_case.h"

/* Formats other than the usual ones, and machines whose gnuplot lacks terminals. */

#define SCRIPT "set label 'Größe' at graph 0.5, graph 0.5\nplot [0:3] [0:4] data with points pt 7\n"

/* A gnuplot in front of the real one, in PATH, that has only the terminals named. */
static char *pretend(const char *terminals)
{
	g_autofree char *real = g_find_program_in_path("gnuplot"), *bin = in_scratch("bin"),
			*path = in_scratch("bin/gnuplot"), *old = g_strdup(g_getenv("PATH"));
	g_autofree char *script = g_strdup_printf("#!/bin/sh\ncase \"$*\" in\n*GPVAL_TERMINALS*) echo ' %s ';;\n"
						  "*) exec '%s' \"$@\";;\nesac\n",
						  terminals, real),
			*new = g_strconcat(bin, ":", old, NULL);

	assert_int_equal(g_mkdir_with_parents(bin, 0755), 0);
	write_text(path, script);
	assert_int_equal(g_chmod(path, 0755), 0);
	g_setenv("PATH", new, TRUE);
	return g_steal_pointer(&old);
}

static void stop_pretending(char *old)
{
	g_setenv("PATH", old, TRUE);
	g_free(old);
}

static char *content(const char *path)
{
	char *text = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

static gboolean holds(const char *bytes, gsize length, const char *text)
{
	return memmem(bytes, length, text, strlen(text)) != NULL;
}

/* A PDF (its first bytes: ISO 32000-1, 7.5.2) of the picture's size: 500 pixels of 1/96 inch are 375 points. */
static void test_pdf(void **state)
{
	g_autofree char *output = in_scratch("x.pdf"), *text = NULL;
	gsize length;

	draw(SCRIPT, &(struct gnuplot_arg){.output = output});
	assert_true(g_file_get_contents(output, &text, &length, NULL));
	assert_true(length > 1000);
	assert_memory_equal(text, "%PDF-", 5);
	assert_true(holds(text, length, "/MediaBox [ 0 0 375 150 ]"));
}

/* Whatever a text holds the picture is well-formed: XML 1.0, 2.4, forbids "]]>" among others. */
static void test_svg_texts(void **state)
{
	g_autofree char *output = in_scratch("x.svg"), *quoted = gnuplot_quote("a]]>b <script>&amp; \"'\x01 ]]]>>");
	g_autofree char *script = g_strdup_printf("set label %s at 1,1 noenhanced\n" SCRIPT, quoted), *text = NULL;
	const char *const argv[] = {"xmllint", "--noout", output, NULL};
	int status = -1;

	draw(script, &(struct gnuplot_arg){.output = output});
	/* The type of GLib's argument lacks a const. */
	assert_true(g_spawn_sync(NULL, (char **)(guintptr)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
				 &status, NULL));
	assert_int_equal(status, 0);
	text = content(output);
	assert_non_null(strstr(text, ">a]]&gt;b &lt;script>&amp;amp; "));
}

/* A text has whole lines of at most 78 columns without blanks at their ends, as many as fit the height or fewer where
 * the last are empty, and holds what the picture says. */
static void test_text(void **state)
{
	g_autofree char *output = in_scratch("x.TXT"), *text = NULL;
	g_auto(GStrv) lines = NULL;
	struct picture picture;

	picture_init(&picture, PICTURE_TEXT);
	assert_true(picture_fit(&picture, 190));
	g_string_append(picture.script, SCRIPT);
	g_string_append(picture.data, "1 2\n2 3\n");
	assert_true(gnuplot_run(&picture, &(struct gnuplot_arg){.output = output}, NULL, NULL));
	picture_clear(&picture);
	text = content(output);
	assert_non_null(strstr(text, "Größe"));
	lines = g_strsplit(text, "\n", -1);
	/* 190 pixels of 20 a line; the last newline ends the last line */
	assert_in_range(g_strv_length(lines), 9, 10 + 1);
	for (char **line = lines; *line; line++) {
		assert_true(g_utf8_strlen(*line, -1) <= 78);
		assert_false(g_str_has_suffix(*line, " "));
	}
	assert_true(g_str_has_suffix(text, "\n"));
	assert_null(strchr(text, '\f'));
}

/* A slide is 16:9 whatever is asked for, and a PNG of it 1600 x 900. */
static void test_slide(void **state)
{
	static const guint heights[] = {1, 300, 450, 451, 1000, 7777};
	g_autofree char *output = in_scratch("x.png"), *bytes = NULL;
	struct picture picture;

	for (gsize i = 0; i < G_N_ELEMENTS(heights); i++) {
		picture_init(&picture, PICTURE_SLIDE);
		assert_true(picture_fit(&picture, heights[i]));
		assert_true(picture.height >= heights[i] && picture.height >= 450);
		assert_true(ABS((int)(picture.width * 9) - (int)(picture.height * 16)) <= 16);
		picture_clear(&picture);
	}
	picture_init(&picture, PICTURE_SLIDE);
	assert_true(picture_fit(&picture, 300));
	g_string_append(picture.script, "plot [0:1] [0:1] 0.5\n");
	assert_true(gnuplot_run(&picture, &(struct gnuplot_arg){.output = output}, NULL, NULL));
	picture_clear(&picture);
	bytes = content(output);
	assert_memory_equal(bytes + 16, "\0\0\x06\x40\0\0\x03\x84", 8);
}

/* Without pngcairo the older png does, without that an SVG of the same name is made; either is said. */
static void test_next_best(void **state)
{
	static const struct {
		const char *terminals, *made, *note;
	} cases[] = {
	    {"dumb png svg", "x.png", "no 'pngcairo' terminal here: drawn as .png with 'png'"},
	    {"dumb svg", "x.svg", "no 'pngcairo' terminal here: drawn as .svg with 'svg'"},
	    {"dumb", "x.txt", "no 'pngcairo' terminal here: drawn as .txt with 'dumb'"},
	};
	g_autofree char *output = in_scratch("x.png");

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *folder = g_strdup_printf("bin%zu", i), *warnings = NULL,
				*made = in_scratch(cases[i].made);
		char *old = pretend(cases[i].terminals);
		g_autofree char *bin = in_scratch("bin"), *moved = in_scratch(folder), *path = NULL;
		struct picture picture;

		/* another place each time: one gnuplot is asked once */
		assert_int_equal(g_rename(bin, moved), 0);
		path = g_strconcat(moved, ":", old, NULL);
		g_setenv("PATH", path, TRUE);
		make_picture(&picture, SCRIPT);
		assert_true(gnuplot_run(&picture, &(struct gnuplot_arg){.output = output}, &warnings, NULL));
		picture_clear(&picture);
		stop_pretending(old);
		assert_string_equal(warnings, cases[i].note);
		assert_true(g_file_test(made, G_FILE_TEST_EXISTS));
		g_unlink(made);
	}
}

/* A PDF cannot be made of anything else: what to install is said. So is it of a picture in memory, whose format is what
 * the caller reckons with. */
static void test_no_terminal(void **state)
{
	g_autofree char *output = in_scratch("x.pdf"), *message = NULL;
	g_autoptr(GError) error = NULL;
	char *old = pretend("dumb svg");
	struct picture picture;

	message = refuse(SCRIPT, &(struct gnuplot_arg){.output = output}, EXIT_RUNTIME);
	make_picture(&picture, SCRIPT);
	assert_null(gnuplot_draw(&picture, ".png", NULL, &error));
	picture_clear(&picture);
	stop_pretending(old);
	assert_string_equal(message,
			    "gnuplot here has no 'pdfcairo' terminal, which makes .pdf: install another build of "
			    "it with 'apt install gnuplot-nox'");
	assert_int_equal(err_exit_code(error), EXIT_RUNTIME);
	assert_false(g_file_test(output, G_FILE_TEST_EXISTS));
}

struct references {
	GHashTable *ids;
	GPtrArray *targets;
	GString *title;
	const char *prefix;
	gboolean in_title;
};

static void on_start(GMarkupParseContext *context, const char *element, const char **names, const char **values,
		     gpointer data, GError **error)
{
	struct references *references = data;

	references->in_title = !strcmp(element, "title") && !references->title->len;
	for (; *names; names++, values++) {
		if (!strcmp(*names, "id")) {
			assert_true(g_str_has_prefix(*values, references->prefix));
			assert_true(g_hash_table_add(references->ids, g_strdup(*values)));
		}
		if (!strcmp(*names, "xlink:href"))
			g_ptr_array_add(references->targets, g_strdup(*values));
	}
}

static void on_text(GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
	struct references *references = data;

	if (references->in_title)
		g_string_append_len(references->title, text, (gssize)length);
	references->in_title = FALSE;
}

static void collect(const char *svg, struct references *references)
{
	static const GMarkupParser parser = {.start_element = on_start, .text = on_text};
	g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, references, NULL);

	assert_true(g_markup_parse_context_parse(context, svg, -1, NULL));
	assert_true(g_markup_parse_context_end_parse(context, NULL));
}

/* Two elements for one page: an <svg> each and nothing before it, no id twice, each reference to an id in the same one,
 * the title as given, and texts that look like ids left alone. */
static void test_inline(void **state)
{
	g_autoptr(GHashTable) ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	static const char *const names[] = {"box-1", "box-2"};

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *prefix = g_strconcat(names[i], "-", NULL), *svg = NULL;
		struct references references = {ids, g_ptr_array_new_with_free_func(g_free), g_string_new(NULL), prefix,
						FALSE};
		struct picture picture;

		make_picture(&picture, "set label \"text id='x' href='#gpPt6'\" at 1,2 noenhanced\n" SCRIPT);
		picture.title = g_strdup("a < b & \"c\"");
		svg = gnuplot_draw_inline(&picture, names[i], NULL, NULL);
		picture_clear(&picture);
		assert_non_null(svg);
		assert_true(g_str_has_prefix(svg, "<svg"));
		assert_null(strstr(svg, "<!DOCTYPE"));
		assert_non_null(strstr(svg, "text id='x' href='#gpPt6'"));
		collect(svg, &references);
		assert_string_equal(references.title->str, "a < b & \"c\"");
		assert_true(references.targets->len >= 2);
		for (guint j = 0; j < references.targets->len; j++) {
			const char *target = references.targets->pdata[j];

			assert_true(*target == '#' && g_str_has_prefix(target + 1, prefix));
			assert_true(g_hash_table_contains(ids, target + 1));
		}
		g_ptr_array_unref(references.targets);
		g_string_free(references.title, TRUE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_pdf),
	    TEST(test_svg_texts),       TEST(test_text),        TEST(test_slide),
	    TEST(test_next_best), TEST(test_no_terminal), TEST(test_inline),
	};

	return run_gnuplot_tests(tests);
}
