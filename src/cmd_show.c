#include "analyse.h"
#include "cmd.h"
#include "cmd_reading.h"
#include "err.h"
#include "operand.h"
#include "report.h"

extern const struct command cmd_show;

static const char description[] =
    "An OPERAND is a label in the store, a file that can be imported, or a filter NAME=LEVEL: several of one name\n"
    "mean any of them, those of different names all of them. Filters take factors, numeric columns, session, block,\n"
    "boot, workload and outcome. Without an operand all of the store is shown. Runs that failed are counted, and in\n"
    "no mean.\n\n"
    "Examples:\n"
    "  vmstat-bench show\n"
    "  vmstat-bench show 6.1 6.12 --workload dd1,qsbench --metric bandwidth,elapsed\n"
    "  vmstat-bench show 6.1 6.12 --metric bandwidth --format bars\n"
    "  vmstat-bench show results.tsv swap_MB=200 --format json";

static gboolean show(struct reading *reading, const void *options, GError **error)
{
	g_autoptr(Analysis) analysis = NULL;

	if (!reading_load(reading, error))
		return FALSE;
	analysis = analyse_show(reading->operands->dataset, operands_rows(reading->operands), &reading->analyse, error);
	if (!analysis)
		return FALSE;
	reading->report->show(analysis, &reading->to);
	return TRUE;
}

static int run(int argc, char **argv)
{
	struct reading reading = {.answer = REPORT_ANSWER(show)};
	const GOptionEntry entries[] = {READING_SELECTED(&reading, "Show these", "metrics", "all"),
					READING_CONFIDENCE(&reading, "Of the intervals, as"),
					READING_FORMAT(&reading, "markdown, csv, bars "),
					READING_VERBOSE(&reading, "Say what to do about each caveat"),
					READING_STORE(&reading),
					G_OPTION_ENTRY_NULL};
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_show, "[OPERAND...]", description, entries, &argc, &argv))
		status = reading_answer(&reading, argv + 1, show, NULL);
	reading_clear(&reading);
	return status;
}

const struct command cmd_show = {"show", "show estimates of each workload, metric and treatment", run};
