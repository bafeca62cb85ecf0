#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"
#include "err.h"
#include "kernel_file.h"
#include "place.h"
#include "setting_file.h"
#include "setting_kinds.h"

#define PREFIX "queue:"

/* What the kernel sets anew when a setting changes. A cause notes the values of what depends on it, and they are put
 * back after it. What is below "iosched" is of the scheduler: it comes and goes with it. */
static const struct {
	const char *cause, *dependent;
} dependences[] = {
    {"scheduler", "nr_requests"},
    {"scheduler", "iosched/"}, /* all below */
    {"nr_requests", "iosched/async_depth"},
};

static gboolean depends(guint i, const char *file)
{
	return g_str_has_suffix(dependences[i].dependent, "/") ? g_str_has_prefix(file, dependences[i].dependent)
							       : g_str_equal(file, dependences[i].dependent);
}

/* A subject is "vda/iosched/read_expire": disk and file below its queue, where this points; NULL where it is none. */
static const char *file_of(const char *subject)
{
	const char *slash = strchr(subject, '/');

	return slash && slash > subject && *subject != '.' ? slash + 1 : NULL;
}

static int open_queue(const char *subject, int flags)
{
	const char *file = file_of(subject);
	g_autofree char *root = NULL;

	if (!file) {
		errno = EINVAL;
		return -1;
	}
	/* that of a disk is a symlink to its device; from there on none is followed */
	root = g_strdup_printf("/sys/block/%.*s/queue", (int)(file - 1 - subject), subject);
	return kernel_file_open(root, file, flags);
}

static char *subject_of(const char *subject, const char *file)
{
	return g_strdup_printf("%.*s/%s", (int)strcspn(subject, "/"), subject, file);
}

static char *notes_of(const char *subject);

static const struct setting_file_kind files = {
    .undo = &undo_queue, .has_choices = TRUE, .open = open_queue, .notes = notes_of};

/* Appends "FILE=VALUE" where the file can be put back. */
static void note_file(const char *subject, const char *file, GPtrArray *lines)
{
	g_autofree char *dependent = subject_of(subject, file), *value = NULL;
	int fd = open_queue(dependent, O_PATH);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 0222) &&
	    (value = setting_file_read(&files, dependent)))
		g_ptr_array_add(lines, g_strdup_printf("%s=%s", file, value));
	kernel_file_close(fd);
}

static void note_directory(const char *subject, const char *directory, GPtrArray *lines)
{
	g_autofree char *name = g_strndup(directory, strlen(directory) - 1), *path = subject_of(subject, name);
	int fd = open_queue(path, O_RDONLY | O_DIRECTORY);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!stream) {
		kernel_file_close(fd);
		return;
	}
	while ((entry = readdir(stream))) {
		g_autofree char *file = g_strconcat(directory, entry->d_name, NULL);

		if (entry->d_name[0] != '.')
			note_file(subject, file, lines);
	}
	closedir(stream);
}

static char *notes_of(const char *subject)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < G_N_ELEMENTS(dependences); i++) {
		if (!g_str_equal(file_of(subject), dependences[i].cause))
			continue;
		if (g_str_has_suffix(dependences[i].dependent, "/"))
			note_directory(subject, dependences[i].dependent, lines);
		else
			note_file(subject, dependences[i].dependent, lines);
	}
	if (lines->len == 0)
		return NULL;
	g_ptr_array_add(lines, NULL);
	return g_strjoinv("\n", (char **)lines->pdata);
}

static gboolean check(const char *file, const char *level, GError **error)
{
	g_auto(GStrv) components = g_strsplit(file, "/", -1);

	for (char **component = components; *component; component++) {
		gsize plain = strspn(*component, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_-.");

		if (plain == 0 || (*component)[plain] != '\0' || **component == '.')
			return err_usage(error,
					 "'" PREFIX "%s' cannot be a file of a disk's queue, as " PREFIX "scheduler is",
					 file);
	}
	return setting_file_check_level(PREFIX, file, level, error);
}

static char *fact(const char *file)
{
	return g_strconcat("queue.", file, NULL);
}

/* The disk that runs take place on; NULL where there is none. */
static char *find_disk(const struct place *place)
{
	struct stat st;

	if (!place->device)
		return device_disk(device_of_directory(place->dirfd));
	return stat(place->device, &st) == 0 && S_ISBLK(st.st_mode) ? device_disk(st.st_rdev) : NULL;
}

/* Whether another setting of this process puts this back with it. */
static gboolean find_cause(const char *subject, struct store *store, gboolean *found, GError **error)
{
	*found = FALSE;
	for (guint i = 0; i < G_N_ELEMENTS(dependences) && !*found; i++) {
		g_autofree char *cause = subject_of(subject, dependences[i].cause);
		g_autoptr(Undo) undo = NULL;

		if (!depends(i, file_of(subject)))
			continue;
		if (!undo_find(store, &undo_queue, cause, &undo, error))
			return FALSE;
		*found = undo && undo->pid == getpid();
	}
	return TRUE;
}

static gboolean begin(struct setting *setting, struct setting_env *env, GError **error)
{
	g_autofree char *disk = find_disk(env->place), *subject = NULL;
	gboolean is_covered;

	if (!disk)
		return err_runtime(error, "setting '%s' is not available here: the runs take place on no disk",
				   setting->name);
	subject = g_strdup_printf("%s/%s", disk, setting->rest);
	return find_cause(subject, env->store, &is_covered, error) &&
	       setting_file_begin(setting, &files, subject, is_covered, env, error);
}

#define FUNCTIONS \
	.check = check, .fact = fact, .begin = begin, .apply = setting_file_apply, .changed = setting_file_changed, \
	.end = setting_file_end

/* Causes have rows of their own before the rest, so that they are begun and applied first. */
const struct setting_kind setting_queue_scheduler = {
    .name = PREFIX "scheduler",
    .summary = "the I/O scheduler of the disk that runs take place on",
    .levels = "none|mq-deadline|kyber|bfq, those that the kernel has",
    FUNCTIONS,
};
const struct setting_kind setting_queue_nr_requests = {
    .name = PREFIX "nr_requests",
    .summary = "requests that may be queued there, of reads and of writes",
    .levels = "a number",
    FUNCTIONS,
};
const struct setting_kind setting_queue = {
    .name = PREFIX,
    .summary = "another file of that disk's queue: queue:read_ahead_kb, queue:iosched/read_expire",
    .levels = "what the kernel takes",
    FUNCTIONS,
};

/* The noted values of what the kernel has set anew. It cannot be told from what somebody else has set. */
static gboolean put_back_notes(const struct undo *undo, const char *notes, gboolean *is_changed, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(notes, "\n", -1);

	for (char **line = lines; *line; line++) {
		g_auto(GStrv) parts = g_strsplit(*line, "=", 2);
		g_autofree char *subject = subject_of(undo->subject, parts[0]);
		g_autofree char *value = setting_file_read(&files, subject);

		if (!value || !parts[1] || g_str_equal(value, parts[1]))
			continue;
		*is_changed = TRUE;
		if (!setting_file_write(&files, subject, parts[1]))
			return err_errno(error, errno, "cannot put back %s '%s' to '%s'", undo->kind, subject,
					 parts[1]);
	}
	return TRUE;
}

static gboolean put_back(const struct undo *undo, gboolean *is_changed, char **left, GError **error)
{
	const char *notes = undo->before ? strchr(undo->before, '\n') : NULL;
	g_autofree char *value =
	    notes ? g_strndup(undo->before, (gsize)(notes - undo->before)) : g_strdup(undo->before);
	struct undo plain = *undo;

	plain.before = value;
	return setting_file_put_back(&files, &plain, is_changed, left, error) &&
	       (*left || !notes || put_back_notes(undo, notes + 1, is_changed, error));
}

const struct undo_kind undo_queue = {.name = "queue", .put_back = put_back};
