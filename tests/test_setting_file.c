#include "check.h"

#include <sys/resource.h>

#include "setting_case.h"

/* Settings that are files of the kernel: what becomes of them after they were applied, and where none can be opened. */

#define VM "/proc/sys/vm/"
#define THP "/sys/kernel/mm/transparent_hugepage/enabled"

static void check_changed(struct setting *setting, const char *want)
{
	g_autofree char *changed = setting->kind->changed(setting);

	if (g_strcmp0(changed, want) != 0)
		fail_msg("'%s', not '%s'", changed, want);
}

/* What somebody else makes of a setting after it was applied is told, and is over when it is applied again. */
static void test_changed(void **state)
{
	struct setting_case *fixture = *state;
	struct setting *setting, *pages;

	keep(fixture, VM "dirty_bytes");
	keep(fixture, VM "dirty_ratio");
	keep(fixture, THP);
	write_file(VM "dirty_ratio", "20");
	setting = BEGIN(fixture, "sysctl:vm.dirty_ratio", ARG("60"), ARG("90"));
	pages = BEGIN(fixture, "thp", ARG("never"));
	apply(fixture, setting, "60");
	apply(fixture, pages, "never");
	check_changed(setting, NULL);
	check_changed(pages, NULL);
	write_file(VM "dirty_ratio", "50");
	write_file(THP, "always");
	check_changed(setting, "sysctl 'vm.dirty_ratio' was changed from 60 to 50");
	check_changed(pages, "transparent_hugepage 'enabled' was changed from never to always");
	write_file(VM "dirty_bytes", "104857600");
	check_changed(setting, "sysctl 'vm.dirty_ratio' was changed from 60 to vm.dirty_bytes=104857600");
	apply(fixture, setting, "90");
	check_changed(setting, NULL);
	write_file(VM "dirty_ratio", "60");
	check_changed(setting, "sysctl 'vm.dirty_ratio' was changed from 90 to 60");
}

/* A process that can open no more files is not told that the kernel refuses its level. */
static void test_no_descriptors(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *before = read_file(VM "swappiness");
	g_autoptr(GError) error = NULL;
	struct setting *setting = BEGIN(fixture, "sysctl:vm.swappiness", ARG("61"));
	struct rlimit limit, none;
	gboolean is_applied;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = (struct rlimit){0, limit.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	is_applied = setting->kind->apply(setting, "61", &fixture->env, &error);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_false(is_applied);
	assert_string_equal(error->message, "cannot open sysctl 'vm.swappiness': Too many open files");
	check_file(VM "swappiness", before);
}

#define WITH_CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_CASE(test_changed),
	    WITH_CASE(test_no_descriptors),
	};
	int skipped = claim_machine();

	return skipped ? skipped : cmocka_run_group_tests_name("setting_file", tests, NULL, NULL);
}
