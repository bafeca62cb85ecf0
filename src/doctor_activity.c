#include "doctor_activity.h"

#include <libproc2/misc.h>
#include <libproc2/pids.h>
#include <libproc2/stat.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "alone.h"
#include "clock.h"
#include "doctor.h"
#include "doctor_checks.h"
#include "doctor_file.h"
#include "shared.h"

#define STEAL_NOTED 0.1 /* per cent */
#define STEAL_MUCH 1.0
#define LOAD_NOTED 0.5  /* tasks */
#define BUSY_NOTED 0.05 /* CPUs */
#define BUSY_MUCH 0.2
#define PRESSURE_NOTED 1.0 /* per cent */
#define PRESSURE_MUCH 5.0

/* Time of all CPUs in clock ticks. Guests' time is in user's already. */
struct ticks {
	double busy, stolen, total;
	guint running, blocked;
};

static gboolean read_ticks(struct stat_info *info, struct ticks *ticks)
{
	enum stat_item items[] = {STAT_TIC_USER,         STAT_TIC_NICE,        STAT_TIC_SYSTEM, STAT_TIC_IRQ,
				  STAT_TIC_SOFTIRQ,      STAT_TIC_IDLE,        STAT_TIC_IOWAIT, STAT_TIC_STOLEN,
				  STAT_SYS_PROC_RUNNING, STAT_SYS_PROC_BLOCKED};
	enum { BUSY = 5, STOLEN = 7, RUNNING = 8, BLOCKED = 9 };
	struct stat_stack *stack = procps_stat_select(info, items, G_N_ELEMENTS(items));

	*ticks = (struct ticks){0};
	if (!stack)
		return FALSE;
	for (int i = 0; i <= STOLEN; i++) {
		ticks->total += (double)stack->head[i].result.ull_int;
		ticks->busy += i < BUSY ? (double)stack->head[i].result.ull_int : 0;
	}
	ticks->stolen = (double)stack->head[STOLEN].result.ull_int;
	ticks->running = (guint)stack->head[RUNNING].result.ul_int;
	ticks->blocked = (guint)stack->head[BLOCKED].result.ul_int;
	return TRUE;
}

/* A second look at all processes: their names, and which of them worked since the first. */
static void take_processes(struct activity *activity, const struct pids_fetch *fetch, double seconds)
{
	unsigned int most = 0;

	for (int i = 0; i < fetch->counts->total; i++) {
		const struct pids_result *values = fetch->stacks[i]->head;
		unsigned int ticks = values[2].result.u_int;

		activity->sees_all |= values[0].result.s_int == 1;
		g_ptr_array_add(activity->names, g_strdup(values[1].result.str));
		if (ticks <= most || values[0].result.s_int == getpid())
			continue;
		most = ticks;
		g_free(activity->busiest);
		activity->busiest = g_strdup_printf("%s (%d)", values[1].result.str, values[0].result.s_int);
		activity->busiest_cpus = ticks / (double)procps_hertz_get() / seconds;
	}
}

void activity_measure(struct activity *activity, double seconds)
{
	enum pids_item items[] = {PIDS_ID_PID, PIDS_CMD, PIDS_TICS_ALL_DELTA};
	struct pids_info *pids = NULL;
	struct stat_info *info = NULL;
	struct pids_fetch *fetch = NULL;
	struct ticks before = {0}, after = {0};
	double start;

	*activity = (struct activity){.load = NAN, .names = g_ptr_array_new_with_free_func(g_free)};
	if (procps_loadavg(&activity->load, NULL, NULL) < 0)
		activity->load = NAN;
	if (procps_pids_new(&pids, items, G_N_ELEMENTS(items)) == 0)
		fetch = procps_pids_reap(pids, PIDS_FETCH_TASKS_ONLY);
	activity->is_known = procps_stat_new(&info) == 0 && read_ticks(info, &before);
	start = clock_monotonic_s();
	g_usleep((gulong)(seconds * G_USEC_PER_SEC));
	seconds = clock_monotonic_s() - start;
	activity->is_known = activity->is_known && read_ticks(info, &after);
	if (activity->is_known) {
		activity->busy_cpus = (after.busy - before.busy) / (double)procps_hertz_get() / seconds;
		activity->steal_pct = after.total > 0 ? 100 * after.stolen / after.total : 0;
		/* we are the one that runs */
		activity->running = after.running > 0 ? after.running - 1 : 0;
		activity->blocked = after.blocked;
	}
	if (fetch && (fetch = procps_pids_reap(pids, PIDS_FETCH_TASKS_ONLY)))
		take_processes(activity, fetch, seconds);
	if (info)
		procps_stat_unref(&info);
	if (pids)
		procps_pids_unref(&pids);
}

void activity_clear(struct activity *activity)
{
	g_clear_pointer(&activity->busiest, g_free);
	g_clear_pointer(&activity->names, g_ptr_array_unref);
}

gboolean activity_has(const struct activity *activity, const char *name)
{
	return activity->names && g_ptr_array_find_with_equal_func(activity->names, shared(name), g_str_equal, NULL);
}

static enum finding_level level_of(double value, double noted, double much)
{
	return value >= much ? FINDING_WARNING : value >= noted ? FINDING_NOTE : FINDING_OK;
}

void check_steal(const struct doctor *doctor, struct finding *finding)
{
	const struct activity *activity = &doctor->activity;

	if (!activity->is_known) {
		finding_unavailable(finding, "it is not told how CPUs spend time");
		return;
	}
	finding_set(finding, level_of(activity->steal_pct, STEAL_NOTED, STEAL_MUCH),
		    "%.2f%% of the CPUs' time since boot went to other guests", activity->steal_pct);
	if (finding->level == FINDING_WARNING)
		finding_advise(finding, "ask for CPUs of your own, or run when the host is less busy");
}

/* Load that was before does not disturb; who waits for a disk now will. */
void check_load(const struct doctor *doctor, struct finding *finding)
{
	const struct activity *activity = &doctor->activity;

	if (isnan(activity->load)) {
		finding_unavailable(finding, "no load average is told");
		return;
	}
	finding_set(finding, activity->blocked ? FINDING_WARNING : level_of(activity->load, LOAD_NOTED, INFINITY),
		    "average of a minute %.2f; now %u running, %u in I/O", activity->load, activity->running,
		    activity->blocked);
	if (finding->level != FINDING_OK)
		finding_advise(finding, "wait until it has come down, or see who it is: top");
}

void check_busy(const struct doctor *doctor, struct finding *finding)
{
	const struct activity *activity = &doctor->activity;
	gboolean has_name = activity->busiest && activity->busiest_cpus >= BUSY_NOTED / 2;

	if (!activity->is_known) {
		finding_unavailable(finding, "it is not told how CPUs spend time");
		return;
	}
	finding_set(finding, level_of(activity->busy_cpus, BUSY_NOTED, BUSY_MUCH), "others use %.2f CPUs now%s%s",
		    activity->busy_cpus, has_name ? ", most of all " : "", has_name ? activity->busiest : "");
	if (finding->level != FINDING_OK)
		finding_advise(finding, "stop it for the time of the runs");
}

/* The share of the last ten seconds in which some task waited.   source: Documentation/accounting/psi.rst of Linux */
void check_pressure(const struct doctor *doctor, struct finding *finding)
{
	static const char *const resources[] = {"cpu", "memory", "io"};
	g_autoptr(GString) text = g_string_new(NULL);
	double most = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(resources); i++) {
		g_autofree char *pressure = file_text(doctor, "proc/pressure/%s", resources[i]), *item = NULL;
		double some;

		if (!pressure || !g_str_has_prefix(pressure, "some avg10="))
			continue;
		some = g_ascii_strtod(pressure + strlen("some avg10="), NULL);
		item = g_strdup_printf("%s %.1f%%", resources[i], some);
		text_list_add(text, item);
		most = MAX(most, some);
	}
	if (!text->len) {
		finding_unavailable(finding, "no pressure is measured (boot with psi=1)");
		return;
	}
	finding_set(finding, level_of(most, PRESSURE_NOTED, PRESSURE_MUCH), "of the last 10 s tasks waited for %s",
		    text->str);
	if (finding->level != FINDING_OK)
		finding_advise(finding, "wait until nothing else competes");
}

void check_alone(const struct doctor *doctor, struct finding *finding)
{
	if (alone_is()) {
		finding_set(finding, FINDING_OK, "no other vmstat-bench runs");
		return;
	}
	finding_set(finding, FINDING_WARNING, "another vmstat-bench runs: they disturb each other");
	finding_advise(finding, "wait for its end");
}
