#include "test_workload.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>

enum { ENTRY_RATE, ENTRIES, UNREADABLE };

/* Lines that find(1) prints, one a character. */
static gsize find_count(const char *dir)
{
	g_auto(GStrv) argv = g_strsplit("find . -xdev -printf x", " ", -1);
	g_autofree char *output = NULL;

	assert_true(g_spawn_sync(dir, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL, NULL, NULL));
	return strlen(output);
}

static struct trial walk(const char *dir)
{
	g_autofree char *spec = g_strdup_printf("lsr:dir=%s", dir);

	return run_spec(spec, AT_FDCWD);
}

static void make_file(int dirfd, const char *name)
{
	write_file(dirfd, name, "x", 1);
}

/* 12 entries, counts by hand, with the tree itself: odd names, a pipe, symlinks that lead up, out and nowhere. */
static void make_tree(int fd)
{
	assert_int_equal(mkdirat(fd, "tree", 0755), 0);
	assert_int_equal(mkdirat(fd, "tree/a", 0755), 0);
	assert_int_equal(mkdirat(fd, "tree/a/b", 0755), 0);
	assert_int_equal(mkdirat(fd, "tree/.hidden", 0755), 0);
	make_file(fd, "tree/a/b/file");
	make_file(fd, "tree/.hidden/.file");
	make_file(fd, "tree/new\nline");
	make_file(fd, "tree/-rf");
	assert_int_equal(mkfifoat(fd, "tree/pipe", 0600), 0);
	assert_int_equal(symlinkat("..", fd, "tree/a/up"), 0);
	assert_int_equal(symlinkat("/usr", fd, "tree/usr"), 0);
	assert_int_equal(symlinkat("nowhere", fd, "tree/dangling"), 0);
}

/* What was made is what is counts, and what find counts. */
static void test_entries_of_a_tree(void **state)
{
	const struct scratch *scratch = *state;
	g_autofree char *dir = g_strdup_printf("%s/tree", scratch->name);
	struct trial trial;

	make_tree(scratch->fd);
	trial = walk(dir);
	assert_true(trial.values[ENTRIES] == 12);
	assert_true(trial.values[UNREADABLE] == 0);
	assert_true(trial.values[ENTRY_RATE] > 0);
	assert_int_equal(find_count(dir), 12);
}

/* An empty directory is one entry; the symlink that names the tree is followed. */
static void test_the_root_itself(void **state)
{
	const struct scratch *scratch = *state;
	g_autofree char *link = g_strdup_printf("%s/link", scratch->name);

	assert_int_equal(mkdirat(scratch->fd, "empty", 0755), 0);
	assert_int_equal(symlinkat("empty", scratch->fd, "link"), 0);
	assert_true(walk(link).values[ENTRIES] == 1);
}

/* find counts as many in a tree of the machine's, which has thousands. */
static void test_entries_as_find(void **state)
{
	static const char *const dirs[] = {"/usr/include", "/etc"};

	for (size_t i = 0; i < G_N_ELEMENTS(dirs); i++) {
		if (access(dirs[i], R_OK | X_OK) == 0)
			assert_int_equal((gsize)walk(dirs[i]).values[ENTRIES], find_count(dirs[i]));
	}
}

/* 700 levels of directories, each with a file: every level is gone down and up again. */
static void test_a_deep_tree(void **state)
{
	enum { DEPTH = 700 };
	const struct scratch *scratch = *state;
	g_autofree char *dir = g_strdup_printf("%s/d", scratch->name);
	int fd = dup(scratch->fd);

	for (int i = 0; i < DEPTH; i++) {
		int below;

		assert_int_equal(mkdirat(fd, "d", 0755), 0);
		below = openat(fd, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(below >= 0);
		close(fd);
		fd = below;
		make_file(fd, "file");
	}
	close(fd);
	assert_true(walk(dir).values[ENTRIES] == 2 * DEPTH);
}

/* Mounts a filesystem with three files over a directory with one, seen by this process only: 11 entries, or 14 with
 * them. */
static int walk_mounts(const struct scratch *scratch)
{
	g_autofree char *at = g_strdup_printf("%s/tree/a/b", scratch->name);
	g_autofree char *stay = g_strdup_printf("lsr:dir=%s/tree", scratch->name);
	g_autofree char *cross = g_strdup_printf("lsr:mounts=yes:dir=%s/tree", scratch->name);
	double stayed, crossed;
	int fd;

	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", at, "tmpfs", 0, NULL) < 0)
		return EXIT_SKIPPED;
	/* the descriptor at hand leads to where nothing is mounted */
	fd = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	make_file(fd, "1");
	make_file(fd, "2");
	make_file(fd, "3");
	close(fd);
	stayed = run_spec(stay, AT_FDCWD).values[ENTRIES];
	crossed = run_spec(cross, AT_FDCWD).values[ENTRIES];
	print_message("%g entries, %g with mounts\n", stayed, crossed);
	return stayed == 11 && crossed == 14 ? 0 : 1;
}

/* A directory that something is mounted on is an entry; what is mounted is walked where that was asked for. */
static void test_mounts(void **state)
{
	const struct scratch *scratch = *state;
	int status;
	pid_t pid;

	if (geteuid() != 0)
		skip();
	make_tree(scratch->fd);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(walk_mounts(scratch));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == EXIT_SKIPPED)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void become_nobody(void)
{
	if (setegid(65534) < 0 || seteuid(65534) < 0)
		_exit(1);
}

/* A user who may not read one directory and not enter another walks the rest: the first is an entry that cannot be
 * looked into, the names of the second can be read, and not what they are. */
static void test_what_may_not_be_read(void **state)
{
	g_autofree char *dir = NULL, *spec = NULL;
	struct workload_config *config;
	struct trial trial;
	int fd;

	if (geteuid() != 0)
		skip();
	dir = g_dir_make_tmp("lsr-XXXXXX", NULL);
	spec = g_strdup_printf("lsr:dir=%s", dir);
	config = parse_spec(spec);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(fchmod(fd, 0755), 0);
	assert_int_equal(mkdirat(fd, "closed", 0700), 0);
	assert_int_equal(mkdirat(fd, "listed", 0700), 0);
	make_file(fd, "closed/file");
	make_file(fd, "listed/file");
	make_file(fd, "file");
	assert_int_equal(fchmodat(fd, "listed", 0744, 0), 0);
	trial = try_workload(config, AT_FDCWD, become_nobody);
	workload_config_free(config);
	assert_string_equal(trial.message, "");
	assert_true(trial.ok);
	assert_true(trial.values[ENTRIES] == 4);
	assert_true(trial.values[UNREADABLE] == 2);

	trial = run_spec(spec, AT_FDCWD);
	assert_true(trial.values[ENTRIES] == 6);
	assert_true(trial.values[UNREADABLE] == 0);
	assert_int_equal(find_count(dir), 6);
	assert_int_equal(unlinkat(fd, "closed/file", 0), 0);
	assert_int_equal(unlinkat(fd, "listed/file", 0), 0);
	assert_int_equal(unlinkat(fd, "file", 0), 0);
	assert_int_equal(unlinkat(fd, "closed", AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(fd, "listed", AT_REMOVEDIR), 0);
	close(fd);
	assert_int_equal(rmdir(dir), 0);
}

/* The reason names the directory. */
static void test_what_cannot_be_walked(void **state)
{
	assert_unsupported("lsr:dir=/no/such", AT_FDCWD, "cannot open directory '/no/such': No such file");
	assert_unsupported("lsr:dir=/proc/version", AT_FDCWD, "cannot open directory '/proc/version': Not a directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    workload_test(test_entries_of_a_tree),
	    workload_test(test_the_root_itself),
	    cmocka_unit_test(test_entries_as_find),
	    workload_test(test_a_deep_tree),
	    workload_test(test_mounts),
	    cmocka_unit_test(test_what_may_not_be_read),
	    cmocka_unit_test(test_what_cannot_be_walked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
