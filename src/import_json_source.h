#ifndef IMPORT_JSON_SOURCE_H
#define IMPORT_JSON_SOURCE_H

#include <gio/gio.h>

struct dataset;

#define JSON_BUFFER (64u << 10)
#define JSON_DOCUMENT_MAX (64u << 20) /* bytes */

/* The bytes of a file of JSON documents. */
struct json_source {
	const char *path;
	GInputStream *stream;
	struct dataset *dataset;
	guint64 line;
	char buffer[JSON_BUFFER];
	gsize at, end;
	gboolean at_end;
	GError *error; /* of reading the stream */
	guint64 hash;  /* of the document so far, without the blanks between tokens: FNV-1a, by Fowler, Noll and Vo */
};

#define JSON_HASH_START 0xcbf29ce484222325

/* Reads on until so many bytes are in the buffer. FALSE at the file's end, or where the buffer is too small. */
gboolean json_source_has(struct json_source *source, gsize bytes);

/* The byte so far ahead; -1 behind the end of the file or of the buffer. */
static inline int json_peek(struct json_source *source, gsize ahead)
{
	if (source->end - source->at <= ahead && !json_source_has(source, ahead + 1))
		return -1;
	return (guchar)source->buffer[source->at + ahead];
}

static inline int json_next(struct json_source *source)
{
	int c = json_peek(source, 0);

	if (c >= 0)
		source->at++;
	source->line += c == '\n';
	return c;
}

static inline void json_hash(struct json_source *source, char c)
{
	source->hash = (source->hash ^ (guchar)c) * 0x100000001b3;
}

/* But for a line's end. */
static inline gboolean json_is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Passes over the rest of the line, which a carriage return ends too (progress); its beginning, or that of the first of
 * several lines, is kept for a warning. FALSE where a NUL stands in it, which stays. */
gboolean json_skip_line(struct json_source *source, GString *start);

/* Where a line begins, inside a document but in no string: passes over lines that cannot be of JSON, with a warning. */
void json_skip_foreign(struct json_source *source);

/* Takes a NaN or an infinity, which some programs write though JSON has none, with a warning. */
gboolean json_take_no_number(struct json_source *source);

/* Passes over a value that nobody wants, inside so many brackets; it is checked all the same. FALSE where it is no JSON
 * or the file ends: *why is what is wrong, at source->line; NULL at the file's end. */
gboolean json_skip_value(struct json_source *source, guint depth, char **why);

#endif
