#include "check.h"

#include <glib.h>
#include <string.h>

#include "../src/import_log_scan.h"

/* Times as programs print them; the result is the number that the decimal digits say, to the last bit. */
static void test_times(void **state)
{
	static const struct {
		const char *text, *rest;
		double seconds;
	} times[] = {
	    {"11:57.77elapsed", "elapsed", 717.77},
	    {"8:59.79", "", 539.79},
	    {"1:02:03.25 0.5%", " 0.5%", 3723.25},
	    {"0m18,116s", "", 18.116},
	    {"102m0.001s", "", 6120.001},
	    {"37.16user", "user", 37.16},
	    {"70.270u", "u", 70.27},
	    {"0", "", 0},
	    {"1:02:03", "", 3723},
	    {"5.", ".", 5},
	    {"7,x", ",x", 7},
	    {"12minor", "minor", 12},
	};
	static const char *const none[] = {
	    "", "x", "-1", ".5", "1:", "1:2:3:4", "1m2m3s", "1m2", "1234567890", "0.1234567890"};
	double seconds;

	for (gsize i = 0; i < G_N_ELEMENTS(times); i++) {
		const char *end = scan_time(times[i].text, &seconds);

		assert_non_null(end);
		assert_string_equal(end, times[i].rest);
		assert_close(seconds, times[i].seconds, 0);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(none); i++)
		if (scan_time(none[i], &seconds))
			fail_msg("'%s' is a time of %g s", none[i], seconds);
}

/* What each field of a format takes, and what it does not. */
static void test_formats(void **state)
{
	static const struct {
		const char *line, *format;
		gboolean matches;
		double number;
		const char *text;
	} lines[] = {
	    {"5 MB/sec", "%n MB/sec", TRUE, 5, NULL},
	    {"5MB/SEC", "%n MB/sec", TRUE, 5, NULL},
	    {"5 MB/sec.", "%n MB/sec", FALSE, 0, NULL},
	    {"1.5e+06 x", "%n x", TRUE, 1.5e6, NULL},
	    {"0.5elapsed", "%nelapsed", TRUE, 0.5, NULL},
	    {".5", "%n", TRUE, 0.5, NULL},
	    {".", "%n", FALSE, 0, NULL},
	    {"-5", "%n", FALSE, 0, NULL},
	    {"?%CPU", "%q%%CPU", TRUE, NAN, NULL},
	    {"60%CPU", "%q%%CPU", TRUE, 60, NULL},
	    {"a ** 5", "%w %b %n", TRUE, 5, "a"},
	    {"a 5", "%w %b %n", FALSE, 0, NULL},
	    {"", "%w", FALSE, 0, NULL},
	    {"", "%r", TRUE, 0, ""},
	    {"a b 5 6", "%*%n %n", TRUE, 5, "a b"},
	    {"5 6", "%*%n %n", TRUE, 5, ""},
	    {"a b", "%*%n", FALSE, 0, NULL},
	    {"a5", "%*%n", FALSE, 0, NULL},
	    {"1 and the rest ", "%n %r", TRUE, 1, "and the rest "},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autofree char *line = g_strdup(lines[i].line);
		struct scanned found = {0};

		if (scan_line(line, lines[i].format, &found) != lines[i].matches)
			fail_msg("'%s' and '%s'", lines[i].line, lines[i].format);
		if (!lines[i].matches)
			assert_string_equal(line, lines[i].line);
		if (lines[i].matches)
			assert_close(found.number[0], lines[i].number, 0);
		if (lines[i].text)
			assert_string_equal(found.text[0], lines[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_times),
	    cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests_name("lines of logs", tests, NULL, NULL);
}
