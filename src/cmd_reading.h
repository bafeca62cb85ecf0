#ifndef CMD_READING_H
#define CMD_READING_H

#include <glib.h>

#include "analyse.h"
#include "document.h"

struct operands;
struct report_format;

/* What the commands that read runs do alike. */

struct reading {
	glong answer;                          /* what the command asks of a format: REPORT_ANSWER(show); 0: nothing */
	char **metrics, **workloads, **better; /* the options as given; NULL: not given, or the command has none such */
	char *confidence, *format, *store;
	char **operand;                     /* what else was on the command line; ends with NULL */
	struct analyse_options analyse;     /* of metrics, workloads and confidence */
	const struct report_format *report; /* of format */
	struct operands *operands;          /* NULL before reading_load() */
	gboolean is_whole; /* operands_load_whole() */
	gboolean is_verbose;
	struct document to;                 /* where answer() says it */
	int status;                         /* exit code once the answer is printed: EXIT_OK, or what answer() sets */
};

/* Entries of the options. reading: struct reading *; these: how the command calls what it takes, "Show these". */
#define READING_SELECTED(reading, these, what, usual)                                                                  \
	{"metric", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(reading)->metrics,                                             \
	 these " " what "; a comma list, repeatable (default: " usual ")", "M"},                                       \
	{"workload", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(reading)->workloads,                                         \
	 these " workloads; a comma list, repeatable (default: all)", "W"}
#define READING_CONFIDENCE(reading, of)                                                                                \
	{"confidence", 0, 0, G_OPTION_ARG_FILENAME, &(reading)->confidence, of " 0.95 or 95 (default: 0.95)", "C"}
#define READING_BETTER(reading)                                                                                        \
	{"better", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &(reading)->better,                                              \
	 "Which way is better, where the unit does not say; repeatable", "M=higher|lower"}
/* more: the formats beside text and json: "markdown " */
#define READING_FORMAT(reading, more)                                                                                  \
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &(reading)->format, "text, " more "or json (default: text)", "FORMAT"}
#define READING_VERBOSE(reading, says)                                                                                 \
	{"verbose", 'v', 0, G_OPTION_ARG_NONE, &(reading)->is_verbose, says, NULL}
#define READING_STORE(reading)                                                                                         \
	{"store", 0, 0, G_OPTION_ARG_FILENAME, &(reading)->store,                                                      \
	 "The store (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"}

/* Turns the texts of the options into analyse and report. */
gboolean reading_parse(struct reading *reading, char **operand, GError **error);
/* The runs behind the operands, else all of the store. */
gboolean reading_load(struct reading *reading, GError **error);
/* Has a command answer with its own options once those of all are parsed, and prints the answer or what was wrong; an
 * exit code. */
int reading_answer(struct reading *reading, char **operand,
		   gboolean (*answer)(struct reading *reading, const void *options, GError **error),
		   const void *options);
void reading_clear(struct reading *reading);

#endif
