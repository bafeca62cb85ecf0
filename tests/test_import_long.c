#include "check.h"

#include "../src/operand.h"
#include "import_case.h"

#define LINES 60000

/* Line i of a long column, and what it is worth: mostly plain numbers, here and there what needs a closer look. */
static double append_line(GString *text, guint i, const char *line_end)
{
	static const struct {
		const char *text;
		double value;
	} odd[] = {
	    {"0.1000000000000000055511151231257827", 0.1},
	    {"1e-300", 1e-300},
	    {"  42  ", 42},
	    {"-17", -17},
	    {"+2.50", 2.5},
	};
	double value = i + 0.25;

	if (i % 1000 == 7) {
		g_string_append_printf(text, "%s%s", odd[i / 1000 % 5].text, line_end);
		return odd[i / 1000 % 5].value;
	}
	if (i % 5000 == 9)
		g_string_append_printf(text, "# half way%s%s", line_end, line_end);
	g_string_append_printf(text, "%u.25%s", i, line_end);
	return value;
}

/* A long column of numbers is that to the last digit, whatever ends its lines, with comments, blank lines and numbers
 * of many digits in between, and without an end to its last line. */
static void test_long_column(void **state)
{
	static const char *const line_ends[] = {"\n", "\r\n"};

	for (gsize e = 0; e < G_N_ELEMENTS(line_ends); e++) {
		g_autoptr(GString) text = g_string_new("time_s\n");
		g_autofree double *want = g_new(double, LINES);
		g_autoptr(Dataset) dataset = NULL;

		for (guint i = 0; i < LINES; i++)
			want[i] = append_line(text, i, line_ends[e]);
		g_string_truncate(text, text->len - strlen(line_ends[e]));
		dataset = import_text(text->str);
		assert_int_equal(dataset->n_runs, LINES);
		for (guint i = 0; i < LINES; i++)
			assert_close(value_of(dataset, "time", i), want[i], 0);
		assert_string_equal(level_of(dataset, "label", LINES - 1), "table");
	}
}

/* A value that is missing is NaN in its own row, and the rows behind it stay in theirs. */
static void test_missing(void **state)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(Dataset) dataset = NULL;

	for (guint i = 0; i < LINES; i++)
		g_string_append_printf(text, i % 7001 == 7000 ? "NA\n" : "%u\n", i);
	dataset = import_text(text->str);
	assert_int_equal(dataset->n_runs, LINES);
	for (guint i = 0; i < LINES; i++)
		assert_close(value_of(dataset, "value", i), i % 7001 == 7000 ? NAN : i, 0);
}

/* What is wrong far down is found at its own line. */
static void test_line_of_mistake(void **state)
{
	static const struct {
		const char *line, *what;
	} mistakes[] = {{"12,5", "decimal comma"},
			{"1e999", "not a finite number"},
			{"fast", "not a number, as all values above it are"},
			{"1.5\tx", "not a number"},
			{"b\xff", "not text in UTF-8"}};

	for (gsize m = 0; m < G_N_ELEMENTS(mistakes); m++) {
		g_autoptr(GString) text = g_string_new(NULL);
		g_autofree char *path = NULL;
		g_autoptr(GError) error = NULL;

		for (guint i = 1; i <= LINES; i++) {
			if (i == 50001)
				g_string_append_printf(text, "%s\n", mistakes[m].line);
			else
				g_string_append_printf(text, "%u.5\n", i);
		}
		path = write_file("long.txt", text->str, -1);
		assert_null(import_file(path, &error));
		if (!strstr(error->message, "long.txt:50001: ") || !strstr(error->message, mistakes[m].what))
			fail_msg("'%s' says \"%s\"", mistakes[m].line, error->message);
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
	}
}

static char *write_numbers(const char *name, guint n, guint first, const char *last)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = first; i < first + n; i++)
		g_string_append_printf(text, "%u.0625\n", i);
	g_string_append(text, last);
	return write_file(name, text->str, -1);
}

/* Large files, which are read by several threads, come in the order in which they were named, each once. */
static void test_large_files(void **state)
{
	const guint n = 150000;
	g_autofree char *one = write_numbers("one", n, 0, ""), *two = write_numbers("two", n, 1000000, "");
	char *paths[] = {two, one, two, NULL};
	g_autoptr(GError) error = NULL;
	g_autoptr(Operands) operands = operands_load(paths, "absent.db", &error);

	assert_non_null(operands);
	assert_int_equal(operands->dataset->n_runs, 2 * n);
	assert_close(value_of(operands->dataset, "value", 0), 1000000.0625, 0);
	assert_close(value_of(operands->dataset, "value", n), 0.0625, 0);
	assert_string_equal(level_of(operands->dataset, "label", n - 1), "two");
	assert_string_equal(level_of(operands->dataset, "label", 2 * n - 1), "one");
	assert_true(operands->order_unknown);
}

/* A mistake in the second of two large files is told as if it had been read alone; nothing is left behind where an
 * operand before it is wrong already. */
static void test_large_file_is_bad(void **state)
{
	g_autofree char *good = write_numbers("good", 150000, 0, ""), *bad = write_numbers("bad", 150000, 0, "x\n");
	g_autofree char *absent = g_build_filename(directory, "absent", NULL);
	char *paths[] = {good, bad, NULL}, *with_absent[] = {absent, good, bad, NULL};
	g_autoptr(GError) error = NULL, other = NULL;

	assert_null(operands_load(paths, "absent.db", &error));
	assert_non_null(strstr(error->message, "bad:150001: "));
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
	assert_null(operands_load(with_absent, "absent.db", &other));
	assert_non_null(strstr(other->message, "is not a file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_long_column),       cmocka_unit_test(test_missing),
	    cmocka_unit_test(test_line_of_mistake),   cmocka_unit_test(test_large_files),
	    cmocka_unit_test(test_large_file_is_bad),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
