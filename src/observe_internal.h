#ifndef OBSERVE_INTERNAL_H
#define OBSERVE_INTERNAL_H

#include "observe.h"

/* The parts of an observer: each looks at its own files before and after a run, and fills in its metrics; NaN stays
 * where the kernel does not say. */

/* Bytes: of runs that wrote less it is not asked what reached the disks. */
#define WRITTEN_MIN (1 << 20)

enum observe_metric {
	OBSERVE_WRITTEN_RATIO, OBSERVE_DEVICE_WRITTEN, OBSERVE_DEVICE_READ, OBSERVE_FLUSHES, OBSERVE_DEVICE_BUSY,
	OBSERVE_DEVICE_QUEUE, OBSERVE_KSWAPD, OBSERVE_KWORKERS, OBSERVE_CPU_PRESSURE, OBSERVE_MEMORY_PRESSURE,
	OBSERVE_MEMORY_PRESSURE_FULL, OBSERVE_IO_PRESSURE, OBSERVE_IO_PRESSURE_FULL, OBSERVE_OTHER_CPU, OBSERVE_STEAL,
	OBSERVE_FREE_BEFORE, OBSERVE_FREE_AFTER, OBSERVE_DIRTY_THRESHOLD, OBSERVE_BACKGROUND_THRESHOLD, OBSERVE_METRICS
};

/* Of /proc/stat, meminfo and vmstat; 0 where the kernel does not say. */
enum counter {
	/* clock ticks of all processors, guest times within user and nice; in the order of the file */
	COUNTER_USER, COUNTER_NICE, COUNTER_SYSTEM, COUNTER_IDLE, COUNTER_IOWAIT, COUNTER_IRQ, COUNTER_SOFTIRQ, COUNTER_STEAL,
	COUNTER_GUEST, COUNTER_GUEST_NICE,
	COUNTER_CPUS, COUNTER_INTERRUPTS, COUNTER_SWITCHES, COUNTER_RUNNING, COUNTER_BLOCKED,
	/* KiB */
	COUNTER_FREE, COUNTER_BUFFERS, COUNTER_CACHED, COUNTER_RECLAIMABLE, COUNTER_SWAP_TOTAL, COUNTER_SWAP_FREE,
	COUNTER_PAGED_IN, COUNTER_PAGED_OUT,
	/* pages */
	COUNTER_SWAPPED_IN, COUNTER_SWAPPED_OUT, COUNTER_DIRTY, COUNTER_WRITEBACK, COUNTER_DIRTY_THRESHOLD,
	COUNTER_BACKGROUND_THRESHOLD,
	COUNTERS
};
struct snapshot {
	double at_s; /* of CLOCK_MONOTONIC */
	guint64 value[COUNTERS];
};
/* later - earlier; some counters of the kernel go back for a moment. */
double snapshot_grown(const struct snapshot *earlier, const struct snapshot *later, enum counter counter);

struct machine;
struct machine *machine_new(void);
void machine_free(struct machine *machine);
gboolean machine_look(struct machine *machine, struct snapshot *snapshot);

/* Appends a row of vmstat_columns[]: what happened between two snapshots. */
void vmstat_row(const struct snapshot *earlier, const struct snapshot *later, GArray *values);

/* CPU time of the kernel's threads. */
struct kernel_threads *kernel_threads_new(void);
void kernel_threads_free(struct kernel_threads *threads);
void kernel_threads_begin(struct kernel_threads *threads);
/* Adds what they used since the last look. A worker that was idle for five minutes ends: look more often than that. */
void kernel_threads_count(struct kernel_threads *threads);
/* Fills in kswapd, kworkers, other_cpu and steal. ours_s: CPU time of the run and of this process. */
void cpu_end(const struct kernel_threads *threads, const struct snapshot *before, const struct snapshot *after,
	     double ours_s, double *values);

/* The disks at the bottom, and what the run's processes wrote. */
struct disks *disks_new(void);
void disks_free(struct disks *disks);
void disks_begin(struct disks *disks, int dirfd, gboolean anywhere);
/* Returns the bytes that the run's processes wrote and did not take back; NaN where the kernel does not say. */
double disks_end(struct disks *disks, double elapsed_s, double *values, flag_set *flags);

/* Pressure stall information. */
struct pressure *pressure_new(void);
void pressure_free(struct pressure *pressure);
void pressure_begin(struct pressure *pressure);
void pressure_end(const struct pressure *pressure, double elapsed_s, double *values);

/* Messages of the kernel. */
struct kernel_log *kernel_log_new(void);
void kernel_log_free(struct kernel_log *log);
void kernel_log_begin(struct kernel_log *log);
void kernel_log_read(struct kernel_log *log, struct observation *observation);
/* What to make of one message. */
void kernel_log_judge(struct kernel_log *log, const char *text, struct observation *observation);

#endif
