#ifndef UNIT_H
#define UNIT_H

#include <glib.h>

/* Numbers and units in text, one way everywhere, whatever the locale. */

/* A size in bytes: a decimal number and a suffix, as GNU dd and fio read it. None or "B": bytes; k, K, M, G, T and
 * KiB, MiB, GiB, TiB: powers of 1024; kB, KB, MB, GB, TB: powers of 1000. "2xRAM" or "0.5xRAM": times the memory.
 * Fractions are allowed where the result is whole to a byte ("1.5G"). False with a usage error naming text. */
gboolean size_parse(const char *text, guint64 *bytes, GError **error);

/* A duration in seconds: number and ms, s (default), m or min, h, d; "90", "1.5m", "250ms". */
gboolean duration_parse(const char *text, double *seconds, GError **error);

/* A count in [low, high], decimal digits only. what names it in the error. */
gboolean count_parse(const char *text, const char *what, guint64 low, guint64 high, guint64 *count, GError **error);

/* A finite number, decimal point, the whole text. */
gboolean number_parse(const char *text, double *value);
/* The number at the beginning of the text. Returns where it ends; NULL where there is none, and where it has more digits
 * or a larger exponent than two exact doubles hold: number_parse() then reads it, at leisure. */
const char *number_read(const char *text, double *value);

/* A percentage or a plain number: "5%" and "5" are both 5. Within (low, high), else a usage error naming what. */
gboolean percent_parse(const char *text, const char *what, double low, double high, double *percent, GError **error);

/* Four significant digits: "0.7728", "12.35", "0.5850". A whole number up to seven digits has no point ("60", "19670")
 * and none of its digits is rounded away; an exponent below 0.0001 and from 10^7 on. "-" for NaN, "inf" and "-inf". */
char *number_format(double value);
/* All 17 digits, for CSV; "" for NaN. */
char *number_format_full(double value);
/* The fewest digits that read back as the same number, for levels: "200", "0.1"; "" for NaN. */
char *number_format_shortest(double value);
/* "256 MiB (268435456 bytes)" style text of a size. */
char *size_format(guint64 bytes);
/* "2 min 10 s", "4.2 s", "310 ms", for people. */
char *duration_format(double seconds);

/* Text for a terminal or a table cell: control characters, invalid UTF-8 and bidirectional overrides become
 * \xNN or \u{NNNN}. */
char *text_printable(const char *text);

#endif
