#ifndef TEXT_READER_H
#define TEXT_READER_H

#include <gio/gio.h>

/* The lines of a text file, in one buffer of fixed size: UTF-8 without NUL bytes, a byte order mark and carriage
 * returns before a line's end taken away. */
struct text_reader {
	const char *path; /* for messages */
	GInputStream *stream;
	char delimiter; /* of fields that may be quoted and then hold line ends; 0: a record is a line */
	guint64 line;   /* of the record returned last, from 1 */
	guint64 next_line;
	char *buffer;
	gsize start, end;
	gsize plain; /* what is before is ASCII, without NUL */
	gboolean at_end;
};

#define TEXT_RECORD_MAX (1u << 20)

void text_reader_init(struct text_reader *reader, const char *path, GInputStream *stream);
void text_reader_clear(struct text_reader *reader);

/* The next record, NUL-terminated in place: it may be written to and lasts until the next call. NULL at the end of the
 * file. Usage errors "path:line: ..." for what is no text, for a record above TEXT_RECORD_MAX bytes and for a quote
 * that is never closed; runtime errors for what cannot be read. */
gboolean text_reader_next(struct text_reader *reader, char **record, GError **error);

/* Takes the next lines that hold a plain number and nothing else, as many as there are in the buffer, and appends their
 * numbers (double). There may be none: text_reader_next() takes what this does not. */
void text_reader_numbers(struct text_reader *reader, GArray *values);

/* Splits a record in place into fields: unquoted where the delimiter allows quotes, blanks around plain fields taken
 * away. Returns how many there are; at most max are stored. 0 where a quote is not closed or text follows it. */
guint text_split(char *record, char delimiter, gboolean quoting, char **fields, guint max);

#endif
