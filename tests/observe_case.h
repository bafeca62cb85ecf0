#ifndef OBSERVE_CASE_H
#define OBSERVE_CASE_H

/* A directory of its own, filesystems on images in it, and runs that are observed. What is mounted and not unmounted
 * ends with the test: it has a mount namespace of its own. */

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/device.h"
#include "../src/observe.h"

#define MIB ((gsize)1 << 20)
#define ARG(text) ((char[]){text})
#define SPAWN(output, ...) spawn((char *[]){__VA_ARGS__, NULL}, output)

static inline void spawn(char **argv, char **output)
{
	g_autofree char *complaint = NULL, *unwanted = NULL;
	g_autoptr(GError) error = NULL;
	int status;

	if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, output ? output : &unwanted, &complaint,
			  &status, &error) ||
	    !g_spawn_check_wait_status(status, &error))
		fail_msg("%s: %s %s", argv[0], error->message, complaint ? complaint : "");
}

/* Skips the test where there is no such program: before anything is allocated, which would be lost. */
static inline void need(const char *program)
{
	char *path = g_find_program_in_path(program);

	g_free(path);
	if (!path)
		skip();
}

static inline gboolean may_mount(void)
{
	return geteuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
	       mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0;
}

/* Of the test that runs; not on its stack, where a forked child would lose it. */
static struct observer *observer;
static int proc_fd; /* a directory on no disk */

/* The directory, *state, is on the filesystem of the current one, which /tmp may not be. */
static inline int observe_case_begin(void **state)
{
	g_autofree char *here = g_get_current_dir();
	char *path = g_build_filename(here, "test-observe-XXXXXX", NULL);

	*state = path;
	observer = observer_new();
	proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return g_mkdtemp(path) && proc_fd >= 0 ? 0 : -1;
}

static inline int observe_case_end(void **state)
{
	g_autofree char *path = *state;
	char *argv[] = {ARG("rm"), ARG("-rf"), ARG("--one-file-system"), path, NULL};

	spawn(argv, NULL);
	close(proc_fd);
	g_clear_pointer(&observer, observer_free);
	return 0;
}

#define observe_test(function) cmocka_unit_test_setup_teardown(function, observe_case_begin, observe_case_end)

static inline int open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		fail_msg("%s: %s", path, g_strerror(errno));
	return fd;
}

static inline char *make_image(const char *directory, const char *name)
{
	char *path = g_build_filename(directory, name, NULL);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	/* the least that mkfs.xfs takes is 300 MiB */
	assert_true(fd >= 0 && ftruncate(fd, (off_t)(512 * MIB)) == 0);
	close(fd);
	return path;
}

static inline void make_filesystem(const char *type, char *path)
{
	g_autofree char *program = g_strconcat("mkfs.", type, NULL);

	if (g_str_equal(type, "ext4")) /* all of it now, not by the kernel later */
		SPAWN(NULL, program, ARG("-q"), ARG("-F"), ARG("-E"), ARG("lazy_itable_init=0,lazy_journal_init=0"),
		      path);
	else
		SPAWN(NULL, program, ARG("-q"), ARG("-f"), path);
}

/* Mounts a filesystem made anew on an image in the directory, by a loop device that ends with the mount; its path. */
static inline char *mount_image(const char *directory, const char *type, const char *options)
{
	g_autofree char *image = make_image(directory, "image"), *all = g_strconcat("loop", options, NULL);
	char *path = g_build_filename(directory, "mnt", NULL);

	make_filesystem(type, image);
	assert_int_equal(g_mkdir(path, 0700), 0);
	SPAWN(NULL, ARG("mount"), ARG("-o"), all, image, path);
	return path;
}

static inline void unmount_image(const char *directory, char *path)
{
	g_autofree char *image = g_build_filename(directory, "image", NULL);

	assert_int_equal(umount(path), 0);
	g_rmdir(path);
	g_unlink(image);
	g_free(path);
}

/* User and system time of a process that ends by itself. */
static inline double wait_for(pid_t pid)
{
	struct rusage usage;
	int status;

	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	assert_int_equal(status, 0);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static inline void burn(double seconds)
{
	double end = clock_monotonic_s() + seconds;

	while (clock_monotonic_s() < end)
		;
}

static inline pid_t fork_burner(double seconds)
{
	pid_t pid = fork();

	if (pid == 0) {
		burn(seconds);
		_exit(0);
	}
	assert_true(pid > 0);
	return pid;
}

/* As many at the same time; seconds that they got is not asked. */
static inline void burn_with(long n, double seconds, void (*meanwhile)(void))
{
	static pid_t burners[4096];

	assert_true(n <= (long)G_N_ELEMENTS(burners));
	for (long i = 0; i < n; i++)
		burners[i] = fork_burner(seconds);
	if (meanwhile)
		meanwhile();
	for (long i = 0; i < n; i++)
		wait_for(burners[i]);
}

/* What was measured under that name; fails where there is no such metric. */
static inline double measured(const struct observation *observation, const char *name)
{
	for (guint i = 0; i < observation->measurements->len; i++) {
		const struct measurement *measurement =
		    &g_array_index(observation->measurements, struct measurement, i);

		if (g_str_equal(measurement->metric->name, name))
			return measurement->value;
	}
	fail_msg("no metric %s", name);
	return NAN;
}

/* The number behind the word that begins a line of a file of /proc; NaN where there is none. */
static inline double proc_number(const char *path, const char *word)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NAN;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		if (g_str_has_prefix(*line, word) && g_ascii_isspace((*line)[strlen(word)]))
			return g_ascii_strtod(*line + strlen(word), NULL);
	return NAN;
}

/* What was read before and after a value of the same kind: it lies between, but for what others do in that moment. */
#define assert_between(value, one, other)                                                                              \
	assert_in_range_of((value), fmin((one), (other)), fmax((one), (other)), #value, __FILE__, __LINE__)

static inline void assert_in_range_of(double value, double low, double high, const char *what, const char *file,
				      int line)
{
	if (value >= 0.95 * low && value <= 1.05 * high)
		return;
	print_error("%s is %g, not in %g to %g\n", what, value, low, high);
	_fail(file, line);
}

#endif
