#include "cmd.h"
#include "cmd_reading.h"
#include "dataset.h"
#include "err.h"
#include "export.h"
#include "operand.h"

extern const struct command cmd_export;

static const char description[] =
    "Prints runs for other programs; OPERANDs choose them as with show, none means all of the store.\n"
    "  json       everything, one object a line: what the file is, then each run, those of warm-up and calibration too,\n"
    "             with messages and the rows of vmstat. import makes the same runs of it, and show reads it. Left out:\n"
    "             what was planned and is not done, command lines of sittings, and the looks of a stopping rule.\n"
    "  csv        a tidy table, one row a run\n"
    "  go-bench   text that benchstat reads\n"
    "  hyperfine  the metric elapsed, as hyperfine --export-json writes it\n\n"
    "Examples:\n"
    "  vmstat-bench export >runs.json\n"
    "  vmstat-bench export 6.1 6.12 --format csv >runs.csv";

struct export_options {
	char *format;
};

static gboolean export_runs(struct reading *reading, const void *data, GError **error)
{
	const struct export_options *options = data;
	const struct exporter *exporter = exporter_find(options->format ? options->format : "json", error);

	if (!exporter)
		return FALSE;
	reading->is_whole = exporter->is_whole;
	if (!reading_load(reading, error))
		return FALSE;
	exporter->write(reading->operands->dataset, operands_rows(reading->operands), reading->to.out);
	return TRUE;
}

static int run(int argc, char **argv)
{
	struct export_options options = {0};
	struct reading reading = {0};
	const GOptionEntry entries[] = {{"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format,
					 "json, csv, go-bench or hyperfine (default: json)", "FORMAT"},
					READING_STORE(&reading),
					G_OPTION_ENTRY_NULL};
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_export, "[OPERAND...]", description, entries, &argc, &argv))
		status = reading_answer(&reading, argv + 1, export_runs, &options);
	reading_clear(&reading);
	g_free(options.format);
	return status;
}

const struct command cmd_export = {"export", "print runs for other programs", run};
