#include "check.h"

#include "../src/document.h"
#include "../src/markdown.h"
#include "../src/table.h"

/* What GitHub's specification calls markup gets the backslash that it asks for (6.1), and nothing else does. */
static void test_escape(void **state)
{
	static const char *const cases[][2] = {
	    {"2.4.14-pre8 (ext4)", "2.4.14-pre8 (ext4)"},
	    {"a|b", "a\\|b"},
	    {"<script>x</script>", "\\<script\\>x\\</script\\>"},
	    {"`rm -rf`", "\\`rm -rf\\`"},
	    {"**x** __y__ ~~z~~", "\\*\\*x\\*\\* \\_\\_y\\_\\_ \\~\\~z\\~\\~"},
	    {"![i](u)", "!\\[i\\](u)"},
	    {"&amp; $x$", "\\&amp; \\$x\\$"},
	    {"a\\b", "a\\\\b"},
	    {"- x", "- x"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *escaped = markdown_escape(cases[i][0]);

		assert_string_equal(escaped, cases[i][1]);
	}
}

/* No line begins a list, a heading or a rule that was not meant (5.2, 4.2, 4.3); versions are not numbers of items. */
static void test_escape_line(void **state)
{
	static const char *const cases[][2] = {
	    {"- x", "\\- x"},
	    {"+ x", "\\+ x"},
	    {"# x", "\\# x"},
	    {"=== x", "\\=== x"},
	    {"1. x", "1\\. x"},
	    {"12) x", "12\\) x"},
	    {"2.4.7 is x", "2.4.7 is x"},
	    {"x - y", "x - y"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *escaped = markdown_escape_line(cases[i][0]);

		assert_string_equal(escaped, cases[i][1]);
	}
}

/* No control character and no line break of a label is left. */
static void test_escape_controls(void **state)
{
	g_autofree char *escaped = markdown_escape("a\nb\r\x1b[0m\xff");

	assert_true(g_utf8_validate(escaped, -1, NULL));
	for (const char *at = escaped; *at; at++)
		assert_false(g_ascii_iscntrl(*at));
}

/* Blocks are parted by an empty line, a list hangs together, and few caveats are items of it. */
static void test_blocks(void **state)
{
	g_autoptr(GString) out = g_string_new(NULL);
	struct document to = {.out = out, .is_markdown = TRUE};

	document_paragraph(&to, "title");
	document_gap(&to);
	document_say(&to, "one");
	document_detail(&to, "why");
	document_caveat(&to, "B", 2, "drift");
	document_say(&to, "two");
	document_end(&to);
	assert_string_equal(out->str, "title\n\n- one\n  - why\n- two\n- B: drift\n");
}

/* More than three caveats are folded; a blank line before and after is what makes the list inside one (GFM 4.6). */
static void test_folded(void **state)
{
	g_autoptr(GString) out = g_string_new(NULL);
	struct document to = {.out = out, .is_markdown = TRUE};

	document_say(&to, "one");
	for (guint i = 0; i < 4; i++)
		document_caveat(&to, "", 2, "c");
	document_end(&to);
	assert_string_equal(out->str,
			    "- one\n\n<details><summary>4 caveats</summary>\n\n- c\n- c\n- c\n- c\n\n</details>\n");
}

/* The same calls as plain text: details and caveats indented, the gap an empty line. */
static void test_text(void **state)
{
	g_autoptr(GString) out = g_string_new(NULL);
	struct document to = {.out = out};

	document_paragraph(&to, "title");
	document_gap(&to);
	document_say(&to, "one");
	document_detail(&to, "why");
	document_caveat(&to, "B", 2, "drift");
	document_end(&to);
	assert_string_equal(out->str, "title\n\none\n  why\n  drift\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_escape), cmocka_unit_test(test_escape_line), cmocka_unit_test(test_escape_controls),
	    cmocka_unit_test(test_blocks), cmocka_unit_test(test_folded),      cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
