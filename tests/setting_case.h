#ifndef SETTING_CASE_H
#define SETTING_CASE_H

/* A store and a registry of its own, settings that are begun in it, and files of the kernel that are put back at the
 * end, also where a check failed. Needs root. */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/err.h"
#include "../src/place.h"
#include "../src/registry.h"
#include "../src/setting.h"
#include "../src/store.h"
#include "../src/store_undo.h"
#include "../src/tree.h"
#include "../src/undo.h"

struct setting_case {
	char *directory, *path, *registry;
	struct store *store;
	struct place place;
	struct setting_env env;
	GPtrArray *settings; /* struct setting *, begun */
	GPtrArray *kept;     /* char *: path and value in turn */
	char *loop;          /* "/dev/loop0"; NULL: none was made */
};

/* What a file of the kernel says, without its line end; of choices the one in brackets. */
static inline char *read_file(const char *path)
{
	char *text = NULL, *open, *close;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		fail_msg("cannot read %s", path);
	if (g_str_has_suffix(text, "\n"))
		text[strlen(text) - 1] = '\0';
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close && g_str_has_prefix(path, "/sys/")) {
		*close = '\0';
		memmove(text, open + 1, strlen(open));
	}
	return text;
}

static inline gboolean try_write(const char *path, const char *value)
{
	g_autofree char *line = g_strconcat(value, "\n", NULL);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	gboolean ok = fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* As an administrator would change it. */
static inline void write_file(const char *path, const char *value)
{
	if (!try_write(path, value))
		fail_msg("cannot write '%s' to %s", value, path);
}

static inline void check_file(const char *path, const char *want)
{
	g_autofree char *is = read_file(path);

	if (!g_str_equal(is, want))
		fail_msg("%s is '%s', not '%s'", path, is, want);
}

/* Puts it back at the end. */
static inline void keep(struct setting_case *fixture, const char *path)
{
	g_ptr_array_add(fixture->kept, g_strdup(path));
	g_ptr_array_add(fixture->kept, read_file(path));
}

static inline void spawn(char **argv, char **output)
{
	int status;

	if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, output, NULL, &status, NULL) ||
	    !g_spawn_check_wait_status(status, NULL))
		fail_msg("%s failed", argv[0]);
}

#define SPAWN(output, ...) spawn((char *[]){__VA_ARGS__, NULL}, output)
#define ARG(text) ((char[]){text})

static inline void open_case_store(struct setting_case *fixture)
{
	g_autoptr(GError) error = NULL;

	fixture->store = store_open(fixture->path, STORE_WRITE, &error);
	if (!fixture->store)
		fail_msg("%s", error->message);
	fixture->env.store = fixture->store;
}

static inline int set_up(void **state)
{
	struct setting_case *fixture = g_new0(struct setting_case, 1);

	fixture->directory = g_dir_make_tmp("test-setting-XXXXXX", NULL);
	fixture->path = g_build_filename(fixture->directory, "runs.db", NULL);
	fixture->registry = g_build_filename(fixture->directory, "registry", NULL);
	registry_move(fixture->registry);
	fixture->settings = g_ptr_array_new();
	fixture->kept = g_ptr_array_new_with_free_func(g_free);
	fixture->place.dirfd = -1;
	fixture->env.place = &fixture->place;
	open_case_store(fixture);
	*state = fixture;
	return 0;
}

static inline void remove_all(const char *directory)
{
	DIR *stream = opendir(directory);

	if (!stream || tree_empty(stream) != 0 || rmdir(directory) < 0)
		print_error("cannot remove %s\n", directory);
	if (stream)
		closedir(stream);
}

static inline int tear_down(void **state)
{
	struct setting_case *fixture = *state;

	for (guint i = fixture->settings->len; i-- > 0;) {
		struct setting *setting = fixture->settings->pdata[i];
		g_autofree char *left = NULL;

		setting->kind->end(setting, &fixture->env, &left, NULL);
		setting_free(setting);
	}
	for (guint i = fixture->kept->len; i > 0; i -= 2) {
		const char *path = fixture->kept->pdata[i - 2], *value = fixture->kept->pdata[i - 1];
		g_autofree char *is = read_file(path);

		/* of a pair the one that is in force is written, and the other becomes 0 by that */
		if (!g_str_equal(is, value) && !g_str_equal(value, "0"))
			try_write(path, value);
	}
	store_close(fixture->store);
	if (fixture->loop) {
		g_autofree char *mount_point = g_build_filename(fixture->directory, "mnt", NULL);

		umount2(mount_point, MNT_DETACH);
		SPAWN(NULL, ARG("losetup"), ARG("-d"), fixture->loop);
	}
	remove_all(fixture->directory);
	g_ptr_array_unref(fixture->settings);
	g_ptr_array_unref(fixture->kept);
	g_free(fixture->loop);
	g_free(fixture->registry);
	g_free(fixture->path);
	g_free(fixture->directory);
	g_free(fixture);
	return 0;
}

/* The path of a file of the queue of the loop device, which is made where there is none yet. */
static inline char *queue_file(struct setting_case *fixture, const char *file)
{
	if (!fixture->loop) {
		g_autofree char *image = g_build_filename(fixture->directory, "image", NULL);
		int fd = open(image, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

		assert_int_equal(ftruncate(fd, 1 << 24), 0);
		close(fd);
		SPAWN(&fixture->loop, ARG("losetup"), ARG("--find"), ARG("--show"), image);
		g_strchomp(fixture->loop);
		fixture->place.device = fixture->loop;
	}
	return g_strdup_printf("/sys/block/%s/queue/%s", fixture->loop + strlen("/dev/"), file);
}

/* With levels; not begun. */
static inline struct setting *make(const char *name, char *const *levels)
{
	struct setting *setting = setting_new(name);

	if (!setting)
		fail_msg("no setting %s", name);
	for (; *levels; levels++) {
		g_autoptr(GError) error = NULL;

		if (!setting->kind->check(setting->rest, *levels, &error))
			fail_msg("%s", error->message);
		g_ptr_array_add(setting->levels, g_strdup(*levels));
	}
	return setting;
}

static inline struct setting *begin_levels(struct setting_case *fixture, const char *name, char *const *levels)
{
	struct setting *setting = make(name, levels);
	g_autoptr(GError) error = NULL;

	g_ptr_array_add(fixture->settings, setting);
	if (!setting->kind->begin(setting, &fixture->env, &error))
		fail_msg("%s", error->message);
	return setting;
}

#define LEVELS(...) ((char *[]){__VA_ARGS__, NULL})
#define BEGIN(fixture, name, ...) begin_levels(fixture, name, LEVELS(__VA_ARGS__))

static inline void check_begin_fails(struct setting_case *fixture, const char *name, const char *level, const char *why)
{
	g_autofree char *copy = g_strdup(level);
	struct setting *setting = make(name, (char *[]){copy, NULL});
	g_autoptr(GError) error = NULL;

	g_ptr_array_add(fixture->settings, setting);
	assert_false(setting->kind->begin(setting, &fixture->env, &error));
	assert_string_equal(error->message, why);
}

static inline void apply(struct setting_case *fixture, struct setting *setting, const char *level)
{
	g_autoptr(GError) error = NULL;

	if (!setting->kind->apply(setting, level, &fixture->env, &error))
		fail_msg("%s", error->message);
	assert_string_equal(setting->effective, level);
}

static inline void check_apply_fails(struct setting_case *fixture, struct setting *setting, const char *level,
				     const char *why)
{
	g_autoptr(GError) error = NULL;

	assert_false(setting->kind->apply(setting, level, &fixture->env, &error));
	assert_string_equal(error->message, why);
}

/* Ends all in the reverse order; what was left alone is as given (NULL: nothing was), and the store has nothing left.
 */
static inline void end_all(struct setting_case *fixture, const char *want_left)
{
	g_autoptr(GString) report = g_string_new(NULL);

	for (guint i = fixture->settings->len; i-- > 0;) {
		struct setting *setting = fixture->settings->pdata[i];
		g_autofree char *left = NULL;
		g_autoptr(GError) error = NULL;

		if (!setting->kind->end(setting, &fixture->env, &left, &error))
			fail_msg("%s", error->message);
		if (left)
			g_string_append(report, left);
		assert_null(setting->state);
	}
	assert_string_equal(report->str, want_left ? want_left : "");
}

static inline guint count_undos(struct setting_case *fixture)
{
	g_autoptr(GPtrArray) list = store_undo_list(fixture->store, NULL);

	assert_non_null(list);
	return list->len;
}

/* Whether the test cannot run: EXIT_SKIPPED then. Else nothing that does the same changes the machine until this
 * process ends. */
static inline int claim_machine(void)
{
	int fd = geteuid() == 0 ? open("/proc/sys", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0 && flock(fd, LOCK_EX) == 0)
		return 0;
	print_message("needs root\n");
	return EXIT_SKIPPED;
}

#endif
