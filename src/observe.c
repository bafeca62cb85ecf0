#include "observe_internal.h"

#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

#define DIRTY_LEFT_MIN 0.02 /* of what was written */
#define OTHER_CPU_MAX 10.0  /* % of one CPU */
#define STEAL_MAX 5.0       /* % of all CPUs */
#define JUDGED_MIN_S 1.0    /* in less than that a clock tick is too much */
#define TICKS_A_COUNT 60    /* seconds between looks at the kernel's threads */

const struct metric observe_metrics[] = {
    [OBSERVE_WRITTEN_RATIO] =
	{"written_ratio", "", BETTER_NONE,
	 "bytes that reached the disks per byte that the run's processes wrote, of 1 MiB or more"},
    [OBSERVE_DEVICE_WRITTEN] = {"device_written", "B", BETTER_NONE, "written to the disks, by whomever"},
    [OBSERVE_DEVICE_READ] = {"device_read", "B", BETTER_NONE, "read from the disks, by whomever"},
    [OBSERVE_FLUSHES] = {"flushes", "", BETTER_NONE, "times that the disks were told to empty their caches"},
    [OBSERVE_DEVICE_BUSY] = {"device_busy", "%", BETTER_NONE, "time for which the busiest disk had something to do"},
    [OBSERVE_DEVICE_QUEUE] = {"device_queue", "", BETTER_NONE, "requests at the disks on average"},
    [OBSERVE_KSWAPD] = {"kswapd", "s", BETTER_LOWER, "CPU time of kswapd, which reclaims memory"},
    [OBSERVE_KWORKERS] = {"kworkers", "s", BETTER_LOWER,
			  "CPU time of the kernel's unbound workers: write-back, and other work that is put off"},
    [OBSERVE_CPU_PRESSURE] = {"cpu_pressure", "%", BETTER_LOWER, "time for which some task waited for a CPU"},
    [OBSERVE_MEMORY_PRESSURE] = {"memory_pressure", "%", BETTER_LOWER, "time for which some task waited for memory"},
    [OBSERVE_MEMORY_PRESSURE_FULL] = {"memory_pressure_full", "%", BETTER_LOWER,
				      "time for which all tasks waited for memory"},
    [OBSERVE_IO_PRESSURE] = {"io_pressure", "%", BETTER_LOWER, "time for which some task waited for input or output"},
    [OBSERVE_IO_PRESSURE_FULL] = {"io_pressure_full", "%", BETTER_LOWER,
				  "time for which all tasks waited for input or output"},
    [OBSERVE_OTHER_CPU] = {"other_cpu", "%", BETTER_NONE,
			   "of one CPU: time of processes that are not of the run, without the kernel's threads"},
    [OBSERVE_STEAL] = {"steal", "%", BETTER_NONE, "CPU time that the host gave to others"},
    [OBSERVE_FREE_BEFORE] = {"free_before", "B", BETTER_NONE, "memory that was not in use before the run"},
    [OBSERVE_FREE_AFTER] = {"free_after", "B", BETTER_NONE, "memory that was not in use after the run"},
    [OBSERVE_DIRTY_THRESHOLD] = {"dirty_threshold", "B", BETTER_NONE,
				 "dirty memory at which writers were made to wait, when the run began"},
    [OBSERVE_BACKGROUND_THRESHOLD] = {"dirty_background_threshold", "B", BETTER_NONE,
				      "dirty memory at which write-back began, when the run began"},
    [OBSERVE_METRICS] = {0},
};

struct observer {
	struct machine *machine;
	struct kernel_threads *threads;
	struct disks *disks;
	struct pressure *pressure;
	struct kernel_log *log;
	gboolean has_begun;         /* and the first snapshot could be taken */
	struct snapshot begin, row; /* row: when the row before ended */
	double own_cpu_s;           /* of this process, when the run began */
	guint ticks;
	struct observation observation; /* of this run */
};

void observation_clear(struct observation *observation)
{
	g_clear_pointer(&observation->measurements, g_array_unref);
	g_clear_pointer(&observation->series.at_s, g_array_unref);
	g_clear_pointer(&observation->series.values, g_array_unref);
	g_clear_pointer(&observation->messages, g_ptr_array_unref);
	g_clear_pointer(&observation->disturbance, g_free);
	*observation = (struct observation){0};
}

static void observation_init(struct observation *observation)
{
	*observation = (struct observation){
	    .measurements = g_array_sized_new(FALSE, FALSE, sizeof(struct measurement), OBSERVE_METRICS),
	    .series = {.columns = vmstat_columns,
		       .at_s = g_array_new(FALSE, FALSE, sizeof(double)),
		       .values = g_array_new(FALSE, FALSE, sizeof(double))},
	    .messages = g_ptr_array_new_with_free_func(g_free),
	};
	while (vmstat_columns[observation->series.n_columns].name)
		observation->series.n_columns++;
}

struct observer *observer_new(void)
{
	struct observer *observer = g_new0(struct observer, 1);

	observer->machine = machine_new();
	observer->threads = kernel_threads_new();
	observer->disks = disks_new();
	observer->pressure = pressure_new();
	observer->log = kernel_log_new();
	return observer;
}

void observer_free(struct observer *observer)
{
	if (!observer)
		return;
	machine_free(observer->machine);
	kernel_threads_free(observer->threads);
	disks_free(observer->disks);
	pressure_free(observer->pressure);
	kernel_log_free(observer->log);
	observation_clear(&observer->observation);
	g_free(observer);
}

static double own_cpu_s(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) < 0)
		return NAN;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

void observer_begin(struct observer *observer, int dirfd, gboolean anywhere)
{
	observation_clear(&observer->observation);
	observation_init(&observer->observation);
	observer->ticks = 0;
	kernel_threads_begin(observer->threads);
	disks_begin(observer->disks, dirfd, anywhere);
	kernel_log_begin(observer->log);
	pressure_begin(observer->pressure);
	observer->own_cpu_s = own_cpu_s();
	observer->has_begun = machine_look(observer->machine, &observer->begin);
	observer->row = observer->begin;
}

void observer_tick(struct observer *observer)
{
	struct series *series = &observer->observation.series;
	struct snapshot now;
	double at_s;

	kernel_log_read(observer->log, &observer->observation);
	if (++observer->ticks % TICKS_A_COUNT == 0)
		kernel_threads_count(observer->threads);
	if (!observer->has_begun || !machine_look(observer->machine, &now))
		return;
	at_s = now.at_s - observer->begin.at_s;
	g_array_append_val(series->at_s, at_s);
	vmstat_row(&observer->row, &now, series->values);
	observer->row = now;
}

static void fill_memory(const struct snapshot *before, const struct snapshot *after, double *values)
{
	double page = (double)sysconf(_SC_PAGESIZE);

	values[OBSERVE_FREE_BEFORE] = 1024 * (double)before->value[COUNTER_FREE];
	values[OBSERVE_FREE_AFTER] = 1024 * (double)after->value[COUNTER_FREE];
	if (before->value[COUNTER_DIRTY_THRESHOLD] > 0)
		values[OBSERVE_DIRTY_THRESHOLD] = page * (double)before->value[COUNTER_DIRTY_THRESHOLD];
	if (before->value[COUNTER_BACKGROUND_THRESHOLD] > 0)
		values[OBSERVE_BACKGROUND_THRESHOLD] = page * (double)before->value[COUNTER_BACKGROUND_THRESHOLD];
}

/* Whether the run left so much unwritten that its times are not those of writing it. */
static gboolean is_dirty_left(const struct snapshot *before, const struct snapshot *after, double written)
{
	double left = (double)sysconf(_SC_PAGESIZE) *
		      (snapshot_grown(before, after, COUNTER_DIRTY) + snapshot_grown(before, after, COUNTER_WRITEBACK));

	/* what others left dirty is no fault of a run that wrote nothing */
	return written >= WRITTEN_MIN && left > WRITTEN_MIN && left > DIRTY_LEFT_MIN * written;
}

void observer_end(struct observer *observer, double cpu_s, struct observation *observation)
{
	double ours_s = cpu_s + own_cpu_s() - observer->own_cpu_s, values[OBSERVE_METRICS], elapsed_s, written;
	flag_set *flags = &observer->observation.flags;
	const struct snapshot *before = &observer->begin;
	struct snapshot after;

	for (guint i = 0; i < OBSERVE_METRICS; i++)
		values[i] = NAN;
	if (observer->has_begun && machine_look(observer->machine, &after)) {
		elapsed_s = after.at_s - before->at_s;
		written = disks_end(observer->disks, elapsed_s, values, flags);
		observer->observation.has_written = written >= WRITTEN_MIN;
		pressure_end(observer->pressure, elapsed_s, values);
		kernel_threads_count(observer->threads);
		cpu_end(observer->threads, before, &after, ours_s, values);
		fill_memory(before, &after, values);
		if (is_dirty_left(before, &after, written))
			*flags |= FLAG_DIRTY_LEFT;
		if (elapsed_s >= JUDGED_MIN_S && values[OBSERVE_OTHER_CPU] > OTHER_CPU_MAX)
			*flags |= FLAG_OTHER_CPU;
		if (elapsed_s >= JUDGED_MIN_S && values[OBSERVE_STEAL] > STEAL_MAX)
			*flags |= FLAG_STEAL;
	}
	kernel_log_read(observer->log, &observer->observation);
	for (guint i = 0; i < OBSERVE_METRICS; i++) {
		struct measurement measurement = {&observe_metrics[i], values[i]};

		g_array_append_val(observer->observation.measurements, measurement);
	}
	*observation = observer->observation;
	observer->observation = (struct observation){0};
}
