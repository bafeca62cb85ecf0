#include "import_line.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "text_reader.h"
#include "unit.h"

#define KIB 1024.0
#define MIB (KIB * KIB)
#define GIB (KIB * MIB)
#define TIB (KIB * GIB)

const struct import_unit import_times[] = {
    {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"hour", 3600e9}, {NULL, 0},
};

const struct import_unit import_sizes[] = {
    {"b", 1},     {"B", 1},     {"bytes", 1}, {"Kb", KIB}, {"KB", KIB},  {"kB", KIB},
    {"KiB", KIB}, {"mb", MIB},  {"Mb", MIB},  {"MB", MIB}, {"MiB", MIB}, {"Gb", GIB},
    {"GB", GIB},  {"GiB", GIB}, {"Tb", TIB},  {"TB", TIB}, {"TiB", TIB}, {NULL, 0},
};

static const char *skip_blanks(const char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return text;
}

const char *import_number(const char *text, double *value)
{
	const char *begin = skip_blanks(text), *end = number_read(begin, value);
	g_autofree char *token = NULL;

	if (end)
		return end;
	token = g_strndup(begin, strspn(begin, "0123456789+-.eE"));
	return number_parse(token, value) ? begin + strlen(token) : NULL;
}

const char *import_quantity(const char *text, const struct import_unit *units, double *value)
{
	const char *name = import_number(text, value);
	gsize length = 0;

	if (!name)
		return NULL;
	name = skip_blanks(name);
	while (g_ascii_isalpha(name[length]))
		length++;
	for (; units->name; units++) {
		if (strlen(units->name) != length || strncmp(units->name, name, length) != 0)
			continue;
		*value *= units->size;
		return isfinite(*value) ? name + length : NULL;
	}
	return NULL;
}

gboolean import_missing(const char *text)
{
	static const char *const words[] = {"nan", "inf", "infinity", "n/a"};

	text += *text == '-' || *text == '+';
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (!g_ascii_strcasecmp(text, words[i]))
			return TRUE;
	return FALSE;
}

const char *import_behind(const char *text, const char *prefix)
{
	const char *begin = skip_blanks(text);

	return g_str_has_prefix(begin, prefix) ? skip_blanks(begin + strlen(prefix)) : NULL;
}

static char *unquote(char *line)
{
	while (*line == '>') {
		line++;
		line += *line == ' ';
	}
	return line;
}

gboolean import_any_line(const char *head, gboolean (*is_known)(char *line))
{
	while (*head) {
		const char *end = strchrnul(head, '\n');
		g_autofree char *line = g_strndup(head, (gsize)(end - head));

		if (g_str_has_suffix(line, "\r"))
			line[strlen(line) - 1] = '\0';
		if (is_known(unquote(line)))
			return TRUE;
		head = *end ? end + 1 : end;
	}
	return FALSE;
}

gboolean import_lines(struct text_reader *reader, gboolean (*add)(gpointer data, char *line, GError **error),
		      gpointer data, GError **error)
{
	char *line;

	do
		if (!text_reader_next(reader, &line, error) || (line && !add(data, unquote(line), error)))
			return FALSE;
	while (line);
	return TRUE;
}

gboolean import_fail(const struct text_reader *reader, GError **error, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list args;

	va_start(args, format);
	message = g_strdup_vprintf(format, args);
	va_end(args);
	return err_usage(error, "%s:%" G_GUINT64_FORMAT ": %s", reader->path, reader->line, message);
}

void import_warn(const struct text_reader *reader, struct dataset *dataset, const char *format, ...)
{
	g_autofree char *message = NULL;
	va_list args;

	va_start(args, format);
	message = g_strdup_vprintf(format, args);
	va_end(args);
	dataset_warn(dataset, "%s:%" G_GUINT64_FORMAT ": %s", reader->path, reader->line, message);
}
