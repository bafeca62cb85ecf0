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
	table_print(table, 80, out);
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
	table_print(table, 21, out);
	assert_string_equal(out->str, "label           value\n"
				      "a-label-t…  123456789\n");
}

/* Labels that differ late stay different: the table is wider instead. */
static void test_cut_distinct(void **state)
{
	g_autoptr(Table) table = table_new();
	g_autoptr(GString) out = g_string_new(NULL);

	table_column(table, "label", TABLE_LABEL);
	table_cell(table, "linux-2.4.14-pre7-long");
	table_cell(table, "linux-2.4.14-pre8-long");
	table_print(table, 10, out);
	assert_string_equal(out->str, "label\nlinux-2.4.14-pre7…\nlinux-2.4.14-pre8…\n");
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
	table_print(table, 80, out);
	assert_null(strchr(out->str, '\x1b'));
	assert_true(g_utf8_validate(out->str, -1, NULL));
	assert_ptr_equal(strrchr(strchr(out->str, 'a'), '\n'), out->str + out->len - 1);
}

/* Lines break at spaces, go on indented, and a word longer than a line stays whole. */
static void test_wrap(void **state)
{
	g_autoptr(GString) out = g_string_new(NULL);

	text_wrap("one two three", 2, 9, out);
	text_wrap("unbreakable", 0, 4, out);
	assert_string_equal(out->str, "  one two\n    three\nunbreakable\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_alignment), cmocka_unit_test(test_cut),           cmocka_unit_test(test_cut_distinct),
	    cmocka_unit_test(test_cut_wide),  cmocka_unit_test(test_hostile_cells), cmocka_unit_test(test_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
