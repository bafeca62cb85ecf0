#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../src/dataset.h"
#include "../src/err.h"
#include "../src/import_common.h"
#include "../src/import_json.h"

/* A run for each document with a number "n", at the line where it begins. */
static gboolean take(const struct json_document *document, gpointer lines, GError **error)
{
	static const struct metric metric = {.name = "n", .unit = ""};
	double n = json_get_number(document->root, "n");

	if (!isnan(n))
		import_value(document->dataset, import_run(document->dataset, "w"), &metric, n);
	g_string_append_printf(lines, "%" G_GUINT64_FORMAT " ", document->line);
	return TRUE;
}

static struct dataset *read_bytes(const char *text, gssize length, GString *lines, GError **error)
{
	g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_data(text, length, NULL);
	g_autoptr(Dataset) dataset = dataset_new();

	return import_json("f", stream, dataset, NULL, take, lines, error) ? g_steal_pointer(&dataset) : NULL;
}

/* The documents of a text: their numbers, the lines where they begin, and the warnings. */
static void check_text(const char *text, const char *numbers, const char *lines, const char *const *warnings)
{
	g_autoptr(GString) got_lines = g_string_new(NULL), got_numbers = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(Dataset) dataset = read_bytes(text, -1, got_lines, &error);

	if (!dataset)
		fail_msg("%s", error->message);
	for (guint row = 0; row < dataset->n_runs; row++)
		g_string_append_printf(got_numbers, "%g ", values_get(g_ptr_array_index(dataset->metrics, 0), row));
	assert_string_equal(got_numbers->str, numbers);
	assert_string_equal(got_lines->str, lines);
	for (guint i = 0; i < dataset->warnings->len || warnings[i]; i++) {
		const char *got = i < dataset->warnings->len ? g_ptr_array_index(dataset->warnings, i) : "none";

		if (!warnings[i] || !strstr(got, warnings[i]))
			fail_msg("warning %u is \"%s\", not \"%s\"", i, got, warnings[i] ? warnings[i] : "none");
	}
}

#define WARNINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* One document after the other is read, with blank lines, byte order marks and any line ends around them. */
static void test_documents(void **state)
{
	check_text("{\"n\":1}", "1 ", "1 ", WARNINGS(NULL));
	check_text("{\"n\":1}\n{\"n\":2}\n\n  {\"n\":3}\n", "1 2 3 ", "1 2 4 ", WARNINGS(NULL));
	check_text("{\"n\":1}{\"n\":2} {\"n\":3}", "1 2 3 ", "1 1 1 ", WARNINGS(NULL));
	check_text("\xef\xbb\xbf{\r\n\"n\":1\r\n}\r\n\xef\xbb\xbf{\"n\":2}\r\n", "1 2 ", "1 4 ", WARNINGS(NULL));
	check_text("{\n\"a\": [1, {\"n\": 9}, \"}{\\\"\\\\\"],\n\"n\": 1}\n{\"x\": 0}\n{\"n\": 2}", "1 2 ", "1 4 5 ",
		   WARNINGS(NULL));
}

/* Text before, between and behind the documents is warned of, once for what stands together, and shortened; in a line
 * that begins with text there is no document. */
static void test_text_around(void **state)
{
	check_text("fio: err=5\n\nmore {\"n\":9}\n{\"n\":1}\n{\"n\":2} # two\nend\x1b", "1 2 ", "4 5 ",
		   WARNINGS("f:1: 2 lines of text that is no JSON: 'fio: err=5'",
			    "f:5: 2 lines of text that is no JSON: '# two'"));
	check_text("\x1b[31mred\n{\"n\":1}", "1 ", "2 ",
		   WARNINGS("f:1: 1 line of text that is no JSON: '\\x1b[31mred'"));
	check_text("x23456789012345678901234567890123456789012345678901234567890end\n{\"n\":1}", "1 ", "2 ",
		   WARNINGS("'x23456789012345678901234567890123456789012345678901234567890…'"));
	check_text("Jobs: 1\rJobs: 0\r{\"n\":1}\r\n", "1 ", "1 ",
		   WARNINGS("f:1: 2 lines of text that is no JSON: 'Jobs: 1'"));
	/* the 60th byte is the first of two */
	check_text("x2345678901234567890123456789012345678901234567890123456789\xc3\xa4nd\n{\"n\":1}", "1 ", "2 ",
		   WARNINGS("'x2345678901234567890123456789012345678901234567890123456789…'"));
}

/* Lines among those of a document that no JSON could begin with are left out; others are not. */
static void test_lines_within(void **state)
{
	check_text("{\n  \"a\": [\nfio: terminating on signal 2\n  true,\n\nnull\n, false\n],\n<b>\n\"n\": 1\n}", "1 ",
		   "1 ",
		   WARNINGS("f:3: a line among those of JSON is left out: 'fio: terminating on signal 2'",
			    "f:9: a line among those of JSON is left out: '<b>'"));
	check_text("{\nfalse: alarm\nJobs: 1\n\"n\": 1}\n{\"n\":2}", "1 2 ", "1 5 ",
		   WARNINGS("f:2: a line among those of JSON is left out: 'false: alarm'",
			    "f:3: a line among those of JSON is left out: 'Jobs: 1'"));
}

/* NaN and infinity, in all their spellings and only as values, are missing values. */
static void test_no_numbers(void **state)
{
	check_text("{\"a\": nan, \"b\": -nan, \"c\": [NaN, -inf,Infinity], \"d\": \"nan inf\", \"n\": 1}", "1 ", "1 ",
		   WARNINGS("f:1: nan is not a number", "f:1: nan is not", "f:1: NaN is not", "f:1: inf is not",
			    "f:1: Infinity is not"));
	check_text("{\"n\": 1}\n{\"n\": nan}", "1 ", "1 2 ", WARNINGS("f:2: nan is not a number"));
}

/* The same document twice counts once, though it be laid out in another way; blanks in strings make two. */
static void test_same_twice(void **state)
{
	check_text(
	    "{\"n\":1,\"a\":\"b c\"}\n{\"n\":2}\n{\n  \"n\" : 1,\n  \"a\" : \"b c\"\n}\n{\"n\":1,\"a\":\"bc\"}\n",
	    "1 2 1 ", "1 2 7 ", WARNINGS("f:3: the same document as in line 1: it counts once"));
}

static void check_refused(const char *text, gssize length, const char *message)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(Dataset) dataset = read_bytes(text, length, lines, &error);

	if (dataset)
		fail_msg("was read, instead of \"%s\"", message);
	if (!strstr(error->message, message))
		fail_msg("\"%s\" is not \"%s\"", error->message, message);
	assert_int_equal(err_exit_code(error), EXIT_USAGE);
}

/* What cannot be read honestly is refused, with the line. */
static void test_refused(void **state)
{
	g_autofree char *deep = g_strnfill(5000, '['), *digits = g_strnfill(1000000, '9');
	g_autofree char *nested = g_strconcat("{\"a\":", deep, "\n", NULL);
	g_autofree char *long_number = g_strconcat("{\"n\":", digits, "}\n", NULL);

	check_refused("", 0, "f: no results in it");
	check_refused("text\n", -1, "f: no results in it");
	check_refused("{\"m\":1}\n", -1, "f: no results in it");
	check_refused("{\"n\":1}\n{\n\"a\":\n", -1,
		      "f:4: the file ends inside the JSON document that begins in line 2");
	check_refused("{\"n\":1}\n{\n\"a\": tru", -1,
		      "f:3: the file ends inside the JSON document that begins in line 2");
	check_refused("{\"n\":1}\n{\n\"a\": \"b", -1, "f:3: the file ends inside");
	check_refused("{\n\"a\":,\n\"b\":1}\n", -1, "f:2: not valid JSON");
	check_refused("{\n\"a\":1\n{\n\"a\":1}\n", -1, "f:3: not valid JSON");
	check_refused("{\n\"a\":1]\n{\"n\":1}", -1, "f:2: not valid JSON");
	check_refused("{\"a\": \"\n\"}", -1, "f:1: not valid JSON");
	check_refused("{\"a\":1e999}", -1, "f:1: not valid JSON: real number overflow");
	check_refused("{\"a\":\"\xff\"}", -1, "f:1: not valid JSON");
	check_refused("{\"a\":\"\\ud800\"}", -1, "f:1: not valid JSON");
	check_refused("text\nab\0cd\n{\"n\":1}", 18, "f:2: binary data, not text");
	check_refused("{\n\"a\":\0 1}", 10, "f:2: not valid JSON");
	check_refused("{\nfio: \0\n\"n\":1}", 15, "f:2: not valid JSON");
	check_refused(nested, -1, "f:1: not valid JSON: maximum parsing depth reached");
	check_refused(long_number, -1, "f:1: not valid JSON: real number overflow");
}

static gboolean is_x(const char *key)
{
	return g_str_equal(key, "x");
}

/* A document whose member "x" nobody asks for; the number, or the error. */
static void check_unused(const char *value, const char *wanted)
{
	g_autofree char *text = g_strdup_printf("{\"n\": 7, \"x\" : %s, \"m\": 1}", value);
	g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_data(text, -1, NULL);
	g_autoptr(GString) lines = g_string_new(NULL);
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(GError) error = NULL;

	if (import_json("f", stream, dataset, is_x, take, lines, &error) != !wanted)
		fail_msg("%s: %s", value, error ? error->message : "was read");
	if (wanted && !strstr(error->message, wanted))
		fail_msg("%s: \"%s\" is not \"%s\"", value, error->message, wanted);
	if (!wanted)
		assert_true(values_get(g_ptr_array_index(dataset->metrics, 0), 0) == 7);
}

/* What nobody asks for is passed over, and has to be JSON all the same (RFC 8259). */
static void test_unused(void **state)
{
	static const char *const good[] = {"1",
					   "-0.5e+3",
					   "true",
					   "null",
					   "nan",
					   "\"\"",
					   "\"\\\"}\\u00e4\xc3\xa4\"",
					   "[]",
					   "{}",
					   "[ 1,\n[2], {\"x\": {\"y\": []}} ]",
					   "{\"a\" : 1,\nfio: words\n\"b\":[\"]\"]}"};
	static const struct {
		const char *value, *message;
	} bad[] = {{"", "f:1: not valid JSON"},         {"01", "f:1: not valid JSON"},
		   {"tru", "f:1: not valid JSON"},      {"[1,]", "f:1: not valid JSON"},
		   {"{\"a\":1,}", "f:1: not valid JSON"}, {"{\"a\" 1}", "f:1: not valid JSON"},
		   {"{1:2}", "f:1: not valid JSON"},    {"[\n1 2]", "f:2: not valid JSON"},
		   {"[1}", "f:1: not valid JSON"},      {"1e999", "f:1: not valid JSON: real number overflow"},
		   {"\"\\q\"", "f:1: not valid JSON"},    {"\"\xff\"", "f:1: not valid JSON"},
		   {"[", "f:1: not valid JSON"}};
	g_autofree char *deep = g_strnfill(3000, '[');

	for (gsize i = 0; i < G_N_ELEMENTS(good); i++)
		check_unused(good[i], NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++)
		check_unused(bad[i].value, bad[i].message);
	check_unused(deep, "maximum parsing depth reached");
}

/* Numbers of any size are reals. */
static void test_large_integers(void **state)
{
	check_text("{\"n\": 123456789012345678901234567890}", "1.23457e+29 ", "1 ", WARNINGS(NULL));
	check_text("{\"n\": -9223372036854775809}", "-9.22337e+18 ", "1 ", WARNINGS(NULL));
}

/* A document has a limit in bytes and one in values, which keep memory within bounds. */
static void test_limits(void **state)
{
	g_autoptr(GString) bytes = NULL, values = NULL;

	/* it takes minutes there */
	if (getenv("VALGRIND"))
		skip();
	bytes = g_string_new("{\"a\":\"");
	values = g_string_new("{\"a\":[");
	for (guint i = 0; i < 65; i++)
		g_string_append_printf(bytes, "%*s", 1 << 20, "");
	for (guint i = 0; i < 4200000; i++)
		g_string_append(values, "0,");
	check_refused(bytes->str, (gssize)bytes->len, "f:1: a JSON document of more than 64 MiB");
	check_refused(values->str, (gssize)values->len, "f:1: a JSON document of more than 4194304 values");
}

/* A file that cannot be read is a failure of the system, not of what is in it. */
static void test_unreadable(void **state)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	g_autoptr(GInputStream) stream = g_memory_input_stream_new();
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(GError) error = NULL;

	assert_true(g_input_stream_close(stream, NULL, NULL));
	assert_false(import_json("f", stream, dataset, NULL, take, lines, &error));
	assert_int_equal(err_exit_code(error), EXIT_RUNTIME);
	assert_true(g_str_has_prefix(error->message, "cannot read 'f': "));
}

/* Keys at the top of any document of a file's beginning are seen, and no others. */
static void test_head(void **state)
{
	assert_true(json_head_has("{\"k\": 1", "k"));
	assert_true(json_head_has("text\n\n {\"a\": {\"b\": [1]}, \"k\"\n:", "k"));
	assert_true(json_head_has("\xef\xbb\xbf{\"a\":\"}{\"}{\"k\":", "k"));
	assert_true(json_head_has("text\r{\"k\": 1", "k"));
	assert_false(json_head_has("{\"a\": {\"k\": 1}}", "k"));
	assert_false(json_head_has("{\"a\": \"k\", \"k2\": 1, \"a\\\"k\": 1}", "k"));
	assert_false(json_head_has("text {\"k\": 1}", "k"));
	assert_false(json_head_has("[\"k\", 1]", "k"));
	assert_false(json_head_has("", "k"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_documents),      cmocka_unit_test(test_text_around),
	    cmocka_unit_test(test_lines_within),   cmocka_unit_test(test_no_numbers),
	    cmocka_unit_test(test_same_twice),     cmocka_unit_test(test_refused),
	    cmocka_unit_test(test_large_integers), cmocka_unit_test(test_limits),
	    cmocka_unit_test(test_unreadable),     cmocka_unit_test(test_head),
	    cmocka_unit_test(test_unused),
	};

	return cmocka_run_group_tests_name("streams of JSON", tests, NULL, NULL);
}
