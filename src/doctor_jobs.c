#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor.h"
#include "doctor_checks.h"
#include "doctor_file.h"
#include "exec.h"

#define SYSTEMCTL_S 5.0 /* it may wait for a bus that never answers */
#define SOON_S 3600.0

/* Programs that read or write much, or replace others, while nobody looks: as the kernel names their processes, in 15
 * bytes. Those that also wait in the background, as a daemon, are not here. */
static const char upkeep[] =
    "apt apt-get aptitude dpkg dnf dnf5 yum rpm zypper pacman apk emerge mandb updatedb updatedb.mlocat "
    "updatedb.plocat "
    "fstrim btrfs xfs_scrub xfs_fsr e4defrag e2fsck fsck.ext4 badblocks debsums rkhunter clamscan borg restic depmod "
    "logrotate mksquashfs update-initramf baloo_file_extr";

/* Whether dpkg or apt, which lock these files by fcntl(2), are at work for somebody; *holder is 0 for a process that
 * cannot be seen. */
static gboolean packages_are_locked(const struct doctor *doctor, pid_t *holder)
{
	static const char *const locks[] = {"var/lib/dpkg/lock-frontend", "var/lib/dpkg/lock",
					    "var/lib/apt/lists/lock"};
	gboolean is_held = FALSE;

	for (gsize i = 0; i < G_N_ELEMENTS(locks) && !is_held; i++) {
		struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
		int fd = openat(doctor->rootfd, locks[i], O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

		is_held = fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
		*holder = lock.l_pid;
		if (fd >= 0)
			close(fd);
	}
	return is_held;
}

void check_upkeep(const struct doctor *doctor, struct finding *finding)
{
	g_auto(GStrv) programs = g_strsplit(upkeep, " ", -1);
	g_autoptr(GString) running = g_string_new(NULL);
	pid_t holder;

	for (char **program = programs; *program; program++)
		if (activity_has(&doctor->activity, *program))
			text_list_add(running, *program);
	if (packages_are_locked(doctor, &holder)) {
		g_autofree char *item = g_strdup_printf("process %d with dpkg's lock", (int)holder);

		text_list_add(running, item);
	}
	if (running->len) {
		finding_set(finding, FINDING_WARNING, "at work now: %s", running->str);
		finding_advise(finding, "wait for its end");
	} else if (!doctor->activity.sees_all) {
		finding_unavailable(finding, "/proc hides processes");
	} else {
		finding_set(finding, FINDING_OK, "no package manager, indexer, check or backup runs");
	}
}

/* source: Documentation/admin-guide/md.rst of Linux */
static void find_md_syncs(const struct doctor *doctor, GString *running)
{
	g_auto(GStrv) arrays = file_names(doctor, "sys/block", "md");

	for (char **array = arrays; *array; array++) {
		g_autofree char *action = file_text(doctor, "sys/block/%s/md/sync_action", *array);
		g_autofree char *item = g_strconcat(*array, ": ", action, NULL);

		if (action && !g_str_equal(action, "idle") && !g_str_equal(action, "frozen"))
			text_list_add(running, item);
	}
}

/* source: fs/btrfs/sysfs.c of Linux; 5.10 and later */
static void find_btrfs_operations(const struct doctor *doctor, GString *running)
{
	g_auto(GStrv) filesystems = file_names(doctor, "sys/fs/btrfs", "");

	for (char **fs = filesystems; *fs; fs++) {
		g_autofree char *operation = file_text(doctor, "sys/fs/btrfs/%s/exclusive_operation", *fs);
		g_autofree char *item = g_strconcat("btrfs: ", operation, NULL);

		if (operation && !g_str_equal(operation, "none"))
			text_list_add(running, item);
	}
}

void check_rebuild(const struct doctor *doctor, struct finding *finding)
{
	g_autoptr(GString) running = g_string_new(NULL);

	if (!file_exists(doctor, "sys/block")) {
		finding_unavailable(finding, "the kernel does not list block devices");
		return;
	}
	find_md_syncs(doctor, running);
	find_btrfs_operations(doctor, running);
	if (!running->len) {
		finding_set(finding, FINDING_OK, "no array is checked or rebuilt, no filesystem balanced");
		return;
	}
	finding_set(finding, FINDING_WARNING, "the kernel moves data: %s", running->str);
	finding_advise(finding, "wait for its end: cat /proc/mdstat, btrfs balance status DIR");
}

/* How the names of units begin whose work keeps disks or processors busy for a while. */
static const char heavy_units[] =
    "apt-daily fstrim man-db plocate updatedb mlocate dnf- unattended- btrfs- mdcheck mdmonitor-oneshot "
    "raid-check e2scrub xfs_scrub logrotate snapper- borg restic fwupd-refresh dpkg-db-backup";

static gboolean is_heavy(const char *unit)
{
	g_auto(GStrv) prefixes = g_strsplit(heavy_units, " ", -1);
	gboolean found = FALSE;

	for (char **prefix = prefixes; *prefix && !found; prefix++)
		found = g_str_has_prefix(unit, *prefix);
	return found;
}

void judge_timers(const char *json, gint64 now_us, struct finding *finding)
{
	g_autoptr(GString) soon = g_string_new(NULL), heavy = g_string_new(NULL);
	json_t *timers = json_loads(json, 0, NULL), *timer;
	gsize i;

	if (!json_is_array(timers)) {
		finding_unavailable(finding, "systemctl lists no timers as JSON");
		json_decref(timers);
		return;
	}
	json_array_foreach(timers, i, timer)
	{
		const char *unit = json_string_value(json_object_get(timer, "unit"));
		/* null where it never will; one that is due has a time in the past */
		double left_s =
		    ((double)json_integer_value(json_object_get(timer, "next")) - (double)now_us) / G_USEC_PER_SEC;
		g_autofree char *item = NULL;

		if (!unit || json_integer_value(json_object_get(timer, "next")) <= 0 || left_s > SOON_S)
			continue;
		item = g_strdup_printf("%s in %.0f min", unit, MAX(left_s, 0) / 60);
		text_list_add(soon, item);
		if (is_heavy(unit))
			g_string_append_printf(heavy, " %s", unit);
	}
	if (heavy->len) {
		finding_set(finding, FINDING_WARNING, "within the hour: %s", soon->str);
		finding_advise(finding, "systemctl stop%s, and start them after the runs", heavy->str);
	} else if (soon->len) {
		finding_set(finding, FINDING_NOTE, "within the hour: %s", soon->str);
	} else {
		finding_set(finding, FINDING_OK, "none of systemd's goes off within the hour");
	}
	json_decref(timers);
}

void check_timers(const struct doctor *doctor, struct finding *finding)
{
	char *argv[] = {(char[]){"/usr/bin/systemctl"}, (char[]){"list-timers"}, (char[]){"--no-pager"},
			(char[]){"--output=json"}, NULL};
	const struct exec_watch watch = {.timeout_s = SYSTEMCTL_S};
	g_autoptr(GString) output = g_string_new(NULL);
	struct exec_result result;

	/* source: sd_booted(3) */
	if (!file_exists(doctor, "run/systemd/system")) {
		finding_unavailable(finding, "not booted with systemd");
		return;
	}
	if (!exec_command(argv, AT_FDCWD, TRUE, output, &watch, &result, NULL) || !WIFEXITED(result.status) ||
	    WEXITSTATUS(result.status) != 0) {
		finding_unavailable(finding, "systemctl gives no answer");
		return;
	}
	judge_timers(output->str, g_get_real_time(), finding);
}

void check_cron(const struct doctor *doctor, struct finding *finding)
{
	static const char *const daemons[] = {"cron", "crond", "anacron", "fcron"};
	static const char *const directories[] = {"cron.d", "cron.hourly", "cron.daily", "cron.weekly", "cron.monthly"};
	g_autoptr(GString) where = g_string_new(NULL);
	gboolean runs = FALSE;
	guint n = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(daemons); i++)
		runs |= activity_has(&doctor->activity, daemons[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(directories); i++) {
		g_autofree char *path = g_strconcat("etc/", directories[i], NULL);
		g_auto(GStrv) jobs = file_names(doctor, path, "");

		if (*jobs)
			text_list_add(where, directories[i]);
		n += g_strv_length(jobs);
	}
	if (!runs && !doctor->activity.sees_all) {
		finding_unavailable(finding, "/proc hides processes");
	} else if (!runs) {
		finding_set(finding, FINDING_OK, "no cron daemon runs");
	} else if (!n) {
		finding_set(finding, FINDING_OK, "it runs, with no job of the system");
	} else {
		finding_set(finding, FINDING_NOTE, "it runs, with %u jobs of the system (%s)", n, where->str);
		finding_advise(finding, "stop it for the time of the runs: service cron stop");
	}
}
