#include "doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "doctor_checks.h"
#include "err.h"

#define MEASURED_S 0.5

const struct check check_table[] = {
    {"virtual", check_virtual},
    {"container", check_container},
    {"limits", check_limits},
    {"steal", check_steal},
    {"kernel", check_kernel},
    {"cpus", check_cpus},
    {"governor", check_governor},
    {"turbo", check_turbo},
    {"smt", check_smt},
    {"numa", check_numa},
    {"throttling", check_throttling},
    {"battery", check_battery},
    {"mitigations", check_mitigations},
    {"clock", check_clock},
    {"load", check_load},
    {"busy", check_busy},
    {"pressure", check_pressure},
    {"upkeep", check_upkeep},
    {"rebuild", check_rebuild},
    {"timers", check_timers},
    {"cron", check_cron},
    {"memory", check_memory},
    {"swap", check_swap},
    {"zram", check_zram},
    {"swappiness", check_swappiness},
    {"hugepages", check_hugepages},
    {"dirty", check_dirty},
    {"space", check_space},
    {"filesystem", check_filesystem},
    {"mount", check_mount},
    {"layers", check_layers},
    {"disk", check_disk},
    {"privileges", check_privileges},
    {"tools", check_tools},
    /* the last: it claims the machine, and a run that begins meanwhile would be told that it is not alone */
    {"alone", check_alone},
    {NULL, NULL},
};

const char *finding_level_name(enum finding_level level)
{
	static const char *const names[] = {"warning", "note", "ok", "unavailable"};

	return names[level];
}

void finding_set(struct finding *finding, enum finding_level level, const char *format, ...)
{
	va_list args;

	g_free(finding->text);
	va_start(args, format);
	finding->text = g_strdup_vprintf(format, args);
	va_end(args);
	finding->level = level;
}

void finding_advise(struct finding *finding, const char *format, ...)
{
	va_list args;

	g_free(finding->advice);
	va_start(args, format);
	finding->advice = g_strdup_vprintf(format, args);
	va_end(args);
}

void finding_unavailable(struct finding *finding, const char *why)
{
	finding_set(finding, FINDING_UNAVAILABLE, "not available here: %s", why);
}

void finding_clear(struct finding *finding)
{
	g_clear_pointer(&finding->text, g_free);
	g_clear_pointer(&finding->advice, g_free);
}

static void clear_finding(gpointer finding)
{
	finding_clear(finding);
}

GArray *doctor_examine(const struct doctor *doctor)
{
	GArray *findings = g_array_new(FALSE, TRUE, sizeof(struct finding));

	g_array_set_clear_func(findings, clear_finding);
	for (const struct check *check = check_table; check->name; check++) {
		struct finding finding = {0};

		check->look(doctor, &finding);
		g_array_append_val(findings, finding);
	}
	return findings;
}

static gboolean look_at_directory(struct doctor *doctor, const char *dir, GError **error)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	gboolean ok = fd >= 0 && volume_of_directory(&doctor->volume, fd);
	int failure = errno;

	if (fd >= 0)
		close(fd);
	return ok || err_errno(error, failure, "cannot open directory '%s'", dir);
}

gboolean doctor_open(struct doctor *doctor, const char *dir, guint64 size_bytes, GError **error)
{
	*doctor = (struct doctor){.size_bytes = size_bytes};
	doctor->rootfd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (doctor->rootfd < 0)
		return err_errno(error, errno, "cannot open directory '/'");
	if (!look_at_directory(doctor, dir, error)) {
		doctor_close(doctor);
		return FALSE;
	}
	doctor->is_root = geteuid() == 0;
	activity_measure(&doctor->activity, MEASURED_S);
	return TRUE;
}

void doctor_close(struct doctor *doctor)
{
	close(doctor->rootfd);
	volume_clear(&doctor->volume);
	activity_clear(&doctor->activity);
}
