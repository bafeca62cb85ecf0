#ifndef CMD_SITTING_H
#define CMD_SITTING_H

#include <glib.h>

#include "sitting.h"

struct store;

/* What run, calibrate and selftest do alike. */

/* Entries of options that they all have. options: struct sitting_options *. */
/* clang-format off */
#define SITTING_ENTRIES(options)                                                                                       \
	{"dir", 0, 0, G_OPTION_ARG_FILENAME, &(options)->dir,                                                          \
	 "Directory on the filesystem to test; a private one is made in it and removed (default: .)", "DIR"},          \
	{"image", 0, 0, G_OPTION_ARG_FILENAME, &(options)->image,                                                      \
	 "Test a filesystem made on a loop device of this size, its image in --dir (as root)", "SIZE"},                \
	{"device", 0, 0, G_OPTION_ARG_FILENAME, &(options)->device,                                                    \
	 "Test a filesystem made on this block device; all that is on it is lost (as root)", "DEV"},                   \
	{"yes-destroy", 0, 0, G_OPTION_ARG_NONE, &(options)->yes_destroy, "Mean --device", NULL},                      \
	{"set", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(options)->sets,                                                   \
	 "A setting of every run: see 'vmstat-bench list settings'; put back in the end", "NAME=LEVEL"},               \
	{"size", 0, 0, G_OPTION_ARG_FILENAME, &(options)->size,                                                        \
	 "Bytes of each workload that has a size: 256M, 1.5G, 2xRAM; k M G T and KiB MiB are powers of 1024, kB "      \
	 "MB GB of 1000", "SIZE"},                                                                                     \
	{"reset", 0, 0, G_OPTION_ARG_FILENAME, &(options)->reset,                                                      \
	 "Before each run: none, sync, drop-caches, remount, mkfs, vm or reboot (default: drop-caches)", "POLICY"},            \
	{"settle", 0, 0, G_OPTION_ARG_FILENAME, &(options)->settle,                                                    \
	 "Pause between reset and run, as 2s or 500ms (default: none; with --reset reboot: 10s)", "DUR"},                                        \
	{"timeout", 0, 0, G_OPTION_ARG_FILENAME, &(options)->timeout,                                                  \
	 "End a run after this time; it counts as failed (default: none)", "DUR"},                                     \
	{"store", 0, 0, G_OPTION_ARG_FILENAME, &(options)->store,                                                      \
	 "File that keeps every run (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"},                       \
	{"quiet", 'q', 0, G_OPTION_ARG_NONE, &(options)->quiet, "No progress, and no warning about sizes", NULL}
/* clang-format on */

struct sitting_report {
	/* Appends what the runs say; the store is open. Asked where at least one run was finished. */
	gboolean (*append)(const void *data, const struct sitting *sitting, const struct runner_summary *summary,
			   struct store *store, GString *out, GError **error);
	const void *data;
};

/* The report of a plan's own runs, as show would print it; data: struct report_format. */
gboolean cmd_report_plan(const void *format, const struct sitting *sitting, const struct runner_summary *summary,
			 struct store *store, GString *out, GError **error);

/* Runs a sitting that was made well (argv: the command line) into the store and prints the report; an exit code. */
int cmd_sitting(struct sitting *sitting, char *const *argv, const char *store, const struct sitting_report *report);

#endif
