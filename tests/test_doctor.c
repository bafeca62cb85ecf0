#include "doctor_case.h"

#include <jansson.h>
#include <sys/wait.h>

#include "../src/doctor_file.h"
#include "../src/report_doctor.h"
#include "../src/shared.h"
#include "../src/table.h"

#define CPUS "sys/devices/system/cpu/"

/* Every check has a name of its own that fits its column and, where nothing can be read, a text of one line and no
 * warning; what lies in files of the kernel is then not available. "alone" asks the real machine. */
static void test_table_on_nothing(void **state)
{
	const struct machine *machine = *state;
	static const char *const told_by_files[] = {
	    "virtual", "limits",     "container",   "kernel",     "cpus",      "governor", "turbo",   "smt",
	    "numa",    "throttling", "mitigations", "clock",      "battery",   "pressure", "rebuild", "timers",
	    "memory",  "swap",       "zram",        "swappiness", "hugepages", "dirty",    NULL};
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

	for (const struct check *check = check_table; check->name; check++) {
		struct finding finding = {0};

		assert_true(g_hash_table_add(names, shared(check->name)));
		assert_in_range(strlen(check->name), 1, 11);
		if (g_str_equal(check->name, "alone"))
			continue;
		check->look(&machine->doctor, &finding);
		assert_non_null(finding.text);
		assert_null(strchr(finding.text, '\n'));
		assert_int_not_equal(finding.level, FINDING_WARNING);
		if (g_strv_contains(told_by_files, check->name))
			assert_int_equal(finding.level, FINDING_UNAVAILABLE);
		assert_int_equal(finding.level == FINDING_UNAVAILABLE,
				 g_str_has_prefix(finding.text, "not available here: "));
		finding_clear(&finding);
	}
}

/* Every governor but performance is pointed out, with the number of CPUs that have one. */
static void test_governor(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, CPUS "cpufreq/boost", "1\n");
	machine_put(machine, CPUS "cpu0/cpufreq/scaling_governor", "performance\n");
	machine_put(machine, CPUS "cpu1/cpufreq/scaling_governor", "performance\n");
	assert_finding(machine, check_governor, FINDING_OK, "performance on all 2 CPUs");
	machine_put(machine, CPUS "cpu1/cpufreq/scaling_governor", "powersave\n");
	machine_put(machine, CPUS "cpu2/cpufreq/scaling_governor", "powersave\n");
	machine_put(machine, CPUS "cpu10/cpufreq/scaling_governor", "schedutil\n");
	assert_finding(machine, check_governor, FINDING_WARNING, "powersave, schedutil on 3 of 4 CPUs");
}

/* The two switches of turbo say the opposite: no_turbo is 1 where boost is 0. */
static void test_turbo(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, CPUS "cpufreq/boost", "0\n");
	assert_finding(machine, check_turbo, FINDING_OK, "off");
	machine_put(machine, CPUS "cpufreq/boost", "1\n");
	assert_finding(machine, check_turbo, FINDING_NOTE, "on");
	machine_put(machine, CPUS "intel_pstate/no_turbo", "1\n");
	assert_finding(machine, check_turbo, FINDING_OK, "off");
	machine_put(machine, CPUS "intel_pstate/no_turbo", "0\n");
	assert_finding(machine, check_turbo, FINDING_NOTE, "on");
}

/* Cores that are shared show by the switch, and before 4.19 by the topology. */
static void test_smt(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, CPUS "cpu0/topology/thread_siblings_list", "0\n");
	assert_finding(machine, check_smt, FINDING_OK, "off");
	machine_put(machine, CPUS "cpu1/topology/thread_siblings_list", "1,5\n");
	assert_finding(machine, check_smt, FINDING_NOTE, "on");
	machine_put(machine, CPUS "smt/active", "0\n");
	assert_finding(machine, check_smt, FINDING_OK, "off");
	machine_put(machine, "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor lm\n");
	assert_finding(machine, check_smt, FINDING_OK, "host's CPUs cannot be seen");
}

/* Lists of CPUs as the kernel writes them: 0-3,8-11 are eight. */
static void test_cpus(void **state)
{
	const struct machine *machine = *state;

	assert_int_equal(text_list_count("0-3,8-11"), 8);
	assert_int_equal(text_list_count("0"), 1);
	assert_int_equal(text_list_count(""), 0);
	assert_int_equal(text_list_count("3-1"), 0);
	machine_put(machine, CPUS "online", "0-3\n");
	machine_put(machine, CPUS "present", "0-3\n");
	/* a machine into which 124 more could be plugged */
	machine_put(machine, CPUS "offline", "4-127\n");
	machine_put(machine, CPUS "isolated", "\n");
	machine_put(machine, CPUS "cpu0/cpu_capacity", "1024\n");
	machine_put(machine, CPUS "cpu1/cpu_capacity", "1024\n");
	assert_finding(machine, check_cpus, FINDING_OK, "4 online");
	machine_put(machine, CPUS "online", "0-1\n");
	assert_finding(machine, check_cpus, FINDING_NOTE, "2 of 4 online");
	machine_put(machine, CPUS "isolated", "1\n");
	assert_finding(machine, check_cpus, FINDING_NOTE, "isolated: 1");
	machine_put(machine, CPUS "cpu1/cpu_capacity", "446\n");
	assert_finding(machine, check_cpus, FINDING_WARNING, "different speed");
}

/* One node is nothing to know of. */
static void test_numa(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, "sys/devices/system/node/online", "0\n");
	assert_finding(machine, check_numa, FINDING_OK, "1 node");
	machine_put(machine, "sys/devices/system/node/online", "0-1\n");
	machine_put(machine, "proc/sys/kernel/numa_balancing", "1\n");
	assert_finding(machine, check_numa, FINDING_NOTE, "2 nodes: speed depends on which holds the memory, and");
}

/* CPUs that were slowed count, however often. */
static void test_throttling(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, CPUS "cpu0/thermal_throttle/core_throttle_count", "0\n");
	machine_put(machine, CPUS "cpu0/thermal_throttle/package_throttle_count", "0\n");
	assert_finding(machine, check_throttling, FINDING_OK, "no CPU");
	machine_put(machine, CPUS "cpu1/thermal_throttle/core_throttle_count", "0\n");
	machine_put(machine, CPUS "cpu1/thermal_throttle/package_throttle_count", "12\n");
	assert_finding(machine, check_throttling, FINDING_NOTE, "1 of 2 CPUs");
}

/* Only what begins with "Mitigation" is one that costs here, in the kernel's words. */
static void test_mitigations(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, CPUS "vulnerabilities/l1tf", "Not affected\n");
	machine_put(machine, CPUS "vulnerabilities/spec_store_bypass", "Vulnerable\n");
	machine_put(machine, CPUS "vulnerabilities/itlb_multihit", "KVM: Mitigation: VMX disabled\n");
	assert_finding(machine, check_mitigations, FINDING_OK, "none is on, 1 weaknesses");
	machine_put(machine, CPUS "vulnerabilities/meltdown", "Mitigation: PTI\n");
	assert_finding(machine, check_mitigations, FINDING_NOTE, "1 on");
}

/* Clocks that are read without a system call are fine, those of the chipset are not. */
static void test_clock(void **state)
{
	const struct machine *machine = *state;
	static const struct {
		const char *name;
		enum finding_level level;
	} clocks[] = {{"tsc", FINDING_OK},       {"kvm-clock", FINDING_OK},    {"arch_sys_counter", FINDING_OK},
		      {"hpet", FINDING_WARNING}, {"acpi_pm", FINDING_WARNING}, {"jiffies", FINDING_WARNING},
		      {"sundial", FINDING_NOTE}};

	machine_put(machine, "sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet \n");
	for (gsize i = 0; i < G_N_ELEMENTS(clocks); i++) {
		machine_put(machine, "sys/devices/system/clocksource/clocksource0/current_clocksource", clocks[i].name);
		assert_finding(machine, check_clock, clocks[i].level, clocks[i].name);
	}
}

/* systemd's list, whose times are microseconds since 1970 or null: within the hour is what counts, and work that is
 * known to be heavy. The figures are of the thread systemd#15650. */
static void test_timers(void **state)
{
	static const char json[] =
	    "[{\"next\":1589485390891904,\"left\":1589485390891904,\"last\":1589481783203015,"
	    "\"passed\":1589481783203015,\"unit\":\"dnf-makecache.timer\",\"activates\":\"dnf-makecache.service\"},"
	    "{\"next\":1589493600000000,\"left\":1589493600000000,\"last\":null,\"passed\":null,"
	    "\"unit\":\"fstrim.timer\",\"activates\":\"fstrim.service\"},"
	    "{\"next\":null,\"left\":null,\"last\":null,\"passed\":null,\"unit\":\"never.timer\",\"activates\":\"never."
	    "service\"}]";
	static const char light[] = "[{\"next\":1589485390891904,\"unit\":\"systemd-tmpfiles-clean.timer\"}]";
	const gint64 ten_minutes_before = 1589485390891904 - 600 * G_USEC_PER_SEC;
	struct finding finding = {0};

	judge_timers(json, ten_minutes_before, &finding);
	assert_int_equal(finding.level, FINDING_WARNING);
	assert_string_equal(finding.text, "within the hour: dnf-makecache.timer in 10 min");
	assert_string_equal(finding.advice, "systemctl stop dnf-makecache.timer, and start them after the runs");
	finding_clear(&finding);
	judge_timers(light, ten_minutes_before, &finding);
	assert_int_equal(finding.level, FINDING_NOTE);
	finding_clear(&finding);
	judge_timers(json, ten_minutes_before - (gint64)3600 * G_USEC_PER_SEC, &finding);
	assert_int_equal(finding.level, FINDING_OK);
	finding_clear(&finding);
	judge_timers("NEXT LEFT LAST PASSED UNIT ACTIVATES\n", 0, &finding);
	assert_int_equal(finding.level, FINDING_UNAVAILABLE);
	finding_clear(&finding);
}

/* A process that holds dpkg's lock as dpkg does is found, with its number; so is one that has the name of a package
 * manager. */
static void test_upkeep(void **state)
{
	struct machine *machine = *state;
	g_autofree char *path = machine_path(machine, "var/lib/dpkg/lock-frontend"), *holder = NULL;
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int ready[2], fd;
	pid_t child;
	char byte;

	machine->doctor.activity.sees_all = TRUE;
	machine_put(machine, "var/lib/dpkg/lock-frontend", "");
	assert_finding(machine, check_upkeep, FINDING_OK, "no package manager");
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0 || fcntl(fd, F_SETLK, &lock) < 0 || write(ready[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	assert_true(child > 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	holder = g_strdup_printf("at work now: process %d with dpkg's lock", (int)child);
	assert_finding(machine, check_upkeep, FINDING_WARNING, holder);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(ready[0]);
	close(ready[1]);
	assert_finding(machine, check_upkeep, FINDING_OK, "no package manager");

	machine->doctor.activity.names = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(machine->doctor.activity.names, g_strdup("fstrim"));
	assert_finding(machine, check_upkeep, FINDING_WARNING, "at work now: fstrim");
	g_ptr_array_unref(machine->doctor.activity.names);
}

/* Arrays that are checked and filesystems that are balanced. */
static void test_rebuild(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, "sys/block/md0/md/sync_action", "idle\n");
	machine_put(machine, "sys/fs/btrfs/features/zoned", "0\n");
	machine_put(machine, "sys/fs/btrfs/0b8f/exclusive_operation", "none\n");
	assert_finding(machine, check_rebuild, FINDING_OK, "no array");
	machine_put(machine, "sys/block/md0/md/sync_action", "check\n");
	machine_put(machine, "sys/fs/btrfs/0b8f/exclusive_operation", "balance\n");
	assert_finding(machine, check_rebuild, FINDING_WARNING, "md0: check, btrfs: balance");
}

/* Jobs do nothing where no daemon runs them. */
static void test_cron(void **state)
{
	struct machine *machine = *state;

	machine->doctor.activity.sees_all = TRUE;
	machine_put(machine, "etc/cron.d/.placeholder", "");
	machine_put(machine, "etc/cron.d/e2scrub_all", "");
	machine_put(machine, "etc/cron.daily/man-db", "");
	assert_finding(machine, check_cron, FINDING_OK, "no cron");
	machine->doctor.activity.names = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(machine->doctor.activity.names, g_strdup("crond"));
	assert_finding(machine, check_cron, FINDING_NOTE, "2 jobs of the system (cron.d, cron.daily)");
	g_ptr_array_unref(machine->doctor.activity.names);
}

static GArray *findings_of(enum finding_level first, const char *text)
{
	GArray *findings = g_array_new(FALSE, TRUE, sizeof(struct finding));

	for (guint i = 0; i < 5; i++) {
		struct finding finding = {0};

		finding_set(&finding, i == 0 ? first : i == 3 ? FINDING_WARNING : FINDING_NOTE, "%s", text);
		if (i == 0)
			finding_advise(&finding, "%s", text);
		g_array_append_val(findings, finding);
	}
	return findings;
}

static void free_findings(GArray *findings)
{
	for (guint i = 0; i < findings->len; i++)
		finding_clear(&g_array_index(findings, struct finding, i));
	g_array_unref(findings);
}

/* Warnings come first, no line is wider than 80 cells, control characters cannot steer the terminal, and the last line
 * counts. */
static void test_text(void **state)
{
	GArray *findings =
	    findings_of(FINDING_OK, "a text of many words \x1b[2J that goes on and on, over the end of a line of "
				    "eighty cells and once more over that of the next one, as some do");
	g_autoptr(GString) out = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;
	guint n;

	report_doctor_text(findings, out);
	free_findings(findings);
	lines = g_strsplit(out->str, "\n", -1);
	n = g_strv_length(lines);
	for (guint i = 0; i < n; i++)
		assert_in_range(text_width(lines[i]), 0, 80);
	assert_true(g_str_has_prefix(lines[0], "warning  "));
	assert_true(g_str_has_prefix(lines[0] + 9, check_table[3].name));
	assert_null(strchr(out->str, '\x1b'));
	assert_string_equal(lines[n - 2], "1 warning, 3 notes");
	assert_string_equal(lines[n - 1], "");
}

/* The object has what scripts look for, in the order of the table; no advice is null. */
static void test_json(void **state)
{
	GArray *findings = findings_of(FINDING_UNAVAILABLE, "caf\xe9 \"quoted\"");
	g_autoptr(GString) out = g_string_new(NULL);
	json_t *root, *list, *first;

	report_doctor_json(findings, out);
	free_findings(findings);
	root = json_loads(out->str, 0, NULL);
	assert_non_null(root);
	assert_string_equal(json_string_value(json_object_get(root, "schema")), "vmstat-bench/1");
	list = json_object_get(root, "findings");
	assert_int_equal(json_array_size(list), 5);
	first = json_array_get(list, 0);
	assert_string_equal(json_string_value(json_object_get(first, "name")), check_table[0].name);
	assert_string_equal(json_string_value(json_object_get(first, "level")), "unavailable");
	assert_string_equal(json_string_value(json_object_get(first, "text")), "caf\xef\xbf\xbd \"quoted\"");
	assert_true(json_is_string(json_object_get(first, "advice")));
	assert_true(json_is_null(json_object_get(json_array_get(list, 1), "advice")));
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_table_on_nothing, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_governor, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_turbo, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_smt, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_cpus, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_numa, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_throttling, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_mitigations, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_clock, machine_set_up, machine_tear_down),
	    cmocka_unit_test(test_timers),
	    cmocka_unit_test_setup_teardown(test_upkeep, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_rebuild, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_cron, machine_set_up, machine_tear_down),
	    cmocka_unit_test(test_text),
	    cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
