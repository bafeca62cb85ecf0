#include "check.h"

#include <poll.h>
#include <sys/stat.h>

#include "setting_case.h"

/* The registry of stores with something to put back. */

static guint count_files(const char *directory)
{
	GDir *stream = g_dir_open(directory, 0, NULL);
	guint n = 0;

	assert_non_null(stream);
	while (g_dir_read_name(stream))
		n++;
	g_dir_close(stream);
	return n;
}

static void lock(void)
{
	g_autoptr(GError) error = NULL;

	if (!registry_lock(&error))
		fail_msg("%s", error->message);
}

/* A store is in it once, however often it was added, with whatever is in its path, until it is removed; root acts for
 * somebody else only under sudo. */
static void test_round_trip(void **state)
{
	static const char odd[] = "/a b/\n/'c'.db";
	struct setting_case *fixture = *state;
	g_autoptr(GPtrArray) none = NULL, list = NULL, rest = NULL;
	const struct registered *registered;
	struct stat st;

	g_unsetenv("SUDO_UID");
	lock();
	none = registry_list(NULL);
	assert_int_equal(none->len, 0);
	assert_true(registry_add("/x.db", NULL));
	assert_true(registry_add("/x.db", NULL));
	g_setenv("SUDO_UID", "1001", TRUE);
	g_setenv("SUDO_GID", "1002", TRUE);
	assert_true(registry_add(odd, NULL));
	g_unsetenv("SUDO_UID");
	g_unsetenv("SUDO_GID");
	list = registry_list(NULL);
	assert_int_equal(list->len, 2);
	registered = list->pdata[g_str_equal(((struct registered *)list->pdata[0])->path, odd) ? 0 : 1];
	assert_string_equal(registered->path, odd);
	assert_int_equal(registered->caller.uid, 1001);
	assert_int_equal(registered->caller.gid, 1002);
	registered = list->pdata[registered == list->pdata[0] ? 1 : 0];
	assert_string_equal(registered->path, "/x.db");
	assert_int_equal(registered->caller.uid, 0);
	assert_int_equal(stat(fixture->registry, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_true(registry_remove(odd, NULL));
	assert_true(registry_remove("/x.db", NULL));
	assert_true(registry_remove("/x.db", NULL));
	rest = registry_list(NULL);
	assert_int_equal(rest->len, 0);
	registry_unlock();
	assert_int_equal(count_files(fixture->registry), 0);
}

/* What was not written whole is passed over. */
static void test_torn(void **state)
{
	static const char *const texts[] = {"", "0", "0 0", "0 0 ", "0 0 /x.d", "-1 0 /x.db", "a b /x.db", "0 0 /x.db"};
	struct setting_case *fixture = *state;
	/* printf /x.db | sha256sum */
	g_autofree char *file = g_build_filename(
	    fixture->registry, "777d761b2d49c33f4d5789d211a51d63b7f70da971dba554a46ebdc74ca2bcc4", NULL);

	lock();
	for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GPtrArray) list = NULL;

		assert_true(g_file_set_contents(file, texts[i], -1, NULL));
		list = registry_list(NULL);
		assert_int_equal(list->len, i == G_N_ELEMENTS(texts) - 1);
	}
	registry_unlock();
}

/* What of another is in its place is refused: nothing is changed then, nor is anything put back. */
static void check_refused(struct setting_case *fixture, const char *why)
{
	g_autofree char *message = g_strdup_printf(why, fixture->registry);
	g_autoptr(GString) report = g_string_new(NULL);
	GError *errors[3] = {NULL};

	assert_false(registry_lock(&errors[0]));
	assert_null(undo_add(fixture->store, undo_table[0], "vm.a", "1", NULL, &errors[1]));
	assert_false(undo_orphans(fixture->store, report, &errors[2]));
	for (guint i = 0; i < G_N_ELEMENTS(errors); i++) {
		assert_string_equal(errors[i]->message, message);
		g_error_free(errors[i]);
	}
	check_begin_fails(fixture, "sysctl:vm.swappiness", "61", message);
	assert_int_equal(count_undos(fixture), 0);
}

/* A link, be it to a directory of root's, a file, another's directory, one that others can read or write to. */
static void test_planted(void **state)
{
	static const char others[] = "cannot trust '%s' with what is to be put back: others than root can get at it";
	struct setting_case *fixture = *state;
	g_autofree char *aim = g_build_filename(fixture->directory, "aim", NULL);

	assert_int_equal(g_mkdir(aim, 0700), 0);
	assert_int_equal(symlink(aim, fixture->registry), 0);
	check_refused(fixture, "cannot open the directory '%s': Not a directory");
	assert_int_equal(count_files(aim), 0);
	g_unlink(fixture->registry);
	assert_true(g_file_set_contents(fixture->registry, "", 0, NULL));
	check_refused(fixture, "cannot open the directory '%s': Not a directory");
	g_unlink(fixture->registry);
	assert_int_equal(g_mkdir(fixture->registry, 0700), 0);
	assert_int_equal(chown(fixture->registry, 65534, 65534), 0);
	check_refused(fixture, others);
	assert_int_equal(chown(fixture->registry, 0, 0), 0);
	assert_int_equal(chmod(fixture->registry, 0750), 0);
	check_refused(fixture, others);
	assert_int_equal(chmod(fixture->registry, 01703), 0);
	check_refused(fixture, others);
	assert_int_equal(chmod(fixture->registry, 0700), 0);
	lock();
	registry_unlock();
}

/* Where it cannot be made it is empty, and nothing can be noted: nothing is changed that others would not see. */
static void test_cannot_be_made(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *directory = g_build_filename(fixture->directory, "nosuch", "registry", NULL);
	g_autofree char *why = g_strdup_printf("cannot make the directory '%s': No such file or directory", directory);
	g_autoptr(GString) report = g_string_new(NULL);
	g_autoptr(GPtrArray) list = NULL;
	g_autoptr(GError) error = NULL;

	registry_move(directory);
	assert_true(undo_orphans(fixture->store, report, &error));
	assert_string_equal(report->str, "");
	lock();
	list = registry_list(NULL);
	assert_int_equal(list->len, 0);
	registry_unlock();
	check_begin_fails(fixture, "sysctl:vm.swappiness", "61", why);
	assert_int_equal(count_undos(fixture), 0);
}

/* Without root it is empty, whatever is in its place, and nothing is made. */
static void test_without_root(void **state)
{
	struct setting_case *fixture = *state;
	g_autoptr(GPtrArray) list = NULL;
	gboolean is_locked, is_added;

	assert_int_equal(chmod(fixture->directory, 0777), 0);
	assert_int_equal(seteuid(65534), 0);
	is_locked = registry_lock(NULL);
	is_added = registry_add("/x.db", NULL);
	list = registry_list(NULL);
	registry_unlock();
	assert_int_equal(seteuid(0), 0);
	assert_true(is_locked && is_added);
	assert_int_equal(list->len, 0);
	assert_false(g_file_test(fixture->registry, G_FILE_TEST_EXISTS));
}

static gboolean is_told(int fd, int timeout_ms)
{
	struct pollfd poller = {.fd = fd, .events = POLLIN};

	return poll(&poller, 1, timeout_ms) == 1;
}

/* Another process gets the lock when the outer of nested calls ends, and not before. */
static void test_lock(void **state)
{
	int go[2], told[2];
	pid_t pid;

	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(told), 0);
	pid = fork();
	if (pid == 0) {
		char byte;

		if (read(go[0], &byte, 1) == 1 && registry_lock(NULL) && write(told[1], "", 1) == 1)
			_exit(0);
		_exit(1);
	}
	lock();
	lock();
	assert_int_equal(write(go[1], "", 1), 1);
	registry_unlock();
	assert_false(is_told(told[0], 200));
	registry_unlock();
	assert_true(is_told(told[0], 10000));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

#define WITH_CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_CASE(test_round_trip),     WITH_CASE(test_torn),         WITH_CASE(test_planted),
	    WITH_CASE(test_cannot_be_made), WITH_CASE(test_without_root), WITH_CASE(test_lock),
	};
	int skipped = claim_machine();

	return skipped ? skipped : cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
