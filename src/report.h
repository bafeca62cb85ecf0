#ifndef REPORT_H
#define REPORT_H

#include <glib.h>

struct aa_analysis;
struct analysis;
struct document;
struct effects_analysis;
struct power_analysis;
struct trend_analysis;

/* One output format: text made from an analysis. A file report_*.c exports one, report.c has a row for each. What a
 * format has no form for is NULL. */
struct report_format {
	const char *name;
	const char *summary;
	gboolean is_data; /* for programs, which want every metric; the others are for people */
	void (*show)(const struct analysis *analysis, struct document *to);
	void (*compare)(const struct analysis *analysis, struct document *to);
	void (*effects)(const struct effects_analysis *analysis, struct document *to);
	void (*power)(const struct power_analysis *analysis, struct document *to);
	void (*trend)(const struct trend_analysis *analysis, struct document *to);
	void (*calibrate)(const struct analysis *analysis, struct document *to); /* its profiles */
	void (*aa)(const struct aa_analysis *analysis, struct document *to);
};

extern const struct report_format *const report_table[]; /* ends with NULL */
/* A usage error that lists the formats where there is none of that name. */
const struct report_format *report_find(const char *name, GError **error);
/* As above, among those that can give the answer: REPORT_ANSWER(compare). */
#define REPORT_ANSWER(member) G_STRUCT_OFFSET(struct report_format, member)
const struct report_format *report_find_for(const char *name, glong answer, GError **error);

#endif
