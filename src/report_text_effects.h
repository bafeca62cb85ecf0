#ifndef REPORT_TEXT_EFFECTS_H
#define REPORT_TEXT_EFFECTS_H

#include <glib.h>

struct document;
struct effects;

/* What report_text_effects*.c share. */

/* "0.0392", "1.6e-17" */
char *effects_p_text(double p);

/* The analysis of variance, the levels of two factors, the cells. */
void effects_print_tables(const struct effects *effects, struct document *to);

#endif
