#include "check.h"

#include <errno.h>
#include <unistd.h>

#include "import_case.h"

/* Everything that is wrong with a table is a usage error (exit 2) that names file and line and says what it is. */
static void test_bad_tables(void **state)
{
	static const struct {
		const char *text, *where, *what;
	} tables[] = {
	    {"a\tb\nx\t1\ny\n", "t.tsv:3: ", "1 field where the header has 2"},
	    {"a\tb\nx\t1\ny\t2\t3\n", "t.tsv:3: ", "3 fields where the header has 2"},
	    {"a,b\nx,1\n\ny,2,3,4\n", "t.tsv:4: ", "4 fields where the header has 2"},
	    {"a\tb\n", "t.tsv:1: ", "a header and no rows"},
	    {"# c\na\tb\n# d\n", "t.tsv:3: ", "a header and no rows"},
	    {"a\tb\ta\n1\t2\t3\n", "t.tsv:1: ", "two columns are named 'a'"},
	    {"a\t\tc\n1\t2\t3\n", "t.tsv:1: ", "column 2 has no name"},
	    {"a\tb\nx\t1e999\ny\t1\n", "t.tsv:2: ", "column 'b': '1e999' is not a finite number"},
	    {"a\tb\nx\t1\ny\t-1e999\n", "t.tsv:3: ", "'-1e999' is not a finite number"},
	    {"a\tb\nx\tNaN\n", "t.tsv: ", "no column holds numbers"},
	    {"a\tb\nx\t12,5\ny\t13,5\n", "t.tsv:2: ", "column 'b': '12,5' has a decimal comma; write a point"},
	    {"a;b\nx;1.5\ny;13,5\n", "t.tsv:3: ", "'13,5' has a decimal comma"},
	    {"1\t2\n3\t4\n", "t.tsv:1: ", "the first line must name the columns"},
	    {"a\tb\nx\ty\n", "t.tsv: ", "no column holds numbers"},
	    {"a\tb\nNA\t-\n", "t.tsv: ", "no column holds numbers"},
	    {"a\tb\noutcome\nok\n", "t.tsv:2: ", "1 field where"},
	    {"outcome\tb\nfine\t1\n", "t.tsv:2: ", "outcome 'fine' is none of ok, failed, oom-killed"},
	    {"a\tb\nx\t1\nb\xff\t2\n", "t.tsv:3: ", "not text in UTF-8"},
	    {"a,b\nx,1\n\"y,2\n", "t.tsv:3: ", "a quote is not closed"},
	    {"a,b\n\"x\"y,1\n", "t.tsv:2: ", "a quote is not closed, or text follows it"},
	    {"\"a,b\nx,1\n", "t.tsv:1: ", "a quote is not closed, or text follows it"},
	    {"# only\n\n# comments, here\n", "'", "is of no format that can be read: "},
	    {"{\"a\": 1, \"b\": 2}\n", "'", "is of no format that can be read: "},
	    {"just some words\n", "'", "is of no format that can be read: "},
	    {"\n\n\n", "'", "is of no format"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(tables); i++) {
		g_autofree char *path = write_file("t.tsv", tables[i].text, -1);
		g_autoptr(GError) error = NULL;
		struct dataset *dataset = import_file(path, &error);

		if (dataset)
			fail_msg("case %zu was read", i);
		if (!strstr(error->message, tables[i].where) || !strstr(error->message, tables[i].what))
			fail_msg("case %zu says \"%s\"", i, error->message);
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
	}
}

static void check_refused(const char *path, int code, const char *what)
{
	g_autoptr(GError) error = NULL;

	assert_null(import_file(path, &error));
	if (!strstr(error->message, path) || !strstr(error->message, what))
		fail_msg("\"%s\" does not name %s and \"%s\"", error->message, path, what);
	assert_int_equal(err_exit_code(error), code);
}

/* Files that are no text: empty, binary at the start, binary far below it. */
static void test_no_text(void **state)
{
	static const char binary[] = "a\tb\nx\t1\ny\0\t2\n";
	g_autofree char *empty = write_file("empty", "", 0), *bin = write_file("bin", binary, sizeof binary - 1),
			*late = NULL;
	g_autoptr(GString) text = g_string_new("a\tb\n");

	check_refused(empty, EXIT_USAGE, "is empty");
	check_refused(bin, EXIT_USAGE, "bin:3: binary data, not text");
	for (int i = 0; i < 50000; i++)
		g_string_append(text, "x\t1\n");
	g_string_append_c(text, '\0');
	late = write_file("late", text->str, (gssize)text->len);
	check_refused(late, EXIT_USAGE, "late:50002: binary data, not text");
}

/* Files that cannot be read are the world's failure (exit 3). */
static void test_unreadable(void **state)
{
	g_autofree char *missing = g_build_filename(directory, "missing.tsv", NULL);

	check_refused(missing, EXIT_RUNTIME, g_strerror(ENOENT));
	check_refused(directory, EXIT_RUNTIME, g_strerror(EISDIR));
	if (geteuid() != 0) {
		g_autofree char *closed = write_file("closed.tsv", "a\tb\nx\t1\n", -1);

		assert_int_equal(g_chmod(closed, 0), 0);
		check_refused(closed, EXIT_RUNTIME, g_strerror(EACCES));
	}
}

/* A line of 1 MiB is read, a longer one is refused, also inside a quoted field. */
static void test_long_lines(void **state)
{
	g_autofree char *name = g_strnfill((1u << 20) - 2, 'x'), *path = NULL;
	g_autoptr(GString) text = g_string_new("a\tb\n");

	g_string_append_printf(text, "%s\t1\n", name);
	g_autoptr(Dataset) dataset = import_text(text->str);
	assert_int_equal(strlen(level_of(dataset, "a", 0)), (1u << 20) - 2);

	g_string_printf(text, "a\tb\nx\t1\nx%s\t1\n", name);
	path = write_file("long.tsv", text->str, -1);
	check_refused(path, EXIT_USAGE, "long.tsv:3: a line of more than 1048576 bytes");

	g_string_assign(text, "a,b\n\"");
	for (int i = 0; i < 600000; i++)
		g_string_append(text, "x\n");
	g_free(path);
	path = write_file("long.tsv", text->str, -1);
	check_refused(path, EXIT_USAGE, "long.tsv:2: a line of more than 1048576 bytes");
}

/* In a column with thousands of distinct numbers a text is a mistake, whether it stands below or above them. */
static void test_text_among_many_numbers(void **state)
{
	static const char *const odd[] = {"oops", "1,5", "1e999"};

	for (gsize i = 0; i < G_N_ELEMENTS(odd); i++) {
		g_autoptr(GString) below = g_string_new("a\tb\n"), above = g_string_new("a\tb\n");
		g_autofree char *path = NULL;

		g_string_append_printf(above, "x\t%s\n", odd[i]);
		for (int n = 0; n < 2000; n++) {
			g_string_append_printf(below, "x\t%d\n", n);
			g_string_append_printf(above, "x\t%d\n", n);
		}
		g_string_append_printf(below, "x\t%s\n", odd[i]);
		path = write_file("b.tsv", below->str, -1);
		check_refused(path, EXIT_USAGE, "b.tsv:2002: column 'b': '");
		if (i > 0) {
			g_free(path);
			path = write_file("b.tsv", above->str, -1);
			check_refused(path, EXIT_USAGE, "b.tsv:2: column 'b': '");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_bad_tables),
	    cmocka_unit_test(test_no_text),
	    cmocka_unit_test(test_unreadable),
	    cmocka_unit_test(test_long_lines),
	    cmocka_unit_test(test_text_among_many_numbers),
	};

	return cmocka_run_group_tests_name("import of what is no table", tests, make_directory, remove_directory);
}
