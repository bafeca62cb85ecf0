#include "analyse.h"
#include "analyse_power.h"
#include "cmd.h"
#include "cmd_calibration.h"
#include "err.h"
#include "operand.h"
#include "report.h"
#include "unit.h"

extern const struct command cmd_power;

struct power_command_options {
	char **metrics, **workloads;
	char *sd, *detect, *power, *confidence, *format, *store;
};

static const char description[] =
    "From the spread of the runs at hand: the difference that two sides of as many runs could have shown, and the runs "
    "a\n"
    "side that would be needed for a wanted one, with a power of 80% (or --power) and of 90%, for a two-sided t test "
    "of\n"
    "two independent sides on logarithms: 5% is then a factor of 1.05. Runs that are compared in pairs of a block "
    "need\n"
    "fewer where blocks differ. Where a treatment has three or more boots (or sittings) these are counted, not "
    "runs.\n\n"
    "The time is that of both sides, from start to start, resets and pauses included; from files that of elapsed.\n\n"
    "With --sd and no operand a spread is taken as given, in % of the mean as the difference is.\n\n"
    "Examples:\n"
    "  vmstat-bench power\n"
    "  vmstat-bench power 6.12 --workload dd1 --detect 2\n"
    "  vmstat-bench power results.tsv --detect 3% --power 90%\n"
    "  vmstat-bench power --sd 2% --detect 5%";

static gboolean parse_options(const struct power_command_options *options, struct power_options *power, double *level,
			      double *sd, GError **error)
{
	if (options->detect && !percent_parse(options->detect, "--detect", 0, 1000, &power->detect_pct, error))
		return FALSE;
	if (options->sd && !percent_parse(options->sd, "--sd", 0, 1000, sd, error))
		return FALSE;
	if (options->power && !cmd_parse_confidence(options->power, &power->power, NULL))
		return err_usage(error, "--power '%s' is neither a fraction between 0 and 1 nor a percentage below 100",
				 options->power);
	return !options->confidence || cmd_parse_confidence(options->confidence, level, error);
}

static struct power_analysis *analyse(char **operand, const struct power_command_options *options,
				      const struct power_options *power, double level, double sd, GString *advice,
				      GError **error)
{
	g_auto(GStrv) metrics = cmd_split_lists(options->metrics), workloads = cmd_split_lists(options->workloads);
	struct analyse_options analyse = {.level = level, .margin_pct = 5, .metrics = metrics, .workloads = workloads};
	g_autoptr(Operands) operands = NULL;

	if (options->sd) {
		if (!*operand)
			return analyse_power_of_sd(sd, power, level);
		err_usage(error, "--sd takes the place of data: leave out either it or '%s'", *operand);
		return NULL;
	}
	operands = operands_load(operand, cmd_store_path(options->store), error);
	if (!operands || !cmd_append_advice(operands->dataset, cmd_store_path(options->store), power->detect_pct, advice, error))
		return NULL;
	return analyse_power(operands->dataset, operands_rows(operands), power, &analyse, error);
}

static gboolean power(char **operand, const struct power_command_options *options, GString *out, GError **error)
{
	const struct report_format *format = report_find(options->format ? options->format : "text", error);
	struct power_options wanted = {.power = 0.8, .detect_pct = 5};
	g_autoptr(PowerAnalysis) analysis = NULL;
	g_autoptr(GString) advice = g_string_new(NULL);
	double level = 0.95, sd = 0;

	if (!format || !parse_options(options, &wanted, &level, &sd, error))
		return FALSE;
	analysis = analyse(operand, options, &wanted, level, sd, advice, error);
	if (!analysis)
		return FALSE;
	format->power(analysis, out);
	if (g_str_equal(format->name, "text"))
		g_string_append(out, advice->str);
	return TRUE;
}

static int run(int argc, char **argv)
{
	struct power_command_options options = {0};
	const GOptionEntry entries[] = {
	    {"detect", 0, 0, G_OPTION_ARG_FILENAME, &options.detect, "The difference to find, in % (default: 5)",
	     "PCT"},
	    {"power", 0, 0, G_OPTION_ARG_FILENAME, &options.power,
	     "How surely it is to be found, as 0.8 or 80 (default: 0.8)", "P"},
	    {"confidence", 0, 0, G_OPTION_ARG_FILENAME, &options.confidence,
	     "Of the test, as 0.95 or 95 (default: 0.95)", "C"},
	    {"sd", 0, 0, G_OPTION_ARG_FILENAME, &options.sd, "The spread, in % of the mean, instead of data", "PCT"},
	    {"metric", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.metrics,
	     "These metrics, or all; a comma list, repeatable (default: each workload's primary)", "M"},
	    {"workload", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.workloads,
	     "These workloads; a comma list, repeatable (default: all)", "W"},
	    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format, "text or json (default: text)", "FORMAT"},
	    {"store", 0, 0, G_OPTION_ARG_FILENAME, &options.store,
	     "The store (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"},
	    G_OPTION_ENTRY_NULL};
	g_autoptr(GString) out = g_string_new(NULL);
	GError *error = NULL;
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_power, "[OPERAND...]", description, entries, &argc, &argv))
		status = power(argv + 1, &options, out, &error) ? cmd_print(out) : cmd_fail(error);
	g_strfreev(options.metrics);
	g_strfreev(options.workloads);
	g_free(options.sd);
	g_free(options.detect);
	g_free(options.power);
	g_free(options.confidence);
	g_free(options.format);
	g_free(options.store);
	return status;
}

const struct command cmd_power = {"power", "tell how many runs are needed, and what those at hand can show", run};
