#include "text_reader.h"

#include <string.h>

#include "err.h"
#include "unit.h"

#define CHUNK (256u << 10)
#define CAPACITY (TEXT_RECORD_MAX + CHUNK)

void text_reader_init(struct text_reader *reader, const char *path, GInputStream *stream)
{
	*reader = (struct text_reader){.path = path, .stream = stream, .next_line = 1};
	reader->buffer = g_malloc(CAPACITY + 1);
}

void text_reader_clear(struct text_reader *reader)
{
	g_clear_pointer(&reader->buffer, g_free);
}

/* Where the first byte is that is none of ASCII's, or NUL; eight at a time. */
static const char *plain_end(const char *at, const char *end)
{
	const guint64 ones = 0x0101010101010101, tops = 0x8080808080808080;

	for (; end - at >= 8; at += 8) {
		guint64 bytes;

		memcpy(&bytes, at, 8);
		/* In a byte of 0 the subtraction borrows into the top bit; in one of ASCII's it does not. */
		if ((bytes | (bytes - ones)) & tops)
			break;
	}
	while (at < end && (guchar)(*at - 1) < 0x7f)
		at++;
	return at;
}

/* Reads more behind what the buffer holds, moving that to the front. */
static gboolean fill(struct text_reader *reader, GError **error)
{
	g_autoptr(GError) cause = NULL;
	gssize got;

	memmove(reader->buffer, reader->buffer + reader->start, reader->end - reader->start);
	reader->end -= reader->start;
	reader->plain -= MIN(reader->plain, reader->start);
	reader->start = 0;
	got = g_input_stream_read(reader->stream, reader->buffer + reader->end, MIN(CHUNK, CAPACITY - reader->end),
				  NULL, &cause);
	if (got < 0)
		return err_runtime(error, "cannot read '%s': %s", reader->path, cause->message);
	reader->at_end = got == 0;
	reader->end += (gsize)got;
	reader->plain =
	    (gsize)(plain_end(reader->buffer + reader->plain, reader->buffer + reader->end) - reader->buffer);
	return TRUE;
}

struct quote_state {
	gboolean inside, may_open;
};

/* Follows the quotes of RFC 4180 over text; a doubled quote closes and opens again. */
static void quote_follow(struct quote_state *state, const char *text, const char *end, char delimiter)
{
	for (; text < end; text++) {
		if (*text == '"' && (state->inside || state->may_open)) {
			state->inside = !state->inside;
			state->may_open = TRUE;
		} else if (!state->inside) {
			state->may_open = *text == delimiter || (state->may_open && *text == ' ');
		}
	}
}

/* *length: of the next record without its line end, *lines: how many lines it takes. */
static gboolean find_record(struct text_reader *reader, gsize *length, guint *lines, GError **error)
{
	struct quote_state quotes = {.may_open = TRUE};
	gsize seen = 0;

	*lines = 1;
	for (;;) {
		const char *from = reader->buffer + reader->start;
		const char *newline = memchr(from + seen, '\n', reader->end - reader->start - seen);
		gsize stop = newline ? (gsize)(newline - from) : reader->end - reader->start;

		if (stop > TEXT_RECORD_MAX)
			return err_usage(error, "%s:%" G_GUINT64_FORMAT ": a line of more than %u bytes", reader->path,
					 reader->line, TEXT_RECORD_MAX);
		if (!newline && !reader->at_end) {
			if (!fill(reader, error))
				return FALSE;
			continue;
		}
		if (reader->delimiter && *from != '#')
			quote_follow(&quotes, from + seen, from + stop, reader->delimiter);
		if (!quotes.inside) {
			*length = stop;
			return TRUE;
		}
		if (!newline)
			return err_usage(error, "%s:%" G_GUINT64_FORMAT ": a quote is not closed", reader->path,
					 reader->line);
		seen = stop + 1;
		(*lines)++;
	}
}

static gboolean check_text(const struct text_reader *reader, const char *record, gsize length, GError **error)
{
	if (record + length <= reader->buffer + reader->plain || g_utf8_validate_len(record, length, NULL))
		return TRUE;
	if (memchr(record, '\0', length))
		return err_usage(error, "%s:%" G_GUINT64_FORMAT ": binary data, not text", reader->path, reader->line);
	return err_usage(error, "%s:%" G_GUINT64_FORMAT ": not text in UTF-8", reader->path, reader->line);
}

gboolean text_reader_next(struct text_reader *reader, char **record, GError **error)
{
	gsize length = 0;
	guint lines = 0;
	char *text;

	*record = NULL;
	reader->line = reader->next_line;
	while (reader->start == reader->end && !reader->at_end)
		if (!fill(reader, error))
			return FALSE;
	if (reader->start == reader->end)
		return TRUE;
	if (!find_record(reader, &length, &lines, error))
		return FALSE;

	text = reader->buffer + reader->start;
	reader->start = MIN(reader->start + length + 1, reader->end);
	reader->next_line += lines;
	if (!check_text(reader, text, length, error))
		return FALSE;
	if (length && text[length - 1] == '\r')
		length--;
	text[length] = '\0';
	if (reader->line == 1 && g_str_has_prefix(text, "\xef\xbb\xbf"))
		text += 3;
	*record = text;
	return TRUE;
}

void text_reader_numbers(struct text_reader *reader, GArray *values)
{
	const char *at = reader->buffer + reader->start, *end = reader->buffer + reader->end;
	double batch[256];
	guint n = 0;

	reader->buffer[reader->end] = '\0';
	while (at < end) {
		const char *next = number_read(at, &batch[n]);

		if (!next)
			break;
		next += *next == '\r';
		if (*next != '\n')
			break;
		at = next + 1;
		if (++n == G_N_ELEMENTS(batch)) {
			g_array_append_vals(values, batch, n);
			reader->next_line += n;
			n = 0;
		}
	}
	g_array_append_vals(values, batch, n);
	reader->next_line += n;
	reader->start = (gsize)(at - reader->buffer);
}

/* Unquotes the field that begins behind an opening quote, in place. Returns what follows its closing quote, NULL where
 * there is none. */
static char *unquote(char *text)
{
	char *to = text;

	while (*text) {
		if (*text == '"' && *++text != '"') {
			*to = '\0';
			return text;
		}
		*to++ = *text++;
	}
	return NULL;
}

/* A tab is one where it is no delimiter. */
static gboolean is_blank(char c, char delimiter)
{
	return c == ' ' || (c == '\t' && delimiter != '\t');
}

static char *skip_blanks(char *text, char delimiter)
{
	while (is_blank(*text, delimiter))
		text++;
	return text;
}

guint text_split(char *record, char delimiter, gboolean quoting, char **fields, guint max)
{
	gboolean last = FALSE;
	guint n = 0;

	for (char *at = record; !last; at++) {
		char *field = skip_blanks(at, delimiter), *end;

		if (quoting && *field == '"') {
			end = unquote(++field);
			at = end ? skip_blanks(end, delimiter) : NULL;
			if (!at || (*at && *at != delimiter))
				return 0;
		} else {
			at = end = delimiter ? strchrnul(field, delimiter) : strchr(field, '\0');
			while (end > field && is_blank(end[-1], delimiter))
				end--;
		}
		last = !*at;
		*end = '\0';
		if (n < max)
			fields[n] = field;
		n++;
	}
	return n;
}
