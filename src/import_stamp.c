#include "import_stamp.h"

#include <string.h>

static gboolean take_digits(const char **at, guint min, guint max, int *value)
{
	guint n = 0;

	*value = 0;
	for (; n < max && g_ascii_isdigit(**at); n++)
		*value = *value * 10 + (*(*at)++ - '0');
	return n >= min;
}

static gboolean take_char(const char **at, char c)
{
	if (**at != c)
		return FALSE;
	(*at)++;
	return TRUE;
}

/* Year, month, day, in this order. */
static gboolean take_date(const char **at, int *part)
{
	char separator;

	if (!take_digits(at, 4, 4, &part[0]))
		return FALSE;
	separator = **at;
	return separator && strchr("-./", separator) && take_char(at, separator) && take_digits(at, 1, 2, &part[1]) &&
	       take_char(at, separator) && take_digits(at, 1, 2, &part[2]);
}

/* Hour, minute, and a second where it is told; *us: what is above it. */
static gboolean take_time(const char **at, int *part, gint64 *us)
{
	*us = part[2] = 0;
	if (!take_digits(at, 1, 2, &part[0]) || !take_char(at, ':') || !take_digits(at, 2, 2, &part[1]))
		return FALSE;
	if (!take_char(at, ':'))
		return TRUE;
	if (!take_digits(at, 2, 2, &part[2]))
		return FALSE;
	if (!take_char(at, '.') && !take_char(at, ','))
		return TRUE;
	if (!g_ascii_isdigit(**at))
		return FALSE;
	for (gint64 unit = G_USEC_PER_SEC / 10; g_ascii_isdigit(**at); (*at)++, unit /= 10)
		*us += (**at - '0') * unit;
	return TRUE;
}

/* "Z", "UTC", "+0100", "+01:00", "-05" or nothing; *offset in seconds. */
static gboolean take_zone(const char **at, int *offset)
{
	int hours, minutes = 0, sign = **at == '-' ? -1 : 1;

	*offset = 0;
	if (g_str_equal(*at, "UTC") || g_str_equal(*at, "GMT")) {
		*at += 3;
		return TRUE;
	}
	if (!**at || take_char(at, 'Z'))
		return TRUE;
	if ((!take_char(at, '+') && !take_char(at, '-')) || !take_digits(at, 2, 2, &hours))
		return FALSE;
	take_char(at, ':');
	if (**at && !take_digits(at, 2, 2, &minutes))
		return FALSE;
	*offset = sign * (hours * 60 + minutes) * 60;
	return TRUE;
}

gboolean stamp_parse(const char *text, gint64 *time_us)
{
	g_autoptr(GDateTime) time = NULL;
	int date[3], clock[3], offset;
	gint64 us;

	if (!take_date(&text, date) || (!take_char(&text, 'T') && !take_char(&text, ' ')) ||
	    !take_time(&text, clock, &us))
		return FALSE;
	take_char(&text, ' ');
	if (!take_zone(&text, &offset) || *text)
		return FALSE;
	time = g_date_time_new_utc(date[0], date[1], date[2], clock[0], clock[1], clock[2]);
	if (!time)
		return FALSE;
	*time_us = (g_date_time_to_unix(time) - offset) * G_USEC_PER_SEC + us;
	return TRUE;
}
