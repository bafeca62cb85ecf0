#include "import_log_scan.h"

#include <math.h>
#include <string.h>

#include "unit.h"

#define NUMBER_MAX 32 /* characters; no program prints more */
#define DIGITS_MAX 9  /* of hours, minutes, seconds and a fraction each: what is longer is no time */

static const char *skip_digits(const char *at)
{
	while (g_ascii_isdigit(*at))
		at++;
	return at;
}

static const char *skip_blanks(const char *at)
{
	while (*at == ' ')
		at++;
	return at;
}

static const char *skip_word(const char *at)
{
	while (*at && *at != ' ')
		at++;
	return at;
}

/* "12", "0.5", ".5" or "1.50979e+06": an e without digits is no part of it ("0.5elapsed"). */
static const char *scan_number(const char *at, double *number)
{
	const char *end = skip_digits(at), *exponent;
	char text[NUMBER_MAX + 1];

	if (*end == '.')
		end = skip_digits(end + 1);
	if (!g_ascii_isdigit(*at) && end - at < 2)
		return NULL;
	if (*end == 'e' || *end == 'E') {
		exponent = end + 1 + (end[1] == '+' || end[1] == '-');
		if (g_ascii_isdigit(*exponent))
			end = skip_digits(exponent);
	}
	if (end - at > NUMBER_MAX)
		return NULL;
	memcpy(text, at, (gsize)(end - at));
	text[end - at] = '\0';
	return number_parse(text, number) ? end : NULL;
}

static const char *scan_digits(const char *at, guint64 *value)
{
	const char *end = skip_digits(at);

	if (end == at || end - at > DIGITS_MAX)
		return NULL;
	*value = g_ascii_strtoull(at, NULL, 10);
	return end;
}

const char *scan_time(const char *at, double *seconds)
{
	const char *end = scan_digits(at, &(guint64){0}), *fraction;
	guint64 whole = 0, part = 0;
	gboolean letters = end && *end == 'm' && g_ascii_isdigit(end[1]);
	g_autofree char *text = NULL;

	for (guint parts = 0; (end = scan_digits(at, &part)); at = end + 1) {
		whole = whole * 60 + part;
		if (*end != (letters ? 'm' : ':'))
			break;
		if (++parts > (letters ? 1 : 2))
			return NULL;
	}
	if (!end)
		return NULL;
	fraction = end;
	if ((*end == '.' || *end == ',') && g_ascii_isdigit(end[1]))
		end = scan_digits(end + 1, &part);
	if (!end || (letters && *end != 's'))
		return NULL;
	/* by way of a decimal number, so that the result is the double nearest to it */
	text = g_strdup_printf("%" G_GUINT64_FORMAT ".%.*s0", whole, (int)MAX(end - fraction - 1, 0), fraction + 1);
	*seconds = g_ascii_strtod(text, NULL);
	return end + letters;
}

/* What is being found: the texts' ends are marked when all has matched. */
struct scan {
	struct scanned *found;
	guint n_numbers, n_texts;
	const char *end[SCAN_TEXTS];
};

static void add_text(struct scan *scan, const char *at, const char *end)
{
	scan->found->text[scan->n_texts] = at;
	scan->end[scan->n_texts++] = end;
}

/* One field of the format, by its letter. Returns where it ends, NULL where it is not there. */
static const char *scan_field(struct scan *scan, char field, const char *at)
{
	double *number = &scan->found->number[scan->n_numbers];
	const char *end = NULL;

	switch (field) {
	case 'q':
		if (*at == '?') {
			*number = NAN;
			end = at + 1;
			break;
		}
		G_GNUC_FALLTHROUGH;
	case 'n':
		end = scan_number(at, number);
		break;
	case 't':
		end = scan_time(at, number);
		break;
	case 'b':
		end = at + strspn(at, "*");
		return end > at ? end : NULL;
	case 'w':
		end = skip_word(at);
		break;
	case 'r':
		end = strchr(at, '\0');
		add_text(scan, at, end);
		return end;
	default:
		return *at == field ? at + 1 : NULL;
	}
	if (field == 'w' && end > at)
		add_text(scan, at, end);
	else if (field == 'w')
		return NULL;
	else if (end)
		scan->n_numbers++;
	return end;
}

static gboolean scan_from(struct scan *scan, const char *at, const char *format)
{
	for (; *format; format++) {
		if (*format == ' ')
			at = skip_blanks(at);
		else if (*format == '%')
			at = scan_field(scan, *++format, at);
		else
			at = g_ascii_tolower(*at) == g_ascii_tolower(*format) ? at + 1 : NULL;
		if (!at)
			return FALSE;
	}
	return !*at;
}

/* Tries the format behind each number of words, from none. */
static gboolean scan_behind(struct scan *scan, const char *line, const char *format)
{
	for (const char *at = line; *at;) {
		const char *end = at;

		while (end > line && end[-1] == ' ')
			end--;
		scan->n_numbers = scan->n_texts = 0;
		add_text(scan, line, end);
		if (scan_from(scan, at, format))
			return TRUE;
		at = skip_blanks(skip_word(at));
	}
	return FALSE;
}

/* Most lines have none of the forms, and most forms are known by how they begin. */
static gboolean may_begin(char c, const char *format)
{
	if (*format != '%')
		return *format == ' ' || g_ascii_tolower(c) == g_ascii_tolower(*format);
	if (format[1] == 'n' || format[1] == 't')
		return g_ascii_isdigit(c) || c == '.';
	return TRUE;
}

gboolean scan_line(char *line, const char *format, struct scanned *found)
{
	struct scan scan;

	if (!may_begin(*line, format))
		return FALSE;
	*found = (struct scanned){.text = {NULL}};
	scan = (struct scan){.found = found};
	if (g_str_has_prefix(format, "%*") ? !scan_behind(&scan, line, format + 2) : !scan_from(&scan, line, format))
		return FALSE;
	for (guint i = 0; i < scan.n_texts; i++) {
		if (scan.end[i] == line)
			found->text[i] = "";
		else
			line[scan.end[i] - line] = '\0';
	}
	return TRUE;
}
