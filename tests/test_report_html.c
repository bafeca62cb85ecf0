#include "check.h"

#include <string.h>

#include "../src/report_html.h"

static int set_up(void **state)
{
	struct html *html = g_new(struct html, 1);

	*html = (struct html){g_string_new(NULL), g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free),
			      g_ptr_array_new()};
	*state = html;
	return 0;
}

static int tear_down(void **state)
{
	struct html *html = *state;

	g_string_free(html->out, TRUE);
	g_hash_table_unref(html->short_names);
	g_ptr_array_unref(html->long_names);
	g_free(html);
	return 0;
}

static void check_text(struct html *html, const char *text, const char *expected)
{
	g_string_truncate(html->out, 0);
	html_text(html, text);
	assert_string_equal(html->out->str, expected);
}

/* The five characters that HTML and XML reserve, in text and in attributes; what XML has no characters for is named. */
static void test_text(void **state)
{
	check_text(*state, "", "");
	check_text(*state, "6.12 é ½", "6.12 é ½");
	check_text(*state, "<a href=\"x\">'&amp;", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;");
	check_text(*state, "]]>", "]]&gt;");
	check_text(*state, "a\nb\tc\x01\x7f", "a\\x0ab\\x09c\\x01\\x7f");
	check_text(*state, "\xff\xc3", "\\xff\\xc3");
	check_text(*state, "\xef\xbf\xbe|\xef\xbf\xbf", "\\u{fffe}|\\u{ffff}");
	check_text(*state, "\xe2\x80\xae", "\\u{202e}");
}

/* A short name stands for itself; long ones that differ only where they are cut are told apart by their number. */
static void test_name(void **state)
{
	struct html *html = *state;
	g_autofree char *x = g_strnfill(10000, 'x');
	g_autofree char *y = g_strdup(x);
	g_autofree char *seventy = g_strnfill(72, 'z');
	const char *of_x, *of_y;

	y[5000] = 'y';
	assert_string_equal(html_name(html, "6.12"), "6.12");
	assert_string_equal(html_name(html, seventy), seventy);
	assert_int_equal(html->long_names->len, 0);
	of_x = html_name(html, x);
	of_y = html_name(html, y);
	assert_true(strlen(of_x) < 100);
	assert_true(g_str_has_suffix(of_x, " [1]"));
	assert_true(g_str_has_suffix(of_y, " [2]"));
	assert_ptr_equal(html_name(html, x), of_x);
	assert_int_equal(html->long_names->len, 2);
	assert_ptr_equal(g_ptr_array_index(html->long_names, 1), y);
}

/* A long name in letters of several bytes is cut between letters, one that is no text at all can be cut as well. */
static void test_name_bytes(void **state)
{
	struct html *html = *state;
	g_autoptr(GString) wide = g_string_new(NULL);
	g_autofree char *bytes = g_strnfill(300, '\xff');

	for (int i = 0; i < 100; i++)
		g_string_append(wide, "é");
	assert_true(g_utf8_validate(html_name(html, wide->str), -1, NULL));
	assert_true(g_utf8_validate(html_name(html, bytes), -1, NULL));
}

/* Four digits are shown and all are kept to sort by; what is no number is empty and comes last. */
static void test_number(void **state)
{
	struct html *html = *state;

	html_number(html, 1.0 / 3);
	assert_string_equal(html->out->str, "<td class=\"n\" data-value=\"0.3333333333333333\">0.3333</td>");
	g_string_truncate(html->out, 0);
	html_number(html, NAN);
	assert_string_equal(html->out->str, "<td class=\"n\" data-value=\"\">–</td>");
	g_string_truncate(html->out, 0);
	html_number(html, INFINITY);
	assert_string_equal(html->out->str, "<td class=\"n\" data-value=\"\">–</td>");
}

/* Times are those of UTC, whatever the zone: 10^9 seconds are 2001-09-09 01:46:40. */
static void test_time(void **state)
{
	g_autofree char *time = html_time(G_GINT64_CONSTANT(1000000000) * G_USEC_PER_SEC);
	g_autofree char *none = html_time(0);

	assert_string_equal(time, "2001-09-09 01:46:40");
	assert_string_equal(none, "");
}

/* Style and script are read alike as HTML and as XML. */
static void test_style(void **state)
{
	assert_null(strpbrk(html_style, "<&"));
	assert_null(strpbrk(html_script, "<&"));
	assert_null(strstr(html_style, "]]>"));
	assert_null(strstr(html_script, "]]>"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_text, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_name, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_name_bytes, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_number, set_up, tear_down),
	    cmocka_unit_test(test_time),
	    cmocka_unit_test(test_style),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
