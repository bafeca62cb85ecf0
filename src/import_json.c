#include "import_json.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"
#include "import_json_source.h"

#define VALUES_MAX (4u << 20) /* some hundred bytes of memory each */
#define KEY_MAX 32            /* no key that is_unused() knows is longer */
#define MARK "\xef\xbb\xbf"

/* Where in JSON a byte is. */
struct place {
	guint depth;
	gboolean in_string, escaped;
};

/* What jansson gets of a document. */
struct feed {
	struct json_source *source;
	json_unused is_unused; /* NULL: it gets all */
	struct place place;
	gboolean is_complete;
	guint64 line; /* that of what was handed on last */
	gsize bytes;
	guint values;
	char *why; /* what is wrong in a part that is not handed on; NULL: nothing */
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

static gboolean is_over(const struct feed *feed)
{
	return feed->is_complete || feed->bytes > JSON_DOCUMENT_MAX || feed->values > VALUES_MAX;
}

/* Whether a member begins here whose value is not wanted. *length: up to that value. */
static gboolean is_unused_member(struct feed *feed, gsize *length)
{
	char key[KEY_MAX + 1];
	gsize n = 0;
	int c;

	while ((c = json_peek(feed->source, n + 1)) != '"') {
		if (n == KEY_MAX || c < ' ' || c == '\\' || c > '~')
			return FALSE;
		key[n++] = (char)c;
	}
	key[n] = '\0';
	*length = n + 2;
	while (*length < (gsize)2 * KEY_MAX && json_is_blank(json_peek(feed->source, *length)))
		++*length;
	return json_peek(feed->source, (*length)++) == ':' && feed->is_unused(key);
}

/* Of all members that are not wanted one is handed on: of the same name, each takes the place of the one before it. */
static const char unused_member[] = "\"\":null", no_value[] = "null";

static gsize feed_unused(struct feed *feed, char *to, gsize length)
{
	for (; length > 0; length--)
		json_hash(feed->source, (char)json_next(feed->source));
	if (!json_skip_value(feed->source, feed->place.depth, &feed->why))
		return 0;
	/* what is handed on is no string: it goes on with the next bytes */
	memcpy(to, unused_member, sizeof unused_member - 1);
	return sizeof unused_member - 1;
}

static void feed_byte(struct feed *feed, char c)
{
	struct place *place = &feed->place;

	place_follow(place, c);
	feed->is_complete = place->depth == 0;
	feed->values += !place->in_string && (c == ',' || c == '{' || c == '[');
	feed->bytes++;
	if (place->in_string || (c != '\n' && !json_is_blank(c)))
		json_hash(feed->source, c);
}

/* For jansson: the next bytes of the document, at most to the end of a line, so that feed->line is that of an error. */
static size_t feed_next(void *to, size_t length, void *data)
{
	struct feed *feed = data;
	struct json_source *source = feed->source;
	char *buffer = to;
	gsize n = 0, most = length - strlen(unused_member), member;
	int c = 0;

	feed->line = source->line;
	while (n <= most && c != '\n' && !is_over(feed)) {
		c = json_peek(source, 0);
		if (!feed->place.in_string && json_take_no_number(source)) {
			memcpy(buffer + n, no_value, sizeof no_value - 1);
			n += sizeof no_value - 1;
			continue;
		}
		if (c == '"' && !feed->place.in_string && feed->is_unused && is_unused_member(feed, &member)) {
			gsize got = feed_unused(feed, buffer + n, member);

			return got ? n + got : 0;
		}
		if (json_next(source) < 0)
			break;
		feed_byte(feed, (char)c);
		buffer[n++] = (char)c;
	}
	if (c == '\n' && !feed->place.in_string)
		json_skip_foreign(source);
	return n;
}

/* Passes over text until a document begins. *found: whether one does, else the file ends. */
static gboolean find_document(struct json_source *source, gboolean *found, GError **error)
{
	g_autoptr(GString) start = g_string_new(NULL);
	guint64 first = 0, n = 0;
	gboolean is_text = TRUE;

	while (is_text && json_peek(source, 0) >= 0 && json_peek(source, 0) != '{') {
		int c = json_peek(source, 0);

		if (json_is_blank(c) || c == '\n') {
			json_next(source);
		} else if (c == 0xef && json_peek(source, 1) == 0xbb && json_peek(source, 2) == 0xbf) {
			source->at += strlen(MARK);
		} else {
			first = n++ ? first : source->line;
			is_text = json_skip_line(source, start);
		}
	}
	if (source->error)
		return err_runtime(error, "cannot read '%s': %s", source->path, source->error->message);
	if (!is_text)
		return err_usage(error, "%s:%" G_GUINT64_FORMAT ": binary data, not text", source->path, source->line);
	*found = json_peek(source, 0) == '{';
	if (n) {
		g_autofree char *shown = import_quote(start->str, start->len);

		dataset_warn(source->dataset,
			     "%s:%" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT " line%s of text that is no JSON: '%s'",
			     source->path, first, n, n == 1 ? "" : "s", shown);
	}
	return TRUE;
}

/* line: where the document begins. */
static gboolean fail_document(const struct feed *feed, guint64 line, const json_error_t *why, GError **error)
{
	struct json_source *source = feed->source;
	const char *text = feed->why ? feed->why : why->text;
	g_autofree char *shown = import_quote(text, strlen(text));

	if (source->error)
		return err_runtime(error, "cannot read '%s': %s", source->path, source->error->message);
	if (feed->bytes > JSON_DOCUMENT_MAX)
		return err_usage(error, "%s:%" G_GUINT64_FORMAT ": a JSON document of more than %u MiB", source->path,
				 line, JSON_DOCUMENT_MAX >> 20);
	if (feed->values > VALUES_MAX)
		return err_usage(error, "%s:%" G_GUINT64_FORMAT ": a JSON document of more than %u values",
				 source->path, line, VALUES_MAX);
	if (!feed->why && !feed->is_complete && json_peek(source, 0) < 0 &&
	    json_error_code(why) != json_error_stack_overflow)
		return err_usage(error,
				 "%s:%" G_GUINT64_FORMAT
				 ": the file ends inside the JSON document that begins in line %" G_GUINT64_FORMAT,
				 source->path, source->line, line);
	return err_usage(error, "%s:%" G_GUINT64_FORMAT ": not valid JSON: %s", source->path,
			 feed->why ? source->line : feed->line, shown);
}

/* The line in which the same document was read before; 0: it was not, and is remembered. */
static guint64 first_line(GHashTable *seen, gint64 hash, guint64 line)
{
	gpointer first = g_hash_table_lookup(seen, &hash);

	if (!first)
		g_hash_table_insert(seen, g_memdup2(&hash, sizeof(hash)), GSIZE_TO_POINTER((gsize)line));
	return GPOINTER_TO_SIZE(first);
}

static gboolean take_document(struct feed *feed, GHashTable *seen, json_take take, gpointer data, GError **error)
{
	struct json_source *source = feed->source;
	struct json_document document = {.path = source->path, .line = source->line, .dataset = source->dataset};
	json_error_t why;
	guint64 first;
	gboolean ok = TRUE;

	source->hash = JSON_HASH_START;
	document.root = json_load_callback(feed_next, feed, JSON_DECODE_INT_AS_REAL, &why);
	if (!document.root) {
		fail_document(feed, document.line, &why, error);
		g_free(feed->why);
		return FALSE;
	}
	first = first_line(seen, (gint64)source->hash, document.line);
	if (first)
		json_warn(&document, "the same document as in line %" G_GUINT64_FORMAT ": it counts once", first);
	else
		ok = take(&document, data, error);
	json_decref(document.root);
	return ok;
}

gboolean import_json(const char *path, GInputStream *stream, struct dataset *dataset, json_unused is_unused,
		     json_take take, gpointer data, GError **error)
{
	g_autofree struct json_source *source = g_new0(struct json_source, 1);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	gboolean found = FALSE, ok;

	source->path = path;
	source->stream = stream;
	source->dataset = dataset;
	source->line = 1;
	while ((ok = find_document(source, &found, error)) && found) {
		struct feed feed = {.source = source, .is_unused = is_unused};

		ok = take_document(&feed, seen, take, data, error);
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
			is_text =
			    *at != '\n' && *at != '\r' && (is_text || (!json_is_blank(*at) && !strchr(MARK, *at)));
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
