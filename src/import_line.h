#ifndef IMPORT_LINE_H
#define IMPORT_LINE_H

#include <glib.h>

struct dataset;
struct text_reader;

/* What the importers of programs' reports share: lines, and the numbers and quantities in them. */

/* A unit as programs print it, and its size in the smallest unit of its table. The last one has no name. */
struct import_unit {
	const char *name;
	double size;
};
extern const struct import_unit import_times[]; /* nanoseconds: ns, us, ms, s, min, hour */
/* Bytes. K, M, G and T are powers of 1024 with and without an i: the programs that are read here all mean these. */
extern const struct import_unit import_sizes[];

/* The number behind blanks at the beginning of the text. Returns where it ends, NULL where there is none. What follows
 * is for the caller to check: "1,5" is 1 and then a comma. */
const char *import_number(const char *text, double *value);

/* A number, perhaps blanks, and one of the units: "600.3 ms", "9829us". *value is in the table's smallest unit. Returns
 * where the unit ends, NULL where there is no number, none of the units or no finite value. */
const char *import_quantity(const char *text, const struct import_unit *units, double *value);

/* Whether the whole text stands for a missing value: nan, inf, infinity, n/a, in any case and with any sign. */
gboolean import_missing(const char *text);

/* Where the text goes on behind the prefix, blanks before both not counted; NULL where it begins otherwise. */
const char *import_behind(const char *text, const char *prefix);

/* Both of these take away the marks of quoted mail ("> ") at a line's beginning. */

/* Whether a line of the file's beginning, without its line end, is one that the importer knows. The line may be written
 * to. */
gboolean import_any_line(const char *head, gboolean (*is_known)(char *line));

/* Gives each line of the reader to add(), which may write to it and ends the reading with FALSE and an error. */
gboolean import_lines(struct text_reader *reader, gboolean (*add)(gpointer data, char *line, GError **error),
		      gpointer data, GError **error);

/* A usage error and a warning about the line that was read last: "path:line: ...". */
gboolean import_fail(const struct text_reader *reader, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);
void import_warn(const struct text_reader *reader, struct dataset *dataset, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

#endif
