#ifndef OUTPUT_H
#define OUTPUT_H

#include <glib.h>

#include "../src/metric.h"

/* A value that a command prints. The first group of the last match counts, the whole match where there is no group. */
struct output_metric {
	struct metric metric;
	GRegex *regex;
};

/* --metric's text, NAME=UNIT[,higher|lower]:REGEX, into an output metric; without a word the direction follows from the
 * unit. A usage error where it cannot be read, or where every run has a metric of that name. */
struct output_metric *output_metric_parse(const char *text, GError **error);
void output_metric_free(struct output_metric *output);

#endif
