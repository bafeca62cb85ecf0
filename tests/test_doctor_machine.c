#include "doctor_case.h"

#include <gio/gio.h>

/* What the CPU, the firmware and Xen say: an Amazon machine without a hypervisor is bare metal. */
static void test_virtual(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vmx lm\nbugs\t\t: hypervisor\n");
	assert_finding(machine, check_virtual, FINDING_OK, "no sign of a virtual machine");
	machine_put(machine, "sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
	machine_put(machine, "sys/class/dmi/id/product_name", "c5.metal\n");
	assert_finding(machine, check_virtual, FINDING_OK, "(Amazon EC2 c5.metal)");
	machine_put(machine, "sys/class/dmi/id/product_name", "c6g.large\n");
	assert_finding(machine, check_virtual, FINDING_NOTE, "(Amazon EC2 c6g.large)");
	machine_put(machine, "sys/class/dmi/id/sys_vendor", "Microsoft Corporation\n");
	machine_put(machine, "sys/class/dmi/id/product_name", "Surface Pro\n");
	assert_finding(machine, check_virtual, FINDING_OK, "(Microsoft Corporation Surface Pro)");
	machine_put(machine, "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor lm\n");
	assert_finding(machine, check_virtual, FINDING_NOTE, "flag");
	machine_put(machine, "sys/hypervisor/type", "xen\n");
	assert_finding(machine, check_virtual, FINDING_NOTE, "(xen)");
}

/* Machines without flags: a node of the device tree, a line of s390. */
static void test_virtual_elsewhere(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, "proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 50.00\n");
	assert_finding(machine, check_virtual, FINDING_OK, "no sign");
	machine_put(machine, "proc/sysinfo",
		    "Manufacturer: IBM\nVM00 Control Program: KVM/Linux       \nVM00 Adjustment: 1\n");
	assert_finding(machine, check_virtual, FINDING_NOTE, "(KVM/Linux)");
	machine_put(machine, "proc/device-tree/hypervisor/compatible", "linux,kvm");
	assert_finding(machine, check_virtual, FINDING_NOTE, "(linux,kvm)");
}

/* The kernel's first namespaces have numbers that are fixed (uapi/linux/nsfs.h); another PID namespace is a container,
 * and so is a control group of one. A file that images of containers have is none. */
static void test_container(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, ".dockerenv", "");
	assert_finding(machine, check_container, FINDING_NOTE, "(Docker)");
	machine_link(machine, "proc/self/ns/pid", "pid:[4026531836]");
	machine_link(machine, "proc/self/ns/cgroup", "cgroup:[4026531835]");
	assert_finding(machine, check_container, FINDING_OK, "not in a container");
	machine_put(machine, "proc/self/cgroup", "0::/system.slice/docker-0123456789ab.scope\n");
	assert_finding(machine, check_container, FINDING_NOTE, "(Docker)");
	machine_put(machine, "proc/self/cgroup", "0::/system.slice/docker.service\n");
	assert_finding(machine, check_container, FINDING_OK, "not in a container");
	machine_link(machine, "proc/self/ns/cgroup", "cgroup:[4026532771]");
	assert_finding(machine, check_container, FINDING_NOTE, "in a container");
	machine_link(machine, "proc/self/ns/cgroup", "cgroup:[4026531835]");
	machine_link(machine, "proc/self/ns/pid", "pid:[4026532771]");
	machine_put(machine, "run/.containerenv", "");
	assert_finding(machine, check_container, FINDING_NOTE, "(Podman)");
}

/* Limits of version 2 hold for all below: 150000 of 100000 us is the time of 1.5 CPUs. */
static void test_limits(void **state)
{
	const struct machine *machine = *state;

	assert_finding(machine, check_limits, FINDING_UNAVAILABLE, "no control groups");
	machine_put(machine, "proc/self/status",
		    "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\nMems_allowed:\t1\n");
	machine_put(machine, "proc/self/cgroup", "0::/a/b\n");
	machine_put(machine, "sys/devices/system/cpu/online", "0-7\n");
	machine_put(machine, "proc/meminfo", "MemTotal:        8388608 kB\n");
	assert_finding(machine, check_limits, FINDING_OK, "no control group");
	machine_put(machine, "sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
	machine_put(machine, "sys/fs/cgroup/a/b/memory.max", "max\n");
	assert_finding(machine, check_limits, FINDING_OK, "no control group");
	machine_put(machine, "sys/fs/cgroup/a/memory.max", "1073741824\n");
	assert_finding(machine, check_limits, FINDING_NOTE, "1 GiB of memory");
	machine_put(machine, "sys/fs/cgroup/a/cpu.max", "150000 100000\n");
	machine_put(machine, "sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
	machine_put(machine, "proc/self/status", "Cpus_allowed_list:\t0-1,6-7\nMems_allowed:\t1\n");
	assert_finding(machine, check_limits, FINDING_WARNING,
		       "a quota of the time of 1.5 CPUs; 1 GiB of memory, cached files among it; 4 of 8 CPUs");
}

/* Version 1 has a hierarchy for each controller, -1 for no quota and a very large number for no limit. */
static void test_limits_version_1(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, "sys/devices/system/cpu/online", "0-1\n");
	machine_put(machine, "proc/meminfo", "MemTotal:        8388608 kB\n");
	machine_put(machine, "proc/self/cgroup", "4:memory:/x\n3:cpu,cpuacct:/x\n1:name=systemd:/x\n0::/x\n");
	machine_put(machine, "sys/fs/cgroup/memory/x/memory.limit_in_bytes", "9223372036854771712\n");
	machine_put(machine, "sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "-1\n");
	machine_put(machine, "sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
	assert_finding(machine, check_limits, FINDING_OK, "no control group");
	machine_put(machine, "sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "50000\n");
	machine_put(machine, "sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n");
	assert_finding(machine, check_limits, FINDING_WARNING, "0.5 CPUs; 512 MiB of memory");
}

/* A laptop off the mains; the battery of a mouse is none of the machine's. */
static void test_battery(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, "sys/class/power_supply/hidpp_battery_0/type", "Battery\n");
	machine_put(machine, "sys/class/power_supply/hidpp_battery_0/scope", "Device\n");
	machine_put(machine, "sys/class/power_supply/hidpp_battery_0/status", "Discharging\n");
	assert_finding(machine, check_battery, FINDING_OK, "no battery");
	machine_put(machine, "sys/class/power_supply/BAT0/type", "Battery\n");
	machine_put(machine, "sys/class/power_supply/BAT0/status", "Charging\n");
	assert_finding(machine, check_battery, FINDING_OK, "with a battery");
	machine_put(machine, "sys/class/power_supply/BAT0/status", "Discharging\n");
	assert_finding(machine, check_battery, FINDING_WARNING, "on battery");
}

static void put_gzip(const struct machine *machine, const char *name, const char *text)
{
	g_autofree char *path = machine_path(machine, name);
	g_autoptr(GFile) file = g_file_new_for_path(path);
	g_autoptr(GConverter) gzip = G_CONVERTER(g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1));
	g_autoptr(GFileOutputStream) stream = g_file_replace(file, NULL, FALSE, 0, NULL, NULL);
	g_autoptr(GOutputStream) packed = g_converter_output_stream_new(G_OUTPUT_STREAM(stream), gzip);

	assert_true(g_output_stream_write_all(packed, text, strlen(text), NULL, NULL, NULL));
	assert_true(g_output_stream_close(packed, NULL, NULL));
}

/* The kernel's own configuration, else that in /boot of this release. Page allocation is only checked where the command
 * line says so, however it was built (kernel-parameters.txt). */
static void test_kernel(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, "proc/cmdline", "quiet\n");
	machine_put(machine, "proc/sys/kernel/osrelease", "6.1.0-test\n");
	machine_put(machine, "boot/config-6.1.0-test", "CONFIG_X=y\n# CONFIG_KASAN is not set\nCONFIG_KASAN_STACK=y\n");
	assert_finding(machine, check_kernel, FINDING_OK, "no debugging");
	machine_put(machine, "boot/config-6.1.0-test", "CONFIG_X=y\nCONFIG_KASAN=y\nCONFIG_PROVE_LOCKING=y\n");
	assert_finding(machine, check_kernel, FINDING_WARNING, "KASAN, PROVE_LOCKING");
	put_gzip(machine, "proc/config.gz", "CONFIG_DEBUG_PAGEALLOC=y\nCONFIG_SLUB_DEBUG=y");
	assert_finding(machine, check_kernel, FINDING_OK, "no debugging");
	machine_put(machine, "proc/cmdline", "quiet debug_pagealloc=on slub_debug=FZP nodebug_pagealloc=on\n");
	assert_finding(machine, check_kernel, FINDING_WARNING, "debug_pagealloc=on, slub_debug");
	machine_put(machine, "proc/config.gz", "this was never compressed");
	assert_finding(machine, check_kernel, FINDING_WARNING, "KASAN");
}

/* Load, use and steal are pointed out where they are large. */
static void test_activity(void **state)
{
	struct machine *machine = *state;
	struct activity *activity = &machine->doctor.activity;

	*activity = (struct activity){.is_known = TRUE, .load = 0.1, .steal_pct = 0.02, .busy_cpus = 0.01};
	assert_finding(machine, check_load, FINDING_OK, "0.10; now 0 running, 0 in I/O");
	assert_finding(machine, check_steal, FINDING_OK, "0.02%");
	assert_finding(machine, check_busy, FINDING_OK, "0.01 CPUs");
	*activity = (struct activity){.is_known = TRUE, .load = 3, .running = 2, .steal_pct = 0.5, .busy_cpus = 0.1};
	assert_finding(machine, check_load, FINDING_NOTE, "3.00; now 2 running");
	assert_finding(machine, check_steal, FINDING_NOTE, "0.50%");
	assert_finding(machine, check_busy, FINDING_NOTE, "0.10 CPUs");
	*activity = (struct activity){.is_known = TRUE,
				      .blocked = 1,
				      .steal_pct = 7,
				      .busy_cpus = 1.5,
				      .busiest = (char[]){"cc1 (4711)"},
				      .busiest_cpus = 0.9};
	assert_finding(machine, check_load, FINDING_WARNING, "1 in I/O");
	assert_finding(machine, check_steal, FINDING_WARNING, "7.00%");
	assert_finding(machine, check_busy, FINDING_WARNING, "1.50 CPUs now, most of all cc1 (4711)");
}

/* On all processors, so that no other process of one thread is busier. */
static gpointer spin(gpointer data)
{
	for (long i = sysconf(_SC_NPROCESSORS_ONLN); data && i > 1; i--)
		g_thread_new("spin", spin, NULL);
	for (;;)
		;
	return NULL;
}

/* A process that does nothing but compute is the busiest, and is named; the time of this one is not of others. */
static void test_measured_activity(void **state)
{
	struct activity activity;
	g_autofree char *name = NULL, *self = NULL;
	double cpus_max = 1.1 * (double)sysconf(_SC_NPROCESSORS_ONLN);
	pid_t child = fork();

	if (child == 0)
		spin(&child);
	assert_true(child > 0);
	name = g_strdup_printf(" (%d)", (int)child);
	/* others may have the CPUs; then it has what is left */
	for (int attempt = 0; attempt < 10; attempt++) {
		activity_measure(&activity, 0.3);
		if (activity.busiest && g_str_has_suffix(activity.busiest, name))
			break;
		activity_clear(&activity);
	}
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_true(activity.is_known);
	assert_non_null(activity.busiest);
	assert_true(g_str_has_suffix(activity.busiest, name));
	assert_true(activity.busiest_cpus > 0.1 && activity.busiest_cpus < cpus_max);
	assert_true(activity.busy_cpus > 0.1 && activity.busy_cpus < cpus_max);
	assert_true(g_file_get_contents("/proc/self/comm", &self, NULL, NULL));
	assert_true(activity_has(&activity, g_strchomp(self)));
	assert_true(activity.sees_all || access("/proc/1/stat", R_OK) < 0);
	activity_clear(&activity);
}

/* The first figure of pressure is that of ten seconds. */
static void test_pressure(void **state)
{
	const struct machine *machine = *state;

	machine_put(machine, "proc/pressure/cpu", "some avg10=0.31 avg60=50.00 avg300=50.00 total=1\n");
	assert_finding(machine, check_pressure, FINDING_OK, "cpu 0.3%");
	machine_put(machine, "proc/pressure/io",
		    "some avg10=11.48 avg60=0.00 avg300=0.00 total=1\nfull avg10=0.00 avg60=0.00\n");
	machine_put(machine, "proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n");
	assert_finding(machine, check_pressure, FINDING_WARNING, "cpu 0.3%, memory 0.0%, io 11.5%");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_virtual, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_virtual_elsewhere, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_container, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_limits, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_limits_version_1, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_battery, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_kernel, machine_set_up, machine_tear_down),
	    cmocka_unit_test_setup_teardown(test_activity, machine_set_up, machine_tear_down),
	    cmocka_unit_test(test_measured_activity),
	    cmocka_unit_test_setup_teardown(test_pressure, machine_set_up, machine_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
