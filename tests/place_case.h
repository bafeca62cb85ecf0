#ifndef PLACE_CASE_H
#define PLACE_CASE_H

/* A directory of its own with a store in it, and a registry beside it, for what is done to the machine. What a test
 * mounts and does not unmount ends with the test: it has a mount namespace of its own, whose mounts are shared with
 * those that are made from it, as on most machines. */

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/place.h"
#include "../src/registry.h"
#include "../src/setting_kinds.h"
#include "../src/store.h"
#include "../src/store_undo.h"
#include "../src/tree.h"
#include "../src/undo.h"

#define MIB (1ull << 20)

struct place_case {
	char *directory, *store_path, *registry;
	Store *store;
};

static inline gboolean place_case_may_mount(void)
{
	return geteuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
	       mount("none", "/", "none", MS_REC | MS_SLAVE, NULL) == 0 &&
	       mount("none", "/", "none", MS_REC | MS_SHARED, NULL) == 0;
}

/* valgrind has neither swapon() nor swapoff(). */
static inline gboolean place_case_may_swap(void)
{
	return swapoff("/nonexistent") == 0 || errno != ENOSYS;
}

static inline guint count_entries(const char *directory)
{
	GDir *stream = g_dir_open(directory, 0, NULL);
	guint n = 0;

	assert_non_null(stream);
	while (g_dir_read_name(stream))
		n++;
	g_dir_close(stream);
	return n;
}

static inline guint count_undos(Store *store)
{
	g_autoptr(GPtrArray) list = store_undo_list(store, NULL);

	assert_non_null(list);
	return list->len;
}

static inline int place_case_begin(void **state)
{
	struct place_case *fixture = g_new0(struct place_case, 1);

	fixture->directory = g_dir_make_tmp("test-place-XXXXXX", NULL);
	fixture->store_path = g_build_filename(fixture->directory, "runs.db", NULL);
	fixture->registry = g_strconcat(fixture->directory, ".registry", NULL);
	registry_move(fixture->registry);
	fixture->store = store_open(fixture->store_path, STORE_WRITE, NULL);
	*state = fixture;
	return fixture->store ? 0 : -1;
}

/* What a test that failed in its midst has left. */
static inline void place_case_clean(struct place_case *fixture)
{
	g_autoptr(GPtrArray) undos = store_undo_list(fixture->store, NULL);
	g_autofree char *mounts = NULL;
	g_auto(GStrv) lines = NULL;

	for (guint i = 0; undos && i < undos->len; i++) {
		g_autofree char *left = NULL;

		undo_one(fixture->store, undos->pdata[i], &left, NULL);
	}
	g_file_get_contents("/proc/self/mountinfo", &mounts, NULL, NULL);
	lines = g_strsplit(mounts, "\n", -1);
	for (guint i = g_strv_length(lines); i-- > 0;) {
		g_auto(GStrv) fields = g_strsplit(lines[i], " ", 6);

		if (g_strv_length(fields) == 6 && g_str_has_prefix(fields[4], fixture->directory))
			umount2(fields[4], MNT_DETACH);
	}
}

static inline void remove_all(const char *directory)
{
	DIR *stream = opendir(directory);

	if (!stream || tree_empty(stream) != 0 || rmdir(directory) < 0)
		print_error("cannot remove %s\n", directory);
	if (stream)
		closedir(stream);
}

/* Also checks that nothing is left: no directory, no row, no store in the registry. */
static inline int place_case_end(void **state)
{
	struct place_case *fixture = *state;
	guint undos = count_undos(fixture->store), entries = count_entries(fixture->directory);

	if (undos || entries != 1) {
		print_error("%u undo rows and %u other things are left in %s\n", undos, entries - 1,
			    fixture->directory);
		place_case_clean(fixture);
	}
	if (g_rmdir(fixture->registry) < 0 && errno != ENOENT) {
		print_error("%s: %s\n", fixture->registry, g_strerror(errno));
		remove_all(fixture->registry);
		undos++;
	}
	store_close(fixture->store);
	remove_all(fixture->directory);
	g_free(fixture->registry);
	g_free(fixture->store_path);
	g_free(fixture->directory);
	g_free(fixture);
	return undos || entries != 1 ? -1 : 0;
}

static inline void assert_ok(gboolean ok, GError **error)
{
	if (!ok || *error)
		fail_msg("%s", *error ? (*error)->message : "false, and no error");
}

/* The call failed for a reason that holds text; the error is cleared. */
static inline void assert_refused(gboolean ok, GError **error, const char *text)
{
	if (ok || !*error || !strstr((*error)->message, text))
		fail_msg("no '%s' in: %s", text, *error ? (*error)->message : "no error");
	g_clear_error(error);
}

static inline void open_place(struct place_case *fixture, guint64 image_bytes, const char *device, struct place *place)
{
	const struct place_options options = {fixture->directory, image_bytes, device};
	g_autoptr(GError) error = NULL;

	assert_ok(place_open(place, &options, fixture->store, &error), &error);
}

static inline void close_place(struct place *place)
{
	g_autoptr(GError) error = NULL;

	assert_ok(place_close(place, &error), &error);
}

static inline void make_fs(struct place *place, const char *fs)
{
	g_autoptr(GError) error = NULL;

	assert_ok(place_make(place, fs, &error), &error);
}

static inline void write_below(int dirfd, const char *name, const char *text)
{
	int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static inline gboolean exists_below(int dirfd, const char *name)
{
	return faccessat(dirfd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* A file of /sys or /proc, without its line end; NULL where there is none. */
static inline char *read_line(const char *path)
{
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? g_strchomp(text) : NULL;
}

/* What the loop device is attached to; NULL where it is free. */
static inline char *loop_backing(const char *device)
{
	g_autofree char *path = g_strdup_printf("/sys/block/%s/loop/backing_file", device + strlen("/dev/"));

	return read_line(path);
}

/* What the kernel does after the end of a process it does in its own time: 5 s at most. */
#define wait_until(condition) \
	do { \
		for (guint i_ = 0; !(condition) && i_ < 500; i_++) \
			g_usleep(10000); \
		assert_true(condition); \
	} while (0)

/* Runs body in a process that is then killed where it stands; it tells what is to be known of it by a text. */
static inline char *run_and_kill(struct place_case *fixture, char *(*body)(struct place_case *fixture))
{
	char *told = g_malloc0(4096);
	int fds[2], status;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	/* a connection to the store must not be carried over into another process */
	g_clear_pointer(&fixture->store, store_close);
	pid = fork();
	if (pid == 0) {
		char *text;

		fixture->store = store_open(fixture->store_path, STORE_WRITE, NULL);
		text = body(fixture);
		if (!text || write(fds[1], text, strlen(text)) < 0)
			_exit(1);
		close(fds[1]);
		pause();
	}
	close(fds[1]);
	if (read(fds[0], told, 4095) < 0)
		told[0] = '\0';
	close(fds[0]);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	fixture->store = store_open(fixture->store_path, STORE_WRITE, NULL);
	assert_non_null(fixture->store);
	return told;
}

#endif
