#include "check.h"

#include <sys/stat.h>

#include "../src/setting_kinds.h"
#include "setting_case.h"
#include "store_case.h"

/* The store's part of the undo journal. With "--change STORE" this program sets vm.swappiness and ends without putting
 * it back, as one that was killed. */

#define SWAPPINESS "/proc/sys/vm/swappiness"

/* What is noted is read back as it was, the newest first, also by another handle, until it is removed. */
static void test_journal(void **state)
{
	struct setting_case *fixture = *state;
	g_autoptr(GPtrArray) list = NULL;
	g_autoptr(Undo) first = undo_add(fixture->store, &undo_sysctl, "vm.a", "", LEVELS(ARG("1"), ARG("a  b")), NULL);
	g_autoptr(Undo) second = undo_add(fixture->store, &undo_directory, "/a\nb", NULL, NULL, NULL);
	const struct undo *undo;

	assert_true(first && second && first->id < second->id);
	store_close(fixture->store);
	open_case_store(fixture);
	list = store_undo_list(fixture->store, NULL);
	assert_int_equal(list->len, 2);
	undo = list->pdata[0];
	assert_int_equal(undo->id, second->id);
	assert_string_equal(undo->kind, "directory");
	assert_string_equal(undo->subject, "/a\nb");
	assert_null(undo->before);
	assert_null(undo->ours[0]);
	undo = list->pdata[1];
	assert_string_equal(undo->before, "");
	assert_string_equal(undo->ours[0], "1");
	assert_string_equal(undo->ours[1], "a  b");
	assert_null(undo->ours[2]);
	assert_int_equal(undo->pid, getpid());
	assert_true(undo_owner_lives(undo));
	assert_true(store_undo_remove(fixture->store, first->id, NULL));
	assert_true(store_undo_remove(fixture->store, second->id, NULL));
	assert_int_equal(count_undos(fixture), 0);
}

/* Runs that are not on the disk yet get there with what is noted: a store is never behind the machine. */
static void test_runs_are_flushed(void **state)
{
	struct setting_case *fixture = *state;
	g_autoptr(Plan) plan = plan_of("cmd:true", "x", 3);
	struct store_sitting sitting = sitting_of("boot-1", NULL);
	struct run_result result = result_of(0.001, 1);
	g_autoptr(Undo) undo = NULL;
	g_autoptr(Dataset) dataset = NULL;
	gboolean durable;

	assert_true(store_begin(fixture->store, plan, &sitting, NULL));
	assert_true(store_finish_run(fixture->store, 0, &result, &durable, NULL));
	assert_false(durable);
	undo = undo_add(fixture->store, &undo_sysctl, "vm.a", "1", NULL, NULL);
	assert_non_null(undo);
	dataset = read_store(fixture->path);
	assert_int_equal(dataset->n_runs, 1);
	assert_true(store_finish_run(fixture->store, 1, &result, NULL, NULL));
	assert_true(store_undo_remove(fixture->store, undo->id, NULL));
}

static void check_untrusted(struct setting_case *fixture, const char *whose)
{
	g_autofree char *why = g_strdup_printf("others may write to '%s'", whose);
	g_autoptr(GError) listing = NULL;
	g_autoptr(GError) adding = NULL;

	assert_null(store_undo_list(fixture->store, &listing));
	assert_non_null(strstr(listing->message, why));
	assert_null(undo_add(fixture->store, &undo_sysctl, "vm.a", "1", NULL, &adding));
	assert_non_null(strstr(adding->message, why));
}

/* A store that others could write to does not tell root what to do; one without anything to put back is just empty. */
static void test_others_store(void **state)
{
	struct setting_case *fixture = *state;
	g_autoptr(Undo) undo = NULL;

	assert_int_equal(chmod(fixture->path, 0666), 0);
	assert_int_equal(count_undos(fixture), 0);
	assert_int_equal(chmod(fixture->path, 0644), 0);
	undo = undo_add(fixture->store, &undo_sysctl, "vm.a", "1", NULL, NULL);
	assert_non_null(undo);
	assert_int_equal(chmod(fixture->path, 0646), 0);
	check_untrusted(fixture, fixture->path);
	assert_int_equal(chmod(fixture->path, 0644), 0);
	assert_int_equal(chmod(fixture->directory, 01777), 0);
	check_untrusted(fixture, fixture->directory);
	assert_int_equal(chmod(fixture->directory, 0755), 0);
	assert_int_equal(chown(fixture->path, 65534, 65534), 0);
	check_untrusted(fixture, fixture->path);
	g_setenv("SUDO_UID", "65534", TRUE);
	assert_int_equal(count_undos(fixture), 1);
	assert_int_equal(chmod(fixture->path, 0664), 0);
	check_untrusted(fixture, fixture->path);
	g_setenv("SUDO_GID", "65534", TRUE);
	assert_int_equal(count_undos(fixture), 1);
	g_unsetenv("SUDO_UID");
	g_unsetenv("SUDO_GID");
}

/* What was there is on the disk before it is changed: no write to the store after the last sync before the change. */
static void test_noted_before_changed(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL), *strace = g_find_program_in_path("strace");
	g_autofree char *trace = g_build_filename(fixture->directory, "trace", NULL), *text = NULL;
	g_auto(GStrv) lines = NULL;
	gboolean is_synced = FALSE, is_changed = FALSE;

	if (!strace)
		skip();
	keep(fixture, SWAPPINESS);
	g_setenv("ASAN_OPTIONS", "detect_leaks=0", TRUE);
	SPAWN(NULL, strace, ARG("-o"), trace, ARG("-e"), ARG("trace=write,pwrite64,fsync,fdatasync"), self,
	      ARG("--change"), fixture->path);
	assert_true(g_file_get_contents(trace, &text, NULL, NULL));
	g_unlink(trace);
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line && !is_changed; line++) {
		if (strstr(*line, "\"61\\n\""))
			is_changed = TRUE;
		else if (strstr(*line, "sync("))
			is_synced = TRUE;
		else if (g_str_has_prefix(*line, "pwrite64("))
			is_synced = FALSE;
	}
	assert_true(is_changed && is_synced);
	assert_int_equal(count_undos(fixture), 1);
}

static int change(const char *path)
{
	struct setting_case fixture = {.path = g_strdup(path), .settings = g_ptr_array_new()};
	g_autofree char *directory = g_path_get_dirname(path);
	g_autofree char *registry = g_build_filename(directory, "registry", NULL);

	registry_move(registry);
	open_case_store(&fixture);
	apply(&fixture, BEGIN(&fixture, "sysctl:vm.swappiness", ARG("61")), "61");
	_exit(0);
}

#define WITH_CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    WITH_CASE(test_journal),
	    WITH_CASE(test_runs_are_flushed),
	    WITH_CASE(test_others_store),
	    WITH_CASE(test_noted_before_changed),
	};
	int skipped;

	if (argc == 3)
		return change(argv[2]);
	skipped = claim_machine();
	return skipped ? skipped : cmocka_run_group_tests_name("store_undo", tests, NULL, NULL);
}
