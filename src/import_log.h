#ifndef IMPORT_LOG_H
#define IMPORT_LOG_H

#include "import_log_run.h"
#include "import_log_scan.h"

/* The output of several programs one after the other, as people post it, with prompts, headings and quotes between. It
 * is read line by line. Each file import_log_*.c knows the lines of a few programs; what they tell meets in the run
 * under way (import_log_run.h). */

struct log_tiobench;
struct log_vmstat;

struct log {
	struct log_runs runs;
	guint64 nth;     /* of the lines that are not blank, from 1: lines of one table follow each other in it */
	GString *before; /* the line before, where nobody knew it */
	guint64 part;    /* nth of the last line that is but the beginning of one; part_line: the same in the file */
	guint64 part_line;
	gboolean is_proof; /* a line has been seen that only a log has */
	guint64 bars;      /* nth of the last line of a star chart */
	guint64 shell;     /* nth of the last "real" or "user" line that no "sys" line followed */
	double real, user;
	guint64 report_line; /* where a report of time -v begins that has not come to its end, the exit status */
	struct log_tiobench *tiobench;
	struct log_vmstat *vmstat;
};

/* A form of line, and what it tells. The first of all recognisers that takes a line has it. */
struct recogniser {
	const char *format; /* of scan_line() */
	/* What to do; FALSE: it is no such line after all. NULL: nothing, or the metric. */
	gboolean (*take)(struct log *log, const struct scanned *found);
	const struct metric *metric; /* NULL, or what the line's one number measures: a resource that the run used */
	enum {
		LINE_PLAIN, /* may stand in any text */
		LINE_PROOF, /* tells that the file is a log */
		LINE_PART,  /* the beginning of a form above it: where the file ends with it, it is cut short */
	} kind;
};

/* A table for each program or two; they end without a format. */
extern const struct recogniser log_time[], log_dbench[], log_growfiles[], log_tiobench[], log_dd[], log_vmstat[],
    log_command[];

struct log_tiobench *log_tiobench_new(void);
void log_tiobench_free(struct log_tiobench *tiobench);
struct log_vmstat *log_vmstat_new(void);
/* Where the log tells of no runs the rows of vmstat and free are the runs: these. */
const struct dataset *log_vmstat_rows(const struct log_vmstat *vmstat);
void log_vmstat_free(struct log_vmstat *vmstat);

/* Reads the words of a command. FALSE where there are none. */
gboolean log_command_parse(const char *text, struct log_command *command);

#endif
