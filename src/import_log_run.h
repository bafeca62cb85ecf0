#ifndef IMPORT_LOG_RUN_H
#define IMPORT_LOG_RUN_H

#include "dataset.h"
#include "outcome.h"

/* The run that a log is telling of: its lines come one by one, from several programs, in the order below. What belongs
 * to an earlier stage than the run has reached, or is known of it already, is of the next run. */
enum log_stage {
	STAGE_NONE,
	STAGE_COMMAND, /* its command has been seen, at a prompt */
	STAGE_STARTED, /* it said that it began */
	STAGE_RESULT,  /* it said what it measured */
	STAGE_TIMED    /* time(1) or a shell said what it took */
};

/* What is run; all may be NULL: not known. */
struct log_command {
	char *workload; /* "dbench", "ls -laR /" */
	char *program;  /* "dbench", "ls" */
	char *procs;    /* "32" */
	char *options;  /* of a known program, all but the number of processes */
};
void log_command_clear(struct log_command *command);

/* What tells runs of one command apart. */
enum log_level { LEVEL_LABEL, LEVEL_SECTION, LEVEL_CLIENTS, LEVEL_SYNC, LEVELS };

/* Of the machine, not of a run: its memory before and after, from vmstat and free, kept as metrics that are shown where
 * they are asked for. As facts they would set any two runs apart. The rates beside them are averages since boot. */
enum log_memory { MEMORY_FREE, MEMORY_BUFFERS, MEMORY_CACHE, MEMORY_SWAP, MEMORIES };

struct log_run {
	gboolean is_open;
	enum log_stage stage;
	guint64 line; /* where it began */
	struct log_command command;
	char *level[LEVELS];
	char *quote;
	GArray *values;              /* struct measurement */
	const struct metric *result; /* what is measured in the first place; NULL: the elapsed time */
	enum outcome outcome;
	double before[MEMORIES], after[MEMORIES]; /* bytes; NaN: not known */
	guint n_after;
};

struct text_reader;

struct log_runs {
	struct dataset *dataset;
	const struct text_reader *reader; /* for messages */
	struct log_run run;
	/* Of all runs from here on. */
	struct log_command command;
	char *label, *heading;
	char *quote; /* the marks in front of the line */
	double memory[MEMORIES];
};

void log_runs_init(struct log_runs *runs, struct dataset *dataset, const struct text_reader *reader);
void log_runs_clear(struct log_runs *runs);
/* A run begins; result as above. */
void log_run_begin(struct log_runs *runs, enum log_stage stage, const struct metric *result);
/* Its result; of another workload than the one that was said to run where that is not NULL. */
void log_run_result(struct log_runs *runs, const char *workload, const struct metric *metric, double value);
/* What it used, as time(1) tells. */
void log_run_time(struct log_runs *runs, const struct metric *metric, double value);      /* NaN: not told */
void log_run_time_more(struct log_runs *runs, const struct metric *metric, double value); /* on top of what it told */
/* Makes the run under way, or one that begins with it, end in that outcome: it has not reached the stage yet. */
void log_run_outcome(struct log_runs *runs, enum outcome outcome, enum log_stage stage);
void log_run_set_level(struct log_runs *runs, enum log_level which, const char *level);
void log_run_close(struct log_runs *runs);
/* A look at the machine's memory; then what was seen, in bytes. */
void log_memory_look(struct log_runs *runs);
void log_memory_set(struct log_runs *runs, enum log_memory which, double bytes);

/* Closes the run under way and adds the row of a run that a table tells of; label NULL: that from here on. */
guint log_add_row(struct log_runs *runs, const char *workload, const char *label);

#endif
