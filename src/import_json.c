#include "import_json.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"

#define BUFFER (64u << 10)
#define DOCUMENT_MAX (64u << 20) /* bytes */
#define VALUES_MAX (4u << 20)    /* some hundred bytes of memory each */
#define WORD_MAX 16              /* longer than any word of JSON, and "infinity" */
#define START_MAX 100            /* of a text that is quoted */
#define MARK "\xef\xbb\xbf"

/* Where in JSON a byte is. */
struct place {
	guint depth;
	gboolean in_string, escaped;
};

struct source {
	const char *path;
	GInputStream *stream;
	struct dataset *dataset;
	guint64 line;
	char buffer[BUFFER];
	gsize at, end;
	gboolean at_end;
	GError *error; /* of reading the stream */
	/* of the document */
	struct place place;
	gboolean is_complete;
	guint64 fed_line; /* that of what was handed on last */
	gsize bytes;
	guint values;
	GChecksum *checksum; /* of all but the blanks between tokens */
};

static void place_follow(struct place *place, char c)
{
	if (place->in_string) {
		place->in_string = place->escaped || c != '"';
		place->escaped = !place->escaped && c == '\\';
	} else if (c == '"') {
		place->in_string = TRUE;
	} else if (c == '{' || c == '[') {
		place->depth++;
	} else if (c == '}' || c == ']') {
		place->depth--;
	}
}

static gboolean is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Moves what is left to the front and reads more behind it. */
static void fill(struct source *source)
{
	gssize got;

	memmove(source->buffer, source->buffer + source->at, source->end - source->at);
	source->end -= source->at;
	source->at = 0;
	got = g_input_stream_read(source->stream, source->buffer + source->end, BUFFER - source->end, NULL,
				  source->error ? NULL : &source->error);
	source->at_end = got <= 0;
	source->end += (gsize)MAX(got, 0);
}

static gboolean has(struct source *source, gsize bytes)
{
	while (source->end - source->at < bytes && !source->at_end && bytes <= BUFFER)
		fill(source);
	return source->end - source->at >= bytes;
}

/* The byte so far ahead; -1 behind the end of the file or of the buffer. */
static inline int peek(struct source *source, gsize ahead)
{
	if (source->end - source->at <= ahead && !has(source, ahead + 1))
		return -1;
	return (guchar)source->buffer[source->at + ahead];
}

static inline int next(struct source *source)
{
	int c = peek(source, 0);

	if (c >= 0)
		source->at++;
	source->line += c == '\n';
	return c;
}

/* Copies the letters from there on, at most WORD_MAX of them, and returns how many there are. */
static guint read_word(struct source *source, gsize ahead, char *word)
{
	guint n = 0;

	for (int c = peek(source, ahead); n < WORD_MAX && c >= 0 && g_ascii_isalpha(c); c = peek(source, ahead + n))
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
static gboolean is_foreign(struct source *source)
{
	static const char *const literals[] = {"true", "false", "null", NULL};
	char word[WORD_MAX + 1];
	gsize ahead = 0;
	int c;

	while (is_blank(peek(source, ahead)))
		ahead++;
	c = peek(source, ahead);
	if (c < 0 || c == '\n' || strchr("{}[]\",:-", c) || g_ascii_isdigit(c))
		return FALSE;
	ahead += read_word(source, ahead, word);
	return (!is_one_of(word, literals) && !is_no_number(word)) || peek(source, ahead) == ':';
}

/* Passes over the rest of the line, which a carriage return ends too (progress); its beginning, or that of the first of
 * several lines, is kept for a warning. FALSE where a NUL stands in it, which stays. */
static gboolean skip_line(struct source *source, GString *start)
{
	gboolean keep = start->len == 0;

	while (peek(source, 0) > 0) {
		int c = next(source);

		if (c == '\n' || c == '\r')
			return TRUE;
		if (keep && start->len < START_MAX)
			g_string_append_c(start, (char)c);
	}
	return peek(source, 0) < 0;
}

static void skip_foreign(struct source *source)
{
	while (is_foreign(source)) {
		guint64 line = source->line;
		g_autoptr(GString) start = g_string_new(NULL);
		g_autofree char *shown = NULL;

		if (!skip_line(source, start))
			return;
		shown = import_quote(start->str, start->len);
		dataset_warn(source->dataset, "%s:%" G_GUINT64_FORMAT ": a line among those of JSON is left out: '%s'",
			     source->path, line, shown);
	}
}

/* Takes a NaN or an infinity, which some programs write though JSON has none. */
static gboolean take_no_number(struct source *source)
{
	char word[WORD_MAX + 1];
	int c = peek(source, 0);
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

static gboolean is_too_large(const struct source *source)
{
	return source->bytes > DOCUMENT_MAX || source->values > VALUES_MAX;
}

/* For jansson: the next bytes of the document, at most to the end of a line, so that fed_line is that of an error. */
static size_t feed(void *to, size_t length, void *data)
{
	struct source *source = data;
	struct place *place = &source->place;
	static const char null[] = {'n', 'u', 'l', 'l'};
	char *buffer = to, solid[1024];
	gsize n = 0, n_solid = 0, most = MIN(length, sizeof(solid)) - sizeof(null);
	int c = 0;

	source->fed_line = source->line;
	while (n <= most && c != '\n' && !source->is_complete && !is_too_large(source)) {
		if (!place->in_string && take_no_number(source)) {
			memcpy(buffer + n, null, sizeof(null));
			n += sizeof(null);
			continue;
		}
		c = next(source);
		if (c < 0)
			break;
		place_follow(place, (char)c);
		source->is_complete = place->depth == 0;
		source->values += !place->in_string && (c == ',' || c == '{' || c == '[');
		source->bytes++;
		buffer[n++] = (char)c;
		if (place->in_string || (c != '\n' && !is_blank(c)))
			solid[n_solid++] = (char)c;
	}
	g_checksum_update(source->checksum, (const guchar *)solid, (gssize)n_solid);
	if (c == '\n' && !place->in_string)
		skip_foreign(source);
	return n;
}

/* Passes over text until a document begins. *found: whether one does, else the file ends. */
static gboolean find_document(struct source *source, gboolean *found, GError **error)
{
	g_autoptr(GString) start = g_string_new(NULL);
	guint64 first = 0, n = 0;
	gboolean is_text = TRUE;

	while (is_text && peek(source, 0) >= 0 && peek(source, 0) != '{') {
		int c = peek(source, 0);

		if (is_blank(c) || c == '\n') {
			next(source);
		} else if (c == 0xef && peek(source, 1) == 0xbb && peek(source, 2) == 0xbf) {
			source->at += strlen(MARK);
		} else {
			first = n++ ? first : source->line;
			is_text = skip_line(source, start);
		}
	}
	if (source->error)
		return err_runtime(error, "cannot read '%s': %s", source->path, source->error->message);
	if (!is_text)
		return err_usage(error, "%s:%" G_GUINT64_FORMAT ": binary data, not text", source->path, source->line);
	*found = peek(source, 0) == '{';
	if (n) {
		g_autofree char *shown = import_quote(start->str, start->len);

		dataset_warn(source->dataset,
			     "%s:%" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT " line%s of text that is no JSON: '%s'",
			     source->path, first, n, n == 1 ? "" : "s", shown);
	}
	return TRUE;
}

static gboolean fail_document(struct source *source, guint64 line, const json_error_t *why, GError **error)
{
	g_autofree char *shown = import_quote(why->text, strlen(why->text));

	if (source->error)
		return err_runtime(error, "cannot read '%s': %s", source->path, source->error->message);
	if (source->bytes > DOCUMENT_MAX)
		return err_usage(error, "%s:%" G_GUINT64_FORMAT ": a JSON document of more than %u MiB", source->path,
				 line, DOCUMENT_MAX >> 20);
	if (source->values > VALUES_MAX)
		return err_usage(error, "%s:%" G_GUINT64_FORMAT ": a JSON document of more than %u values",
				 source->path, line, VALUES_MAX);
	if (!source->is_complete && peek(source, 0) < 0 && json_error_code(why) != json_error_stack_overflow)
		return err_usage(error,
				 "%s:%" G_GUINT64_FORMAT
				 ": the file ends inside the JSON document that begins in line %" G_GUINT64_FORMAT,
				 source->path, source->line, line);
	return err_usage(error, "%s:%" G_GUINT64_FORMAT ": not valid JSON: %s", source->path, source->fed_line, shown);
}

/* The line in which the same document was read before; 0: it was not, and is remembered. */
static guint64 first_line(GHashTable *seen, GChecksum *checksum, guint64 line)
{
	guint8 digest[32];
	gsize length = sizeof(digest);
	gint64 key;
	gpointer first;

	g_checksum_get_digest(checksum, digest, &length);
	memcpy(&key, digest, sizeof(key));
	first = g_hash_table_lookup(seen, &key);
	if (!first)
		g_hash_table_insert(seen, g_memdup2(&key, sizeof(key)), GSIZE_TO_POINTER((gsize)line));
	return GPOINTER_TO_SIZE(first);
}

static gboolean take_document(struct source *source, GHashTable *seen, json_take take, gpointer data, GError **error)
{
	struct json_document document = {.path = source->path, .line = source->line, .dataset = source->dataset};
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	json_error_t why;
	guint64 first;
	gboolean ok = TRUE;

	source->place = (struct place){0};
	source->is_complete = FALSE;
	source->bytes = source->values = 0;
	source->checksum = checksum;
	document.root = json_load_callback(feed, source, JSON_DECODE_INT_AS_REAL, &why);
	if (!document.root)
		return fail_document(source, document.line, &why, error);
	first = first_line(seen, checksum, document.line);
	if (first)
		json_warn(&document, "the same document as in line %" G_GUINT64_FORMAT ": it counts once", first);
	else
		ok = take(&document, data, error);
	json_decref(document.root);
	return ok;
}

gboolean import_json(const char *path, GInputStream *stream, struct dataset *dataset, json_take take, gpointer data,
		     GError **error)
{
	g_autofree struct source *source = g_new0(struct source, 1);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	gboolean found = FALSE, ok;

	source->path = path;
	source->stream = stream;
	source->dataset = dataset;
	source->line = 1;
	while ((ok = find_document(source, &found, error)) && found) {
		ok = take_document(source, seen, take, data, error);
		if (!ok)
			break;
	}
	g_clear_error(&source->error);
	if (ok && dataset->n_runs == 0)
		return err_usage(error, "%s: no results in it", path);
	return ok;
}

gboolean json_head_has(const char *head, const char *key)
{
	struct place place = {0};
	gsize length = strlen(key);
	gboolean is_text = FALSE;

	for (const char *at = head; *at; at++) {
		if (place.depth == 0 && *at != '{') {
			is_text = *at != '\n' && *at != '\r' && (is_text || (!is_blank(*at) && !strchr(MARK, *at)));
			continue;
		}
		if (is_text)
			continue;
		if (place.depth == 1 && !place.in_string && *at == '"' && g_str_has_prefix(at + 1, key) &&
		    at[1 + length] == '"' && at[2 + length + strspn(at + 2 + length, " \t\r\n")] == ':')
			return TRUE;
		place_follow(&place, *at);
	}
	return FALSE;
}

void json_warn(const struct json_document *document, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	dataset_warn(document->dataset, "%s:%" G_GUINT64_FORMAT ": %s", document->path, document->line, text);
}

double json_get_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *json_get_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}
