#include "check.h"

#include <string.h>

#include "../src/table.h"

/* Columns align by the cells of a terminal: a wide character takes two, a combining one none; no space ends a
 * line. */
static void test_alignment(void **state)
{
	g_autoptr(Table) table = table_new();
	g_autoptr(GString) out = g_string_new(NULL);

	table_column(table, "name", TABLE_LEFT);
	table_column(table, "mean", TABLE_RIGHT);
	table_column(table, "note", TABLE_LEFT);
	table_cell(table, "日本");
	table_cell(table, "1");
	table_cell(table, "");
	table_cell(table, "e\xcc\x81");
	table_cell(table, "12345");
	table_cell(table, "a");
	table_print(table, 80, FALSE, out);
	assert_string_equal(out->str, "name   mean  note\n"
				      "日本      1\n"
				      "e\xcc\x81     12345  a\n");
}

/* A long label gives way, numbers do not, and the table keeps its width. */
static void test_cut(void **state)
{
	g_autoptr(Table) table = table_new();
	g_autoptr(GString) out = g_string_new(NULL);

	table_column(table, "label", TABLE_LABEL);
	table_column(table, "value", TABLE_RIGHT);
	table_cell(table, "a-label-that-is-too-long-by-far");
	table_cell(table, "123456789");
	table_print(table, 21, FALSE, out);
	assert_string_equal(out->str, "label           value\n"
				      "a-labe…far  123456789\n");
}

/* Labels that differ late are not cut: a letter stands for each, and what is short enough stays. */
static void test_cut_distinct(void **state)
{
	g_autoptr(Table) table = table_new();
	g_autoptr(GString) out = g_string_new(NULL);

	table_column(table, "label", TABLE_LABEL);
	table_cell(table, "linux-2.4.14-pre7-long");
	table_cell(table, "linux-2.4.14-pre8-long");
	table_cell(table, "2.4");
	table_cell(table, "linux-2.4.14-pre7-long");
	table_print(table, 10, FALSE, out);
	assert_string_equal(out->str,
			    "label\nA\nB\n2.4\nA\nA =\n  linux-2.4.14-pre7-long\nB =\n  linux-2.4.14-pre8-long\n");
}

/* Two columns of labels share the letters, none of which is a label itself; a label that must stay whole is not cut. */
static void test_codes(void **state)
{
	static const char *const cells[] = {"first-long-label", "whole-long-label", "1", "A", "first-long-label", "2"};
	g_autoptr(Table) table = table_new();
	g_autoptr(GString) out = g_string_new(NULL);

	table_column(table, "x", TABLE_WHOLE);
	table_column(table, "y", TABLE_WHOLE);
	table_column(table, "n", TABLE_RIGHT);
	for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
		table_cell(table, cells[i]);
	table_print(table, 20, FALSE, out);
	assert_string_equal(out->str, "x  y  n\nB  C  1\nA  B  2\nB = first-long-label\nC = whole-long-label\n");
}

/* Colour is there where it is asked for and changes no column; markdown has it in bold, and the leading column first.
 */
static void test_tints(void **state)
{
	g_autoptr(Table) table = table_new();
	g_autoptr(GString) plain = g_string_new(NULL), colour = g_string_new(NULL), markdown = g_string_new(NULL);

	table_column(table, "n", TABLE_RIGHT);
	table_column(table, "verdict", TABLE_LEAD);
	table_column(table, "a_b", TABLE_LEFT);
	table_cell(table, "10");
	table_cell_tinted(table, "worse", TINT_BAD);
	table_cell(table, "x|y");
	table_print(table, 80, FALSE, plain);
	assert_string_equal(plain->str, " n  verdict  a_b\n10  worse    x|y\n");
	table_print(table, 80, TRUE, colour);
	assert_string_equal(colour->str, " n  verdict  a_b\n10  \x1b[31mworse\x1b[0m    x|y\n");
	table_markdown(table, markdown);
	assert_string_equal(markdown->str,
			    "| verdict | n | a\\_b |\n| :--- | ---: | :--- |\n| **worse** | 10 | x\\|y |\n");
}

/* A wide character that would straddle the limit goes whole. */
static void test_cut_wide(void **state)
{
	g_autofree char *cut = text_cut("日本語", 4), *whole = text_cut("日本語", 6), *none = text_cut("", 0);

	assert_string_equal(cut, "日…");
	assert_string_equal(whole, "日本語");
	assert_string_equal(none, "");
}

/* Control characters in a label cannot steer the terminal or break the row. */
static void test_hostile_cells(void **state)
{
	g_autoptr(Table) table = table_new();
	g_autoptr(GString) out = g_string_new(NULL);

	table_column(table, "label", TABLE_LEFT);
	table_cell(table, "a\nb\x1b[2J\xff");
	table_print(table, 80, FALSE, out);
	assert_null(strchr(out->str, '\x1b'));
	assert_true(g_utf8_validate(out->str, -1, NULL));
	assert_ptr_equal(strrchr(strchr(out->str, 'a'), '\n'), out->str + out->len - 1);
}

/* Lines break at spaces, go on indented, and a word longer than a line stays whole. */
static void test_wrap(void **state)
{
	g_autoptr(GString) out = g_string_new(NULL);

	text_wrap("one two three", 2, 4, 9, out);
	text_wrap("unbreakable", 0, 2, 4, out);
	assert_string_equal(out->str, "  one two\n    three\nunbreakable\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_alignment), cmocka_unit_test(test_cut),           cmocka_unit_test(test_cut_distinct),
	    cmocka_unit_test(test_cut_wide),  cmocka_unit_test(test_hostile_cells), cmocka_unit_test(test_codes),
	    cmocka_unit_test(test_tints),     cmocka_unit_test(test_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
