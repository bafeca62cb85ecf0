#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "../src/kernel_file.h"

/* White space is one blank, and none at the ends. */
static void test_canonical(void **state)
{
	static const char *const cases[][2] = {
	    {"256\t256\t32\t0\t0", "256 256 32 0 0"}, {"  a  b\n", "a b"}, {"", ""}, {" \t", ""}, {"core", "core"}};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *canonical = kernel_value_canonical(cases[i][0]);

		assert_string_equal(canonical, cases[i][1]);
	}
}

/* The choice is the word in brackets; a text without one has none. */
static void test_chosen(void **state)
{
	static const char *const cases[][2] = {{"always [madvise] never", "madvise"},
					       {"[none] mq-deadline kyber bfq", "none"},
					       {"none", NULL},
					       {"[]", NULL},
					       {"a[b] [c", NULL},
					       {"", NULL}};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *chosen = kernel_value_chosen(cases[i][0]);

		assert_int_equal(g_strcmp0(chosen, cases[i][1]), 0);
	}
}

/* Numbers are compared by value in the bases of the kernel, words as they are, and as many of them. */
static void test_same(void **state)
{
	static const struct {
		const char *a, *b;
		gboolean is_same;
	} cases[] = {
	    {"60", "60", TRUE},
	    {"60", "61", FALSE},
	    {"0x3c", "60", TRUE},
	    {"0X3C", "60", TRUE},
	    {"074", "60", TRUE},
	    {"060", "60", TRUE},
	    {"60x", "60", FALSE},
	    {"-1", "1", FALSE},
	    {"-1", "-1", TRUE},
	    {"-0", "0", TRUE},
	    {"18446744073709551615", "0xffffffffffffffff", TRUE},
	    {"18446744073709551616", "18446744073709551615", FALSE},
	    {"18446744073709551616", "18446744073709551616", TRUE},
	    {"1 2", "1\t2", TRUE},
	    {"1 2", "1", FALSE},
	    {"1", "1 2", FALSE},
	    {"", "", TRUE},
	    {"", "0", FALSE},
	    {"none", "none", TRUE},
	    {"none", "bfq", FALSE},
	    {"Y", "y", FALSE},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
		if (kernel_value_same(cases[i].a, cases[i].b) != cases[i].is_same)
			fail_msg("'%s' and '%s'", cases[i].a, cases[i].b);
}

static char *read_path(const char *root, const char *path)
{
	int fd = kernel_file_open(root, path, O_RDONLY);
	char *text = fd < 0 ? NULL : kernel_file_read(fd);

	kernel_file_close(fd);
	return text;
}

static void check_unreadable(const char *root, const char *path, int errno_value)
{
	g_autofree char *text = read_path(root, path);
	int got = errno;

	if (text || got != errno_value)
		fail_msg("'%s': %s", path, text ? text : g_strerror(got));
}

/* No symlink is followed below the directory, at its end or on the way, and nothing leads up or out of it. */
static void test_stays_below(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("kernel-XXXXXX", NULL), *inside = g_build_filename(dir, "in", NULL);
	g_autofree char *file = g_build_filename(inside, "file", NULL), *link = g_build_filename(inside, "link", NULL);
	g_autofree char *loop = g_build_filename(inside, "loop", NULL), *text = NULL;

	g_mkdir(inside, 0700);
	assert_true(g_file_set_contents(file, "1 2 \n", -1, NULL));
	assert_int_equal(symlink("file", link), 0);
	assert_int_equal(symlink(".", loop), 0);
	text = read_path(dir, "in/file");
	assert_string_equal(text, "1 2 ");
	check_unreadable(dir, "in/link", ELOOP);
	check_unreadable(dir, "in/loop/file", ENOTDIR);
	check_unreadable(dir, "in/../in/file", EINVAL);
	check_unreadable(dir, "./in/file", EINVAL);
	check_unreadable(dir, "in//file", EINVAL);
	check_unreadable(dir, "/in/file", EINVAL);
	check_unreadable(dir, "in/nosuch", ENOENT);
	check_unreadable(dir, "in", EISDIR);
	check_unreadable(file, "x", ENOTDIR);
	g_unlink(loop);
	g_unlink(link);
	g_unlink(file);
	g_rmdir(inside);
	g_rmdir(dir);
}

/* What is no text of a sensible size is no setting; one line end is taken away, not two. */
static void test_what_is_read(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("kernel-XXXXXX", NULL), *file = g_build_filename(dir, "f", NULL);
	g_autofree char *large = g_strnfill((64 << 10) + 1, 'x'), *text = NULL;

	assert_true(g_file_set_contents(file, "a\n\n", -1, NULL));
	text = read_path(dir, "f");
	assert_string_equal(text, "a\n");
	assert_true(g_file_set_contents(file, "a\0b\n", 4, NULL));
	check_unreadable(dir, "f", EBADMSG);
	assert_true(g_file_set_contents(file, large, -1, NULL));
	check_unreadable(dir, "f", EFBIG);
	assert_true(g_file_set_contents(file, large + 1, -1, NULL));
	g_free(text);
	text = read_path(dir, "f");
	assert_int_equal(strlen(text), 64 << 10);
	g_unlink(file);
	g_rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_canonical),   cmocka_unit_test(test_chosen),       cmocka_unit_test(test_same),
	    cmocka_unit_test(test_stays_below), cmocka_unit_test(test_what_is_read),
	};

	return cmocka_run_group_tests_name("kernel_file", tests, NULL, NULL);
}
