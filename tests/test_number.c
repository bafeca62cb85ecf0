#include "check.h"

#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "../src/unit.h"
#include "../stats/stream.h"

static guint below(struct stream *stream, guint n)
{
	return stream_below(stream, (uint32_t)(stream_bits(stream) >> 32), n);
}

static void append_digits(GString *text, struct stream *stream, guint n)
{
	for (; n > 0; n--)
		g_string_append_c(text, (char)('0' + below(stream, 10)));
}

/* A sign, 0 to 24 digits, a point, 0 to 24 digits and an exponent, most of which may be missing; usually short. */
static void make_number(GString *text, struct stream *stream)
{
	guint most = below(stream, 4) ? 9 : 24, before = below(stream, most + 1), after = below(stream, most + 1);

	g_string_truncate(text, 0);
	if (below(stream, 3) == 0)
		g_string_append_c(text, below(stream, 2) ? '-' : '+');
	append_digits(text, stream, before);
	if (after || below(stream, 4) == 0)
		g_string_append_c(text, '.');
	append_digits(text, stream, after);
	if (!before && !after)
		append_digits(text, stream, 1);
	if (below(stream, 3))
		return;
	g_string_append(text, (const char *[]){"e", "E", "e-", "e+"}[below(stream, 4)]);
	append_digits(text, stream, 1 + below(stream, below(stream, 10) ? 2 : 4));
}

/* A million random numbers are read to the same bits as by the C library's strtod(), which rounds correctly; what that
 * finds infinite is refused. */
static void test_is_strtod(void **state)
{
	const guint n = getenv("VALGRIND") ? 20000 : 1000000;
	g_autoptr(GString) text = g_string_new(NULL);
	struct stream stream = stream_init(7, 1);
	guint quick = 0, infinite = 0;

	for (guint i = 0; i < n; i++) {
		double want, got = 0, read = 0;
		const char *end;

		make_number(text, &stream);
		want = strtod(text->str, NULL);
		if (number_parse(text->str, &got) != !isinf(want))
			fail_msg("'%s' is %g", text->str, want);
		infinite += isinf(want) != 0;
		if (isfinite(want) && memcmp(&got, &want, sizeof got) != 0)
			fail_msg("'%s' is %.17g, not %.17g", text->str, want, got);
		end = number_read(text->str, &read);
		quick += end != NULL;
		if (end && (*end || memcmp(&read, &want, sizeof read) != 0))
			fail_msg("'%s' is read as %.17g up to '%s'", text->str, read, end);
	}
	/* Both ways were taken. */
	assert_in_range(quick, n / 2, n - n / 10);
	assert_true(infinite > 0);
}

/* Two exact doubles up to the last power of ten and digit that are exact, strtod() beyond. */
static void test_limits(void **state)
{
	static const struct {
		const char *text;
		double value;
		gboolean is_quick;
	} numbers[] = {
	    {"1e22", 1e22, TRUE},
	    {"1e23", 1e23, FALSE},
	    {"1e-22", 1e-22, TRUE},
	    {"1e-23", 1e-23, FALSE},
	    {"9007199254740992", 9007199254740992.0, TRUE},
	    {"9007199254740993", 9007199254740992.0, FALSE},
	    {"900719925474099.3e1", 9007199254740992.0, FALSE},
	    {"18446744073709551617", 18446744073709551616.0, FALSE},
	    {"99999999999999999999999", 1e23, FALSE},
	    {"-0", -0.0, TRUE},
	    {"0e999999999999", 0, FALSE},
	    {"4.9e-324", 0x1p-1074, FALSE},
	    {"1e-400", 0, FALSE},
	    {"1.e1", 10, TRUE},
	    {".5", 0.5, TRUE},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
		double value = NAN;

		assert_true(number_parse(numbers[i].text, &value));
		assert_memory_equal(&value, &numbers[i].value, sizeof value);
		if ((number_read(numbers[i].text, &value) != NULL) != numbers[i].is_quick)
			fail_msg("'%s'", numbers[i].text);
	}
}

/* Reading stops where the number does; what does not begin with one, or ends in half an exponent, is none. */
static void test_end(void **state)
{
	static const struct {
		const char *text;
		gssize length; /* -1: no number */
	} texts[] = {{"12.5\n13", 4}, {"7,", 1},   {"1.2.3", 3}, {"", -1},  {"-", -1},   {".", -1},   {"e5", -1},
		     {"1e", -1},      {"1e+", -1}, {" 1", -1},   {"x", -1}, {"+-1", -1}, {"0x10", 1}, {"nan", -1}};

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		double value;
		const char *end = number_read(texts[i].text, &value);

		if (texts[i].length < 0 ? end != NULL : end != texts[i].text + texts[i].length)
			fail_msg("'%s'", texts[i].text);
		assert_false(number_parse(texts[i].text, &value));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_is_strtod),
	    cmocka_unit_test(test_limits),
	    cmocka_unit_test(test_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
