#include "doctor.h"
#include "doctor_checks.h"
#include "doctor_file.h"

#define CPU "sys/devices/system/cpu"

/* "cpu0", "cpu1": without "cpufreq" and what else is beside them. */
static char **cpu_names(const struct doctor *doctor)
{
	char **names = file_names(doctor, CPU, "cpu");
	gsize kept = 0;

	for (gsize i = 0; names[i]; i++)
		if (g_ascii_isdigit(names[i][3]))
			names[kept++] = names[i];
		else
			g_free(names[i]);
	names[kept] = NULL;
	return names;
}

/* Hybrid processors: Intel's have a performance monitor for each kind, others give each CPU a capacity.
 * source: Documentation/ABI/testing/sysfs-devices-system-cpu of Linux */
static gboolean has_kinds(const struct doctor *doctor)
{
	g_auto(GStrv) cpus = cpu_names(doctor);
	gint64 first = -1, capacity;

	if (file_exists(doctor, "sys/devices/cpu_core/cpus") && file_exists(doctor, "sys/devices/cpu_atom/cpus"))
		return TRUE;
	for (char **cpu = cpus; *cpu; cpu++) {
		if (!file_number(doctor, &capacity, CPU "/%s/cpu_capacity", *cpu))
			continue;
		if (first >= 0 && capacity != first)
			return TRUE;
		first = capacity;
	}
	return FALSE;
}

void check_cpus(const struct doctor *doctor, struct finding *finding)
{
	g_autofree char *online = file_text(doctor, CPU "/online"), *present = file_text(doctor, CPU "/present"),
			*isolated = file_text(doctor, CPU "/isolated");
	guint n = online ? text_list_count(online) : 0, n_present = present ? text_list_count(present) : 0;
	gboolean is_isolated = isolated && *isolated;
	g_autoptr(GString) text = g_string_new(NULL);

	if (!n) {
		finding_unavailable(finding, "the kernel does not list the CPUs");
		return;
	}
	/* the kernel's list of those offline is no help: it holds what could be plugged in as well */
	if (n_present > n)
		g_string_append_printf(text, "%u of %u online", n, n_present);
	else
		g_string_append_printf(text, "%u online", n);
	if (is_isolated)
		g_string_append_printf(text, ", isolated: %s", isolated);
	if (has_kinds(doctor)) {
		finding_set(finding, FINDING_WARNING, "%s, of different speed: a run depends on where it is put",
			    text->str);
		finding_advise(finding, "keep all runs on CPUs of one kind: taskset -c LIST vmstat-bench run ...");
	} else if (n == 1) {
		finding_set(finding, FINDING_NOTE, "%s: whatever else runs takes its time from the workload",
			    text->str);
	} else {
		finding_set(finding, is_isolated || n_present > n ? FINDING_NOTE : FINDING_OK, "%s", text->str);
	}
}

void check_governor(const struct doctor *doctor, struct finding *finding)
{
	g_auto(GStrv) cpus = cpu_names(doctor);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autoptr(GString) others = g_string_new(NULL);
	guint n = 0, n_others = 0;

	for (char **cpu = cpus; *cpu; cpu++) {
		char *governor = file_text(doctor, CPU "/%s/cpufreq/scaling_governor", *cpu);

		if (!governor)
			continue;
		n++;
		if (g_str_equal(governor, "performance")) {
			g_free(governor);
			continue;
		}
		n_others++;
		if (!g_hash_table_contains(seen, governor))
			text_list_add(others, governor);
		g_hash_table_add(seen, governor);
	}
	if (!n) {
		finding_unavailable(finding, "no cpufreq (firmware or host decide)");
	} else if (!n_others) {
		finding_set(finding, FINDING_OK, "performance on all %u CPUs", n);
	} else {
		finding_set(finding, FINDING_WARNING, "%s on %u of %u CPUs: the frequency follows the load",
			    others->str, n_others, n);
		finding_advise(finding, "cpupower frequency-set -g performance (Debian package linux-cpupower)");
	}
}

/* source: Documentation/admin-guide/pm/intel_pstate.rst, cpufreq.rst of Linux */
void check_turbo(const struct doctor *doctor, struct finding *finding)
{
	gint64 value;
	const char *off;

	if (file_number(doctor, &value, CPU "/intel_pstate/no_turbo")) {
		value = !value;
		off = "echo 1 >/" CPU "/intel_pstate/no_turbo";
	} else if (file_number(doctor, &value, CPU "/cpufreq/boost")) {
		off = "echo 0 >/" CPU "/cpufreq/boost";
	} else {
		finding_unavailable(finding, "there is no switch for it");
		return;
	}
	if (!value) {
		finding_set(finding, FINDING_OK, "off");
		return;
	}
	finding_set(finding, FINDING_NOTE, "on: the frequency depends on heat and on how many CPUs are busy");
	finding_advise(finding, "for workloads that compute: %s", off);
}

/* Whether CPUs share cores: -1 where that cannot be told. Kernels before 4.19 have no switch, but the topology. */
static int smt_is_active(const struct doctor *doctor)
{
	g_auto(GStrv) cpus = cpu_names(doctor);
	gint64 active;
	int known = -1;

	if (file_number(doctor, &active, CPU "/smt/active"))
		return active != 0;
	for (char **cpu = cpus; *cpu && known <= 0; cpu++) {
		g_autofree char *siblings = file_text(doctor, CPU "/%s/topology/thread_siblings_list", *cpu);

		if (siblings)
			known = text_list_count(siblings) > 1;
	}
	return known;
}

void check_smt(const struct doctor *doctor, struct finding *finding)
{
	int active = smt_is_active(doctor);

	if (active < 0) {
		finding_unavailable(finding, "the kernel does not tell which CPUs share a core");
	} else if (active) {
		finding_set(finding, FINDING_NOTE, "on: two busy CPUs of one core slow each other down");
		finding_advise(finding, "where there are fewer workers than cores: echo off >/" CPU "/smt/control");
	} else if (doctor_is_virtual(doctor)) {
		finding_set(finding, FINDING_OK, "off here; the host's CPUs cannot be seen");
	} else {
		finding_set(finding, FINDING_OK, "off");
	}
}

void check_numa(const struct doctor *doctor, struct finding *finding)
{
	g_autofree char *nodes = file_text(doctor, "sys/devices/system/node/online");
	guint n = nodes ? text_list_count(nodes) : 0;
	gint64 balancing = 0;

	if (!n) {
		finding_unavailable(finding, "the kernel does not list nodes of memory");
		return;
	}
	if (n == 1) {
		finding_set(finding, FINDING_OK, "1 node");
		return;
	}
	file_number(doctor, &balancing, "proc/sys/kernel/numa_balancing");
	finding_set(finding, FINDING_NOTE, "%u nodes: speed depends on which holds the memory%s", n,
		    balancing ? ", and the kernel moves pages between them" : "");
	finding_advise(finding, "bind all runs alike: numactl -N 0 -m 0 vmstat-bench run ...");
}

/* CPUs that count throttling; those that have been throttled. x86 only.
 * source: drivers/thermal/intel/therm_throt.c of Linux */
void check_throttling(const struct doctor *doctor, struct finding *finding)
{
	static const char *const counts[] = {"core_throttle_count", "package_throttle_count"};
	g_auto(GStrv) cpus = cpu_names(doctor);
	guint n = 0, n_slowed = 0;

	for (char **cpu = cpus; *cpu; cpu++) {
		gboolean is_counted = FALSE, is_slowed = FALSE;

		for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
			gint64 count;

			if (!file_number(doctor, &count, CPU "/%s/thermal_throttle/%s", *cpu, counts[i]))
				continue;
			is_counted = TRUE;
			is_slowed |= count > 0;
		}
		n += is_counted;
		n_slowed += is_slowed;
	}
	if (!n) {
		finding_unavailable(finding, "these CPUs do not count it");
	} else if (!n_slowed) {
		finding_set(finding, FINDING_OK, "heat has slowed no CPU since boot");
	} else {
		finding_set(finding, FINDING_NOTE, "heat has slowed %u of %u CPUs since boot", n_slowed, n);
		finding_advise(finding, "pause before each run (--settle), and see to the cooling");
	}
}

/* source: Documentation/admin-guide/hw-vuln of Linux */
void check_mitigations(const struct doctor *doctor, struct finding *finding)
{
	g_auto(GStrv) names = file_names(doctor, CPU "/vulnerabilities", "");
	guint n = 0, mitigated = 0, vulnerable = 0;

	for (char **name = names; *name; name++) {
		g_autofree char *text = file_text(doctor, CPU "/vulnerabilities/%s", *name);

		if (!text)
			continue;
		n++;
		/* "KVM: Mitigation: ..." costs guests alone */
		mitigated += g_str_has_prefix(text, "Mitigation:");
		vulnerable += g_str_has_prefix(text, "Vulnerable");
	}
	if (!n) {
		finding_unavailable(finding, "the kernel does not list weaknesses of the CPU");
	} else if (!mitigated) {
		finding_set(finding, FINDING_OK, "none is on, %u weaknesses left open", vulnerable);
	} else {
		finding_set(finding, FINDING_NOTE, "%u on (slower system calls), %u weaknesses left open", mitigated,
			    vulnerable);
		finding_advise(finding, "compare only where they are the same: see /" CPU "/vulnerabilities");
	}
}

/* Clocks that a process reads without a system call, or in few cycles; and those that take a microsecond and more.
 * source: arch/{x86,arm64,powerpc,s390,riscv}, drivers/clocksource of Linux */
static const struct {
	const char *name;
	gboolean is_fast;
} clocks[] = {
    {"tsc", TRUE},
    {"kvm-clock", TRUE},
    {"arch_sys_counter", TRUE},
    {"hyperv_clocksource_tsc_page", TRUE},
    {"xen", TRUE},
    {"timebase", TRUE},
    {"tod", TRUE},
    {"riscv_clocksource", TRUE},
    {"tsc-early", TRUE},
    {"hyperv_clocksource_msr", FALSE},
    {"hpet", FALSE},
    {"acpi_pm", FALSE},
    {"jiffies", FALSE},
    {"refined-jiffies", FALSE},
    {"pit", FALSE},
};

void check_clock(const struct doctor *doctor, struct finding *finding)
{
	static const char directory[] = "sys/devices/system/clocksource/clocksource0";
	g_autofree char *current = file_text(doctor, "%s/current_clocksource", directory);
	g_autofree char *available = file_text(doctor, "%s/available_clocksource", directory);
	g_auto(GStrv) others = g_strsplit(available ? available : "", " ", -1);
	gsize i = 0;

	if (!current) {
		finding_unavailable(finding, "the kernel does not name its clock");
		return;
	}
	while (i < G_N_ELEMENTS(clocks) && !g_str_equal(clocks[i].name, current))
		i++;
	if (i == G_N_ELEMENTS(clocks)) {
		finding_set(finding, FINDING_NOTE, "%s: not known to be fast", current);
	} else if (clocks[i].is_fast) {
		finding_set(finding, FINDING_OK, "%s", current);
	} else {
		finding_set(finding, FINDING_WARNING, "%s: each look at the clock is a slow system call", current);
		if (g_strv_contains((const char *const *)others, "tsc"))
			finding_advise(finding, "echo tsc >/%s/current_clocksource", directory);
		else
			finding_advise(finding, "the kernel does not trust the TSC: dmesg says why");
	}
}
