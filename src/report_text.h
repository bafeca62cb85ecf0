#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <glib.h>

struct analysis;
struct table;

/* What report_text.c and report_text_compare.c share. */

#define TEXT_COLUMNS 80

void report_text_compare(const struct analysis *analysis, GString *out);

/* "95%" of 0.95, "98.33%" of 0.98333. */
char *percent_text(double fraction);
/* Appends a cell; "-" for what is not finite. */
void table_number(struct table *table, double value);
void table_count(struct table *table, guint count);

#endif
