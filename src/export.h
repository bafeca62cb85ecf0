#ifndef EXPORT_H
#define EXPORT_H

#include <glib.h>

struct dataset;

/* Runs as a file for other programs. One row a format. */
struct exporter {
	const char *name;
	const char *summary; /* one line */
	/* Appends the rows (guint) of the dataset, in their order. */
	void (*write)(const struct dataset *dataset, const GArray *rows, GString *out);
	gboolean is_whole; /* with the runs that are in no sample */
};

extern const struct exporter *const exporter_table[]; /* ends with NULL */
/* A usage error that lists what exists. */
const struct exporter *exporter_find(const char *name, GError **error);

/* The schema of the lossless format, which import_runs.c reads; the version before had none but runs in samples. */
#define EXPORT_SCHEMA "vmstat-bench-runs/2"
#define EXPORT_SCHEMA_1 "vmstat-bench-runs/1"

#endif
