#ifndef REPORT_H
#define REPORT_H

#include <glib.h>

struct analysis;

/* One output format: text made from an analysis. A file report_*.c exports one, report.c has a row for each. */
struct report_format {
	const char *name;
	const char *summary;
	void (*show)(const struct analysis *analysis, GString *out);
	void (*compare)(const struct analysis *analysis, GString *out);
};

extern const struct report_format *const report_table[]; /* ends with NULL */
/* A usage error that lists the formats where there is none of that name. */
const struct report_format *report_find(const char *name, GError **error);

#endif
