#include "facts.h"

#include <libmount/libmount.h>
#include <libproc2/meminfo.h>
#include <libproc2/vmstat.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "device.h"
#include "version.h"

/* The contents of a small file of /proc or /sys without the final newline; NULL where it cannot be read. */
static char *read_text(const char *path)
{
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	return g_strchomp(text);
}

static void fact_take(GHashTable *facts, const char *key, char *value)
{
	if (value && *value)
		g_hash_table_insert(facts, g_strdup(key), value);
	else
		g_free(value);
}

static void fact_file(GHashTable *facts, const char *key, const char *path)
{
	fact_take(facts, key, read_text(path));
}

/* A file that lists its choices with the chosen one in brackets: that one, or all of it where none is. */
static void fact_choice(GHashTable *facts, const char *key, const char *path)
{
	g_autofree char *text = read_text(path);
	char *open = text ? strchr(text, '[') : NULL;
	char *close = open ? strchr(open, ']') : NULL;

	fact_take(facts, key, close ? g_strndup(open + 1, (gsize)(close - open - 1)) : g_strdup(text));
}

/* The value of the first "key : value" line of a text. */
static char *find_field(const char *text, const char *key)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		char *colon = strchr(*line, ':');

		if (!colon || !g_str_has_prefix(*line, key) || strspn(*line + strlen(key), " \t") != (gsize)(colon - *line) - strlen(key))
			continue;
		return g_strdup(g_strstrip(colon + 1));
	}
	return NULL;
}

static void facts_of_processor(GHashTable *facts)
{
	g_autofree char *info = read_text("/proc/cpuinfo");
	g_autofree char *flags = info ? find_field(info, "flags") : NULL;
	g_autofree char *padded = flags ? g_strconcat(" ", flags, " ", NULL) : NULL;

	if (info)
		fact_take(facts, "cpu", find_field(info, "model name"));
	fact_take(facts, "cpus", g_strdup_printf("%ld", sysconf(_SC_NPROCESSORS_ONLN)));
	fact_file(facts, "governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	fact_file(facts, "no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo");
	if (padded)
		fact_take(facts, "virtualisation", g_strdup(strstr(padded, " hypervisor ") ? "virtual machine" : "none"));
	fact_file(facts, "machine", "/sys/class/dmi/id/product_name");
	fact_file(facts, "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
}

static void fact_memory(GHashTable *facts, const char *key, struct meminfo_info *info, enum meminfo_item item)
{
	/* one and the same result for all items: it is to be read before the next is asked for */
	const struct meminfo_result *result = procps_meminfo_get(info, item);

	if (result)
		fact_take(facts, key, g_strdup_printf("%lu KiB", result->result.ul_int));
}

static void facts_of_memory(GHashTable *facts)
{
	static const char *const settings[] = {"dirty_background_bytes", "dirty_background_ratio", "dirty_bytes",
	                                       "dirty_expire_centisecs", "dirty_ratio", "dirty_writeback_centisecs",
	                                       "page-cluster", "swappiness"};
	struct meminfo_info *info = NULL;

	if (procps_meminfo_new(&info) == 0) {
		fact_memory(facts, "memory", info, MEMINFO_MEM_TOTAL);
		fact_memory(facts, "swap", info, MEMINFO_SWAP_TOTAL);
		procps_meminfo_unref(&info);
	}
	for (guint i = 0; i < G_N_ELEMENTS(settings); i++) {
		g_autofree char *path = g_strconcat("/proc/sys/vm/", settings[i], NULL);
		g_autofree char *key = g_strconcat("vm.", settings[i], NULL);

		fact_file(facts, key, path);
	}
	fact_choice(facts, "transparent_hugepage", "/sys/kernel/mm/transparent_hugepage/enabled");
}

/* The queue settings of the whole disk behind a block device. */
static void facts_of_device(GHashTable *facts, dev_t device)
{
	static const char *const settings[] = {"write_cache", "read_ahead_kb", "nr_requests", "rotational"};
	g_autofree char *disk = device_disk(device), *scheduler = NULL;

	if (!disk)
		return;
	fact_take(facts, "disk", g_strdup(disk));
	for (guint i = 0; i < G_N_ELEMENTS(settings); i++) {
		g_autofree char *path = g_build_filename("/sys/block", disk, "queue", settings[i], NULL);
		g_autofree char *key = g_strconcat("queue.", settings[i], NULL);

		fact_file(facts, key, path);
	}
	scheduler = g_build_filename("/sys/block", disk, "queue/scheduler", NULL);
	fact_choice(facts, "queue.scheduler", scheduler);
}

static void facts_of_filesystem(GHashTable *facts, int dirfd)
{
	g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", dirfd);
	g_autofree char *path = g_file_read_link(link, NULL);
	struct libmnt_table *table = mnt_new_table_from_file("/proc/self/mountinfo");
	struct libmnt_fs *fs = NULL;

	if (table && path)
		fs = mnt_table_find_mountpoint(table, path, MNT_ITER_BACKWARD);
	if (fs) {
		fact_take(facts, "filesystem", g_strdup(mnt_fs_get_fstype(fs)));
		fact_take(facts, "mount_options", g_strdup(mnt_fs_get_options(fs)));
		fact_take(facts, "device", g_strdup(mnt_fs_get_source(fs)));
	}
	facts_of_device(facts, device_of_directory(dirfd));
	mnt_unref_table(table);
}

GHashTable *facts_collect(int dirfd)
{
	GHashTable *facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	struct utsname names;

	if (uname(&names) == 0) {
		fact_take(facts, "kernel", g_strdup(names.release));
		fact_take(facts, "kernel_version", g_strdup(names.version));
		fact_take(facts, "architecture", g_strdup(names.machine));
		fact_take(facts, "host", g_strdup(names.nodename));
	}
	fact_file(facts, "kernel_command_line", "/proc/cmdline");
	facts_of_processor(facts);
	facts_of_memory(facts);
	facts_of_filesystem(facts, dirfd);
	fact_take(facts, "vmstat-bench", g_strdup(VERSION));
	return facts;
}

const char *facts_boot_id(void)
{
	static char *boot_id;

	if (!boot_id)
		boot_id = read_text("/proc/sys/kernel/random/boot_id");
	return boot_id ? boot_id : "";
}

guint64 facts_dirty_threshold(void)
{
	struct vmstat_info *info = NULL;
	struct vmstat_result *item;
	guint64 bytes = 0;

	if (procps_vmstat_new(&info) < 0)
		return 0;
	item = procps_vmstat_get(info, VMSTAT_NR_DIRTY_THRESHOLD);
	if (item)
		bytes = item->result.ul_int * (guint64)sysconf(_SC_PAGESIZE);
	procps_vmstat_unref(&info);
	return bytes;
}

guint64 facts_memory(void)
{
	return (guint64)sysconf(_SC_PHYS_PAGES) * (guint64)sysconf(_SC_PAGESIZE);
}
