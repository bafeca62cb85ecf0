#include "kernel_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define SIZE_MAX_READ (64u << 10)

void kernel_file_close(int fd)
{
	int saved = errno;

	if (fd >= 0)
		close(fd);
	errno = saved;
}

static gboolean is_plain(const char *component)
{
	return *component && !g_str_equal(component, ".") && !g_str_equal(component, "..");
}

int kernel_file_open(const char *root, const char *path, int flags)
{
	g_auto(GStrv) components = g_strsplit(path, "/", -1);
	int fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

	for (char **component = components; fd >= 0 && *component; component++) {
		int how = component[1] ? O_PATH | O_DIRECTORY : flags, next = -1;

		if (is_plain(*component))
			next = openat(fd, *component, how | O_NOFOLLOW | O_CLOEXEC);
		else
			errno = EINVAL;
		kernel_file_close(fd);
		fd = next;
	}
	return fd;
}

char *kernel_file_read(int fd)
{
	g_autoptr(GString) text = g_string_new(NULL);
	char buffer[4096];
	ssize_t n;

	while ((n = TEMP_FAILURE_RETRY(read(fd, buffer, sizeof buffer))) > 0 && text->len <= SIZE_MAX_READ)
		g_string_append_len(text, buffer, n);
	if (n < 0)
		return NULL;
	if (text->len > SIZE_MAX_READ || strlen(text->str) != text->len) {
		errno = text->len > SIZE_MAX_READ ? EFBIG : EBADMSG;
		return NULL;
	}
	if (g_str_has_suffix(text->str, "\n"))
		g_string_truncate(text, text->len - 1);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

gboolean kernel_file_write(int fd, const char *value)
{
	g_autofree char *line = g_strconcat(value, "\n", NULL);

	return TEMP_FAILURE_RETRY(write(fd, line, strlen(line))) >= 0;
}

/* The words of a text; ends with NULL. */
static char **split(const char *text)
{
	g_auto(GStrv) parts = g_strsplit_set(text, " \t\n\v\f\r", -1);
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();

	for (char **part = parts; *part; part++)
		if (**part)
			g_strv_builder_add(words, *part);
	return g_strv_builder_end(words);
}

char *kernel_value_canonical(const char *text)
{
	g_auto(GStrv) words = split(text);

	return g_strjoinv(" ", words);
}

char *kernel_value_chosen(const char *text)
{
	g_auto(GStrv) words = split(text);

	for (char **word = words; *word; word++) {
		gsize length = strlen(*word);

		if (length > 2 && **word == '[' && (*word)[length - 1] == ']')
			return g_strndup(*word + 1, length - 2);
	}
	return NULL;
}

struct number {
	gboolean is_negative;
	guint64 magnitude;
};

static gboolean read_number(const char *word, guint base, struct number *number)
{
	char *end;

	number->is_negative = *word == '-';
	word += number->is_negative;
	if (!g_ascii_isdigit(*word))
		return FALSE;
	errno = 0;
	number->magnitude = g_ascii_strtoull(word, &end, base);
	return errno == 0 && *end == '\0';
}

static gboolean is_same_number(const char *a, const char *b)
{
	static const guint bases[] = {0, 10};
	struct number x, y;

	for (guint i = 0; i < G_N_ELEMENTS(bases); i++)
		for (guint j = 0; j < G_N_ELEMENTS(bases); j++)
			if (read_number(a, bases[i], &x) && read_number(b, bases[j], &y) &&
			    x.magnitude == y.magnitude && (x.is_negative == y.is_negative || x.magnitude == 0))
				return TRUE;
	return FALSE;
}

gboolean kernel_value_same(const char *a, const char *b)
{
	g_auto(GStrv) as = split(a), bs = split(b);
	guint i = 0;

	while (as[i] && bs[i] && (g_str_equal(as[i], bs[i]) || is_same_number(as[i], bs[i])))
		i++;
	return !as[i] && !bs[i];
}
