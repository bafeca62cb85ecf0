#include "import_log.h"

#include <string.h>

#include "unit.h"

/* growfiles of the Linux Test Project, and what its harness says of a test.
 *
 *   13969 iterations to 10 files. Hit time value of 120
 *   growfiles(gf16): 1234 growfiles.c/1593: DONE 13969 iterations to 10 files. Hit time value of 120
 *   gf217       1  TFAIL  :  growfiles.c:134: Test failed
 *
 * A count is a result only where the time was up: a test that stopped for another reason has counted to what it was
 * told. */

static const struct metric iterations = {"iterations", "", BETTER_HIGHER, NULL};

/* "gf16" of "growfiles(gf16): ..."; NULL where it has no tag. */
static char *tag_of(const char *text)
{
	const char *open = strstr(text, "growfiles(");

	return open ? g_strndup(strchr(open, '(') + 1, strcspn(strchr(open, '(') + 1, ")")) : NULL;
}

/* The test that a line is about: its tag, or that of the command above it. */
static char *test_of(const struct log *log, const char *text)
{
	char *tag = tag_of(text);

	if (tag)
		return tag;
	return g_strdup(g_strcmp0(log->runs.command.program, "growfiles") == 0 ? log->runs.command.workload
									       : "growfiles");
}

static gboolean take_count(struct log *log, const struct scanned *found)
{
	g_autofree char *test = test_of(log, found->text[0]), *seconds = number_format_shortest(found->number[2]);
	struct log_command *command = &log->runs.run.command;

	log_run_result(&log->runs, test, &iterations, found->number[0]);
	if (!command->options)
		command->options = g_strconcat("-L ", seconds, NULL);
	return TRUE;
}

static gboolean take_other_end(struct log *log, const struct scanned *found)
{
	if (g_str_has_prefix(found->text[1], "Hit time value"))
		return FALSE; /* without its end */
	log_run_begin(&log->runs, STAGE_RESULT, &iterations);
	return TRUE;
}

static gboolean is_of_growfiles(struct log *log, const struct scanned *found)
{
	return g_strcmp0(log->runs.command.program, "growfiles") == 0 || strstr(found->text[0], "growfiles") ||
	       strstr(found->text[1], "files.");
}

static void fail(struct log *log, const char *test)
{
	struct log_run *run = &log->runs.run;

	if (run->is_open && g_strcmp0(run->command.workload, test))
		log_run_close(&log->runs);
	log_run_outcome(&log->runs, OUTCOME_FAILED, STAGE_TIMED);
	run->stage = STAGE_RESULT;
	run->result = &iterations;
	if (g_strcmp0(run->command.workload, test)) {
		log_command_clear(&run->command);
		run->command.workload = g_strdup(test);
	}
}

static gboolean take_errors(struct log *log, const struct scanned *found)
{
	g_autofree char *test = test_of(log, found->text[0]);

	if (log->runs.run.outcome != OUTCOME_OK)
		log_run_close(&log->runs);
	fail(log, test);
	return TRUE;
}

/* The harness has the last word. */
static gboolean take_fail(struct log *log, const struct scanned *found)
{
	fail(log, found->text[0]);
	log_run_close(&log->runs);
	return TRUE;
}

static gboolean take_pass(struct log *log, const struct scanned *found)
{
	if (g_strcmp0(log->runs.run.command.workload, found->text[0]) == 0)
		log_run_close(&log->runs);
	return TRUE;
}

const struct recogniser log_growfiles[] = {
    {"%*%n iterations to %n files. Hit time value of %n%r", .take = take_count, .kind = LINE_PROOF},
    {"%*%n iterations to %n files. %r", .take = take_other_end, .kind = LINE_PROOF},
    {"%*%n iterations to %r", .take = is_of_growfiles, .kind = LINE_PART},
    {"%*Hit max errors value of %n", .take = take_errors, .kind = LINE_PROOF},
    {"%w %n TFAIL%r", .take = take_fail, .kind = LINE_PROOF},
    {"%w %n TBROK%r", .take = take_fail, .kind = LINE_PROOF},
    {"%w %n TPASS%r", .take = take_pass, .kind = LINE_PROOF},
    {NULL},
};
