#ifndef CSV_H
#define CSV_H

#include <glib.h>

/* Appends a field to the line that out ends with, and the comma before it. Quoted where it must be, or where this
 * program would take it for a comment or for nothing.
 * source: RFC 4180 */
void csv_field(GString *out, const char *text);
/* All 17 digits; an empty field for NaN. */
void csv_number(GString *out, double value);
void csv_count(GString *out, guint value);

#endif
