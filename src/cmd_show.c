#include "analyse.h"
#include "cmd.h"
#include "dataset.h"
#include "err.h"
#include "operand.h"
#include "report.h"

extern const struct command cmd_show;

struct show_options {
	char **metrics, **workloads;
	char *format, *confidence, *store;
};

static const char description[] =
    "An OPERAND is a label in the store, a file that can be imported, or a filter NAME=LEVEL: several of one name\n"
    "mean any of them, those of different names all of them. Filters take factors, numeric columns, session, block,\n"
    "boot, workload and outcome. Without an operand all of the store is shown. Runs that failed are counted, and in\n"
    "no mean.\n\n"
    "Examples:\n"
    "  vmstat-bench show\n"
    "  vmstat-bench show 6.1 6.12 --workload dd1,qsbench --metric bandwidth,elapsed\n"
    "  vmstat-bench show results.tsv swap_MB=200 --format json";

static gboolean show(char **operand, const struct show_options *options, GString *out, GError **error)
{
	g_auto(GStrv) metrics = cmd_split_lists(options->metrics), workloads = cmd_split_lists(options->workloads);
	struct analyse_options analyse = {.level = 0.95, .margin_pct = 5, .metrics = metrics, .workloads = workloads};
	const struct report_format *format = report_find(options->format ? options->format : "text", error);
	g_autoptr(Operands) operands = NULL;
	g_autoptr(Analysis) analysis = NULL;

	if (!format)
		return FALSE;
	if (options->confidence && !cmd_parse_confidence(options->confidence, &analyse.level, error))
		return FALSE;
	operands = operands_load(operand, cmd_store_path(options->store), error);
	if (!operands)
		return FALSE;
	analysis = analyse_show(operands->dataset, operands_rows(operands), &analyse, error);
	if (!analysis)
		return FALSE;
	format->show(analysis, out);
	return TRUE;
}

static int run(int argc, char **argv)
{
	struct show_options options = {0};
	const GOptionEntry entries[] = {
	    {"metric", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.metrics,
	     "Show these metrics; a comma list, repeatable (default: all)", "M"},
	    {"workload", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.workloads,
	     "Show these workloads; a comma list, repeatable (default: all)", "W"},
	    {"confidence", 0, 0, G_OPTION_ARG_FILENAME, &options.confidence,
	     "Of the intervals, as 0.95 or 95 (default: 0.95)", "C"},
	    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format, "text or json (default: text)", "FORMAT"},
	    {"store", 0, 0, G_OPTION_ARG_FILENAME, &options.store,
	     "The store (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"},
	    G_OPTION_ENTRY_NULL};
	g_autoptr(GString) out = g_string_new(NULL);
	GError *error = NULL;
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_show, "[OPERAND...]", description, entries, &argc, &argv))
		status = show(argv + 1, &options, out, &error) ? cmd_print(out) : cmd_fail(error);
	g_strfreev(options.metrics);
	g_strfreev(options.workloads);
	g_free(options.format);
	g_free(options.confidence);
	g_free(options.store);
	return status;
}

const struct command cmd_show = {"show", "show estimates of each workload, metric and treatment", run};
