#include <math.h>
#include <string.h>

#include "doctor.h"
#include "doctor_checks.h"
#include "doctor_file.h"

/* Words in the names that hypervisors give to their machines. Amazon's bare metal has Amazon's name as well. */
static gboolean is_virtual_product(const char *name)
{
	static const char *const words[] = {"QEMU",
					    "KVM",
					    "VMware",
					    "VirtualBox",
					    "Xen",
					    "Parallels",
					    "BHYVE",
					    "Virtual Machine",
					    "Google Compute Engine",
					    "Amazon EC2"};

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (strstr(name, words[i]))
			return !strstr(name, ".metal");
	return FALSE;
}

/* What the firmware calls the machine; NULL where it does not say. */
static char *product_name(const struct doctor *doctor)
{
	g_autofree char *vendor = file_text(doctor, "sys/class/dmi/id/sys_vendor");
	g_autofree char *product = file_text(doctor, "sys/class/dmi/id/product_name");

	if (!product || !*product)
		return NULL;
	return vendor && *vendor ? g_strconcat(vendor, " ", product, NULL) : g_steal_pointer(&product);
}

/* Whether the first "flags" line has the bit that no processor sets and all hypervisors do.
 * source: arch/x86/include/asm/cpufeatures.h of Linux, X86_FEATURE_HYPERVISOR */
static gboolean has_hypervisor_flag(const char *cpuinfo)
{
	const char *flags = strstr(cpuinfo, "\nflags");
	g_autofree char *line = flags ? g_strndup(flags + 1, strcspn(flags + 1, "\n")) : NULL;
	g_auto(GStrv) words = g_strsplit(line ? line : "", " ", -1);

	return g_strv_contains((const char *const *)words, "hypervisor");
}

/* What says that this is a virtual machine; newly allocated, NULL where nothing does. */
static char *virtual_evidence(const struct doctor *doctor)
{
	g_autofree char *cpuinfo = file_text(doctor, "proc/cpuinfo"), *product = product_name(doctor);
	g_autofree char *hypervisor = file_text(doctor, "sys/hypervisor/type");
	g_autofree char *node = file_text(doctor, "proc/device-tree/hypervisor/compatible");
	g_autofree char *sysinfo = file_text(doctor, "proc/sysinfo");
	const char *program = sysinfo ? strstr(sysinfo, "Control Program:") : NULL;

	if (product && is_virtual_product(product))
		return g_steal_pointer(&product);
	if (hypervisor && *hypervisor)
		return g_steal_pointer(&hypervisor);
	if (file_exists(doctor, "proc/xen"))
		return g_strdup("xen");
	if (node && *node)
		return g_steal_pointer(&node);
	/* s390 */
	if (program) {
		program += strlen("Control Program:");
		return g_strstrip(g_strndup(program, strcspn(program, "\n")));
	}
	return cpuinfo && has_hypervisor_flag(cpuinfo) ? g_strdup("the CPU's hypervisor flag is set") : NULL;
}

gboolean doctor_is_virtual(const struct doctor *doctor)
{
	g_autofree char *evidence = virtual_evidence(doctor);

	return evidence != NULL;
}

void check_virtual(const struct doctor *doctor, struct finding *finding)
{
	g_autofree char *evidence = virtual_evidence(doctor), *product = product_name(doctor);

	if (evidence) {
		finding_set(finding, FINDING_NOTE,
			    "a virtual machine (%s): others on its host share CPUs, cache and disk", evidence);
		finding_advise(finding, "spread runs over hours and boots; 'vmstat-bench calibrate' learns the noise");
	} else if (!file_exists(doctor, "proc/cpuinfo")) {
		finding_unavailable(finding, "nothing tells what machine this is");
	} else {
		finding_set(finding, FINDING_OK, "no sign of a virtual machine%s%s%s", product ? " (" : "",
			    product ? product : "", product ? ")" : "");
	}
}

/* Whether this process is in the namespace of that kind that the kernel was booted with: -1 where that cannot be told.
 * source: enum init_ns_ino of include/uapi/linux/nsfs.h of Linux; the numbers are those of 3.8 and later */
static int is_in_first(const struct doctor *doctor, const char *kind, guint32 inode)
{
	g_autofree char *path = g_strconcat("proc/self/ns/", kind, NULL), *link = file_link(doctor, path);
	g_autofree char *first = g_strdup_printf("%s:[%u]", kind, inode);

	return link ? g_str_equal(link, first) : -1;
}

/* What makes containers, by the names that it gives to their control groups; NULL where there is no such name. */
static const char *kind_by_groups(const char *cgroups)
{
	static const struct {
		const char *in_path, *kind;
	} kinds[] = {{"kubepods", "Kubernetes"},
		     {"/docker/", "Docker"},
		     {"/docker-", "Docker"},
		     {"libpod-", "Podman"},
		     {"/lxc/", "LXC"},
		     {"lxc.payload", "LXC"},
		     {"cri-containerd", "containerd"},
		     {"machine.slice", "systemd-nspawn"}};

	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (strstr(cgroups, kinds[i].in_path))
			return kinds[i].kind;
	return NULL;
}

/* The same by the marks that it leaves in the root directory. */
static const char *kind_by_marks(const struct doctor *doctor)
{
	if (file_exists(doctor, "run/.containerenv"))
		return "Podman";
	if (file_exists(doctor, ".dockerenv"))
		return "Docker";
	return file_exists(doctor, "run/systemd/container") ? "systemd" : NULL;
}

/* Namespaces and control groups decide. Marks only give the name: a root directory that was made from a container's
 * image has them wherever it is. */
void check_container(const struct doctor *doctor, struct finding *finding)
{
	g_autofree char *cgroups = file_text(doctor, "proc/self/cgroup");
	const char *kind = cgroups ? kind_by_groups(cgroups) : NULL, *marked = kind_by_marks(doctor);
	int processes = is_in_first(doctor, "pid", 0xEFFFFFFCu), groups = is_in_first(doctor, "cgroup", 0xEFFFFFFBu);

	if (processes < 0 && !kind && !marked) {
		finding_unavailable(finding, "the kernel does not tell its namespaces");
	} else if (processes == 0 || groups == 0 || kind || (processes < 0 && marked)) {
		kind = kind ? kind : marked;
		finding_set(finding, FINDING_NOTE, "in a container%s%s%s: others on its host cannot be seen",
			    kind ? " (" : "", kind ? kind : "", kind ? ")" : "");
		finding_advise(finding, "keep the host free of other work, or run on it directly");
	} else {
		finding_set(finding, FINDING_OK, "not in a container");
	}
}

/* What control groups leave to this process. */
struct limits {
	double cpus;    /* INFINITY: no quota */
	guint64 memory; /* bytes; G_MAXUINT64: no limit */
};

static void limit_cpus(struct limits *limits, double quota, double period)
{
	if (quota > 0 && period > 0)
		limits->cpus = fmin(limits->cpus, quota / period);
}

/* One directory of version 2, then one of each controller of version 1. What is not there or "max" is no limit.
 * source: Documentation/admin-guide/cgroup-v2.rst, scheduler/sched-bwc.rst, cgroup-v1/memory.rst of Linux */
static void take_limits(const struct doctor *doctor, const char *group, struct limits *limits)
{
	g_autofree char *max = file_text(doctor, "%s/cpu.max", group);
	gint64 value, period;
	char *end;

	if (max && g_ascii_isdigit(*max)) {
		double quota = g_ascii_strtod(max, &end);

		limit_cpus(limits, quota, g_ascii_strtod(end, NULL));
	}
	if (file_number(doctor, &value, "%s/cpu.cfs_quota_us", group) &&
	    file_number(doctor, &period, "%s/cpu.cfs_period_us", group))
		limit_cpus(limits, (double)value, (double)period);
	if (file_number(doctor, &value, "%s/memory.max", group) ||
	    file_number(doctor, &value, "%s/memory.limit_in_bytes", group))
		limits->memory = MIN(limits->memory, (guint64)value);
}

/* Goes up from the group to the top: the limits of all of them hold. */
static void take_limits_upwards(const struct doctor *doctor, const char *hierarchy, const char *path,
				struct limits *limits)
{
	g_autofree char *group = g_strdup(path);

	for (;;) {
		g_autofree char *directory = g_strconcat("sys/fs/cgroup", hierarchy, group, NULL);
		char *slash = strrchr(group, '/');

		take_limits(doctor, directory, limits);
		if (!slash)
			return;
		*slash = '\0';
	}
}

/* Each line of /proc/self/cgroup is "hierarchy:controllers:path".   source: cgroups(7) */
static struct limits find_limits(const struct doctor *doctor)
{
	struct limits limits = {INFINITY, G_MAXUINT64};
	g_autofree char *text = file_text(doctor, "proc/self/cgroup");
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

	for (char **line = lines; *line; line++) {
		g_auto(GStrv) fields = g_strsplit(*line, ":", 3);
		g_autofree char *hierarchy = NULL;

		/* what is outside of the namespace cannot be looked at */
		if (g_strv_length(fields) != 3 || strstr(fields[2], "/.."))
			continue;
		if (*fields[1]) {
			hierarchy = g_strconcat("/", fields[1], NULL);
			take_limits_upwards(doctor, hierarchy, fields[2], &limits);
		} else {
			take_limits_upwards(doctor, "", fields[2], &limits);
			take_limits_upwards(doctor, "/unified", fields[2], &limits);
		}
	}
	return limits;
}

/* The CPUs that this process may run on; 0 where that is not told.   source: proc_pid_status(5) */
static guint count_allowed_cpus(const struct doctor *doctor)
{
	static const char key[] = "Cpus_allowed_list:";
	g_autofree char *status = file_text(doctor, "proc/self/status");
	char *list = status ? strstr(status, key) : NULL;

	if (!list)
		return 0;
	list += strlen(key);
	list[strcspn(list, "\n")] = '\0';
	return text_list_count(g_strstrip(list));
}

void check_limits(const struct doctor *doctor, struct finding *finding)
{
	struct limits limits = find_limits(doctor);
	g_autofree char *online = file_text(doctor, "sys/devices/system/cpu/online");
	g_autofree char *meminfo = file_text(doctor, "proc/meminfo");
	g_autoptr(GString) text = g_string_new(NULL);
	guint n_online = online ? text_list_count(online) : 0, n_allowed = count_allowed_cpus(doctor);
	guint64 memory = G_MAXINT32; /* kibibytes: more than any, less than the "no limit" of version 1 */

	if (meminfo)
		text_number(meminfo, "MemTotal", &memory);
	if (limits.cpus < INFINITY)
		g_string_append_printf(text, "a quota of the time of %.3g CPUs", limits.cpus);
	if (limits.memory < memory * 1024) {
		g_autofree char *size = text_size(limits.memory);

		g_string_append_printf(text, "%s%s of memory, cached files among it", text->len ? "; " : "", size);
	}
	if (n_allowed && n_allowed < n_online)
		g_string_append_printf(text, "%s%u of %u CPUs", text->len ? "; " : "", n_allowed, n_online);
	if (text->len) {
		finding_set(finding, limits.cpus < INFINITY ? FINDING_WARNING : FINDING_NOTE, "this process gets %s",
			    text->str);
	} else if (!file_exists(doctor, "proc/self/cgroup")) {
		finding_unavailable(finding, "there are no control groups");
	} else {
		finding_set(finding, FINDING_OK, "no control group limits this process");
	}
	if (limits.cpus < INFINITY)
		finding_advise(finding, "lift the quota: who has used it up stands still until the next period");
}

/* source: Documentation/ABI/testing/sysfs-class-power of Linux */
void check_battery(const struct doctor *doctor, struct finding *finding)
{
	static const char directory[] = "sys/class/power_supply";
	g_auto(GStrv) supplies = file_names(doctor, directory, "");
	gboolean has_battery = FALSE, discharges = FALSE;

	for (char **supply = supplies; *supply; supply++) {
		g_autofree char *type = file_text(doctor, "%s/%s/type", directory, *supply);
		g_autofree char *scope = file_text(doctor, "%s/%s/scope", directory, *supply);
		g_autofree char *status = file_text(doctor, "%s/%s/status", directory, *supply);

		/* that of a mouse says nothing about the machine */
		if (g_strcmp0(type, "Battery") != 0 || g_strcmp0(scope, "Device") == 0)
			continue;
		has_battery = TRUE;
		discharges |= g_strcmp0(status, "Discharging") == 0;
	}
	if (discharges) {
		finding_set(finding, FINDING_WARNING, "the machine runs on battery: firmware and drivers save power");
		finding_advise(finding, "plug it in");
	} else if (!file_exists(doctor, "%s", directory)) {
		finding_unavailable(finding, "the kernel does not list power supplies");
	} else {
		finding_set(finding, FINDING_OK, has_battery ? "on mains, with a battery" : "no battery");
	}
}

/* Options of kernels for debugging that cost time wherever they are built in, or where the command line turns them on.
 * source: lib/Kconfig.debug, mm/Kconfig.debug, Documentation/admin-guide/kernel-parameters.txt of Linux */
static const struct {
	const char *option, *parameter;
} debug_options[] = {
    {"KASAN", NULL},
    {"KCSAN", NULL},
    {"KMSAN", NULL},
    {"PROVE_LOCKING", NULL},
    {"LOCK_STAT", NULL},
    {"DEBUG_OBJECTS", NULL},
    {"KCOV", NULL},
    {"GCOV_KERNEL", NULL},
    {"SLUB_DEBUG_ON", NULL},
    {"DEBUG_VM_PGFLAGS", NULL},
    {"DEBUG_PAGEALLOC_ENABLE_DEFAULT", NULL},
    {"DEBUG_PAGEALLOC", "debug_pagealloc=on"},
    {"DEBUG_PAGEALLOC", "debug_pagealloc=1"},
    {"SLUB_DEBUG", "slub_debug"},
    {"SLUB_DEBUG", "slab_debug"},
    {"DEBUG_KMEMLEAK", "kmemleak=on"},
};

/* The configuration that the kernel was built with; NULL where it is nowhere. */
static char *kernel_config(const struct doctor *doctor)
{
	g_autofree char *release = file_text(doctor, "proc/sys/kernel/osrelease");
	char *config = file_gunzip(doctor, "proc/config.gz");

	return config || !release ? config : file_text(doctor, "boot/config-%s", release);
}

static gboolean has_parameter(char *const *words, const char *parameter)
{
	for (; *words; words++)
		if (g_str_equal(*words, parameter) ||
		    (g_str_has_prefix(*words, parameter) && (*words)[strlen(parameter)] == '='))
			return TRUE;
	return FALSE;
}

void check_kernel(const struct doctor *doctor, struct finding *finding)
{
	g_autofree char *config = kernel_config(doctor), *line = file_text(doctor, "proc/cmdline");
	g_auto(GStrv) words = g_strsplit(line ? line : "", " ", -1);
	g_autoptr(GString) costly = g_string_new(NULL);

	if (!config) {
		finding_unavailable(finding, "the configuration of this kernel is not at hand");
		return;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(debug_options); i++) {
		const char *parameter = debug_options[i].parameter;
		g_autofree char *built = g_strdup_printf("CONFIG_%s=y", debug_options[i].option);

		if (text_has_line(config, built) && (!parameter || has_parameter(words, parameter)))
			text_list_add(costly, parameter ? parameter : debug_options[i].option);
	}
	if (!costly->len) {
		finding_set(finding, FINDING_OK, "no debugging that slows it down is on");
		return;
	}
	finding_set(finding, FINDING_WARNING, "debugging slows it down: %s", costly->str);
	finding_advise(finding, "measure a kernel without, or compare only those that all have it");
}
