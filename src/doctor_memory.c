#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "doctor_checks.h"
#include "doctor_file.h"

#define SCARCE 0.1 /* of the memory */
#define MUCH_SWAP 0.01
#define USUAL_SWAPPINESS 60
#define VM "proc/sys/vm"

void check_memory(const struct doctor *doctor, struct finding *finding)
{
	g_autofree char *text = file_text(doctor, "proc/meminfo"), *left = NULL, *all = NULL;
	guint64 total, available;

	/* MemAvailable came with 3.14 */
	if (!text || !text_number(text, "MemTotal", &total) || !text_number(text, "MemAvailable", &available)) {
		finding_unavailable(finding, "the kernel does not say how much memory is available");
		return;
	}
	left = text_size(available * 1024);
	all = text_size(total * 1024);
	if ((double)available >= SCARCE * (double)total) {
		finding_set(finding, FINDING_OK, "%s of %s available", left, all);
		return;
	}
	finding_set(finding, FINDING_WARNING, "only %s of %s available: runs push others out of memory", left, all);
	finding_advise(finding, "end what uses the memory: ps --sort=-rss -eo pid,rss,comm");
}

/* Kibibytes of one line of /proc/swaps: "/dev/vda2  partition  1048572  0  -2". False for the header. */
static gboolean parse_swap(const char *line, char **name, guint64 *size, guint64 *used)
{
	g_auto(GStrv) words = g_strsplit_set(line, " \t", -1);
	gsize kept = 0;

	for (gsize i = 0; words[i]; i++)
		if (*words[i])
			words[kept++] = words[i];
		else
			g_free(words[i]);
	words[kept] = NULL;
	if (kept < 5 || !g_ascii_string_to_unsigned(words[2], 10, 0, G_MAXUINT64, size, NULL) ||
	    !g_ascii_string_to_unsigned(words[3], 10, 0, G_MAXUINT64, used, NULL))
		return FALSE;
	*name = g_strdup(words[0]);
	return TRUE;
}

/* All swap: where, and kibibytes. False where the kernel does not say. */
static gboolean read_swaps(const struct doctor *doctor, GString *names, guint64 *size, guint64 *used)
{
	g_autofree char *text = file_text(doctor, "proc/swaps");
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

	*size = *used = 0;
	for (char **line = lines; *line; line++) {
		g_autofree char *name = NULL;
		guint64 this_size, this_used;

		if (!parse_swap(*line, &name, &this_size, &this_used))
			continue;
		text_list_add(names, name);
		*size += this_size;
		*used += this_used;
	}
	return text != NULL;
}

/* Pages that were swapped out long ago and never missed disturb nobody; many of them will be missed. */
void check_swap(const struct doctor *doctor, struct finding *finding)
{
	g_autoptr(GString) names = g_string_new(NULL);
	g_autofree char *text = file_text(doctor, "proc/meminfo"), *all = NULL, *taken = NULL;
	guint64 size, used, memory = 0;

	if (!read_swaps(doctor, names, &size, &used)) {
		finding_unavailable(finding, "the kernel does not list swap");
		return;
	}
	if (!names->len) {
		finding_set(finding, FINDING_OK, "no swap");
		return;
	}
	all = text_size(size * 1024);
	taken = text_size(used * 1024);
	if (!used) {
		finding_set(finding, FINDING_OK, "none of %s in use (%s)", all, names->str);
		return;
	}
	if (text)
		text_number(text, "MemTotal", &memory);
	finding_set(finding, (double)used < MUCH_SWAP * (double)memory ? FINDING_NOTE : FINDING_WARNING,
		    "%s of %s in use (%s): its pages come back while runs are timed", taken, all, names->str);
	finding_advise(finding, "with memory enough: swapoff -a && swapon -a");
}

/* Swap that takes processor time and memory instead of a disk. */
void check_zram(const struct doctor *doctor, struct finding *finding)
{
	g_autoptr(GString) names = g_string_new(NULL);
	g_autofree char *zswap = file_text(doctor, "sys/module/zswap/parameters/enabled");
	guint64 size, used;

	if (!read_swaps(doctor, names, &size, &used)) {
		finding_unavailable(finding, "the kernel does not list swap");
		return;
	}
	if (strstr(names->str, "/zram"))
		finding_set(finding, FINDING_NOTE, "swap goes to zram: compressed, in memory");
	else if (names->len && zswap && *zswap == 'Y')
		finding_set(finding, FINDING_NOTE,
			    "zswap is on: pages are compressed in memory before they reach swap");
	else
		finding_set(finding, FINDING_OK, "swap is not compressed, or there is none");
	if (finding->level == FINDING_NOTE)
		finding_advise(finding, "compare only where all sides have it: it costs CPU time and no I/O");
}

void check_swappiness(const struct doctor *doctor, struct finding *finding)
{
	gint64 value;

	if (!file_number(doctor, &value, VM "/swappiness")) {
		finding_unavailable(finding, "the kernel has no vm.swappiness");
		return;
	}
	if (value == USUAL_SWAPPINESS) {
		finding_set(finding, FINDING_OK, "%" G_GINT64_FORMAT, value);
		return;
	}
	finding_set(finding, FINDING_NOTE, "%" G_GINT64_FORMAT ", where kernels come with %d", value, USUAL_SWAPPINESS);
	finding_advise(finding, "for figures that others can compare: sysctl vm.swappiness=%d", USUAL_SWAPPINESS);
}

/* source: Documentation/admin-guide/mm/transhuge.rst of Linux */
void check_hugepages(const struct doctor *doctor, struct finding *finding)
{
	g_autofree char *enabled = file_text(doctor, "sys/kernel/mm/transparent_hugepage/enabled");
	g_autofree char *defrag = file_text(doctor, "sys/kernel/mm/transparent_hugepage/defrag");
	g_autofree char *mode = enabled ? text_choice(enabled) : NULL, *effort = defrag ? text_choice(defrag) : NULL;

	if (!mode) {
		finding_unavailable(finding, "the kernel has no transparent huge pages");
	} else if (!g_str_equal(mode, "always")) {
		finding_set(finding, FINDING_OK, "transparent ones: %s, defrag %s", mode, effort ? effort : "unknown");
	} else {
		finding_set(finding, FINDING_NOTE,
			    "transparent ones: always, defrag %s: memory is faster while such are free",
			    effort ? effort : "unknown");
		finding_advise(finding, "for steadier runs: echo madvise >/sys/kernel/mm/transparent_hugepage/enabled");
	}
}

/* How much of the data may be held back until the final sync.   source: Documentation/admin-guide/sysctl/vm.rst */
void check_dirty(const struct doctor *doctor, struct finding *finding)
{
	g_autofree char *text = file_text(doctor, "proc/vmstat"), *size = text_size(doctor->size_bytes), *from = NULL,
			*to = NULL;
	guint64 page = (guint64)sysconf(_SC_PAGESIZE), begins, blocks;

	if (!text || !text_number(text, "nr_dirty_background_threshold", &begins) ||
	    !text_number(text, "nr_dirty_threshold", &blocks)) {
		finding_unavailable(finding, "the kernel does not tell its dirty thresholds");
		return;
	}
	from = text_size(begins * page);
	to = text_size(blocks * page);
	if (doctor->size_bytes > blocks * page) {
		finding_set(finding, FINDING_OK, "write-back begins at %s, writers wait from %s: %s pass both", from,
			    to, size);
	} else if (doctor->size_bytes > begins * page) {
		finding_set(finding, FINDING_NOTE,
			    "of %s the disk gets what is above %s before the sync; no writer waits (%s)", size, from,
			    to);
		finding_advise(finding, "for the sustained speed of the disk: --size above %s", to);
	} else {
		finding_set(finding, FINDING_NOTE, "%s stay in memory until synced: write-back begins at %s", size,
			    from);
		finding_advise(finding, "for the sustained speed of the disk: --size above %s", to);
	}
}
