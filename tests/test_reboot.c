#include "check.h"

#include "../src/facts.h"
#include "../src/machine.h"
#include "../src/reboot_unit.h"
#include "../src/reboots.h"
#include "../src/store_reboot.h"
#include "setting_case.h"
#include "store_case.h"

/* What reboots of this machine need, short of a reboot: the unit, and what the store counts. */

static int set_up_units(void **state)
{
	struct setting_case *fixture;
	static char *directory;

	set_up(state);
	fixture = *state;
	g_free(directory);
	directory = g_build_filename(fixture->directory, "units", NULL);
	g_mkdir(directory, 0755);
	reboot_unit_move(directory);
	return 0;
}

/* What is done after a boot waits for systemd to have finished. */
static void skip_without_systemctl(void)
{
	g_autofree char *path = g_find_program_in_path("systemctl");

	if (!path)
		skip();
}

#define WITH_UNITS(test) cmocka_unit_test_setup_teardown(test, set_up_units, tear_down)

static gboolean is_enabled(void)
{
	g_autofree char *path = reboot_unit_path(), *directory = g_path_get_dirname(path);
	g_autofree char *link = g_build_filename(directory, "multi-user.target.wants", REBOOT_UNIT, NULL);

	return reboot_unit_is_there() && g_file_test(link, G_FILE_TEST_IS_SYMLINK) &&
	       g_file_test(link, G_FILE_TEST_IS_REGULAR);
}

/* Blanks, quotes, backslashes and percent signs of a path stay what they are: systemd.syntax(7) "Quoting",
 * systemd.unit(5) "Specifiers". */
static void test_unit_text(void **state)
{
	const struct reboot_unit unit = {.program = "/opt/a b/vmstat-bench",
					 .store = "/home/x/100% \"sure\"\\$HOME\t.db",
					 .dir = "/mnt/%h",
					 .uid = "1000",
					 .gid = "100"};
	const struct reboot_unit of_root = {.program = "/a", .store = "/b", .dir = "/c"};
	g_autofree char *text = reboot_unit_text(&unit), *plain = reboot_unit_text(&of_root);

	assert_non_null(strstr(text, "\nExecStart=:\"/opt/a b/vmstat-bench\" resume --after-boot --store "
				     "\"/home/x/100%% \\\"sure\\\"\\\\$HOME\\x09.db\"\n"));
	assert_non_null(
	    strstr(text, "\nRequiresMountsFor=\"/home/x/100%% \\\"sure\\\"\\\\$HOME\\x09.db\" \"/mnt/%%h\"\n"));
	assert_non_null(strstr(text, "\nEnvironment=SUDO_UID=1000 SUDO_GID=100\n"));
	assert_non_null(strstr(text, "\nWantedBy=multi-user.target\n"));
	assert_non_null(strstr(text, "\nAfter=multi-user.target\n"));
	assert_null(strstr(plain, "Environment"));
}

/* The state of a plan is read back as it was written, also by another handle; the last that has not stopped is the
 * present one. */
static void test_store(void **state)
{
	struct setting_case *fixture = *state;
	g_autoptr(Plan) plan = plan_of("cmd:true", "x", 2);
	struct store_sitting sitting = sitting_of("boot-1", NULL);
	struct store_reboot reboot = {.plan = 1,
				      .boots = 2,
				      .left = 7,
				      .boot_id = (char[]){"b"},
				      .kernel = (char[]){"6.1"}},
			    read;
	gint64 number;

	assert_true(store_reboot_plan(fixture->store, &number, NULL));
	assert_int_equal(number, 0);
	assert_true(store_begin(fixture->store, plan, &sitting, NULL));
	assert_int_equal(store_plan_begun(fixture->store), 1);
	assert_true(store_reboot_read(fixture->store, 1, &read, NULL));
	assert_int_equal(read.plan, 0);
	assert_true(store_reboot_write(fixture->store, &reboot, NULL));
	store_close(fixture->store);
	open_case_store(fixture);
	assert_true(store_reboot_read(fixture->store, 1, &read, NULL));
	assert_int_equal(read.boots, 2);
	assert_int_equal(read.left, 7);
	assert_string_equal(read.boot_id, "b");
	assert_string_equal(read.kernel, "6.1");
	assert_null(read.trouble);
	assert_null(read.stopped);
	store_reboot_clear(&read);
	assert_true(store_reboot_plan(fixture->store, &number, NULL));
	assert_int_equal(number, 1);
	reboot.stopped = (char[]){"why"};
	assert_true(store_reboot_write(fixture->store, &reboot, NULL));
	assert_true(store_reboot_plan(fixture->store, &number, NULL));
	assert_int_equal(number, 0);
}

/* Runs of the boots of a plan are of one sitting, and those of a plan that was resumed are not. */
static void test_one_sitting(void **state)
{
	struct setting_case *fixture = *state;
	g_autoptr(Plan) plan = plan_of("cmd:true", "x", 3);
	struct store_sitting sitting = sitting_of("boot-1", NULL);
	gboolean done[3];
	g_autofree char *changed = NULL;
	g_autoptr(Dataset) dataset = NULL;

	assert_true(store_begin(fixture->store, plan, &sitting, NULL));
	for (guint i = 0; i < 3; i++) {
		struct run_result result = result_of(1, i + 1);

		sitting.boot_id = i == 0 ? "boot-2" : i == 1 ? "boot-3" : "boot-4";
		sitting.continues = i < 2;
		assert_true(store_resume(fixture->store, 1, plan, &sitting, done, &changed, NULL));
		assert_true(store_finish_run(fixture->store, i, &result, NULL, NULL));
	}
	dataset = store_load(fixture->store, FALSE, NULL);
	assert_string_equal(column_get(dataset->sitting, 0), column_get(dataset->sitting, 1));
	assert_string_not_equal(column_get(dataset->sitting, 1), column_get(dataset->sitting, 2));
	assert_string_not_equal(column_get(dataset->boot, 0), column_get(dataset->boot, 1));
}

/* A plan of two runs whose unit is installed by a process that is gone. */
static void begin(struct setting_case *fixture, guint boots, guint left, const char *kernel)
{
	static const char text[] = "[Unit]\n";
	g_autofree char *mark = reboot_unit_mark(text), *path = reboot_unit_path(), *name = g_strdup(kernel);
	g_autoptr(Plan) plan = plan_of("cmd:true", "x", 2);
	struct store_sitting sitting = sitting_of("boot-1", NULL);
	struct store_reboot reboot = {
	    .plan = 1, .boots = boots, .left = left, .boot_id = (char[]){"boot-1"}, .kernel = name};
	g_autoptr(Undo) undo = undo_add(fixture->store, &undo_unit, path, NULL, LEVELS(mark), NULL);

	assert_true(store_begin(fixture->store, plan, &sitting, NULL));
	assert_true(store_reboot_write(fixture->store, &reboot, NULL));
	assert_non_null(undo);
	g_free(undo->boot_id);
	undo->boot_id = g_strdup("boot-1");
	assert_true(store_undo_own(fixture->store, undo, NULL));
	assert_true(reboot_unit_install(text, NULL));
	assert_true(is_enabled());
}

static void check_state(struct setting_case *fixture, guint boots, const char *stopped)
{
	struct store_reboot reboot;

	assert_true(store_reboot_read(fixture->store, 1, &reboot, NULL));
	assert_int_equal(reboot.boots, boots);
	if (!stopped)
		assert_null(reboot.stopped);
	else
		assert_string_equal(reboot.stopped, stopped);
	store_reboot_clear(&reboot);
}

/* There is one unit at a time; nobody else may run meanwhile; what is left by a dead process goes away with all else
 * that is to be put back, unless it is another unit by then. */
static void test_unit(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *path = reboot_unit_path();
	g_autoptr(GString) report = g_string_new(NULL);
	g_autoptr(GError) twice = NULL, busy = NULL;

	assert_true(reboots_check_none(NULL));
	begin(fixture, 0, 2, NULL);
	assert_false(reboot_unit_install("[Unit]\n", &twice));
	assert_non_null(strstr(twice->message, REBOOT_UNIT));
	assert_false(reboots_check_none(&busy));
	assert_true(is_enabled());
	assert_true(g_file_set_contents(path, "[Unit]\n# of another\n", -1, NULL));
	assert_true(undo_orphans(fixture->store, report, NULL));
	assert_non_null(strstr(report->str, "is another by now"));
	assert_true(reboot_unit_is_there());
	assert_true(g_file_set_contents(path, "[Unit]\n", -1, NULL));
	assert_int_equal(count_undos(fixture), 0);
}

/* One that is as it was written is removed with the symlink that enables it. */
static void test_orphan(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *path = reboot_unit_path(), *want = g_strdup_printf("unit '%s' removed\n", path);
	g_autoptr(GString) report = g_string_new(NULL);

	begin(fixture, 0, 2, NULL);
	assert_true(undo_orphans(fixture->store, report, NULL));
	assert_string_equal(report->str, want);
	assert_false(reboot_unit_is_there());
}

/* After three boots without a finished run the fourth ends it before anything else is done. */
static void test_loop(void **state)
{
	struct setting_case *fixture = *state;
	enum reboots_found found;
	const char *verb = NULL;
	g_autofree char *why = NULL;
	gint64 plan;

	begin(fixture, 3, 2, NULL);
	assert_true(reboots_enter(fixture->store, &plan, &found, &verb, &why, NULL));
	assert_int_equal(found, REBOOTS_STOPPED);
	assert_int_equal(plan, 1);
	assert_string_equal(why, "3 boots in a row without a finished run");
	check_state(fixture, 4, "3 boots in a row without a finished run");
	assert_false(reboot_unit_is_there());
	assert_int_equal(count_undos(fixture), 0);
}

/* The third boot of a kernel that is not the one asked for is the last. */
static void test_wrong_kernel(void **state)
{
	struct setting_case *fixture = *state;
	enum reboots_found found;
	const char *verb = NULL;
	g_autofree char *why = NULL;
	gint64 plan;

	skip_without_systemctl();
	begin(fixture, 2, 2, "0.0-none");
	assert_true(reboots_enter(fixture->store, &plan, &found, &verb, &why, NULL));
	assert_int_equal(found, REBOOTS_STOPPED);
	assert_true(g_str_has_prefix(why, "3 boots in a row without a finished run; the last: booted kernel "));
	assert_true(g_str_has_suffix(why, ", not 0.0-none"));
	assert_false(reboot_unit_is_there());
}

/* A finished run begins the count anew, and this process is then the owner of the unit, which nobody takes away
 * meanwhile. */
static void test_count(void **state)
{
	struct setting_case *fixture = *state;
	g_autoptr(GString) report = g_string_new(NULL);
	enum reboots_found found;
	const char *verb = NULL;
	g_autofree char *why = NULL;
	g_autoptr(GError) again = NULL;
	gint64 plan;

	skip_without_systemctl();
	begin(fixture, 3, 3, NULL);
	assert_true(reboots_enter(fixture->store, &plan, &found, &verb, &why, NULL));
	assert_int_not_equal(found, REBOOTS_STOPPED);
	check_state(fixture, 1, NULL);
	assert_true(undo_orphans(fixture->store, report, NULL));
	assert_string_equal(report->str, "");
	assert_true(is_enabled());
	g_clear_pointer(&why, g_free);
	/* the same boot is no other */
	assert_false(reboots_enter(fixture->store, &plan, &found, &verb, &why, &again));
	assert_non_null(strstr(again->message, "has not been rebooted"));
	check_state(fixture, 1, NULL);
	assert_true(reboots_end(fixture->store, 1, "all runs are done", NULL));
	check_state(fixture, 1, "all runs are done");
	assert_false(reboot_unit_is_there());
}

/* A plan that was cancelled is no longer the present one, says so, and what is left of it is pending. */
static void test_cancel(void **state)
{
	struct setting_case *fixture = *state;
	g_autoptr(GPtrArray) plans = NULL;
	enum reboots_found found;
	const char *verb = NULL;
	g_autofree char *why = NULL;
	gint64 plan;

	begin(fixture, 1, 2, NULL);
	assert_true(reboots_cancel(fixture->store, &plan, NULL));
	assert_int_equal(plan, 1);
	check_state(fixture, 1, "cancelled");
	assert_false(reboot_unit_is_there());
	plans = store_plans(fixture->store, NULL);
	assert_int_equal(((const struct store_plan *)plans->pdata[0])->left, 2);
	assert_true(reboots_cancel(fixture->store, &plan, NULL));
	assert_int_equal(plan, 0);
	assert_false(reboots_enter(fixture->store, &plan, &found, &verb, &why, NULL));
}

/* A process that is at the plan is told to stop. */
static void test_cancel_live(void **state)
{
	struct setting_case *fixture = *state;
	int told[2], status;
	char byte;
	gint64 plan;
	pid_t pid;

	begin(fixture, 1, 2, NULL);
	assert_int_equal(pipe(told), 0);
	pid = fork();
	if (pid == 0) {
		g_autoptr(Store) own = store_open(fixture->path, STORE_WRITE, NULL);
		g_autoptr(Undo) unit = NULL;

		if (own && undo_adopt(own, &undo_unit, &unit, NULL) && unit && write(told[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	close(told[1]);
	assert_int_equal(read(told[0], &byte, 1), 1);
	close(told[0]);
	assert_true(reboots_cancel(fixture->store, &plan, NULL));
	assert_int_equal(plan, 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	check_state(fixture, 1, "cancelled");
	assert_false(reboot_unit_is_there());
}

/* What lies in memory is gone after a reboot. */
static void test_kept(void **state)
{
	g_autoptr(GError) error = NULL;

	if (g_file_test("/dev/shm", G_FILE_TEST_IS_DIR)) {
		assert_false(machine_check_kept("/dev/shm", "the store in", &error));
		assert_non_null(strstr(error->message, "'/dev/shm' lies in memory"));
	}
	assert_true(machine_check_kept("/usr", "the directory", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_unit_text),
	    cmocka_unit_test(test_kept),
	    WITH_UNITS(test_store),
	    WITH_UNITS(test_one_sitting),
	    WITH_UNITS(test_unit),
	    WITH_UNITS(test_orphan),
	    WITH_UNITS(test_loop),
	    WITH_UNITS(test_wrong_kernel),
	    WITH_UNITS(test_count),
	    WITH_UNITS(test_cancel),
	    WITH_UNITS(test_cancel_live),
	};

	int skipped = claim_machine();

	return skipped ? skipped : cmocka_run_group_tests_name("reboot", tests, NULL, NULL);
}
