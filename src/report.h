#ifndef REPORT_H
#define REPORT_H

#include <glib.h>

struct aa_analysis;
struct analysis;
struct effects_analysis;
struct power_analysis;
struct trend_analysis;

/* One output format: text made from an analysis. A file report_*.c exports one, report.c has a row for each. */
struct report_format {
	const char *name;
	const char *summary;
	void (*show)(const struct analysis *analysis, GString *out);
	void (*compare)(const struct analysis *analysis, GString *out);
	void (*effects)(const struct effects_analysis *analysis, GString *out);
	void (*power)(const struct power_analysis *analysis, GString *out);
	void (*trend)(const struct trend_analysis *analysis, GString *out);
	void (*calibrate)(const struct analysis *analysis, GString *out); /* its profiles */
	void (*aa)(const struct aa_analysis *analysis, GString *out);
};

extern const struct report_format *const report_table[]; /* ends with NULL */
/* A usage error that lists the formats where there is none of that name. */
const struct report_format *report_find(const char *name, GError **error);

#endif
