#include "import_json_source.h"

#include <string.h>

#include "dataset.h"
#include "import_common.h"

#define WORD_MAX 16   /* longer than any word of JSON, and "infinity" */
#define START_MAX 100 /* of a text that is quoted */

/* Moves what is left to the front and reads more behind it. */
static void fill(struct json_source *source)
{
	gssize got;

	memmove(source->buffer, source->buffer + source->at, source->end - source->at);
	source->end -= source->at;
	source->at = 0;
	got = g_input_stream_read(source->stream, source->buffer + source->end, JSON_BUFFER - source->end, NULL,
				  source->error ? NULL : &source->error);
	source->at_end = got <= 0;
	source->end += (gsize)MAX(got, 0);
}

gboolean json_source_has(struct json_source *source, gsize bytes)
{
	while (source->end - source->at < bytes && !source->at_end && bytes <= JSON_BUFFER)
		fill(source);
	return source->end - source->at >= bytes;
}

/* Copies the letters from there on, at most WORD_MAX of them, and returns how many there are. */
static guint read_word(struct json_source *source, gsize ahead, char *word)
{
	guint n = 0;

	for (int c = json_peek(source, ahead); n < WORD_MAX && c >= 0 && g_ascii_isalpha(c);
	     c = json_peek(source, ahead + n))
		word[n++] = (char)c;
	word[n] = '\0';
	return n;
}

static gboolean is_one_of(const char *word, const char *const *words)
{
	while (*words && g_ascii_strcasecmp(word, *words) != 0)
		words++;
	return *words != NULL;
}

static gboolean is_no_number(const char *word)
{
	static const char *const words[] = {"nan", "inf", "infinity", NULL};

	return is_one_of(word, words);
}

/* Whether the line that begins here, inside a document but in no string, cannot be a line of JSON: messages of the
 * program among its output. */
static gboolean is_foreign(struct json_source *source)
{
	static const char *const literals[] = {"true", "false", "null", NULL};
	char word[WORD_MAX + 1];
	gsize ahead = 0;
	int c;

	while (json_is_blank(json_peek(source, ahead)))
		ahead++;
	c = json_peek(source, ahead);
	if (c < 0 || c == '\n' || strchr("{}[]\",:-", c) || g_ascii_isdigit(c))
		return FALSE;
	ahead += read_word(source, ahead, word);
	return (!is_one_of(word, literals) && !is_no_number(word)) || json_peek(source, ahead) == ':';
}

gboolean json_skip_line(struct json_source *source, GString *start)
{
	gboolean keep = start->len == 0;

	while (json_peek(source, 0) > 0) {
		int c = json_next(source);

		if (c == '\n' || c == '\r')
			return TRUE;
		if (keep && start->len < START_MAX)
			g_string_append_c(start, (char)c);
	}
	return json_peek(source, 0) < 0;
}

void json_skip_foreign(struct json_source *source)
{
	while (is_foreign(source)) {
		guint64 line = source->line;
		g_autoptr(GString) start = g_string_new(NULL);
		g_autofree char *shown = NULL;

		if (!json_skip_line(source, start))
			return;
		shown = import_quote(start->str, start->len);
		dataset_warn(source->dataset, "%s:%" G_GUINT64_FORMAT ": a line among those of JSON is left out: '%s'",
			     source->path, line, shown);
	}
}

gboolean json_take_no_number(struct json_source *source)
{
	char word[WORD_MAX + 1];
	int c = json_peek(source, 0);
	guint sign = c == '-', n;

	if (!sign && !g_ascii_isalpha(c))
		return FALSE;
	n = read_word(source, sign, word);
	if (!is_no_number(word))
		return FALSE;
	source->at += sign + n;
	dataset_warn(source->dataset, "%s:%" G_GUINT64_FORMAT ": %s is not a number: taken for a missing value",
		     source->path, source->line, word);
	return TRUE;
}
