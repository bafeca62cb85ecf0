#include "import_log.h"

#include <math.h>
#include <string.h>

#include "import_common.h"
#include "import_line.h"
#include "text_reader.h"

/* What time(1) and the shells tell of a command, and what became of it.
 *
 * GNU time prints a line "37.16user 398.40system 11:57.77elapsed 60%CPU (...)k" and one of page faults, or with -v a
 * line for each value; tcsh one line, whose "pf" are the faults that needed input; bash, and time -p, the three lines
 * real, user and sys. Inputs and outputs are not read: they count units of 512 bytes as pages are dirtied, not what a
 * device did. */

static const struct metric max_rss = {"max_rss", "KiB", BETTER_LOWER, NULL};

#define RUN_METRIC(which) (&run_metrics[which])
#define COMM_MAX 15 /* of its name, all that the kernel knows */

/* user, system, elapsed, cpu */
static void add_times(struct log *log, const double *number)
{
	log_run_time(&log->runs, RUN_METRIC(RUN_USER), number[0]);
	log_run_time(&log->runs, RUN_METRIC(RUN_SYSTEM), number[1]);
	log_run_time(&log->runs, RUN_METRIC(RUN_ELAPSED), number[2]);
	log_run_time(&log->runs, RUN_METRIC(RUN_CPU), number[3]);
}

/* Kernels before 2.6.32 did not tell the resident size: it is 0 then. */
static gboolean take_gnu(struct log *log, const struct scanned *found)
{
	add_times(log, found->number);
	if (found->number[6] > 0)
		log_run_time(&log->runs, &max_rss, found->number[6]);
	return TRUE;
}

static gboolean take_gnu_faults(struct log *log, const struct scanned *found)
{
	log_run_time(&log->runs, RUN_METRIC(RUN_MAJOR_FAULTS), found->number[2]);
	log_run_time(&log->runs, RUN_METRIC(RUN_MINOR_FAULTS), found->number[3]);
	return TRUE;
}

static gboolean take_tcsh(struct log *log, const struct scanned *found)
{
	add_times(log, found->number);
	log_run_time(&log->runs, RUN_METRIC(RUN_MAJOR_FAULTS), found->number[8]);
	return TRUE;
}

/* The words alone may stand in any text: they count where all three lines follow each other. */
static gboolean take_real(struct log *log, const struct scanned *found)
{
	log->shell = log->nth;
	log->part_line = log->runs.reader->line;
	log->real = found->number[0];
	log->user = NAN;
	return TRUE;
}

static gboolean take_user(struct log *log, const struct scanned *found)
{
	if (!log->shell || log->shell + 1 != log->nth)
		return FALSE;
	log->shell = log->nth;
	log->user = found->number[0];
	return TRUE;
}

static gboolean take_sys(struct log *log, const struct scanned *found)
{
	const double times[] = {log->user, found->number[0], log->real, NAN};

	if (!log->shell || log->shell + 1 != log->nth || isnan(log->user))
		return FALSE;
	log->shell = 0;
	add_times(log, times);
	return TRUE;
}

static void set_command(struct log_run *run, const char *text)
{
	struct log_command command;

	if (!log_command_parse(text, &command))
		return;
	log_command_clear(&run->command);
	run->command = command;
}

/* The report comes after what the command itself printed, which says best what ran. */
static gboolean take_report(struct log *log, const struct scanned *found)
{
	gboolean is_known = log->runs.run.stage == STAGE_RESULT;
	g_autofree char *text = g_strdup(found->text[0]);

	if (g_str_has_suffix(text, "\""))
		text[strlen(text) - 1] = '\0';
	log->report_line = log->runs.reader->line;
	log_run_begin(&log->runs, STAGE_TIMED, NULL);
	if (!is_known)
		set_command(&log->runs.run, text);
	return TRUE;
}

static gboolean looks_like_command(const char *text)
{
	return strstr(text, " -") || strchr(text, '/') || strchr(text, '>');
}

/* Where somebody cut the report down to this line, the command may stand above it instead of in it. */
static gboolean take_elapsed(struct log *log, const struct scanned *found)
{
	gboolean is_new = !log->runs.run.is_open;

	log_run_time(&log->runs, RUN_METRIC(RUN_ELAPSED), found->number[0]);
	if (is_new && looks_like_command(log->before->str))
		set_command(&log->runs.run, log->before->str);
	return TRUE;
}

static gboolean take_switches(struct log *log, const struct scanned *found)
{
	log_run_time_more(&log->runs, RUN_METRIC(RUN_CTX_SWITCHES), found->number[0]);
	return TRUE;
}

static gboolean take_exit_status(struct log *log, const struct scanned *found)
{
	if (!log->report_line && log->runs.run.stage != STAGE_TIMED)
		return FALSE;
	log->report_line = 0;
	if (found->number[0] > 0 && log->runs.run.outcome == OUTCOME_OK)
		log->runs.run.outcome = OUTCOME_FAILED;
	return TRUE;
}

/* GNU time says so before it tells the times. */
static gboolean take_failure(struct log *log, const struct scanned *found)
{
	log_run_outcome(&log->runs, OUTCOME_FAILED, STAGE_TIMED);
	return TRUE;
}

/* A shell's word for the command that it waited for. */
static gboolean take_killed(struct log *log, const struct scanned *found)
{
	const struct log_run *run = &log->runs.run;

	if (run->stage != STAGE_COMMAND && run->stage != STAGE_STARTED)
		return FALSE;
	log_run_outcome(&log->runs, OUTCOME_FAILED, STAGE_RESULT);
	return TRUE;
}

/* Only the kernel says this, and only where memory has run out. Where it killed something else the run did not do its
 * work under the conditions of the others. */
static gboolean take_oom(struct log *log, const struct scanned *found)
{
	const struct log_runs *runs = &log->runs;
	gboolean is_over = runs->run.stage >= STAGE_RESULT;
	const char *program = runs->run.is_open && !is_over ? runs->run.command.program : runs->command.program;
	g_autofree char *name = g_strndup(found->text[1], strcspn(found->text[1], ")")), *quoted = NULL;

	if (!program || strncmp(program, name, COMM_MAX) == 0) {
		log_run_outcome(&log->runs, OUTCOME_OOM_KILLED, STAGE_RESULT);
		return TRUE;
	}
	quoted = import_quote(name, strlen(name));
	import_warn(runs->reader, runs->dataset,
		    "'%s' was killed for lack of memory during a run, which does not count", quoted);
	log_run_outcome(&log->runs, OUTCOME_DISTURBED, STAGE_RESULT);
	return TRUE;
}

const struct recogniser log_time[] = {
    {"%tuser %tsystem %telapsed %q%%CPU (%navgtext+%navgdata %nmaxresident)k", .take = take_gnu, .kind = LINE_PROOF},
    {"%tuser %tsystem %telapsed %q%%CPU%r", .take = take_gnu, .kind = LINE_PROOF},
    {"%ninputs+%noutputs (%nmajor+%nminor)pagefaults %nswaps", .take = take_gnu_faults, .kind = LINE_PROOF},
    {"%tuser%r", .kind = LINE_PART},
    {"%ninputs+%r", .kind = LINE_PART},
    {"%tu %ts %t %q%% %n+%nk %n+%nio %npf+%nw", .take = take_tcsh, .kind = LINE_PROOF},
    {"%tu %ts%r", .kind = LINE_PART},
    {"real %t", .take = take_real},
    {"user %t", .take = take_user},
    {"sys %t", .take = take_sys, .kind = LINE_PROOF},
    {"Command being timed: \"%r", .take = take_report, .kind = LINE_PROOF},
    {"User time (seconds): %t", .metric = RUN_METRIC(RUN_USER)},
    {"System time (seconds): %t", .metric = RUN_METRIC(RUN_SYSTEM)},
    {"Percent of CPU this job got: %q%%", .metric = RUN_METRIC(RUN_CPU)},
    {"Elapsed (wall clock) time (h:mm:ss or m:ss): %t", .take = take_elapsed, .kind = LINE_PROOF},
    {"Maximum resident set size (kbytes): %n", .metric = &max_rss},
    {"Major (requiring I/O) page faults: %n", .metric = RUN_METRIC(RUN_MAJOR_FAULTS)},
    {"Minor (reclaiming a frame) page faults: %n", .metric = RUN_METRIC(RUN_MINOR_FAULTS)},
    {"Voluntary context switches: %n", .take = take_switches},
    {"Involuntary context switches: %n", .take = take_switches},
    {"Exit status: %n", .take = take_exit_status},
    {"Command exited with non-zero status %n", .take = take_failure},
    {"Command terminated by signal %n", .take = take_failure},
    {"Command stopped by signal %n", .take = take_failure},
    {"Killed", .take = take_killed},
    {"Terminated", .take = take_killed},
    {"Segmentation fault%r", .take = take_killed},
    {"%*killed process %n (%r", .take = take_oom},
    {NULL},
};
