#include "observe_internal.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

/* libproc2 reads the same files, but takes half as long again, which is more than vmstat 1 costs: it reads all of each
 * file into numbers. Here only what is wanted is looked for. */

#define TEXT_MIN 16384

/* A number that stands behind a word at the beginning of a line. */
struct key {
	const char *word;
	enum counter counter;
};

static const struct key stat_keys[] = {{"\nintr ", COUNTER_INTERRUPTS},
				       {"\nctxt ", COUNTER_SWITCHES},
				       {"\nprocs_running ", COUNTER_RUNNING},
				       {"\nprocs_blocked ", COUNTER_BLOCKED},
				       {NULL, 0}};
static const struct key meminfo_keys[] = {{"\nMemFree:", COUNTER_FREE},
					  {"\nBuffers:", COUNTER_BUFFERS},
					  {"\nCached:", COUNTER_CACHED},
					  {"\nSwapTotal:", COUNTER_SWAP_TOTAL},
					  {"\nSwapFree:", COUNTER_SWAP_FREE},
					  {"\nSReclaimable:", COUNTER_RECLAIMABLE},
					  {NULL, 0}};
static const struct key vmstat_keys[] = {{"\nnr_dirty ", COUNTER_DIRTY},
					 {"\nnr_writeback ", COUNTER_WRITEBACK},
					 {"\nnr_dirty_threshold ", COUNTER_DIRTY_THRESHOLD},
					 {"\nnr_dirty_background_threshold ", COUNTER_BACKGROUND_THRESHOLD},
					 {"\npgpgin ", COUNTER_PAGED_IN},
					 {"\npgpgout ", COUNTER_PAGED_OUT},
					 {"\npswpin ", COUNTER_SWAPPED_IN},
					 {"\npswpout ", COUNTER_SWAPPED_OUT},
					 {NULL, 0}};

struct machine {
	int stat_fd, meminfo_fd, vmstat_fd;
	char *text; /* of one of them */
	gsize size;
};

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

	machine->stat_fd = open("/proc/stat", O_RDONLY | O_CLOEXEC);
	machine->meminfo_fd = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
	machine->vmstat_fd = open("/proc/vmstat", O_RDONLY | O_CLOEXEC);
	machine->size = TEXT_MIN;
	machine->text = g_malloc(machine->size);
	return machine;
}

void machine_free(struct machine *machine)
{
	const int fds[] = {machine->stat_fd, machine->meminfo_fd, machine->vmstat_fd};

	for (guint i = 0; i < G_N_ELEMENTS(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	g_free(machine->text);
	g_free(machine);
}

/* The whole file into text: with many processors /proc/stat is long. */
static gboolean read_text(struct machine *machine, int fd)
{
	gsize length = 0;
	ssize_t n;

	while ((n = pread(fd, machine->text + length, machine->size - 1 - length, (off_t)length)) > 0) {
		length += (gsize)n;
		if (length + 1 == machine->size) {
			machine->size *= 2;
			machine->text = g_realloc(machine->text, machine->size);
		}
	}
	machine->text[length] = '\0';
	return n == 0 && length > 0;
}

/* What the kernel does not have stays 0. The keys come in the order of the file, but for what another version has
 * moved. */
static void find_numbers(const char *text, const struct key *keys, guint64 *value)
{
	const char *at = text;

	for (; keys->word; keys++) {
		const char *found = strstr(at, keys->word);

		if (!found && at != text)
			found = strstr(text, keys->word);
		if (!found)
			continue;
		value[keys->counter] = g_ascii_strtoull(found + strlen(keys->word), NULL, 10);
		at = found;
	}
}

/* The first line is the sum of the lines that follow, one for each processor. */
static gboolean find_times(const char *text, guint64 *value)
{
	char *at;

	if (!g_str_has_prefix(text, "cpu "))
		return FALSE;
	text += strlen("cpu ");
	for (int i = COUNTER_USER; i <= COUNTER_GUEST_NICE && *text != '\n'; i++, text = at)
		value[i] = g_ascii_strtoull(text, &at, 10);
	while ((text = strchr(text, '\n')) && g_str_has_prefix(++text, "cpu"))
		value[COUNTER_CPUS]++;
	return value[COUNTER_CPUS] > 0;
}

gboolean machine_look(struct machine *machine, struct snapshot *snapshot)
{
	guint64 *value;

	*snapshot = (struct snapshot){0};
	value = snapshot->value;
	if (!read_text(machine, machine->stat_fd))
		return FALSE;
	/* what is made of the CPU times needs the time at which they were read */
	snapshot->at_s = clock_monotonic_s();
	if (!find_times(machine->text, value))
		return FALSE;
	find_numbers(machine->text, stat_keys, value);
	if (!read_text(machine, machine->meminfo_fd))
		return FALSE;
	find_numbers(machine->text, meminfo_keys, value);
	if (!read_text(machine, machine->vmstat_fd))
		return FALSE;
	find_numbers(machine->text, vmstat_keys, value);
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
	    (double)(later->value[COUNTER_SWAP_TOTAL] - later->value[COUNTER_SWAP_FREE]),
	    (double)later->value[COUNTER_FREE],
	    (double)later->value[COUNTER_BUFFERS],
	    (double)(later->value[COUNTER_CACHED] + later->value[COUNTER_RECLAIMABLE]),
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
