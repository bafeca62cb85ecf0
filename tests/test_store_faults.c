#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "store_case.h"

static int set_up(void **state)
{
	*state = store_case_new();
	return 0;
}

static int tear_down(void **state)
{
	store_case_free(*state);
	return 0;
}

static void check_refused(const char *path, enum store_mode mode, const char *what)
{
	g_autoptr(GError) error = NULL;

	assert_null(store_open(path, mode, &error));
	if (!strstr(error->message, path) || !strstr(error->message, what))
		fail_msg("\"%s\" does not name %s and \"%s\"", error->message, path, what);
	assert_int_equal(err_exit_code(error), EXIT_RUNTIME);
}

static void run_sql(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* Reading what is not there says how to make it, and makes nothing. */
static void test_missing(void **state)
{
	struct store_case *fixture = *state;

	check_refused(fixture->path, STORE_READ, "make one with 'vmstat-bench run' or name one with --store");
	assert_false(g_file_test(fixture->path, G_FILE_TEST_EXISTS));
}

/* A place that does not exist or cannot hold a store. */
static void test_bad_places(void **state)
{
	struct store_case *fixture = *state;
	g_autofree char *nowhere = g_build_filename(fixture->directory, "no", "runs.db", NULL);

	check_refused(nowhere, STORE_WRITE, g_strerror(ENOENT));
	check_refused(fixture->directory, STORE_WRITE, "it is a directory");
	check_refused(fixture->directory, STORE_READ, "it is a directory");
	check_refused("", STORE_READ, "no store at ''");
}

/* Text, an empty file, and a database of another program are no stores and stay as they are. */
static void test_no_store(void **state)
{
	struct store_case *fixture = *state;
	g_autofree char *long_text = g_strnfill(5000, 'x'), *after = NULL;
	static const enum store_mode modes[] = {STORE_READ, STORE_WRITE};
	gsize length;

	assert_true(g_file_set_contents(fixture->path, long_text, -1, NULL));
	for (int i = 0; i < 2; i++)
		check_refused(fixture->path, modes[i], "is not a store of vmstat-bench");
	assert_true(g_file_get_contents(fixture->path, &after, &length, NULL));
	assert_string_equal(after, long_text);

	assert_true(g_file_set_contents(fixture->path, "a\tb\n", -1, NULL));
	check_refused(fixture->path, STORE_READ, "is not a store of vmstat-bench");
	assert_true(g_file_set_contents(fixture->path, "", 0, NULL));
	check_refused(fixture->path, STORE_READ, "is not a store of vmstat-bench");
	run_sql(fixture->path, "CREATE TABLE contacts (name TEXT)");
	for (int i = 0; i < 2; i++)
		check_refused(fixture->path, modes[i], "is not a store of vmstat-bench");
	run_sql(fixture->path, "PRAGMA application_id = 252006673; PRAGMA user_version = 1");
	for (int i = 0; i < 2; i++)
		check_refused(fixture->path, modes[i], "is not a store of vmstat-bench");
}

/* An empty file (as mktemp makes) becomes a store when written to. */
static void test_empty_file(void **state)
{
	struct store_case *fixture = *state;

	assert_true(g_file_set_contents(fixture->path, "", 0, NULL));
	write_runs(fixture->path, "A", 2);
	g_autoptr(Dataset) dataset = read_store(fixture->path);
	assert_int_equal(dataset->n_runs, 2);
}

/* A store of a later version is refused both ways, with both versions named. */
static void test_newer(void **state)
{
	struct store_case *fixture = *state;

	write_runs(fixture->path, "A", 1);
	run_sql(fixture->path, "PRAGMA user_version = 7");
	check_refused(fixture->path, STORE_READ, "written by a newer vmstat-bench (schema 7, this one reads up to 1)");
	check_refused(fixture->path, STORE_WRITE, "written by a newer vmstat-bench (schema 7, this one reads up to 1)");
}

/* A store cut in the middle is an error, never a crash or silent half data. */
static void test_truncated(void **state)
{
	struct store_case *fixture = *state;
	g_autoptr(GError) error = NULL;
	g_autoptr(Store) store = NULL;
	g_autoptr(Dataset) dataset = NULL;

	write_runs(fixture->path, "A", 1000);
	assert_int_equal(truncate(fixture->path, 16384), 0);
	store = store_open(fixture->path, STORE_READ, &error);
	if (store)
		dataset = store_load(store, FALSE, &error);
	assert_null(dataset);
	assert_non_null(strstr(error->message, fixture->path));
	assert_int_equal(err_exit_code(error), EXIT_RUNTIME);
}

/* Reads the store again and again and tells whether it could each time, and never saw fewer runs than before. Ends by a
 * signal: what the parent had allocated is no leak of the child. */
static void read_and_tell(const char *path, int report)
{
	char ok = TRUE;
	guint last = 0;

	for (int i = 0; i < 100; i++) {
		g_autoptr(Store) store = store_open(path, STORE_READ, NULL);
		g_autoptr(Dataset) dataset = store ? store_load(store, FALSE, NULL) : NULL;

		ok = ok && dataset && dataset->n_runs >= last;
		last = dataset ? dataset->n_runs : last;
	}
	if (write(report, &ok, sizeof ok) != sizeof ok)
		_exit(1);
	raise(SIGKILL);
}

/* A reader in the middle of its work does not break a writer, and the other way round. */
static void test_reader_and_writer(void **state)
{
	struct store_case *fixture = *state;
	int report[2];
	char ok = FALSE;
	pid_t reader;

	write_runs(fixture->path, "A", 1);
	assert_int_equal(pipe(report), 0);
	reader = fork();
	if (reader == 0)
		read_and_tell(fixture->path, report[1]);
	close(report[1]);

	g_autoptr(Store) writer = open_store(fixture->path, STORE_WRITE);
	g_autoptr(Plan) plan = plan_of("cmd:true", "A", 200);
	struct store_sitting sitting = sitting_of("boot-1", NULL);
	assert_true(store_begin(writer, plan, &sitting, NULL));
	for (guint i = 0; i < 200; i++) {
		struct run_result result = result_of(1.5, i);
		gboolean durable;

		assert_true(store_finish_run(writer, i, &result, &durable, NULL));
		assert_true(durable);
	}
	assert_int_equal(read(report[0], &ok, 1), 1);
	close(report[0]);
	assert_int_equal(waitpid(reader, NULL, 0), reader);
	assert_true(ok);
}

/* The child stores runs and tells the number of each that is durable; it never returns. */
static void write_until_killed(const char *path, int report)
{
	struct store *store = store_open(path, STORE_WRITE, NULL);
	struct plan *plan = plan_of("cmd:true", "A", 5000);
	struct store_sitting sitting = sitting_of("boot-1", NULL);

	if (!store || !store_begin(store, plan, &sitting, NULL))
		_exit(1);
	for (guint i = 0; i < 5000; i++) {
		/* Every third run counts as a long one, so that there are many commits to be killed in. */
		struct run_result result = result_of(i % 3 ? 0.5 : 1.5, i);
		gboolean durable;

		if (!store_finish_run(store, i, &result, &durable, NULL))
			_exit(1);
		if (durable && write(report, &i, sizeof i) != sizeof i)
			_exit(1);
	}
	_exit(1);
}

/* Killed at random moments, the store opens for reading each time, holds every run that was durable, and each whole. */
static void test_killed(void **state)
{
	struct store_case *fixture = *state;
	g_autoptr(GRand) rand = g_rand_new_with_seed(3);
	g_autofree char *journal = g_strconcat(fixture->path, "-journal", NULL);

	for (int round = 0; round < 25; round++) {
		guint durable = 0, got;
		int report[2];
		pid_t child;

		g_unlink(fixture->path);
		assert_int_equal(pipe(report), 0);
		child = fork();
		if (child == 0)
			write_until_killed(fixture->path, report[1]);
		close(report[1]);
		assert_int_equal(read(report[0], &got, sizeof got), sizeof got);
		g_usleep((gulong)g_rand_int_range(rand, 0, 40000));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		do
			durable = got + 1;
		while (read(report[0], &got, sizeof got) == sizeof got);
		close(report[0]);

		g_autoptr(Dataset) dataset = read_store(fixture->path);
		assert_true(dataset->n_runs >= durable);
		for (guint row = 0; row < dataset->n_runs; row++)
			for (int i = 0; i < RUN_METRICS; i++)
				assert_close(value_of(dataset, run_metrics[i].name, row), (row % 3 ? 0.5 : 1.5) + i, 0);
		/* A journal that came to nothing may lie there: the next writer takes it away. */
		write_runs(fixture->path, "B", 1);
		assert_false(g_file_test(journal, G_FILE_TEST_EXISTS));
	}
}

/* A writer that died after it had begun to change the file: the reader rolls back and sees what was there before. */
static void test_hot_journal(void **state)
{
	struct store_case *fixture = *state;
	g_autofree char *journal = g_strconcat(fixture->path, "-journal", NULL), *contents = NULL;
	pid_t child;
	gsize length;

	write_runs(fixture->path, "A", 1000);
	child = fork();
	if (child == 0) {
		sqlite3 *db;

		sqlite3_open(fixture->path, &db);
		sqlite3_exec(db, "PRAGMA cache_size = 2; BEGIN; UPDATE value SET value = -1", NULL, NULL, NULL);
		raise(SIGKILL);
	}
	waitpid(child, NULL, 0);
	assert_true(g_file_get_contents(journal, &contents, &length, NULL));
	assert_true(length > 0 && contents[0] != 0);
	g_autoptr(Dataset) dataset = read_store(fixture->path);
	assert_int_equal(dataset->n_runs, 1000);
	for (guint row = 0; row < 1000; row++)
		assert_close(value_of(dataset, "elapsed", row), (row + 1) / 1024.0, 0);
	assert_false(g_file_test(journal, G_FILE_TEST_EXISTS));
}

/* The rest needs mounts. */
static gboolean mount_tmpfs(const char *directory, const char *options)
{
	return geteuid() == 0 && mount("tmpfs", directory, "tmpfs", 0, options) == 0;
}

/* A store in a read-only place can be read, leaves nothing there, and is refused for writing with the reason. */
static void test_read_only(void **state)
{
	struct store_case *fixture = *state;

	if (!mount_tmpfs(fixture->directory, "size=4m"))
		skip();
	write_runs(fixture->path, "A", 3);
	assert_int_equal(mount("tmpfs", fixture->directory, "tmpfs", MS_REMOUNT | MS_RDONLY, ""), 0);
	g_autoptr(Dataset) dataset = read_store(fixture->path);
	assert_int_equal(dataset->n_runs, 3);
	check_refused(fixture->path, STORE_WRITE, g_strerror(EROFS));
	g_autofree char *other = g_build_filename(fixture->directory, "other.db", NULL);
	check_refused(other, STORE_WRITE, g_strerror(EROFS));
	g_autofree char *journal = g_strconcat(fixture->path, "-journal", NULL);
	assert_false(g_file_test(journal, G_FILE_TEST_EXISTS));
	assert_int_equal(umount(fixture->directory), 0);
}

/* A full device ends the writing with a message that says so; what was durable before can still be read. */
static void test_full(void **state)
{
	struct store_case *fixture = *state;
	g_autoptr(GError) error = NULL;
	guint durable = 0;

	if (!mount_tmpfs(fixture->directory, "size=1m"))
		skip();
	write_runs(fixture->path, "A", 5);
	{
		g_autoptr(Store) store = open_store(fixture->path, STORE_WRITE);
		g_autoptr(Plan) plan = plan_of("cmd:true", "B", 2000);
		struct store_sitting sitting = sitting_of("boot-1", NULL);

		assert_true(store_begin(store, plan, &sitting, NULL));
		g_autofree char *filler = g_build_filename(fixture->directory, "filler", NULL);
		int fd = open(filler, O_WRONLY | O_CREAT, 0600);
		char block[4096] = {1};

		while (write(fd, block, sizeof block) > 0)
			;
		close(fd);
		for (guint i = 0; i < 2000; i++) {
			struct run_result result = result_of(i % 50 ? 0.1 : 1, i);
			gboolean is_durable;

			if (!store_finish_run(store, i, &result, &is_durable, &error))
				break;
			if (is_durable)
				durable = i + 1;
		}
		assert_non_null(error);
		assert_non_null(strstr(error->message, "no room left on the device"));
		assert_non_null(strstr(error->message, fixture->path));
		assert_int_equal(err_exit_code(error), EXIT_RUNTIME);
		g_unlink(filler);
	}
	g_autoptr(Dataset) dataset = read_store(fixture->path);
	assert_true(dataset->n_runs >= 5 + durable);
	assert_int_equal(umount(fixture->directory), 0);
}

/* The store cannot even be made on a full device; nothing that looks like a store stays. */
static void test_full_from_the_start(void **state)
{
	struct store_case *fixture = *state;
	g_autofree char *filler = g_build_filename(fixture->directory, "filler", NULL);
	char block[4096] = {1};
	int fd;

	if (!mount_tmpfs(fixture->directory, "size=64k"))
		skip();
	fd = open(filler, O_WRONLY | O_CREAT, 0600);
	while (write(fd, block, sizeof block) > 0)
		;
	close(fd);
	check_refused(fixture->path, STORE_WRITE, "no room left on the device");
	check_refused(fixture->path, STORE_READ, fixture->path);
	assert_int_equal(umount(fixture->directory), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_missing, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_bad_places, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_no_store, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_empty_file, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_newer, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_truncated, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_reader_and_writer, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_killed, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_hot_journal, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_read_only, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_full, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(test_full_from_the_start, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("store faults", tests, NULL, NULL);
}
