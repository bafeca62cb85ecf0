#include "gnuplot_case.h"

/* Text that means something to gnuplot, a shell or XML, and what must stand in the picture instead. Worked out by hand
 * from the XML, UTF-8 and gnuplot ("help quotes") rules. */
static const struct {
	const char *text, *shown;
} hostile[] = {
    {"plain", "plain"},
    {"it's", "it's"},
    {"'", "'"},
    {"''", "''"},
    {"'quoted'", "'quoted'"},
    {"a''''b'''", "a''''b'''"},
    {"\\'", "\\'"},
    {"'.system('touch hacked').'", "'.system('touch hacked').'"},
    {"\".system('touch hacked').\"", "\".system('touch hacked').\""},
    {"\"double\"", "\"double\""},
    {"a_b^c", "a_b^c"},
    {"{/Bold x} {", "{/Bold x} {"},
    {"}}", "}}"},
    {"@name @{}", "@name @{}"},
    {"back\\slash\\", "back\\slash\\"},
    {"\\n\\042\\\\", "\\n\\042\\\\"},
    {"$HOME $(id) ${x} $1", "$HOME $(id) ${x} $1"},
    {"`touch hacked`", "`touch hacked`"},
    {"';system('touch hacked');'", "';system('touch hacked');'"},
    {"'\n!touch hacked\n'", "'\\x0a!touch hacked\\x0a'"},
    {"\";system(\"touch hacked\");\"", "\";system(\"touch hacked\");\""},
    {"' ; set print '| touch hacked'; '", "' ; set print '| touch hacked'; '"},
    {"%d %s %n %%", "%d %s %n %%"},
    {"#comment", "#comment"},
    {"<b>&amp;</b> ]]> <!--", "<b>&amp;</b> ]]> <!--"},
    {"tab\there", "tab\\x09here"},
    {"line\r\nline", "line\\x0d\\x0aline"},
    {"bell\a\033[31m\177", "bell\\x07\\x1b[31m\\x7f"},
    {"bad \xff\xc3 utf", "bad \\xff\\xc3 utf"},
    {"non-character \xef\xbf\xbf\xef\xbf\xbe", "non-character \\u{ffff}\\u{fffe}"},
    {"\xe2\x80\xaeoverride", "\\u{202e}override"},
    {"Größe 大きさ €", "Größe 大きさ €"},
};

/* Nothing is special in single quotes but the quote itself (gnuplot 5.4, "help quotes"); it is put between double
 * quotes, where it is not special, and joined with the operator "." ("help operators binary"). */
static void test_quote(void **state)
{
	g_autofree char *plain = gnuplot_quote("a\"b\\n`c`"), *quote = gnuplot_quote("it's"),
			*empty = gnuplot_quote("");

	assert_string_equal(plain, "'a\"b\\n`c`'");
	assert_string_equal(quote, "'it'.\"'\".'s'");
	assert_string_equal(empty, "''");
}

/* Each hostile text, as a label, a title and an axis label, is in the SVG as itself, well-formed, and runs nothing. */
static void test_hostile_text(void **state)
{
	g_autofree char *output = in_scratch("x.svg"), *png = in_scratch("x.png");

	for (gsize i = 0; i < G_N_ELEMENTS(hostile); i++) {
		g_autofree char *quoted = gnuplot_quote(hostile[i].text);
		g_autofree char *script =
		    g_strdup_printf("set label %s at graph 0.1,0.5 noenhanced\nset title %s noenhanced\n"
				    "set xlabel %s noenhanced\nplot [0:1] [0:1] -1 notitle\n",
				    quoted, quoted, quoted);
		g_autoptr(GError) error = NULL;
		struct svg svg;

		draw(script, &(struct gnuplot_arg){.output = output});
		draw(script, &(struct gnuplot_arg){.output = png});
		assert_true(svg_read(output, &svg, &error));
		if (svg_count(&svg, hostile[i].shown) != 3)
			fail_msg("'%s' is in the picture %u times, not 3", hostile[i].shown,
				 svg_count(&svg, hostile[i].shown));
		svg_clear(&svg);
	}
	/* No "hacked" here or where we are; the teardown looks where gnuplot ran. */
	assert_int_equal(count_files(scratch), 2);
	assert_false(g_file_test("hacked", G_FILE_TEST_EXISTS));
}

/* The watch above can see a command run: gnuplot does run one that stands outside of a literal. */
static void test_hostile_control(void **state)
{
	g_autofree char *output = in_scratch("x.svg"), *hacked = in_scratch("hacked");
	g_autofree char *script = g_strdup_printf("x = system(\"touch '%s'\")\nplot [0:1] [0:1] -1 notitle\n", hacked);

	draw(script, &(struct gnuplot_arg){.output = output});
	assert_true(g_file_test(hacked, G_FILE_TEST_EXISTS));
}

/* The ending chooses the format: the SVG has the picture's size, the PNG three pixels for two (signature and IHDR as in
 * the PNG specification, sections 5.2 and 11.2.2). */
static void test_formats(void **state)
{
	static const guchar signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
	g_autofree char *svg_path = in_scratch("a.svg"), *png_path = in_scratch("b.PNG"), *bytes = NULL;
	struct svg svg;
	gsize length;

	draw("plot data with points\n", &(struct gnuplot_arg){.output = svg_path});
	draw("plot data with points\n", &(struct gnuplot_arg){.output = png_path});
	assert_true(svg_read(svg_path, &svg, NULL));
	assert_int_equal(svg.width, 500);
	assert_int_equal(svg.height, 200);
	svg_clear(&svg);
	assert_true(g_file_get_contents(png_path, &bytes, &length, NULL));
	assert_true(length > 24);
	assert_memory_equal(bytes, signature, sizeof signature);
	assert_memory_equal(bytes + 16, "\0\0\x02\xee\0\0\x01\x2c", 8); /* 750 x 300 */
}

/* Any other ending is a usage error that names them, and nothing is made. */
static void test_unknown_ending(void **state)
{
	static const char *const names[] = {"x.jpg", "x", "svg", "x.svg.gz", ""};

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autoptr(GError) error = NULL;
		g_autofree char *message = refuse("plot -1\n", &(struct gnuplot_arg){.output = names[i]}, EXIT_USAGE);
		g_autofree char *want =
		    g_strdup_printf("no picture format for '%s': the name must end in .svg, .png, .pdf or .txt",
				    names[i]);

		assert_string_equal(message, want);
		assert_false(gnuplot_check_output(names[i], &error));
	}
	assert_true(gnuplot_check_output("dir.d/x.SVG", NULL));
}

/* Without gnuplot the message says how to get it; the kept script is there for another machine. */
static void test_missing_gnuplot(void **state)
{
	g_autofree char *path = g_strdup(g_getenv("PATH")), *output = in_scratch("x.svg"), *keep = in_scratch("keep");
	g_autofree char *script = in_scratch("keep/plot.gp"), *message = NULL, *empty = in_scratch("empty");

	assert_int_equal(g_mkdir(empty, 0755), 0);
	g_setenv("PATH", empty, TRUE);
	message = refuse("plot -1\n", &(struct gnuplot_arg){.output = output, .keep_dir = keep}, EXIT_RUNTIME);
	g_setenv("PATH", path, TRUE);
	assert_string_equal(message, "gnuplot not found in PATH: install it with 'apt install gnuplot-nox'");
	assert_false(g_file_test(output, G_FILE_TEST_EXISTS));
	assert_true(g_file_test(script, G_FILE_TEST_EXISTS));
}

/* gnuplot's own words are in the message of a script that fails, and the old picture stays. */
static void test_failing_script(void **state)
{
	g_autofree char *output = in_scratch("x.svg"), *message = NULL;

	write_text(output, "old");
	message = refuse("plot 'absent.dat'\n", &(struct gnuplot_arg){.output = output}, EXIT_RUNTIME);
	assert_non_null(strstr(message, "gnuplot failed with exit status"));
	assert_non_null(strstr(message, "absent.dat"));
	assert_null(strchr(message, '\n'));
	assert_content(output, "old");
	assert_int_equal(count_files(scratch), 1);
}

/* A script that prints nothing is no success. */
static void test_no_picture(void **state)
{
	g_autofree char *output = in_scratch("x.svg");
	g_autofree char *message = refuse("exit\n", &(struct gnuplot_arg){.output = output}, EXIT_RUNTIME);

	assert_non_null(strstr(message, "gnuplot made no picture"));
	assert_int_equal(count_files(scratch), 0);
}

/* What gnuplot says without failing reaches the caller. */
static void test_warnings(void **state)
{
	g_autofree char *output = in_scratch("x.svg"), *warnings = NULL;
	struct picture picture;

	make_picture(&picture, "plot 1\n");
	assert_true(gnuplot_run(&picture, &(struct gnuplot_arg){.output = output}, &warnings, NULL));
	assert_non_null(warnings);
	assert_non_null(strstr(warnings, "empty y range"));
	picture_clear(&picture);
}

/* A gnuplot that hangs is ended at the deadline. */
static void test_deadline(void **state)
{
	g_autofree char *output = in_scratch("x.svg");
	gint64 start = g_get_monotonic_time();
	g_autofree char *message =
	    refuse("pause 100\nplot -1\n", &(struct gnuplot_arg){.output = output, .deadline_s = 1}, EXIT_RUNTIME);

	assert_string_equal(message, "gnuplot took longer than 1 s and was ended");
	assert_true(g_get_monotonic_time() - start < 50 * G_USEC_PER_SEC);
	assert_int_equal(count_files(scratch), 0);
}

/* Neither the locale nor the user's start-up file of gnuplot changes the picture. */
static void test_environment(void **state)
{
	static const char script[] = "set label 'Größe' at 1,2\nset format x '%.2f'\nplot data with points\n";
	g_autofree char *output = in_scratch("x.svg"), *startup = in_scratch(".gnuplot"), *plain = NULL;
	g_autofree char *home = g_strdup(g_getenv("HOME")), *locale = g_strdup(g_getenv("LC_ALL"));
	static const char *const locales[] = {"C", "de_DE.UTF-8", "tr_TR.ISO-8859-9"};

	draw(script, &(struct gnuplot_arg){.output = output});
	assert_true(g_file_get_contents(output, &plain, NULL, NULL));
	write_text(startup, "set title 'started'\nset decimalsign ','\nset grid\n");
	g_setenv("HOME", scratch, TRUE);
	for (gsize i = 0; i < G_N_ELEMENTS(locales); i++) {
		g_setenv("LC_ALL", locales[i], TRUE);
		draw(script, &(struct gnuplot_arg){.output = output});
		assert_content(output, plain);
	}
	if (locale)
		g_setenv("LC_ALL", locale, TRUE);
	else
		g_unsetenv("LC_ALL");
	if (home)
		g_setenv("HOME", home, TRUE);
	else
		g_unsetenv("HOME");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_quote),          TEST(test_hostile_text),    TEST(test_hostile_control), TEST(test_formats),
	    TEST(test_unknown_ending), TEST(test_missing_gnuplot), TEST(test_failing_script),  TEST(test_no_picture),
	    TEST(test_warnings),       TEST(test_deadline),        TEST(test_environment),
	};

	return run_gnuplot_tests(tests);
}
