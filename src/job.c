#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "sitting_options.h"

#define JOB_BYTES_MAX (1u << 20)
#define WORKLOAD "workload "

struct job {
	const char *path;
	GKeyFile *file;
	GHashTable *lines; /* "group" and "group\nkey" -> line number */
};

static char *line_key(const char *group, const char *key)
{
	return key ? g_strconcat(group, "\n", key, NULL) : g_strdup(group);
}

static gboolean fail_at(const struct job *job, guint line, GError **error, const char *format, ...) G_GNUC_PRINTF(4, 5);

static gboolean fail_at(const struct job *job, guint line, GError **error, const char *format, ...)
{
	g_autofree char *reason = NULL;
	va_list args;

	va_start(args, format);
	reason = g_strdup_vprintf(format, args);
	va_end(args);
	return err_usage(error, "%s:%u: %s", job->path, line, reason);
}

static guint line_of(const struct job *job, const char *group, const char *key)
{
	g_autofree char *name = line_key(group, key);

	return GPOINTER_TO_UINT(g_hash_table_lookup(job->lines, name));
}

/* Takes the name. */
static gboolean note_line(const struct job *job, char *name, guint line, GError **error)
{
	guint before = GPOINTER_TO_UINT(g_hash_table_lookup(job->lines, name));
	const char *key = strchr(name, '\n');

	if (before) {
		fail_at(job, line, error, "%s%s%s is in line %u already%s", key ? "'" : "[", key ? key + 1 : name, key ? "'" : "]",
			before, !key && g_str_has_prefix(name, WORKLOAD) ? ": tell them apart by a word behind the name" : "");
		g_free(name);
		return FALSE;
	}
	g_hash_table_insert(job->lines, name, GUINT_TO_POINTER(line));
	return TRUE;
}

/* Where each group and key stands: the key file itself keeps no lines, and merges what comes twice. */
static gboolean note_lines(const struct job *job, const char *text, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autofree char *group = NULL;

	for (guint i = 0; lines[i]; i++) {
		char *line = g_strstrip(lines[i]), *equals = strchr(line, '=');

		if (!*line || *line == '#')
			continue;
		if (*line == '[' && g_str_has_suffix(line, "]")) {
			g_free(group);
			group = g_strndup(line + 1, strlen(line) - 2);
			if (!note_line(job, g_strdup(group), i + 1, error))
				return FALSE;
		} else if (!equals || equals == line || *line == '[') {
			return fail_at(job, i + 1, error, "'%s' is no [section], no key = value and no # comment", line);
		} else if (!group) {
			return fail_at(job, i + 1, error, "'%s' stands before the first [section]", line);
		} else {
			*equals = '\0';
			if (!note_line(job, line_key(group, g_strchomp(line)), i + 1, error))
				return FALSE;
		}
	}
	return TRUE;
}

/* At most a byte more than a job file may have: a device has no end. text: JOB_BYTES_MAX + 2 bytes. */
static gboolean read_bounded(const char *path, char *text, gsize *length, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = 1;

	if (fd < 0)
		return err_errno(error, errno, "cannot read the job file '%s'", path);
	*length = 0;
	while (got != 0 && *length <= JOB_BYTES_MAX) {
		got = read(fd, text + *length, JOB_BYTES_MAX + 1 - *length);
		if (got < 0 && errno != EINTR)
			break;
		*length += got > 0 ? (gsize)got : 0;
	}
	if (got < 0)
		err_errno(error, errno, "cannot read the job file '%s'", path);
	close(fd);
	text[*length] = '\0';
	return got >= 0;
}

static gboolean load(struct job *job, GError **error)
{
	g_autofree char *text = g_malloc(JOB_BYTES_MAX + 2);
	g_autoptr(GError) cause = NULL;
	gsize length = 0;

	if (!read_bounded(job->path, text, &length, error))
		return FALSE;
	if (length > JOB_BYTES_MAX || strlen(text) != length || !g_utf8_validate(text, (gssize)length, NULL))
		return err_usage(error, "'%s' is no job file: %s", job->path,
				 length > JOB_BYTES_MAX ? "it is larger than 1 MiB" : "it is not UTF-8 text");
	if (!note_lines(job, text, error))
		return FALSE;
	return g_key_file_load_from_data(job->file, text, length, G_KEY_FILE_NONE, &cause) ||
	       err_usage(error, "'%s' is no job file: %s", job->path, cause->message);
}

static void append(char ***list, char *item)
{
	guint n = *list ? g_strv_length(*list) : 0;

	*list = g_renew(char *, *list, n + 2);
	(*list)[n] = item;
	(*list)[n + 1] = NULL;
}

static char *value_of(const struct job *job, const char *group, const char *key)
{
	char *value = g_key_file_get_value(job->file, group, key, NULL);

	return value ? g_strstrip(value) : NULL;
}

static gboolean read_run(const struct job *job, const char *key, struct sitting_options *found, GError **error)
{
	char **text = NULL, ***list = NULL;

	if (!sitting_options_find(found, key, &text, &list)) {
		g_autofree char *names = sitting_options_names();

		return fail_at(job, line_of(job, "run", key), error, "no key '%s' in [run]: there are %s", key, names);
	}
	if (list == &found->kernels || list == &found->guest_files)
		*list = g_key_file_get_string_list(job->file, "run", key, NULL, NULL);
	else if (list)
		append(list, value_of(job, "run", key));
	else
		*text = value_of(job, "run", key);
	return TRUE;
}

/* The spec that the command line would have. */
static char *spec_of(const struct job *job, const char *group)
{
	g_auto(GStrv) words = g_strsplit(group + strlen(WORKLOAD), " ", 2);
	g_auto(GStrv) keys = g_key_file_get_keys(job->file, group, NULL, NULL);
	GString *spec = g_string_new(words[0]);

	for (char **key = keys; *key; key++) {
		g_autofree char *value = value_of(job, group, *key);

		if (g_str_equal(words[0], "cmd"))
			g_string_append_printf(spec, ":%s", value);
		else
			g_string_append_printf(spec, ":%s=%s", *key, value);
	}
	return g_string_free(spec, FALSE);
}

static gboolean read_workload(const struct job *job, const char *group, struct sitting_options *found, GError **error)
{
	g_auto(GStrv) keys = g_key_file_get_keys(job->file, group, NULL, NULL);

	if (g_str_has_prefix(group, WORKLOAD "cmd") && (g_strv_length(keys) != 1 || !g_str_equal(keys[0], "command")))
		return fail_at(job, line_of(job, group, keys[0] && g_str_equal(keys[0], "command") ? keys[1] : keys[0]), error,
			       "[%s] has one key, command", group);
	append(&found->workloads, spec_of(job, group));
	return TRUE;
}

static gboolean read_group(const struct job *job, const char *group, struct sitting_options *found, GError **error)
{
	g_auto(GStrv) keys = g_key_file_get_keys(job->file, group, NULL, NULL);
	char ***list = sitting_options_section(found, group);

	if (g_str_has_prefix(group, WORKLOAD) && group[strlen(WORKLOAD)])
		return read_workload(job, group, found, error);
	if (!list && !g_str_equal(group, "run"))
		return fail_at(job, line_of(job, group, NULL), error,
			       "no section [%s]: there are [run], [workload NAME], [factors], [set], [metrics]", group);
	for (char **key = keys; *key; key++) {
		g_autofree char *value = value_of(job, group, *key);

		if (list)
			append(list, g_strdup_printf("%s=%s", *key, value));
		else if (!read_run(job, *key, found, error))
			return FALSE;
	}
	return TRUE;
}

gboolean job_read(const char *path, struct sitting_options *options, GError **error)
{
	struct job job = {.path = path, .file = g_key_file_new()};
	struct sitting_options found = {0};
	g_auto(GStrv) groups = NULL;
	gboolean ok;

	job.lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	ok = load(&job, error);
	groups = ok ? g_key_file_get_groups(job.file, NULL) : NULL;
	if (ok && !*groups)
		ok = err_usage(error, "'%s' is no job file: there is nothing in it", path);
	for (char **group = groups; ok && *group; group++)
		ok = read_group(&job, *group, &found, error);
	if (ok)
		sitting_options_fill(options, &found);
	sitting_options_clear(&found);
	g_key_file_free(job.file);
	g_hash_table_unref(job.lines);
	return ok;
}
