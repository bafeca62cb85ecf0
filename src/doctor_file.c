#include "doctor_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor.h"
#include "unit.h"

#define TEXT_MAX (1u << 20)

/* What the descriptor gives, NUL-terminated; NULL after an error. Closes it. */
static GString *read_all(int fd)
{
	g_autoptr(GString) bytes = g_string_new(NULL);
	char buffer[16384];
	ssize_t n = 0;

	while (fd >= 0 && bytes->len < TEXT_MAX && (n = read(fd, buffer, sizeof buffer)) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			g_string_append_len(bytes, buffer, n);
	}
	if (fd < 0)
		return NULL;
	close(fd);
	return n < 0 ? NULL : g_steal_pointer(&bytes);
}

static int open_below(const struct doctor *doctor, const char *path, int flags)
{
	/* a device or a pipe that stands where a file is looked for must not hold us up */
	return openat(doctor->rootfd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);
}

static char *read_text(const struct doctor *doctor, const char *path)
{
	GString *bytes = read_all(open_below(doctor, path, 0));

	return bytes ? g_strchomp(g_string_free(bytes, FALSE)) : NULL;
}

char *file_text(const struct doctor *doctor, const char *format, ...)
{
	g_autofree char *path = NULL;
	va_list args;

	va_start(args, format);
	path = g_strdup_vprintf(format, args);
	va_end(args);
	return read_text(doctor, path);
}

gboolean file_number(const struct doctor *doctor, gint64 *value, const char *format, ...)
{
	g_autofree char *path = NULL, *text = NULL;
	va_list args;

	va_start(args, format);
	path = g_strdup_vprintf(format, args);
	va_end(args);
	text = read_text(doctor, path);
	return text && g_ascii_string_to_signed(text, 10, G_MININT64, G_MAXINT64, value, NULL);
}

gboolean file_exists(const struct doctor *doctor, const char *format, ...)
{
	g_autofree char *path = NULL;
	struct stat st;
	va_list args;

	va_start(args, format);
	path = g_strdup_vprintf(format, args);
	va_end(args);
	return fstatat(doctor->rootfd, path, &st, 0) == 0;
}

char *file_gunzip(const struct doctor *doctor, const char *path)
{
	GString *packed = read_all(open_below(doctor, path, 0));
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(GConverter) gunzip = NULL;
	g_autoptr(GInputStream) source = NULL, stream = NULL;
	g_autofree char *text = NULL;
	gsize length = 0;
	gboolean ok;

	if (!packed)
		return NULL;
	gunzip = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
	bytes = g_string_free_to_bytes(packed);
	source = g_memory_input_stream_new_from_bytes(bytes);
	stream = g_converter_input_stream_new(source, gunzip);
	text = g_malloc(TEXT_MAX);
	ok = g_input_stream_read_all(stream, text, TEXT_MAX - 1, &length, NULL, NULL);
	text[length] = '\0';
	return ok ? g_steal_pointer(&text) : NULL;
}

char *file_link(const struct doctor *doctor, const char *path)
{
	char target[4096];
	ssize_t n = readlinkat(doctor->rootfd, path, target, sizeof target);

	return n < 0 ? NULL : g_strndup(target, (gsize)n);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **file_names(const struct doctor *doctor, const char *path, const char *prefix)
{
	int fd = open_below(doctor, path, O_DIRECTORY);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	GPtrArray *names = g_ptr_array_new();
	struct dirent *entry;

	while (stream && (entry = readdir(stream)))
		if (entry->d_name[0] != '.' && g_str_has_prefix(entry->d_name, prefix))
			g_ptr_array_add(names, g_strdup(entry->d_name));
	if (stream)
		closedir(stream);
	else if (fd >= 0)
		close(fd);
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

/* The line behind that one; NULL behind the last. */
static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : NULL;
}

gboolean text_number(const char *text, const char *key, guint64 *value)
{
	gsize length = strlen(key);

	for (const char *line = text; line; line = next_line(line)) {
		const char *number = line + length;

		if (!g_str_has_prefix(line, key) || !strchr(": \t", *number))
			continue;
		number += strspn(number, ": \t");
		if (!g_ascii_isdigit(*number))
			return FALSE;
		*value = g_ascii_strtoull(number, NULL, 10);
		return TRUE;
	}
	return FALSE;
}

char *text_choice(const char *text)
{
	const char *open = strchr(text, '[');
	const char *close = open ? strchr(open, ']') : NULL;

	return close ? g_strndup(open + 1, (gsize)(close - open - 1)) : g_strdup(text);
}

gboolean text_has_line(const char *text, const char *line)
{
	gsize length = strlen(line);

	for (const char *at = text; at; at = next_line(at))
		if (g_str_has_prefix(at, line) && (at[length] == '\n' || at[length] == '\0'))
			return TRUE;
	return FALSE;
}

guint text_list_count(const char *list)
{
	g_auto(GStrv) ranges = g_strsplit(list, ",", -1);
	guint64 count = 0;

	for (char **range = ranges; *range; range++) {
		char *end;
		guint64 first = g_ascii_strtoull(*range, &end, 10), last = first;

		if (end == *range)
			continue;
		if (*end == '-')
			last = g_ascii_strtoull(end + 1, NULL, 10);
		count += last >= first ? last - first + 1 : 0;
	}
	return (guint)count;
}

char *text_size(guint64 bytes)
{
	char *text = size_format(bytes), *exact = strstr(text, " (");

	if (exact)
		*exact = '\0';
	return text;
}

void text_list_add(GString *list, const char *item)
{
	g_string_append_printf(list, "%s%s", list->len ? ", " : "", item);
}
