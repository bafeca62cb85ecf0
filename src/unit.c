#include "unit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "err.h"

#define FRACTION_DIGITS_MAX 18
#define DURATION_MAX_S 1e9
#define MINUTES_PER_DAY 1440

/* An unsigned decimal number without exponent, exactly: whole + fraction / 10^digits. */
struct decimal {
	guint64 whole, fraction;
	guint64 scale; /* 10^digits */
};

/* Returns where the number ends, NULL where there is none or it does not fit. */
static const char *decimal_parse(const char *text, struct decimal *decimal)
{
	const char *at = text;
	int digits = 0;

	*decimal = (struct decimal){.scale = 1};
	if (!g_ascii_isdigit(*at))
		return NULL;
	for (; g_ascii_isdigit(*at); at++)
		if (__builtin_mul_overflow(decimal->whole, 10, &decimal->whole) ||
		    __builtin_add_overflow(decimal->whole, (guint64)(*at - '0'), &decimal->whole))
			return NULL;
	if (*at != '.')
		return at;
	if (!g_ascii_isdigit(*++at))
		return NULL;
	for (; g_ascii_isdigit(*at); at++) {
		if (++digits > FRACTION_DIGITS_MAX)
			return NULL;
		decimal->fraction = decimal->fraction * 10 + (guint64)(*at - '0');
		decimal->scale *= 10;
	}
	return at;
}

static guint64 ram_bytes(void)
{
	struct sysinfo info;

	return sysinfo(&info) == 0 ? (guint64)info.totalram * info.mem_unit : 0;
}

/* The number of bytes that a suffix stands for, 0 where it is none. */
static guint64 size_factor(const char *suffix)
{
	static const char prefixes[] = "KMGT";
	const char *prefix;
	guint64 base, factor;

	if (!*suffix || g_str_equal(suffix, "B"))
		return 1;
	prefix = strchr(prefixes, *suffix == 'k' ? 'K' : *suffix);
	if (!prefix || !*prefix)
		return 0;
	if (!suffix[1] || (g_str_equal(suffix + 1, "iB") && *suffix != 'k'))
		base = 1024;
	else if (g_str_equal(suffix + 1, "B"))
		base = 1000;
	else
		return 0;
	factor = base;
	for (const char *p = prefixes; p < prefix; p++)
		factor *= base;
	return factor;
}

gboolean size_parse(const char *text, guint64 *bytes, GError **error)
{
	struct decimal decimal;
	const char *suffix = decimal_parse(text, &decimal);
	gboolean of_ram = suffix && g_str_equal(suffix, "xRAM");
	guint64 factor = !suffix ? 0 : of_ram ? ram_bytes() : size_factor(suffix);
	unsigned __int128 part, total;

	if (!factor && of_ram)
		return err_runtime(error, "size '%s': cannot tell how much memory this machine has", text);
	if (!factor)
		return err_usage(
		    error,
		    "size '%s' is not a number of bytes: a number and k, K, M, G, T or KiB to TiB (powers of 1024), "
		    "kB to TB (powers of 1000), or xRAM",
		    text);

	part = (unsigned __int128)decimal.fraction * factor;
	if (part % decimal.scale && !of_ram)
		return err_usage(error, "size '%s' is not a whole number of bytes", text);
	total = (unsigned __int128)decimal.whole * factor + part / decimal.scale;
	if (total > G_MAXINT64)
		return err_usage(error, "size '%s' is too large", text);
	*bytes = (guint64)total;
	return TRUE;
}

gboolean duration_parse(const char *text, double *seconds, GError **error)
{
	static const struct {
		const char *suffix;
		double seconds;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}};
	struct decimal decimal;
	const char *suffix = decimal_parse(text, &decimal);

	for (gsize i = 0; suffix && i < G_N_ELEMENTS(units); i++) {
		if (!g_str_equal(suffix, units[i].suffix))
			continue;
		double number = g_ascii_strtod(text, NULL);
		/* 250 / 1000 is the double nearest to 0.25 s; 250 * 1e-3 need not be. */
		double value = units[i].seconds < 1 ? number / 1000 : number * units[i].seconds;

		if (value > DURATION_MAX_S)
			return err_usage(error, "duration '%s' is too long", text);
		*seconds = value;
		return TRUE;
	}
	return err_usage(error, "duration '%s' is not a number and ms, s, m, min, h or d", text);
}

gboolean count_parse(const char *text, const char *what, guint64 low, guint64 high, guint64 *count, GError **error)
{
	guint64 value;

	if (!g_ascii_string_to_unsigned(text, 10, low, high, &value, NULL) || !g_ascii_isdigit(text[0]))
		return err_usage(error,
				 "%s '%s' is not a whole number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, what,
				 text, low, high);
	*count = value;
	return TRUE;
}

/* Reads the exponent behind a number's digits, if there is one, into *power; NULL where it has no digits. */
static const char *exponent_scan(const char *at, int *power)
{
	int exponent = 0;
	gboolean is_negative;

	if (*at != 'e' && *at != 'E')
		return at;
	at++;
	is_negative = *at == '-';
	at += *at == '+' || *at == '-';
	if (!g_ascii_isdigit(*at))
		return NULL;
	for (; g_ascii_isdigit(*at); at++)
		exponent = MIN(exponent * 10 + (*at - '0'), 1 << 20);
	*power += is_negative ? -exponent : exponent;
	return at;
}

/* Reads the digits of a decimal number: its digits as a whole number and the power of ten that belongs to it. Returns
 * where it ends, NULL where this is not the form of a number; *exact says that nothing was lost. */
static const char *number_scan(const char *text, guint64 *digits, int *power, gboolean *exact)
{
	const char *at = text, *point = NULL;
	guint64 value = 0;
	gsize n_digits;

	/* Too many digits wrap around; leading zeros count among them, which loses no more than time. */
	for (; (unsigned)(*at - '0') < 10; at++)
		value = value * 10 + (guint64)(*at - '0');
	if (*at == '.') {
		point = at;
		for (at++; (unsigned)(*at - '0') < 10; at++)
			value = value * 10 + (guint64)(*at - '0');
	}
	n_digits = (gsize)(at - text) - (point != NULL);
	*digits = value;
	*power = point ? (int)MIN(at - point - 1, 1 << 20) * -1 : 0;
	*exact = n_digits <= 19 && value <= (1ull << 53);
	return n_digits ? exponent_scan(at, power) : NULL;
}

const char *number_read(const char *text, double *value)
{
	static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
					1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	guint64 digits;
	gboolean exact;
	int power;
	const char *end = number_scan(text + (*text == '+' || *text == '-'), &digits, &power, &exact);

	if (!end || !exact || ABS(power) >= (int)G_N_ELEMENTS(powers))
		return NULL;
	/* Both operands are exact doubles, so that the result is the nearest double, as strtod's is.   source: Clinger
	 * 1990 */
	*value = power < 0 ? (double)digits / powers[-power] : (double)digits * powers[power];
	if (*text == '-')
		*value = -*value;
	return end;
}

gboolean number_parse(const char *text, double *value)
{
	const char *end = number_read(text, value);
	guint64 digits;
	gboolean exact;
	int power;

	if (end)
		return !*end;
	end = number_scan(text + (*text == '+' || *text == '-'), &digits, &power, &exact);
	if (!end || *end)
		return FALSE;
	*value = g_ascii_strtod(text, NULL);
	return isfinite(*value);
}

gboolean percent_parse(const char *text, const char *what, double low, double high, double *percent, GError **error)
{
	g_autofree char *number = g_strdup(text);
	char bounds[2][G_ASCII_DTOSTR_BUF_SIZE];
	double value;

	if (g_str_has_suffix(number, "%"))
		number[strlen(number) - 1] = '\0';
	if (number_parse(number, &value) && value > low && value < high) {
		*percent = value;
		return TRUE;
	}
	g_ascii_formatd(bounds[0], sizeof bounds[0], "%g", low);
	g_ascii_formatd(bounds[1], sizeof bounds[1], "%g", high);
	return err_usage(error, "%s '%s' is not a percentage above %s and below %s", what, text, bounds[0], bounds[1]);
}

/* Long enough for %.0f of 10^15 and for 17 digits with sign, point and exponent. */
static char *format_double(const char *format, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strdup(g_ascii_formatd(text, sizeof text, format, value));
}

static char *format_not_finite(double value, const char *nan_text)
{
	return g_strdup(isnan(value) ? nan_text : value > 0 ? "inf" : "-inf");
}

char *number_format(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];
	int exponent;

	if (!isfinite(value))
		return format_not_finite(value, "-");
	if (fabs(value) < 1e7 && value == rint(value))
		return format_double("%.0f", value == 0 ? 0 : value);
	/* The exponent after rounding: 9.99996 is 10.00. */
	g_ascii_formatd(text, sizeof text, "%.3e", value);
	exponent = (int)g_ascii_strtoll(strchr(text, 'e') + 1, NULL, 10);
	if (exponent < -4 || exponent > 6)
		return g_strdup(text);
	g_snprintf(format, sizeof format, "%%.%df", MAX(3 - exponent, 0));
	return format_double(format, value);
}

char *number_format_full(double value)
{
	return isfinite(value) ? format_double("%.17g", value) : format_not_finite(value, "");
}

char *number_format_shortest(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];

	if (!isfinite(value))
		return format_not_finite(value, "");
	if (fabs(value) < 1e15 && value == rint(value))
		return format_double("%.0f", value == 0 ? 0 : value);
	for (int digits = 1; digits <= 17; digits++) {
		g_snprintf(format, sizeof format, "%%.%dg", digits);
		g_ascii_formatd(text, sizeof text, format, value);
		if (g_ascii_strtod(text, NULL) == value)
			break;
	}
	return g_strdup(text);
}

char *size_format(guint64 bytes)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	gsize unit = 0;
	guint64 scale = 1;

	while (unit + 1 < G_N_ELEMENTS(units) && bytes / scale >= 1024) {
		unit++;
		scale *= 1024;
	}
	if (unit == 0)
		return g_strdup_printf(bytes == 1 ? "%" G_GUINT64_FORMAT " byte" : "%" G_GUINT64_FORMAT " bytes",
				       bytes);

	g_autofree char *number = number_format((double)bytes / (double)scale);
	return g_strdup_printf("%s %s (%" G_GUINT64_FORMAT " bytes)", number, units[unit], bytes);
}

/* "2 min 10 s": the second part is left out where it is 0. */
static char *duration_pair(guint64 first, const char *first_unit, guint64 second, const char *second_unit)
{
	if (second == 0)
		return g_strdup_printf("%" G_GUINT64_FORMAT " %s", first, first_unit);
	return g_strdup_printf("%" G_GUINT64_FORMAT " %s %" G_GUINT64_FORMAT " %s", first, first_unit, second,
			       second_unit);
}

char *duration_format(double seconds)
{
	guint64 whole;
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	if (!(seconds >= 0 && seconds < 1e15))
		return g_strdup("-");
	if (seconds == 0)
		return g_strdup("0 s");
	if (rint(seconds * 1e6) < 1000)
		return g_strdup_printf(
		    "%s us", g_ascii_formatd(text, sizeof text, seconds < 9.95e-6 ? "%.2g" : "%.0f", seconds * 1e6));
	if (rint(seconds * 1e3) < 1000)
		return g_strdup_printf(
		    "%s ms", g_ascii_formatd(text, sizeof text, seconds < 9.95e-3 ? "%.2g" : "%.0f", seconds * 1e3));
	if (seconds < 9.95)
		return g_strdup_printf("%s s", g_ascii_formatd(text, sizeof text, "%.1f", seconds));
	whole = (guint64)rint(seconds);
	if (whole < 60)
		return duration_pair(whole, "s", 0, "");
	if (whole < 3600)
		return duration_pair(whole / 60, "min", whole % 60, "s");
	whole = (guint64)rint(seconds / 60);
	if (whole < MINUTES_PER_DAY)
		return duration_pair(whole / 60, "h", whole % 60, "min");
	whole = (guint64)rint(seconds / 3600);
	return duration_pair(whole / 24, "d", whole % 24, "h");
}

/* Characters that change what the rest of a line looks like, or that cannot be seen at all. */
static gboolean hides_or_reorders(gunichar c)
{
	return (c >= 0x80 && c < 0xa0) || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x2069) || c == 0x061c || c == 0xfeff;
}

char *text_printable(const char *text)
{
	g_autoptr(GString) out = g_string_new(NULL);

	while (*text) {
		gunichar c = g_utf8_get_char_validated(text, -1);

		if (c == (gunichar)-1 || c == (gunichar)-2 || c < 0x20 || c == 0x7f) {
			g_string_append_printf(out, "\\x%02x", (unsigned char)*text);
			text++;
			continue;
		}
		if (hides_or_reorders(c))
			g_string_append_printf(out, "\\u{%04x}", c);
		else
			g_string_append_unichar(out, c);
		text += g_utf8_skip[(unsigned char)*text];
	}
	/* a copy: tables keep one a cell, of a few characters, and a GString has room for 128 */
	return g_strndup(out->str, out->len);
}
