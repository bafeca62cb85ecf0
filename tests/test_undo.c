#include "check.h"

#include "../src/setting_kinds.h"
#include "undo_case.h"

#define THP "/sys/kernel/mm/transparent_hugepage/enabled"

/* All that a killed process had set returns, the newest first, and a second time there is nothing to do. */
static void test_killed(void **state)
{
	static const char *const settings[][2] = {{"sysctl:vm.dirty_ratio", "60"},
						  {"sysctl:vm.swappiness", "61"},
						  {"queue:scheduler", "mq-deadline"},
						  {"queue:read_ahead_kb", "64"},
						  {"thp", "never"},
						  {NULL, NULL}};
	struct setting_case *fixture = *state;
	g_autofree char *scheduler = queue_file(fixture, "scheduler"),
			*read_ahead = queue_file(fixture, "read_ahead_kb");
	const char *disk = fixture->loop + strlen("/dev/");
	g_autofree char *report = NULL;
	struct holder holder;

	keep(fixture, "/proc/sys/vm/dirty_bytes");
	keep(fixture, "/proc/sys/vm/dirty_ratio");
	keep(fixture, SWAPPINESS);
	keep(fixture, THP);
	keep(fixture, scheduler);
	keep(fixture, read_ahead);
	write_file("/proc/sys/vm/dirty_bytes", "209715200");
	write_file(SWAPPINESS, "42");
	write_file(scheduler, "none");
	write_file(read_ahead, "512");
	write_file(THP, "madvise");
	holder = hold(fixture, settings);
	kill_holder(&holder);
	check_file("/proc/sys/vm/dirty_bytes", "0");
	check_file(SWAPPINESS, "61");
	check_file(scheduler, "mq-deadline");
	report = g_strdup_printf("transparent_hugepage 'enabled' put back to 'madvise'\n"
				 "queue '%s/read_ahead_kb' put back to '512'\n"
				 "queue '%s/scheduler' put back to 'none'\n"
				 "sysctl 'vm.swappiness' put back to '42'\n"
				 "sysctl 'vm.dirty_ratio' put back to 'vm.dirty_bytes=209715200'\n",
				 disk, disk);
	check_orphans(fixture, report);
	reap(&holder);
	check_file("/proc/sys/vm/dirty_bytes", "209715200");
	check_file("/proc/sys/vm/dirty_ratio", "0");
	check_file(SWAPPINESS, "42");
	check_file(scheduler, "none");
	check_file(read_ahead, "512");
	check_file(THP, "madvise");
	check_orphans(fixture, "");
}

/* What a process that lives has set is left to it, and nobody else may set it meanwhile. */
static void test_live_owner(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *why = NULL;
	struct holder holder;

	keep(fixture, SWAPPINESS);
	write_file(SWAPPINESS, "42");
	holder = hold(fixture, swappiness_61);
	check_orphans(fixture, "");
	check_file(SWAPPINESS, "61");
	why =
	    g_strdup_printf("setting 'sysctl:vm.swappiness' has to wait: process %d is changing sysctl 'vm.swappiness'",
			    (int)holder.pid);
	check_begin_fails(fixture, "sysctl:vm.swappiness", "62", why);
	kill_holder(&holder);
	reap(&holder);
	check_orphans(fixture, "sysctl 'vm.swappiness' put back to '42'\n");
	check_file(SWAPPINESS, "42");
}

/* A later process that has the number of the owner is not the owner. */
static void test_number_used_again(void **state)
{
	struct setting_case *fixture = *state;
	struct holder holder;

	keep(fixture, SWAPPINESS);
	write_file(SWAPPINESS, "42");
	holder = hold(fixture, swappiness_61);
	run_sql(fixture->path, "UPDATE undo SET pid_start = pid_start - 1");
	check_orphans(fixture, "sysctl 'vm.swappiness' put back to '42'\n");
	check_file(SWAPPINESS, "42");
	kill_holder(&holder);
	reap(&holder);
}

/* A reboot has put back the kernel's settings: they are forgotten, whatever they are now. */
static void test_other_boot(void **state)
{
	struct setting_case *fixture = *state;
	struct holder holder;

	keep(fixture, SWAPPINESS);
	holder = hold(fixture, swappiness_61);
	kill_holder(&holder);
	reap(&holder);
	run_sql(fixture->path, "UPDATE undo SET boot = '00000000-0000-0000-0000-000000000000'");
	check_orphans(fixture, "sysctl 'vm.swappiness' was put back by a reboot\n");
	check_file(SWAPPINESS, "61");
	check_orphans(fixture, "");
}

/* What somebody else has changed is left alone, told, and forgotten; a device that is gone as well. */
static void test_left_alone(void **state)
{
	static const char *const settings[][2] = {
	    {"sysctl:vm.swappiness", "61"}, {"queue:read_ahead_kb", "64"}, {NULL, NULL}};
	struct setting_case *fixture = *state;
	g_autofree char *read_ahead = queue_file(fixture, "read_ahead_kb");
	struct holder holder;

	keep(fixture, SWAPPINESS);
	keep(fixture, read_ahead);
	write_file(SWAPPINESS, "42");
	holder = hold(fixture, settings);
	kill_holder(&holder);
	reap(&holder);
	write_file(SWAPPINESS, "43");
	run_sql(fixture->path, "UPDATE undo SET subject = 'gone9/read_ahead_kb' WHERE kind = 'queue'");
	check_orphans(
	    fixture,
	    "queue 'gone9/read_ahead_kb' is gone: left alone\n"
	    "sysctl 'vm.swappiness' is 43, which is neither what it was (42) nor what was set (61): left alone\n");
	check_file(SWAPPINESS, "43");
	assert_int_equal(count_undos(fixture), 0);
}

/* What cannot be put back stays in the store and is the error; the rest is put back all the same. */
static void test_goes_on_after_failures(void **state)
{
	static const char *const settings[][2] = {{"sysctl:vm.swappiness", "61"},
						  {"sysctl:vm.dirty_writeback_centisecs", "600"},
						  {"thp", "never"},
						  {NULL, NULL}};
	struct setting_case *fixture = *state;
	g_autoptr(GString) report = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	struct holder holder;

	keep(fixture, SWAPPINESS);
	keep(fixture, "/proc/sys/vm/dirty_writeback_centisecs");
	keep(fixture, THP);
	write_file(SWAPPINESS, "42");
	holder = hold(fixture, settings);
	kill_holder(&holder);
	reap(&holder);
	run_sql(fixture->path, "UPDATE undo SET kind = 'nosuch' WHERE kind = 'transparent_hugepage';"
			       "UPDATE undo SET before = 'many' WHERE subject = 'vm.dirty_writeback_centisecs'");
	assert_false(undo_orphans(fixture->store, report, &error));
	assert_string_equal(error->message, "cannot put back nosuch 'enabled': this version does not know how");
	assert_int_equal(err_exit_code(error), EXIT_RUNTIME);
	assert_string_equal(report->str,
			    "cannot put back sysctl 'vm.dirty_writeback_centisecs' to 'many': Invalid argument\n"
			    "sysctl 'vm.swappiness' put back to '42'\n");
	check_file(SWAPPINESS, "42");
	assert_int_equal(count_undos(fixture), 2);
}

/* What is as it was before needs no word: a killed run had changed nothing yet, or somebody has put it back. */
static void test_as_before(void **state)
{
	static const char *const settings[][2] = {
	    {"sysctl:vm.swappiness", "61"}, {"sysctl:vm.dirty_writeback_centisecs", "600"}, {NULL, NULL}};
	struct setting_case *fixture = *state;
	struct holder holder;

	keep(fixture, SWAPPINESS);
	keep(fixture, "/proc/sys/vm/dirty_writeback_centisecs");
	write_file(SWAPPINESS, "61");
	write_file("/proc/sys/vm/dirty_writeback_centisecs", "500");
	holder = hold(fixture, settings);
	kill_holder(&holder);
	reap(&holder);
	write_file("/proc/sys/vm/dirty_writeback_centisecs", "500");
	check_orphans(fixture, "");
	assert_int_equal(count_undos(fixture), 0);
}

/* No subject leads out of the directory of its kind, not even one that names a file with what was "ours" in it. */
static void test_hostile_subjects(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *victim = g_build_filename(fixture->directory, "victim", NULL);
	g_autofree char *queue = g_strdup_printf("%s/../../../../../../../../..%s", "loop0", victim);
	g_autofree char *up = g_strdup_printf("../..%s", victim);
	g_autofree char *sysctl = g_strdup_printf("//.//.%s", victim + 1);
	const char *const subjects[] = {
	    queue, up, "/", "", "loop0", "loop0/", "loop0/../queue/scheduler", sysctl, "//.vm.swappiness"};
	static const struct undo_kind *const kinds[] = {&undo_queue, &undo_sysctl, &undo_thp};

	assert_true(g_file_set_contents(victim, "ours\n", -1, NULL));
	g_strdelimit(sysctl + strlen("//.//."), "/", '.');
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		for (guint j = 0; j < G_N_ELEMENTS(subjects); j++) {
			g_autofree char *subject = g_strdup(subjects[j]), *left = NULL;
			struct undo undo = {
			    .kind = ARG("x"), .subject = subject, .before = ARG("theirs"), .ours = LEVELS(ARG("ours"))};
			gboolean is_changed = FALSE;

			assert_true(!kinds[i]->put_back(&undo, &is_changed, &left, NULL) || left);
			assert_false(is_changed);
		}
	check_file(victim, "ours");
	g_unlink(victim);
}

#define WITH_CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_CASE(test_killed),           WITH_CASE(test_live_owner), WITH_CASE(test_number_used_again),
	    WITH_CASE(test_other_boot),       WITH_CASE(test_left_alone), WITH_CASE(test_goes_on_after_failures),
	    WITH_CASE(test_as_before),        WITH_CASE(test_hostile_subjects),
	};
	int skipped = claim_machine();

	return skipped ? skipped : cmocka_run_group_tests_name("undo", tests, NULL, NULL);
}
