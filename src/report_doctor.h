#ifndef REPORT_DOCTOR_H
#define REPORT_DOCTOR_H

#include <glib.h>

/* What the doctor found, a struct finding for each row of check_table. */

/* Lines of at most 80 cells, warnings first, and at the end how many there are. */
void report_doctor_text(const GArray *findings, GString *out);
/* One object, in the order of the table. */
void report_doctor_json(const GArray *findings, GString *out);

#endif
