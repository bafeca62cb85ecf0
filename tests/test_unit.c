#include "check.h"

#include <float.h>
#include <locale.h>
#include <malloc.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "../src/err.h"
#include "../src/unit.h"

/* Size suffixes mean what dd(1) says: K and KiB are 1024, kB and KB 1000. The products are by hand. */
static void test_sizes(void **state)
{
	static const struct {
		const char *text;
		guint64 bytes;
	} sizes[] = {
	    {"0", 0},
	    {"512", 512},
	    {"512B", 512},
	    {"4k", 4096},
	    {"4K", 4096},
	    {"64kB", 64000},
	    {"64KB", 64000},
	    {"64KiB", 65536},
	    {"1M", 1048576},
	    {"256M", 268435456},
	    {"256MiB", 268435456},
	    {"256MB", 256000000},
	    {"1.5G", 1610612736},
	    {"0.5K", 512},
	    {"2GB", 2000000000},
	    {"1T", 1099511627776},
	    {"1TB", 1000000000000},
	    {"0.001kB", 1},
	    {"8388607T", 9223370937343148032u},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autoptr(GError) error = NULL;
		guint64 bytes = 1;

		assert_true(size_parse(sizes[i].text, &bytes, &error));
		assert_int_equal(bytes, sizes[i].bytes);
	}
}

/* Multiples of the memory are those that sysinfo(2) tells, to the byte below. */
static void test_sizes_of_memory(void **state)
{
	struct sysinfo info;
	guint64 ram, bytes;

	assert_int_equal(sysinfo(&info), 0);
	ram = (guint64)info.totalram * info.mem_unit;
	assert_true(size_parse("2xRAM", &bytes, NULL));
	assert_int_equal(bytes, 2 * ram);
	assert_true(size_parse("0.5xRAM", &bytes, NULL));
	assert_int_equal(bytes, ram / 2);
}

/* What is no size is a usage error that names the text. */
static void test_bad_sizes(void **state)
{
	static const char *const texts[] = {"",
					    "-1",
					    "-4K",
					    "+4K",
					    "K",
					    "4X",
					    "4kiB",
					    "4KiBs",
					    "4 K",
					    " 4K",
					    "0x10",
					    "inf",
					    "nan",
					    "1e6",
					    "1.",
					    ".5K",
					    "0.3",
					    "1.1B",
					    "1,5G",
					    "8388608T",
					    "18446744073709551616",
					    "4M4",
					    "xRAM",
					    "2xram",
					    "4MB/s",
					    "9999999999999999999999T",
					    "1.0000000000000000000001K"};

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		guint64 bytes = 7;

		if (size_parse(texts[i], &bytes, &error))
			fail_msg("size '%s' was taken as %lu", texts[i], (unsigned long)bytes);
		assert_int_equal(bytes, 7);
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
		g_autofree char *quoted = g_strdup_printf("'%s'", texts[i]);
		assert_non_null(strstr(error->message, quoted));
	}
}

/* Durations in their units, the seconds by hand; bad ones are usage errors. */
static void test_durations(void **state)
{
	static const struct {
		const char *text;
		double seconds;
	} durations[] = {{"90", 90},    {"1.5m", 90}, {"250ms", 0.25}, {"2min", 120}, {"1h", 3600},
			 {"1d", 86400}, {"0", 0},     {"0.1s", 0.1},   {"1ms", 0.001}};
	static const char *const bad[] = {"",    "-1",  "1.",  "5x",           "1 h", "inf",
					  "nan", "1e3", "0x5", "99999999999d", "ms",  "1m30"};

	for (gsize i = 0; i < G_N_ELEMENTS(durations); i++) {
		double seconds;

		assert_true(duration_parse(durations[i].text, &seconds, NULL));
		assert_close(seconds, durations[i].seconds, 0);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;
		double seconds = 7;

		assert_false(duration_parse(bad[i], &seconds, &error));
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
	}
}

/* Counts are decimal digits within their bounds; the message names the option. */
static void test_counts(void **state)
{
	static const char *const bad[] = {"",   "0",  "-1",  "abc", "1000000000000",       "+5",
					  " 5", "5 ", "5.0", "0x5", "18446744073709551617"};
	guint64 count = 0;

	assert_true(count_parse("1", "--repeat", 1, 1000000, &count, NULL));
	assert_int_equal(count, 1);
	assert_true(count_parse("1000000", "--repeat", 1, 1000000, &count, NULL));
	assert_int_equal(count, 1000000);
	assert_true(count_parse("18446744073709551615", "--seed", 0, G_MAXUINT64, &count, NULL));
	assert_true(count == G_MAXUINT64);
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;

		assert_false(count_parse(bad[i], "--repeat", 1, 1000000, &count, &error));
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
		assert_non_null(strstr(error->message, "--repeat"));
	}
}

/* Numbers read as the C library's strtod reads them in the C locale, to the last bit. */
static void test_numbers(void **state)
{
	static const char *const texts[] = {"5.88569",
					    "717.77",
					    "0.1",
					    "-0.3",
					    "+12",
					    ".5",
					    "5.",
					    "1e3",
					    "-2.5E-7",
					    "9007199254740993",
					    "123456789012345678901234567890",
					    "0.000000000000000000000000012345",
					    "4.9e-324",
					    "1.7976931348623157e308",
					    "0.30000000000000004",
					    "00012.50",
					    "0",
					    "-0",
					    "18446744073709551615"};
	static const char *const bad[] = {"",     "-",  ".",   "+",   "1,5", "nan",   "inf", "-inf", "1e999",
					  "0x10", "1e", "1e+", "12 ", " 12", "1.2.3", "--1", "5s",   "1_000"};
	double value;

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
		double want = strtod(texts[i], NULL);

		assert_true(number_parse(texts[i], &value));
		assert_memory_equal(&value, &want, sizeof value);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++)
		if (number_parse(bad[i], &value))
			fail_msg("'%s' was taken as a number", bad[i]);
}

/* Numbers of every length and scale round-trip through the fast path as through strtod (same pseudo-random texts for
 * both). */
static void test_numbers_at_random(void **state)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (int i = 0; i < 20000; i++) {
		char text[64];
		int digits = g_rand_int_range(rand, 0, 25);
		double value, want;

		g_snprintf(text, sizeof text, "%.*f", digits, g_rand_double_range(rand, -1e6, 1e6));
		want = strtod(text, NULL);
		assert_true(number_parse(text, &value));
		assert_memory_equal(&value, &want, sizeof value);
	}
}

/* Percentages with or without their sign, inside open bounds. */
static void test_percentages(void **state)
{
	static const char *const bad[] = {"", "%", "0", "100", "-5", "nan", "5%%", "5 %", "abc"};
	double percent;

	assert_true(percent_parse("5%", "--margin", 0, 100, &percent, NULL));
	assert_close(percent, 5, 0);
	assert_true(percent_parse("2.5", "--margin", 0, 100, &percent, NULL));
	assert_close(percent, 2.5, 0);
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;

		assert_false(percent_parse(bad[i], "--margin", 0, 100, &percent, &error));
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
		assert_non_null(strstr(error->message, "--margin"));
	}
}

struct formatted {
	double value;
	const char *text;
};

static void check_format(char *(*format)(double), const struct formatted *cases, gsize n)
{
	for (gsize i = 0; i < n; i++) {
		g_autofree char *text = format(cases[i].value);

		assert_string_equal(text, cases[i].text);
	}
}

/* Four significant digits, rounded by hand; whole numbers stay whole; the exponents where nobody reads the digits. */
static void test_number_format(void **state)
{
	static const struct formatted cases[] = {
	    {0.77283, "0.7728"},
	    {0.585, "0.5850"},
	    {1501, "1501"},
	    {1500.6, "1501"},
	    {12.3456, "12.35"},
	    {9.99996, "10.00"},
	    {99.9996, "100.0"},
	    {999.96, "1000"},
	    {12345.678, "12346"},
	    {19670, "19670"},
	    {1.23456e12, "1.235e+12"},
	    {0, "0"},
	    {-0.0, "0"},
	    {-3.14159, "-3.142"},
	    {60, "60"},
	    {0.000123456, "0.0001235"},
	    {0.0000123456, "1.235e-05"},
	    {NAN, "-"},
	    {INFINITY, "inf"},
	    {-INFINITY, "-inf"},
	    {9999999, "9999999"},
	    {1e7, "1.000e+07"},
	    {1e-9, "1.000e-09"},
	};

	check_format(number_format, cases, G_N_ELEMENTS(cases));
}

/* All 17 digits read back as the same double; the shortest form does too and is the one people write. */
static void test_full_and_shortest(void **state)
{
	static const struct formatted full[] = {
	    {0.1, "0.10000000000000001"}, {200, "200"}, {NAN, ""}, {1.0 / 3, "0.33333333333333331"}};
	static const struct formatted shortest[] = {{0.1, "0.1"},
						    {200, "200"},
						    {NAN, ""},
						    {1000000, "1000000"},
						    {6.12, "6.12"},
						    {-0.0, "0"},
						    {0.1 + 0.2, "0.30000000000000004"},
						    {1e300, "1e+300"}};

	check_format(number_format_full, full, G_N_ELEMENTS(full));
	check_format(number_format_shortest, shortest, G_N_ELEMENTS(shortest));
	const double hard[] = {DBL_MAX, DBL_MIN, 1.0 / 3, 2.5e-7, 123456.789};
	for (gsize i = 0; i < G_N_ELEMENTS(hard); i++) {
		g_autofree char *text = number_format_shortest(hard[i]), *long_text = number_format_full(hard[i]);

		assert_true(strtod(text, NULL) == hard[i]);
		assert_true(strtod(long_text, NULL) == hard[i]);
	}
}

/* Sizes and durations for people, by arithmetic. */
static void test_for_people(void **state)
{
	static const struct {
		guint64 bytes;
		const char *text;
	} sizes[] = {{0, "0 bytes"},
		     {1, "1 byte"},
		     {1023, "1023 bytes"},
		     {268435456, "256 MiB (268435456 bytes)"},
		     {1536, "1.500 KiB (1536 bytes)"},
		     {1099511627776, "1 TiB (1099511627776 bytes)"}};
	static const struct formatted durations[] = {
	    {0, "0 s"},      {0.31, "310 ms"},    {4.2, "4.2 s"},      {9.96, "10 s"},    {59.4, "59 s"},
	    {59.7, "1 min"}, {130, "2 min 10 s"}, {3600, "1 h"},       {3599.7, "1 h"},   {5400, "1 h 30 min"},
	    {86400, "1 d"},  {183600, "2 d 3 h"}, {0.000052, "52 us"}, {0.9999, "1.0 s"}, {NAN, "-"},
	    {-1, "-"},       {INFINITY, "-"},     {0.0042, "4.2 ms"},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autofree char *text = size_format(sizes[i].bytes);

		assert_string_equal(text, sizes[i].text);
	}
	check_format(duration_format, durations, G_N_ELEMENTS(durations));
}

/* Text from files cannot move the cursor, reorder a line or hide; everything else stays. */
static void test_printable(void **state)
{
	static const struct {
		const char *raw, *shown;
	} cases[] = {
	    {"plain ümläut ✓", "plain ümläut ✓"},
	    {"a\nb\tc\x1b[31m", "a\\x0ab\\x09c\\x1b[31m"},
	    {"bad\xff\xfe", "bad\\xff\\xfe"},
	    {"cut \xe2\x82", "cut \\xe2\\x82"},
	    {"\xe2\x80\xaegnp.exe", "\\u{202e}gnp.exe"},
	    {"\xc2\x85", "\\u{0085}"},
	    {"del\x7f", "del\\x7f"},
	    {"", ""},
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *shown = text_printable(cases[i].raw);

		assert_string_equal(shown, cases[i].shown);
		/* a table keeps one a cell; what malloc rounds up to is less than 32 more */
		assert_true(malloc_usable_size(shown) < strlen(shown) + 32);
	}
}

/* A locale with a decimal comma changes nothing. Skipped where the machine has none. */
static void test_locale(void **state)
{
	double value;

	if (!setlocale(LC_ALL, "de_DE.UTF-8"))
		skip();
	assert_true(number_parse("1.5e1", &value));
	assert_close(value, 15, 0);
	assert_false(number_parse("1,5", &value));
	assert_true(duration_parse("1.5m", &value, NULL));
	assert_close(value, 90, 0);
	g_autofree char *text = number_format(12.3456), *full = number_format_full(0.5), *span = duration_format(4.2);
	assert_string_equal(text, "12.35");
	assert_string_equal(full, "0.5");
	assert_string_equal(span, "4.2 s");
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sizes),
	    cmocka_unit_test(test_sizes_of_memory),
	    cmocka_unit_test(test_bad_sizes),
	    cmocka_unit_test(test_durations),
	    cmocka_unit_test(test_counts),
	    cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_numbers_at_random),
	    cmocka_unit_test(test_percentages),
	    cmocka_unit_test(test_number_format),
	    cmocka_unit_test(test_full_and_shortest),
	    cmocka_unit_test(test_for_people),
	    cmocka_unit_test(test_printable),
	    cmocka_unit_test(test_locale),
	};

	return cmocka_run_group_tests_name("unit", tests, NULL, NULL);
}
