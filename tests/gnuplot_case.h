#ifndef GNUPLOT_CASE_H
#define GNUPLOT_CASE_H

/* What tests that run gnuplot share: a scratch folder for each, and pictures that are drawn or refused. */

#include "check.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../plots/gnuplot.h"
#include "../src/err.h"
#include "svg.h"

static char root[] = "/tmp/test_gnuplot-XXXXXX"; /* holds "tmp", where temporary files go, and the scratch folder */
static char *scratch;                            /* of one test */
static gboolean can_mount;                       /* in a mount namespace of our own */

static inline char *in_scratch(const char *name)
{
	return g_build_filename(scratch, name, NULL);
}

static inline guint count_files(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	guint n = 0;

	assert_non_null(dir);
	while (g_dir_read_name(dir))
		n++;
	return n;
}

static inline void write_text(const char *path, const char *text)
{
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static inline void assert_content(const char *path, const char *want)
{
	g_autofree char *got = NULL;

	assert_true(g_file_get_contents(path, &got, NULL, NULL));
	assert_string_equal(got, want);
}

static inline void make_picture(struct picture *picture, const char *script)
{
	picture_init(picture, PICTURE_PAGE);
	picture->width = 500;
	picture->height = 200;
	g_string_append(picture->script, script);
	g_string_append(picture->data, "1 2\n2 3\n");
}

/* Runs a script that must fail: no file may appear. Returns the message. */
static inline char *refuse(const char *script, const struct gnuplot_arg *arg, int code)
{
	g_autoptr(GError) error = NULL;
	struct picture picture;

	make_picture(&picture, script);
	assert_false(gnuplot_run(&picture, arg, NULL, &error));
	assert_non_null(error);
	assert_int_equal(err_exit_code(error), code);
	picture_clear(&picture);
	return g_strdup(error->message);
}

static inline void draw(const char *script, const struct gnuplot_arg *arg)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *warnings = NULL;
	struct picture picture;
	gboolean ok;

	make_picture(&picture, script);
	ok = gnuplot_run(&picture, arg, &warnings, &error);
	if (!ok)
		print_error("%s\n", error->message);
	assert_true(ok);
	assert_null(warnings);
	picture_clear(&picture);
}

static inline int make_scratch(void **state)
{
	scratch = g_build_filename(root, "scratch", NULL);
	return g_mkdir(scratch, 0755);
}

static inline void remove_tree(const char *path)
{
	g_autoptr(GDir) dir = g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);

	for (const char *name; dir && (name = g_dir_read_name(dir));) {
		g_autofree char *below = g_build_filename(path, name, NULL);

		remove_tree(below);
	}
	assert_int_equal(g_remove(path), 0);
}

/* Whatever became of the picture, no temporary file may be left. A command run by gnuplot would leave its there. */
static inline int remove_scratch(void **state)
{
	remove_tree(scratch);
	g_clear_pointer(&scratch, g_free);
	assert_int_equal(count_files(g_get_tmp_dir()), 0);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_scratch, remove_scratch)

/* The tests' exit code: skipped without gnuplot. */
#define run_gnuplot_tests(tests)                                                                                       \
	(gnuplot_case_begin() ? gnuplot_case_end(cmocka_run_group_tests(tests, NULL, NULL)) : EXIT_SKIPPED)

static inline gboolean gnuplot_case_begin(void)
{
	g_autofree char *gnuplot = g_find_program_in_path("gnuplot"), *tmp = NULL;

	if (!gnuplot) {
		puts("no gnuplot here");
		return FALSE;
	}
	/* Before any thread is made, which would stay behind in the old namespace. */
	can_mount = unshare(CLONE_NEWNS) == 0 && mount("none", "/", "none", MS_REC | MS_PRIVATE, "") == 0;
	g_assert_nonnull(mkdtemp(root));
	tmp = g_build_filename(root, "tmp", NULL);
	g_assert_cmpint(g_mkdir(tmp, 0755), ==, 0);
	g_setenv("TMPDIR", tmp, TRUE);
	g_setenv("LC_ALL", "C.UTF-8", TRUE);
	return TRUE;
}

static inline int gnuplot_case_end(int failed)
{
	remove_tree(root);
	return failed;
}

#endif
