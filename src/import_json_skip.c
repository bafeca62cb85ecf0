#include "import_json_source.h"

#include <jansson.h>
#include <string.h>

/* What jansson would say of a value, without one being made of it: the same depth, the same tokens. What is more than a
 * plain number or a plain string is given to it, token by token. */

#define DEPTH_MAX 2048 /* JSON_PARSER_MAX_DEPTH of jansson */
#define PLAIN_MAX 256  /* bytes of a token; no number of so many is too large */

enum expected { VALUE, VALUE_OR_END, KEY, KEY_OR_END, COLON, COMMA_OR_END };

struct skip {
	struct json_source *source;
	guint outside; /* brackets that the value is in */
	guint depth;
	char open[DEPTH_MAX];
	char **why;
};

static gboolean fail(const struct skip *skip, const char *why)
{
	if (json_peek(skip->source, 0) >= 0)
		*skip->why = g_strdup(why);
	return FALSE;
}

/* Passes over blanks; -1 at the end. */
static int next_token(struct json_source *source)
{
	int c;

	for (;;) {
		c = json_peek(source, 0);
		if (c == '\n') {
			json_next(source);
			json_skip_foreign(source);
		} else if (json_is_blank(c)) {
			source->at++;
		} else {
			return c;
		}
	}
}

static void take_bytes(struct json_source *source, gsize length)
{
	for (; length > 0; length--)
		json_hash(source, source->buffer[source->at++]);
}

/* The length of a string of printable ASCII without escapes; 0: it is none. */
static gsize plain_string(const char *text, gsize max)
{
	gsize n = 1;

	while (n < max && text[n] >= ' ' && text[n] <= '~' && text[n] != '"' && text[n] != '\\')
		n++;
	return n < max && text[n] == '"' ? n + 1 : 0;
}

static gsize count_digits(const char *text, gsize max)
{
	gsize n = 0;

	while (n < max && g_ascii_isdigit(text[n]))
		n++;
	return n;
}

static gboolean is_of_token(char c)
{
	return g_ascii_isalnum(c) || c == '+' || c == '-' || c == '.';
}

/* The length of a number without exponent; 0: it is none, or what follows it is more of the token. */
static gsize plain_number(const char *text, gsize max)
{
	gsize n = *text == '-', digits = count_digits(text + n, max - n);

	if (!digits || (digits > 1 && text[n] == '0'))
		return 0;
	n += digits;
	if (n < max && text[n] == '.') {
		digits = count_digits(text + n + 1, max - n - 1);
		if (!digits)
			return 0;
		n += 1 + digits;
	}
	return n < max && !is_of_token(text[n]) ? n : 0;
}

/* Copies a token of any kind up to its end, or to where it cannot be one. */
static GString *read_token(struct json_source *source)
{
	GString *token = g_string_new(NULL);
	gboolean is_string = json_peek(source, 0) == '"', escaped = FALSE;

	while (token->len <= JSON_DOCUMENT_MAX) {
		int c = json_peek(source, 0);

		if (c < 0 || (is_string ? c < ' ' : !is_of_token((char)c)))
			return token;
		json_next(source);
		json_hash(source, (char)c);
		g_string_append_c(token, (char)c);
		if (is_string && c == '"' && !escaped && token->len > 1)
			return token;
		escaped = !escaped && c == '\\';
	}
	return token;
}

static gboolean skip_token(const struct skip *skip)
{
	struct json_source *source = skip->source;
	gsize max, plain = 0;
	const char *text;

	json_source_has(source, PLAIN_MAX);
	max = MIN(source->end - source->at, PLAIN_MAX);
	text = source->buffer + source->at;
	if (max)
		plain = *text == '"' ? plain_string(text, max) : plain_number(text, max);
	if (plain) {
		take_bytes(source, plain);
		return TRUE;
	}
	g_autoptr(GString) token = read_token(source);
	json_error_t why;

	if (token->len > JSON_DOCUMENT_MAX)
		return fail(skip, "a string of more than 64 MiB");

	json_t *value = json_loadb(token->str, token->len, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &why);

	json_decref(value);
	return value || fail(skip, token->len ? why.text : "a value is missing");
}

static gboolean open_or_skip(struct skip *skip, int c, enum expected *expected)
{
	if (skip->outside + skip->depth >= DEPTH_MAX)
		return fail(skip, "maximum parsing depth reached");
	if (c != '{' && c != '[') {
		*expected = COMMA_OR_END;
		return json_take_no_number(skip->source) || skip_token(skip);
	}
	take_bytes(skip->source, 1);
	skip->open[skip->depth++] = (char)c;
	*expected = c == '{' ? KEY_OR_END : VALUE_OR_END;
	return TRUE;
}

static gboolean close_or_go_on(struct skip *skip, int c, enum expected *expected)
{
	gboolean is_object = skip->open[skip->depth - 1] == '{';

	if (c == (is_object ? '}' : ']'))
		skip->depth--;
	else if (c == ',')
		*expected = is_object ? KEY : VALUE;
	else
		return fail(skip, is_object ? "'}' expected" : "']' expected");
	take_bytes(skip->source, 1);
	return TRUE;
}

gboolean json_skip_value(struct json_source *source, guint depth, char **why)
{
	struct skip skip = {.source = source, .outside = depth, .why = why};
	enum expected expected = VALUE;
	gboolean ok;

	do {
		int c = next_token(source);

		if ((expected == VALUE_OR_END && c == ']') || (expected == KEY_OR_END && c == '}'))
			expected = COMMA_OR_END;
		switch (expected) {
		case VALUE:
		case VALUE_OR_END:
			ok = open_or_skip(&skip, c, &expected);
			break;
		case KEY:
		case KEY_OR_END:
			ok = c == '"' ? skip_token(&skip) : fail(&skip, "string or '}' expected");
			expected = COLON;
			break;
		case COLON:
			ok = c == ':' || fail(&skip, "':' expected");
			if (ok)
				take_bytes(source, 1);
			expected = VALUE;
			break;
		default:
			ok = close_or_go_on(&skip, c, &expected);
		}
	} while (ok && skip.depth > 0);
	return ok;
}
