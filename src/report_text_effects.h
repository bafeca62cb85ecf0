#ifndef REPORT_TEXT_EFFECTS_H
#define REPORT_TEXT_EFFECTS_H

#include <glib.h>

struct document;
struct effects;
struct effects_cell;

/* What report_text_effects*.c and report_html_effects.c share. */

/* "0.0392", "1.6e-17" */
char *effects_p_text(double p);

/* What is analysed, in one line; newly allocated. */
char *effects_heading(const struct effects *effects);

/* Sentences (char *): what matters, which cell is best, what else it may be. level: confidence. */
GPtrArray *effects_sentences(const struct effects *effects, double level);

/* "*": the best, "=": cannot be told from it, else "". */
const char *effects_mark(const struct effects_cell *cell);

/* The analysis of variance, the levels of two factors, the cells. */
void effects_print_tables(const struct effects *effects, struct document *to);

#endif
