#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <glib.h>

#include "comparison.h"
#include "flag.h"

struct aa_analysis;
struct analysis;
struct effects_analysis;
struct power_analysis;
struct trend_analysis;
struct summary_row;
struct document;
struct table;
struct variance_report;

/* What report_text*.c share. */

void report_text_show(const struct analysis *analysis, struct document *to);
void report_text_compare(const struct analysis *analysis, struct document *to);
void report_text_calibrate(const struct analysis *analysis, struct document *to);
void report_text_aa(const struct aa_analysis *analysis, struct document *to);
/* Flags that all comparisons (struct comparison *) carry are explained once, after them; none where there is only one.
 */
flag_set text_shared_flags(const GPtrArray *comparisons);
void text_own_caveats(const struct comparison *c, const GPtrArray *comparisons, flag_set shared, struct document *to);
void text_shared_caveats(const GPtrArray *comparisons, flag_set shared, struct document *to);
/* What a comparison adds to the text of one of its flags, "" where nothing. */
char *text_caveat_detail(const struct comparison *c, flag_set flag);
/* "B is 1.02x (0.99 to 1.05) of A: undecided: ..." of one of the analysis' comparisons; "B failed in 6 of 10 runs, A in
 * 0 of 10: more often (p = 0.0108)", NULL where no run failed; the two sides over all workloads; the confidence, margin
 * and correction of all. Of any origin: not yet printable, not wrapped. */
char *text_contrast(const struct analysis *analysis, const struct comparison *c);
char *text_failures(const struct analysis *analysis, const struct comparison *c);
char *text_summary(const struct summary_row *row);
char *text_terms(const struct analysis *analysis);
/* Why the verdict is what it is, for --verbose. */
void text_reasons(const struct analysis *analysis, const struct comparison *c, struct document *to);
void text_shared_reasons(const struct analysis *analysis, struct document *to);
/* What to do about each flag, for --verbose. */
void text_remedies(flag_set flags, struct document *to);
/* Which boots and runs make the noise of `what`, and how many of each to take. */
void text_variance(const struct variance_report *report, const char *what, struct document *to);
/* One line for each profile: how many pairs find the margin. */
void report_text_advice(const struct analysis *analysis, struct document *to);
void report_text_effects(const struct effects_analysis *analysis, struct document *to);
void report_text_power(const struct power_analysis *analysis, struct document *to);
void report_text_trend(const struct trend_analysis *analysis, struct document *to);

/* A whole number; two digits of one too large to be read, "-" of one that is not finite. */
char *text_of_count(double n);
/* Two digits and "%", "-" where not finite: of what is itself an estimate. */
char *text_of_rough(double percent);
/* "0.0123", "<0.0001". */
char *text_of_p(double p);
/* "95%" of 0.95, "98.33%" of 0.98333. */
char *percent_text(double fraction);
/* Appends a cell; "-" for what is not finite. */
void table_number(struct table *table, double value);
void table_count(struct table *table, guint count);
void table_verdict(struct table *table, enum verdict verdict);

#endif
