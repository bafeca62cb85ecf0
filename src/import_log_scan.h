#ifndef IMPORT_LOG_SCAN_H
#define IMPORT_LOG_SCAN_H

#include <glib.h>

/* Lines of a known form, taken apart. */

#define SCAN_NUMBERS 12
#define SCAN_TEXTS 3

struct scanned {
	double number[SCAN_NUMBERS];
	const char *text[SCAN_TEXTS]; /* parts of the line, each ends with NUL */
};

/* Whether all of the line has the format's form; found then holds its numbers and its texts, each in their order. The
 * line is written to (the blank behind a text becomes NUL) only if it has.
 *
 *   blank  blanks, or none            %n  a number without sign
 *   %t     a time, in seconds         %q  a number, or "?" (NaN)
 *   %w     a word (text)              %b  a bar of asterisks
 *   %r     the rest (text)            %%  a per cent sign
 *   %*     in front: words, or none (text); where several would do, the fewest
 *
 * All else stands for itself, letters in either case. Numbers have a decimal point; times are 1:02:03.45, 62:03.45,
 * 62m3.45s or 3.45, with a point or a comma. */
gboolean scan_line(char *line, const char *format, struct scanned *found);

/* A time as %t reads it. Returns where it ends, NULL where there is none. */
const char *scan_time(const char *at, double *seconds);

#endif
