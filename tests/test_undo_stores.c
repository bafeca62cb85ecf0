#include "check.h"

#include <sys/stat.h>

#include "../src/setting_kinds.h"
#include "undo_case.h"

/* What runs with one store have changed and runs with another find. The fixture's store is that of a process that is
 * killed. */

struct second {
	char *path;
	struct setting_case fixture; /* the same but for the store, which is another */
};

static void open_second(struct setting_case *fixture, struct second *second)
{
	second->fixture = *fixture;
	second->path = second->fixture.path = g_build_filename(fixture->directory, "second.db", NULL);
	open_case_store(&second->fixture);
}

static void close_second(struct second *second)
{
	assert_int_equal(count_undos(&second->fixture), 0);
	store_close(second->fixture.store);
	g_free(second->path);
}

static void check_registered(guint want)
{
	g_autoptr(GPtrArray) list = NULL;

	assert_true(registry_lock(NULL));
	list = registry_list(NULL);
	registry_unlock();
	assert_int_equal(list->len, want);
}

static void set_and_kill(struct setting_case *fixture)
{
	struct holder holder;

	keep(fixture, SWAPPINESS);
	write_file(SWAPPINESS, "42");
	holder = hold(fixture, swappiness_61);
	kill_holder(&holder);
	reap(&holder);
	check_file(SWAPPINESS, "61");
	check_registered(1);
}

static char *told(const struct setting_case *fixture)
{
	return g_strdup_printf("sysctl 'vm.swappiness' put back to '42' (noted in '%s')\n", fixture->path);
}

/* A killed run's setting is put back by the next start, with whatever store, or without one, and so is never taken for
 * what was there before. */
static void test_killed(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *report = told(fixture);
	struct second second;
	struct setting *setting;

	open_second(fixture, &second);
	set_and_kill(fixture);
	check_orphans(&second.fixture, report);
	check_file(SWAPPINESS, "42");
	assert_int_equal(count_undos(fixture), 0);
	check_registered(0);
	setting = BEGIN(&second.fixture, "sysctl:vm.swappiness", ARG("77"));
	check_registered(1);
	apply(&second.fixture, setting, "77");
	end_all(&second.fixture, NULL);
	check_file(SWAPPINESS, "42");
	check_registered(0);
	setting_free(g_ptr_array_steal_index(fixture->settings, 0));
	close_second(&second);

	set_and_kill(fixture);
	store_close(fixture->store);
	fixture->store = NULL;
	check_orphans(fixture, report);
	check_file(SWAPPINESS, "42");
	open_case_store(fixture);
	assert_int_equal(count_undos(fixture), 0);
	check_registered(0);
}

/* What a live run of another store is changing is left to it, and has to be waited for: the same, or its partner. */
static void test_live_owner(void **state)
{
	static const char *const settings[][2] = {
	    {"sysctl:vm.swappiness", "61"}, {"sysctl:vm.dirty_ratio", "60"}, {NULL, NULL}};
	struct setting_case *fixture = *state;
	g_autofree char *same = NULL, *partner = NULL;
	struct holder holder;
	struct second second;

	keep(fixture, "/proc/sys/vm/dirty_ratio");
	keep(fixture, "/proc/sys/vm/dirty_bytes");
	keep(fixture, SWAPPINESS);
	write_file(SWAPPINESS, "42");
	write_file("/proc/sys/vm/dirty_ratio", "20");
	open_second(fixture, &second);
	holder = hold(fixture, settings);
	same =
	    g_strdup_printf("setting 'sysctl:vm.swappiness' has to wait: process %d is changing sysctl 'vm.swappiness'",
			    (int)holder.pid);
	partner = g_strdup_printf(
	    "setting 'sysctl:vm.dirty_bytes' has to wait: process %d is changing sysctl 'vm.dirty_ratio'",
	    (int)holder.pid);
	check_orphans(&second.fixture, "");
	check_file(SWAPPINESS, "61");
	check_begin_fails(&second.fixture, "sysctl:vm.swappiness", "62", same);
	check_begin_fails(&second.fixture, "sysctl:vm.dirty_bytes", "209715200", partner);
	kill_holder(&holder);
	reap(&holder);
	check_orphans(fixture, "sysctl 'vm.dirty_ratio' put back to '20'\nsysctl 'vm.swappiness' put back to '42'\n");
	check_registered(0);
	close_second(&second);
}

/* Of a store that is gone, or is none any more, it can only be said that it is; once. */
static void test_gone(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *gone =
	    g_strdup_printf("the store '%s' is gone: what its runs had changed on this machine is not put back\n",
			    fixture->path);
	struct second second;

	open_second(fixture, &second);
	for (int is_other = 0; is_other < 2; is_other++) {
		set_and_kill(fixture);
		store_close(fixture->store);
		if (is_other)
			assert_true(g_file_set_contents(fixture->path, "something else", -1, NULL));
		else
			g_unlink(fixture->path);
		check_orphans(&second.fixture, gone);
		check_orphans(&second.fixture, "");
		check_registered(0);
		g_unlink(fixture->path);
		open_case_store(fixture);
	}
	close_second(&second);
}

static void check_failure(struct setting_case *fixture, const char *want, const char *want_report)
{
	g_autoptr(GString) report = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	assert_false(undo_orphans(fixture->store, report, &error));
	if (!strstr(error->message, want))
		fail_msg("no '%s' in: %s", want, error->message);
	assert_string_equal(report->str, want_report);
}

/* One that cannot be read now, or that others can write to now, is a failure as long as that is so, and nothing is set
 * meanwhile; what is the own store's is put back all the same. */
static void test_unreadable(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *report = told(fixture), *sql = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(Undo) own = NULL, found = NULL;
	struct second second;

	open_second(fixture, &second);
	set_and_kill(fixture);
	own = undo_add(second.fixture.store, &undo_sysctl, "vm.nosuch", "1", LEVELS(ARG("2")), NULL);
	assert_non_null(own);
	run_sql(second.path, "UPDATE undo SET pid_start = pid_start - 1");
	run_sql(fixture->path, "PRAGMA user_version = 99");
	check_failure(&second.fixture, "was written by a newer vmstat-bench",
		      "sysctl 'vm.nosuch' is gone: left alone\n");
	assert_false(undo_find(second.fixture.store, &undo_sysctl, "vm.swappiness", &found, &error));
	run_sql(fixture->path, "PRAGMA user_version = 1");
	assert_int_equal(chmod(fixture->path, 0666), 0);
	check_failure(&second.fixture, "others may write to", "");
	check_file(SWAPPINESS, "61");
	check_registered(1);
	assert_int_equal(chmod(fixture->path, 0644), 0);
	check_orphans(&second.fixture, report);
	check_file(SWAPPINESS, "42");
	close_second(&second);
}

/* What cannot be put back stays noted where it is, and the failure says where. */
static void test_failure(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *why = g_strdup_printf(
	    "cannot put back sysctl 'vm.swappiness' to 'many': Invalid argument (noted in '%s')", fixture->path);
	struct second second;

	open_second(fixture, &second);
	set_and_kill(fixture);
	run_sql(fixture->path, "UPDATE undo SET before = 'many'");
	check_failure(&second.fixture, why, "");
	assert_int_equal(count_undos(fixture), 1);
	check_registered(1);
	run_sql(fixture->path, "UPDATE undo SET before = '42'");
	check_orphans(fixture, "sysctl 'vm.swappiness' put back to '42'\n");
	close_second(&second);
}

/* A store in the directory of an account that root acted for may be written to by it; root itself believes it later. */
static void test_sudo(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *report = told(fixture), *path = g_strdup("/tmp/test-undo-XXXXXX"), *store = NULL;
	struct second second;

	assert_non_null(g_mkdtemp(path));
	store = g_build_filename(path, "second.db", NULL);
	second.fixture = *fixture;
	second.path = second.fixture.path = store;
	open_case_store(&second.fixture);
	assert_int_equal(chown(path, 65534, 65534), 0);
	assert_int_equal(chown(store, 65534, 65534), 0);
	g_setenv("SUDO_UID", "65534", TRUE);
	set_and_kill(&second.fixture);
	g_unsetenv("SUDO_UID");
	assert_null(store_undo_list(second.fixture.store, NULL));
	g_free(report);
	report = told(&second.fixture);
	check_orphans(fixture, report);
	check_file(SWAPPINESS, "42");
	assert_int_equal(count_undos(&second.fixture), 0);
	store_close(second.fixture.store);
	remove_all(path);
}

/* A directory concerns its own store alone: it is in no registry, and no other store's start removes it. */
static void test_private(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *directory = g_build_filename(fixture->directory, "vmstat-bench.0123456789abcdef", NULL);
	g_autofree char *removed = g_strdup_printf("directory '%s' removed\n", directory), *report = told(fixture);
	g_autoptr(Undo) undo = NULL;
	struct second second;

	open_second(fixture, &second);
	assert_int_equal(g_mkdir(directory, 0700), 0);
	undo = undo_add(fixture->store, &undo_directory, directory, NULL, NULL, NULL);
	assert_non_null(undo);
	check_registered(0);
	set_and_kill(fixture);
	run_sql(fixture->path, "UPDATE undo SET pid_start = pid_start - 1");
	check_orphans(&second.fixture, report);
	check_registered(0);
	assert_true(g_file_test(directory, G_FILE_TEST_IS_DIR));
	check_orphans(fixture, removed);
	assert_false(g_file_test(directory, G_FILE_TEST_EXISTS));
	close_second(&second);
}

#define WITH_CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_CASE(test_killed),     WITH_CASE(test_live_owner), WITH_CASE(test_gone), WITH_CASE(test_unreadable),
	    WITH_CASE(test_failure),    WITH_CASE(test_sudo),       WITH_CASE(test_private),
	};
	int skipped = claim_machine();

	return skipped ? skipped : cmocka_run_group_tests_name("undo_stores", tests, NULL, NULL);
}
