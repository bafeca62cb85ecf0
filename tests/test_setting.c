#include "check.h"

#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "setting_case.h"

#define VM "/proc/sys/vm/"
#define THP "/sys/kernel/mm/transparent_hugepage/enabled"
#define CPU "/sys/devices/system/cpu/"

/* Every row has what a plan and help need, and its name alone is found or, where more is to follow, is not. */
static void test_rows(void **state)
{
	for (const struct setting_kind *const *row = setting_table; *row; row++) {
		gboolean takes_more = g_str_has_suffix((*row)->name, ":");
		struct setting *setting = setting_new((*row)->name);

		assert_true((*row)->summary && *(*row)->summary && !strchr((*row)->summary, '\n'));
		assert_true((*row)->levels && *(*row)->levels);
		assert_true((*row)->check && (*row)->apply && (*row)->end);
		assert_int_equal(setting == NULL, takes_more);
		assert_true(!setting || setting->kind == *row);
		setting_free(setting);
		for (const struct setting_kind *const *other = row + 1; *other; other++)
			assert_string_not_equal((*row)->name, (*other)->name);
	}
}

/* A name is that of a row or begins with one; the order is that in which settings have to be applied. */
static void test_names(void **state)
{
	static const char *const names[] = {"sysctl:vm.dirty_ratio", "cpu:smt/control", "queue:scheduler", "queue:nr_requests",
					    "queue:scheduler2", "thp"};
	guint at = 0;

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		struct setting *setting = setting_new(names[i]);
		const char *colon = strchr(names[i], ':');

		assert_non_null(setting);
		assert_string_equal(setting->name, names[i]);
		assert_string_equal(setting->rest, colon ? colon + 1 : "");
		assert_null(setting->effective);
		while (setting_table[at] && setting_table[at] != setting->kind)
			at++;
		assert_non_null(setting_table[at]);
		setting_free(setting);
	}
	assert_null(setting_new("thp2"));
	assert_null(setting_new("sysctl"));
	assert_null(setting_new("size"));
	assert_null(setting_new(""));
}

/* Names and levels that cannot be are usage errors before anything is touched. */
static void test_check(void **state)
{
	static const struct {
		const char *name, *level, *why;
	} bad[] = {
	    {"sysctl:vm.nosuch", "1", "setting 'sysctl:vm.nosuch' is not available here"},
	    {"sysctl:vm..swappiness", "1", "cannot be the name"},
	    {"sysctl:.vm.swappiness", "1", "cannot be the name"},
	    {"sysctl:vm.//.swappiness", "1", "cannot be the name"},
	    {"sysctl:vm.swap piness", "1", "cannot be the name"},
	    {"sysctl:vm", "1", "it is a group of them"},
	    {"sysctl:kernel.osrelease", "1", "it can only be read"},
	    {"sysctl:vm.drop_caches", "3", "it can only be written"},
	    {"sysctl:vm.swappiness", "", "one line, 1 to 4095 bytes"},
	    {"sysctl:vm.swappiness", "1\n2", "one line, 1 to 4095 bytes"},
	    {"queue:iosched/../scheduler", "1", "cannot be a file of a disk's queue"},
	    {"queue:/etc/passwd", "1", "cannot be a file of a disk's queue"},
	    {"queue:a//b", "1", "cannot be a file of a disk's queue"},
	    {"queue:scheduler", "", "one line, 1 to 4095 bytes"},
	    {"cpu:intel_pstate/../online", "1", "setting 'cpu:intel_pstate/../online' is not available here"},
	    {"cpu:no_turbo", "1", "setting 'cpu:no_turbo' is not available here"},
	    {"thp", "sometimes", "there are always|madvise|never"},
	};
	g_autofree char *page = g_strnfill(4096, '1');

	for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
		struct setting *setting = setting_new(bad[i].name);
		g_autoptr(GError) error = NULL;

		assert_non_null(setting);
		assert_false(setting->kind->check(setting->rest, bad[i].level, &error));
		if (!strstr(error->message, bad[i].why))
			fail_msg("'%s' does not say '%s'", error->message, bad[i].why);
		assert_int_equal(err_exit_code(error), EXIT_USAGE);
		setting_free(setting);
	}
	assert_false(setting_table[0]->check("vm.swappiness", page, NULL));
	assert_true(setting_table[0]->check("vm.swappiness", page + 1, NULL));
}

/* A slash in a sysctl's name is a dot of a component, as in sysctl(8): here of an interface called "a.b". */
static void test_dots_in_names(void **state)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct ifreq request = {.ifr_name = "lo", .ifr_newname = "a.b"};
		int fd, found;

		if (unshare(CLONE_NEWNET) < 0 || (fd = socket(AF_INET, SOCK_DGRAM, 0)) < 0 ||
		    ioctl(fd, SIOCSIFNAME, &request) < 0)
			_exit(EXIT_SKIPPED);
		found = setting_table[0]->check("net.ipv4.conf.a/b.rp_filter", "1", NULL) &&
			!setting_table[0]->check("net.ipv4.conf.a.b.rp_filter", "1", NULL);
		_exit(found ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == EXIT_SKIPPED)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* The fact that tells the same as a setting has the key that facts.c gives it. */
static void test_facts(void **state)
{
	static const char *const keys[][2] = {{"sysctl:vm.dirty_ratio", "vm.dirty_ratio"},
					      {"queue:scheduler", "queue.scheduler"},
					      {"queue:read_ahead_kb", "queue.read_ahead_kb"},
					      {"thp", "transparent_hugepage"}};

	for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
		struct setting *setting = setting_new(keys[i][0]);
		g_autofree char *key = setting->kind->fact(setting->rest);

		assert_string_equal(key, keys[i][1]);
		setting_free(setting);
	}
}

/* Each level is what the file then says, and what was there before returns, several numbers and odd text as well. */
static void test_round_trips(void **state)
{
	static const struct {
		const char *name, *path, *before, *a, *b;
	} cases[] = {
	    {"sysctl:vm.dirty_ratio", VM "dirty_ratio", NULL, "60", "90"},
	    {"sysctl:vm.swappiness", VM "swappiness", NULL, "0", "100"},
	    {"sysctl:vm.dirty_writeback_centisecs", VM "dirty_writeback_centisecs", NULL, "0", "6000"},
	    {"sysctl:kernel.core_pattern", "/proc/sys/kernel/core_pattern", "core  %p [x] ", "c[1]", "core %p [x]"},
	    {"sysctl:kernel.core_pattern", "/proc/sys/kernel/core_pattern", "", "core.%e", "c"},
	    {"thp", THP, NULL, "never", "always"},
	    {"cpu:cpu0/cpuidle/state1/disable", CPU "cpu0/cpuidle/state1/disable", NULL, "1", "0"},
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct setting_case *fixture = *state;
		g_autofree char *before = NULL, *a = g_strdup(cases[i].a), *b = g_strdup(cases[i].b);
		struct setting *setting;

		/* a machine without idle states, or one that does not show them */
		if (access(cases[i].path, W_OK) < 0)
			continue;
		keep(fixture, cases[i].path);
		if (cases[i].before)
			write_file(cases[i].path, cases[i].before);
		before = read_file(cases[i].path);
		setting = BEGIN(fixture, cases[i].name, a, b);
		check_file(cases[i].path, before);
		apply(fixture, setting, a);
		check_file(cases[i].path, a);
		apply(fixture, setting, b);
		check_file(cases[i].path, b);
		end_all(fixture, NULL);
		check_file(cases[i].path, before);
	}
}

/* A file of several numbers takes them with blanks where it shows tabs. */
static void test_several_numbers(void **state)
{
	struct setting_case *fixture = *state;
	g_autofree char *path = g_strdup(VM "lowmem_reserve_ratio"), *before = read_file(path);
	g_auto(GStrv) numbers = g_strsplit(before, "\t", -1);
	g_autofree char *level = NULL, *text = NULL;
	struct setting *setting;

	assert_true(g_strv_length(numbers) > 1);
	keep(fixture, path);
	g_free(numbers[0]);
	numbers[0] = g_strdup("123");
	level = g_strjoinv(" ", numbers);
	text = g_strjoinv("\t", numbers);
	setting = BEGIN(fixture, "sysctl:vm.lowmem_reserve_ratio", level);
	apply(fixture, setting, level);
	check_file(path, text);
	end_all(fixture, NULL);
	check_file(path, before);
}

/* Of a pair the one in force returns, whichever of the two was set.   source: Documentation/admin-guide/sysctl/vm.rst
 * of Linux: writing the one makes the other 0 */
static void test_pairs(void **state)
{
	static const struct {
		const char *in_force, *before, *other, *level;
	} cases[] = {
	    {"dirty_bytes", "209715200", "dirty_ratio", "60"},
	    {"dirty_ratio", "33", "dirty_bytes", "209715200"},
	    {"dirty_background_bytes", "104857600", "dirty_background_ratio", "7"},
	    {"dirty_background_ratio", "9", "dirty_background_bytes", "104857600"},
	    {"overcommit_kbytes", "8000000", "overcommit_ratio", "80"},
	    {"dirty_bytes", "209715200", "dirty_bytes", "104857600"},
	};
	struct setting_case *fixture = *state;

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *in_force = g_strconcat(VM, cases[i].in_force, NULL);
		g_autofree char *other = g_strconcat(VM, cases[i].other, NULL);
		g_autofree char *name = g_strconcat("sysctl:vm.", cases[i].other, NULL),
				*level = g_strdup(cases[i].level);
		struct setting *setting;

		keep(fixture, other);
		keep(fixture, in_force);
		write_file(in_force, cases[i].before);
		setting = BEGIN(fixture, name, level);
		apply(fixture, setting, level);
		check_file(other, level);
		check_file(in_force, g_str_equal(in_force, other) ? level : "0");
		end_all(fixture, NULL);
		check_file(in_force, cases[i].before);
		check_file(other, g_str_equal(in_force, other) ? cases[i].before : "0");
	}
}

/* Both of a pair, or the same twice, would put back each other's level. */
static void test_one_of_a_pair(void **state)
{
	struct setting_case *fixture = *state;

	BEGIN(fixture, "sysctl:vm.dirty_ratio", ARG("60"));
	check_begin_fails(
	    fixture, "sysctl:vm.dirty_bytes", "209715200",
	    "setting 'sysctl:vm.dirty_bytes' cannot be together with that of 'vm.dirty_ratio': the one changes the "
	    "other");
	check_begin_fails(
	    fixture, "sysctl:vm.dirty_ratio", "61",
	    "setting 'sysctl:vm.dirty_ratio' cannot be together with that of 'vm.dirty_ratio': the one changes the "
	    "other");
	end_all(fixture, NULL);
}

/* Numbers are compared by value: the kernel takes hexadecimal and octal ones and shows decimal ones. */
static void test_bases(void **state)
{
	struct setting_case *fixture = *state;
	struct setting *setting;

	keep(fixture, VM "swappiness");
	setting = BEGIN(fixture, "sysctl:vm.swappiness", ARG("0x3d"), ARG("075"));
	assert_true(setting->kind->apply(setting, "0x3d", &fixture->env, NULL));
	assert_string_equal(setting->effective, "61");
	assert_true(setting->kind->apply(setting, "075", &fixture->env, NULL));
	assert_string_equal(setting->effective, "61");
}

/* A level that the kernel refuses is an error; what it made of a part of one is an error, and is taken back at once. */
static void test_refused(void **state)
{
	struct setting_case *fixture = *state;
	const char *several = VM "lowmem_reserve_ratio", *pattern = "/proc/sys/kernel/core_pattern";
	g_autofree char *swappiness = read_file(VM "swappiness"), *numbers = read_file(several);
	g_auto(GStrv) rest = g_strsplit(numbers, "\t", 2);
	g_autofree char *first =
	    g_strdup_printf("setting 'sysctl:vm.lowmem_reserve_ratio' did not take: asked for 99 x, the "
			    "kernel made it 99 %s",
			    g_strdelimit(rest[1], "\t", ' '));
	g_autofree char *text = read_file(pattern), *cut = g_strnfill(127, 'c'), *level = g_strnfill(200, 'c');
	g_autofree char *why =
	    g_strdup_printf("setting 'sysctl:kernel.core_pattern' did not take: asked for %s, the kernel made "
			    "it %s",
			    level, cut);
	struct setting *setting;

	keep(fixture, VM "swappiness");
	keep(fixture, several);
	keep(fixture, pattern);
	setting = BEGIN(fixture, "sysctl:vm.swappiness", ARG("-1"));
	check_apply_fails(fixture, setting, "-1",
			  "the kernel refuses '-1' for setting 'sysctl:vm.swappiness': Invalid argument");
	check_file(VM "swappiness", swappiness);
	setting = BEGIN(fixture, "sysctl:vm.lowmem_reserve_ratio", ARG("99 x"));
	check_apply_fails(fixture, setting, "99 x", first);
	check_file(several, numbers);
	/* CORENAME_MAX_SIZE is 128 */
	setting = BEGIN(fixture, "sysctl:kernel.core_pattern", level);
	check_apply_fails(fixture, setting, level, why);
	check_file(pattern, text);
	end_all(fixture, NULL);
}

/* What somebody else has set meanwhile is left as it is, and told. */
static void test_others_change(void **state)
{
	struct setting_case *fixture = *state;
	struct setting *setting;

	keep(fixture, VM "dirty_ratio");
	write_file(VM "dirty_ratio", "20");
	setting = BEGIN(fixture, "sysctl:vm.dirty_ratio", ARG("60"), ARG("90"));
	apply(fixture, setting, "60");
	write_file(VM "dirty_ratio", "33");
	end_all(
	    fixture,
	    "sysctl 'vm.dirty_ratio' is 33, which is neither what it was (20) nor what was set (60, 90): left alone");
	check_file(VM "dirty_ratio", "33");
}

/* The other of a pair that somebody else has brought into force is left as well. */
static void test_others_change_of_a_pair(void **state)
{
	struct setting_case *fixture = *state;
	struct setting *setting;

	keep(fixture, VM "dirty_ratio");
	write_file(VM "dirty_ratio", "20");
	setting = BEGIN(fixture, "sysctl:vm.dirty_ratio", ARG("60"));
	apply(fixture, setting, "60");
	write_file(VM "dirty_bytes", "104857600");
	end_all(
	    fixture,
	    "sysctl 'vm.dirty_ratio' is vm.dirty_bytes=104857600, which is neither what it was (20) nor what was set "
	    "(60): left alone");
	check_file(VM "dirty_bytes", "104857600");
}

/* A level is written also where nothing was changed by us since: somebody else may have. */
static void test_written_each_time(void **state)
{
	struct setting_case *fixture = *state;
	struct setting *setting;

	keep(fixture, VM "swappiness");
	setting = BEGIN(fixture, "sysctl:vm.swappiness", ARG("61"));
	apply(fixture, setting, "61");
	write_file(VM "swappiness", "77");
	apply(fixture, setting, "61");
	check_file(VM "swappiness", "61");
}

/* Without root one line says what needs it, and nothing is noted. */
static void test_needs_root(void **state)
{
	struct setting_case *fixture = *state;
	struct setting *setting = make("sysctl:vm.dirty_ratio", LEVELS(ARG("60")));
	g_autoptr(GError) error = NULL;
	gboolean begun;

	assert_int_equal(seteuid(65534), 0);
	begun = setting->kind->begin(setting, &fixture->env, &error);
	assert_int_equal(seteuid(0), 0);
	assert_false(begun);
	assert_string_equal(error->message, "setting 'sysctl:vm.dirty_ratio' needs root");
	setting_free(setting);
}

#define WITH_CASE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rows),
	    cmocka_unit_test(test_names),
	    cmocka_unit_test(test_check),
	    cmocka_unit_test(test_dots_in_names),
	    cmocka_unit_test(test_facts),
	    WITH_CASE(test_round_trips),
	    WITH_CASE(test_several_numbers),
	    WITH_CASE(test_pairs),
	    WITH_CASE(test_one_of_a_pair),
	    WITH_CASE(test_bases),
	    WITH_CASE(test_refused),
	    WITH_CASE(test_others_change),
	    WITH_CASE(test_others_change_of_a_pair),
	    WITH_CASE(test_written_each_time),
	    WITH_CASE(test_needs_root),
	};
	int skipped = claim_machine();

	return skipped ? skipped : cmocka_run_group_tests_name("setting", tests, NULL, NULL);
}
