#include "observe_internal.h"

#include <libproc2/meminfo.h>
#include <libproc2/stat.h>
#include <libproc2/vmstat.h>
#include <math.h>
#include <unistd.h>

#include "clock.h"

struct machine {
	struct stat_info *stat;
	struct meminfo_info *meminfo;
	struct vmstat_info *vmstat;
};

/* Each in the order of enum counter. */
static enum stat_item stat_items[] = {
    STAT_TIC_USER,         STAT_TIC_NICE,         STAT_TIC_SYSTEM,           STAT_TIC_IDLE,
    STAT_TIC_IOWAIT,       STAT_TIC_IRQ,          STAT_TIC_SOFTIRQ,          STAT_TIC_STOLEN,
    STAT_TIC_GUEST,        STAT_TIC_GUEST_NICE,   STAT_TIC_NUM_CONTRIBUTORS, STAT_SYS_INTERRUPTS,
    STAT_SYS_CTX_SWITCHES, STAT_SYS_PROC_RUNNING, STAT_SYS_PROC_BLOCKED,
};
static enum meminfo_item meminfo_items[] = {MEMINFO_SWAP_USED, MEMINFO_MEM_FREE, MEMINFO_MEM_BUFFERS,
					    MEMINFO_MEM_CACHED_ALL};
static enum vmstat_item vmstat_items[] = {
    VMSTAT_PGPGIN,
    VMSTAT_PGPGOUT,
    VMSTAT_PSWPIN,
    VMSTAT_PSWPOUT,
    VMSTAT_NR_DIRTY,
    VMSTAT_NR_WRITEBACK,
    VMSTAT_NR_DIRTY_THRESHOLD,
    VMSTAT_NR_DIRTY_BACKGROUND_THRESHOLD,
};
G_STATIC_ASSERT(G_N_ELEMENTS(stat_items) == COUNTER_SWAP_USED);
G_STATIC_ASSERT(G_N_ELEMENTS(meminfo_items) == COUNTER_PAGED_IN - COUNTER_SWAP_USED);
G_STATIC_ASSERT(G_N_ELEMENTS(vmstat_items) == COUNTERS - COUNTER_PAGED_IN);

/* Names and units as in vmstat(8). */
const struct metric vmstat_columns[] = {
    {"r", "", BETTER_NONE, "processes that can run or do, with this one"},
    {"b", "", BETTER_NONE, "processes that wait for input or output"},
    {"swpd", "KiB", BETTER_NONE, "swap space in use"},
    {"free", "KiB", BETTER_NONE, "memory that is not in use"},
    {"buff", "KiB", BETTER_NONE, "memory used as buffers"},
    {"cache", "KiB", BETTER_NONE, "memory used as cache, with slabs that can be reclaimed"},
    {"si", "KiB/s", BETTER_NONE, "read from swap"},
    {"so", "KiB/s", BETTER_NONE, "written to swap"},
    {"bi", "KiB/s", BETTER_NONE, "read from block devices, each layer counted"},
    {"bo", "KiB/s", BETTER_NONE, "written to block devices, each layer counted"},
    {"in", "/s", BETTER_NONE, "interrupts"},
    {"cs", "/s", BETTER_NONE, "context switches"},
    {"us", "%", BETTER_NONE, "CPU time in user mode, with nice, without guests"},
    {"sy", "%", BETTER_NONE, "CPU time in the kernel, with interrupts"},
    {"id", "%", BETTER_NONE, "CPU time idle"},
    {"wa", "%", BETTER_NONE, "CPU time idle while input or output is waited for"},
    {"st", "%", BETTER_NONE, "CPU time that the host gave to others"},
    {"gu", "%", BETTER_NONE, "CPU time of guests"},
    {0},
};

struct machine *machine_new(void)
{
	struct machine *machine = g_new0(struct machine, 1);

	if (procps_stat_new(&machine->stat) == 0 && procps_meminfo_new(&machine->meminfo) == 0 &&
	    procps_vmstat_new(&machine->vmstat) == 0)
		return machine;
	machine_free(machine);
	return NULL;
}

void machine_free(struct machine *machine)
{
	if (!machine)
		return;
	if (machine->stat)
		procps_stat_unref(&machine->stat);
	if (machine->meminfo)
		procps_meminfo_unref(&machine->meminfo);
	if (machine->vmstat)
		procps_vmstat_unref(&machine->vmstat);
	g_free(machine);
}

gboolean machine_look(struct machine *machine, struct snapshot *snapshot)
{
	struct stat_stack *stat;
	struct meminfo_stack *meminfo;
	struct vmstat_stack *vmstat;
	guint64 *value = snapshot->value;

	if (!machine)
		return FALSE;
	stat = procps_stat_select(machine->stat, stat_items, G_N_ELEMENTS(stat_items));
	/* what is made of the CPU times needs the time at which they were read */
	snapshot->at_s = clock_monotonic_s();
	meminfo = procps_meminfo_select(machine->meminfo, meminfo_items, G_N_ELEMENTS(meminfo_items));
	vmstat = procps_vmstat_select(machine->vmstat, vmstat_items, G_N_ELEMENTS(vmstat_items));
	if (!stat || !meminfo || !vmstat)
		return FALSE;
	for (guint i = 0; i < G_N_ELEMENTS(stat_items); i++)
		*value++ = i < COUNTER_CPUS    ? stat->head[i].result.ull_int
			   : i == COUNTER_CPUS ? (guint64)stat->head[i].result.s_int
					       : stat->head[i].result.ul_int;
	for (guint i = 0; i < G_N_ELEMENTS(meminfo_items); i++)
		*value++ = meminfo->head[i].result.ul_int;
	for (guint i = 0; i < G_N_ELEMENTS(vmstat_items); i++)
		*value++ = vmstat->head[i].result.ul_int;
	return TRUE;
}

double snapshot_grown(const struct snapshot *earlier, const struct snapshot *later, enum counter counter)
{
	return (double)(gint64)(later->value[counter] - earlier->value[counter]);
}

/* Times may go back by a tick. */
static double ticks(const struct snapshot *earlier, const struct snapshot *later, enum counter counter)
{
	return fmax(0, snapshot_grown(earlier, later, counter));
}

void vmstat_row(const struct snapshot *earlier, const struct snapshot *later, GArray *values)
{
	double elapsed_s = later->at_s - earlier->at_s, page_kib = (double)sysconf(_SC_PAGESIZE) / 1024;
	double guest = ticks(earlier, later, COUNTER_GUEST) + ticks(earlier, later, COUNTER_GUEST_NICE);
	double user = ticks(earlier, later, COUNTER_USER) + ticks(earlier, later, COUNTER_NICE);
	double system = ticks(earlier, later, COUNTER_SYSTEM) + ticks(earlier, later, COUNTER_IRQ) +
			ticks(earlier, later, COUNTER_SOFTIRQ);
	double idle = ticks(earlier, later, COUNTER_IDLE), iowait = ticks(earlier, later, COUNTER_IOWAIT);
	double steal = ticks(earlier, later, COUNTER_STEAL);
	double percent = 100 / (user + system + idle + iowait + steal);
	const double row[] = {
	    (double)later->value[COUNTER_RUNNING],
	    (double)later->value[COUNTER_BLOCKED],
	    (double)later->value[COUNTER_SWAP_USED],
	    (double)later->value[COUNTER_FREE],
	    (double)later->value[COUNTER_BUFFERS],
	    (double)later->value[COUNTER_CACHE],
	    snapshot_grown(earlier, later, COUNTER_SWAPPED_IN) * page_kib / elapsed_s,
	    snapshot_grown(earlier, later, COUNTER_SWAPPED_OUT) * page_kib / elapsed_s,
	    snapshot_grown(earlier, later, COUNTER_PAGED_IN) / elapsed_s,
	    snapshot_grown(earlier, later, COUNTER_PAGED_OUT) / elapsed_s,
	    snapshot_grown(earlier, later, COUNTER_INTERRUPTS) / elapsed_s,
	    snapshot_grown(earlier, later, COUNTER_SWITCHES) / elapsed_s,
	    fmax(0, user - guest) * percent,
	    system * percent,
	    idle * percent,
	    iowait * percent,
	    steal * percent,
	    guest * percent,
	};

	G_STATIC_ASSERT(G_N_ELEMENTS(row) + 1 == G_N_ELEMENTS(vmstat_columns));
	g_array_append_vals(values, row, G_N_ELEMENTS(row));
}
