#include "analyse_power.h"
#include "cmd.h"
#include "cmd_calibration.h"
#include "cmd_reading.h"
#include "err.h"
#include "operand.h"
#include "report.h"
#include "unit.h"

extern const struct command cmd_power;

struct power_command_options {
	char *sd, *detect, *power;
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

static gboolean parse_options(const struct power_command_options *options, struct power_options *power, double *sd,
			      GError **error)
{
	if (options->detect && !percent_parse(options->detect, "--detect", 0, 1000, &power->detect_pct, error))
		return FALSE;
	if (options->sd && !percent_parse(options->sd, "--sd", 0, 1000, sd, error))
		return FALSE;
	return !options->power || cmd_parse_confidence(options->power, &power->power, NULL) ||
	       err_usage(error, "--power '%s' is neither a fraction between 0 and 1 nor a percentage below 100",
			 options->power);
}

static struct power_analysis *analyse(struct reading *reading, const struct power_command_options *options,
				      const struct power_options *power, double sd, GString *advice, GError **error)
{
	if (options->sd) {
		if (!*reading->operand)
			return analyse_power_of_sd(sd, power, reading->analyse.level);
		err_usage(error, "--sd takes the place of data: leave out either it or '%s'", *reading->operand);
		return NULL;
	}
	if (!reading_load(reading, error) ||
	    !cmd_append_advice(reading->operands->dataset, cmd_store_path(reading->store), power->detect_pct, advice,
			       error))
		return NULL;
	return analyse_power(reading->operands->dataset, operands_rows(reading->operands), power, &reading->analyse,
			     error);
}

static gboolean power(struct reading *reading, const void *options, GError **error)
{
	struct power_options wanted = {.power = 0.8, .detect_pct = 5};
	g_autoptr(PowerAnalysis) analysis = NULL;
	g_autoptr(GString) advice = g_string_new(NULL);
	double sd = 0;

	if (!parse_options(options, &wanted, &sd, error))
		return FALSE;
	analysis = analyse(reading, options, &wanted, sd, advice, error);
	if (!analysis)
		return FALSE;
	reading->report->power(analysis, &reading->to);
	if (g_str_equal(reading->report->name, "text"))
		g_string_append(reading->to.out, advice->str);
	return TRUE;
}

static int run(int argc, char **argv)
{
	struct power_command_options options = {0};
	struct reading reading = {.answer = REPORT_ANSWER(power)};
	const GOptionEntry entries[] = {
	    {"detect", 0, 0, G_OPTION_ARG_FILENAME, &options.detect, "The difference to find, in % (default: 5)",
	     "PCT"},
	    {"power", 0, 0, G_OPTION_ARG_FILENAME, &options.power,
	     "How surely it is to be found, as 0.8 or 80 (default: 0.8)", "P"},
	    READING_CONFIDENCE(&reading, "Of the test, as"),
	    {"sd", 0, 0, G_OPTION_ARG_FILENAME, &options.sd, "The spread, in % of the mean, instead of data", "PCT"},
	    READING_SELECTED(&reading, "These", "metrics, or all", "each workload's primary"),
	    READING_FORMAT(&reading, "markdown "),
	    READING_STORE(&reading),
	    G_OPTION_ENTRY_NULL};
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_power, "[OPERAND...]", description, entries, &argc, &argv))
		status = reading_answer(&reading, argv + 1, power, &options);
	g_free(options.sd);
	g_free(options.detect);
	g_free(options.power);
	reading_clear(&reading);
	return status;
}

const struct command cmd_power = {"power", "tell how many runs are needed, and what those at hand can show", run};
