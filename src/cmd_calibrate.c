#include "analyse.h"
#include "cmd.h"
#include "cmd_sitting.h"
#include "dataset.h"
#include "document.h"
#include "err.h"
#include "profile.h"
#include "report.h"
#include "sitting.h"
#include "store.h"
#include "unit.h"

extern const struct command cmd_calibrate;

#define RUNS "200"

struct calibrate_options {
	struct sitting_options sitting;
	char *format;
	gboolean show;
};

static const char description[] =
    "Runs one workload many times while nothing is changed, and tells how its noise behaves on this machine: whether "
    "a\n"
    "run is like the one before, drift, several speeds, and the Allan deviation, which is how far the means of two\n"
    "batches of runs, one after the other, are apart for no reason. What was calibrated before, on the same host,\n"
    "processor, disk and filesystem and with the same options, counts too: from three sittings on, how far sittings "
    "are\n"
    "apart is known as well. Calibration runs are kept in the store but are in no mean. 'compare' widens by them the\n"
    "intervals of sides that ran one after the other, 'run' tells how many pairs find 5%, 'plot allan' draws them.\n\n"
    "Examples:\n"
    "  vmstat-bench calibrate -w dd1:size=256M --dir /mnt/test\n"
    "  vmstat-bench calibrate -w 'cmd:sort -u words' --runs 400 --reset none\n"
    "  vmstat-bench calibrate --show --format json";

static struct analysis *profile(const struct calibrate_options *options, struct store *store,
				const struct dataset *like, GError **error)
{
	struct analyse_options analyse = {.level = 0.95, .margin_pct = 5};
	g_autoptr(Dataset) calibration = store_load_calibration(store, error);

	if (!calibration)
		return NULL;
	if (options->show) {
		analyse.workloads = options->sitting.workloads;
		if (!calibration->n_runs) {
			err_usage(error,
				  "no calibration in the store '%s': make one with 'vmstat-bench calibrate -w SPEC'",
				  cmd_store_path(options->sitting.store));
			return NULL;
		}
	}
	return analyse_profile(calibration, NULL, like, &analyse, error);
}

static int show(const struct calibrate_options *options, const struct report_format *format)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(Analysis) analysis = NULL;
	g_autoptr(Store) store = NULL;
	struct document to;
	GError *error = NULL;

	if (options->sitting.repeat)
		err_usage(&error, "--show shows what is stored and runs nothing: leave --runs out");
	else if ((store = store_open(cmd_store_path(options->sitting.store), STORE_READ, &error)))
		analysis = profile(options, store, NULL, &error);
	if (!analysis)
		return cmd_fail(error);
	document_of_terminal(&to, out);
	format->calibrate(analysis, &to);
	return cmd_print(out);
}

/* What is behind the report of a sitting. */
struct calibration_report {
	const struct calibrate_options *options;
	const struct report_format *format;
};

static gboolean report(const void *data, const struct sitting *sitting, const struct runner_summary *summary,
		       struct store *store, GString *out, GError **error)
{
	const struct calibration_report *asked = data;
	gboolean text = g_str_equal(asked->format->name, "text");
	g_autoptr(Dataset) runs = store_load(store, TRUE, error);
	g_autoptr(Analysis) analysis = runs ? profile(asked->options, store, runs, error) : NULL;
	g_autofree char *path = text_printable(sitting->store_path);
	struct document to;

	if (!analysis)
		return FALSE;
	if (!analysis->profiles->len)
		return err_runtime(error, "no noise to describe: there is no complete run with a value above 0");
	if (text)
		sitting_describe(sitting, out);
	document_of_terminal(&to, out);
	asked->format->calibrate(analysis, &to);
	if (text) {
		sitting_describe_end(sitting, summary, out);
		g_string_append_printf(out, "stored in %s\n", path);
	}
	return TRUE;
}

static int calibrate(struct calibrate_options *options, char *const *argv, GError **error)
{
	static const char *const none[] = {NULL};
	const struct report_format *format = report_find_for(options->format ? options->format : "text",
							     REPORT_ANSWER(calibrate), error);
	struct sitting sitting;
	int status = EXIT_USAGE;

	if (!format)
		return status;
	if (options->show)
		return show(options, format);
	if (!options->sitting.repeat)
		options->sitting.repeat = g_strdup(RUNS);
	if (sitting_init(&sitting, &options->sitting, PURPOSE_CALIBRATE, none, error)) {
		if (sitting.plan->workloads->len == 1)
			status = cmd_sitting(
			    &sitting, argv, options->sitting.store,
			    &(struct sitting_report){report, &(struct calibration_report){options, format}});
		else
			err_usage(error,
				  "calibrate takes one workload at a time, with -w: others in between would be part "
				  "of its noise");
	}
	sitting_clear(&sitting);
	return status;
}

static int run(int argc, char **argv)
{
	struct calibrate_options options = {.sitting.repeat_name = "--runs"};
	struct sitting_options *sitting = &options.sitting;
	const GOptionEntry entries[] = {
	    {"workload", 'w', 0, G_OPTION_ARG_FILENAME_ARRAY, &sitting->workloads,
	     "What to run: NAME, NAME:option=value:... or cmd:COMMAND; with --show: only this one, repeatable", "SPEC"},
	    {"runs", 0, 0, G_OPTION_ARG_FILENAME, &sitting->repeat, "How many runs (default: " RUNS ")", "N"},
	    {"max-time", 0, 0, G_OPTION_ARG_FILENAME, &sitting->max_time, "Begin no run that would end after this time",
	     "DUR"},
	    {"label", 0, 0, G_OPTION_ARG_FILENAME, &sitting->label,
	     "Name that is kept with the runs (default: the kernel's release)", "NAME"},
	    SITTING_ENTRIES(sitting),
	    {"metric", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &sitting->metrics,
	     "A value that a command prints: the first group of the last match", "NAME=UNIT[,higher|lower]:REGEX"},
	    {"show", 0, 0, G_OPTION_ARG_NONE, &options.show, "Print the profiles of what is stored, and run nothing",
	     NULL},
	    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format, "text, markdown or json (default: text)", "FORMAT"},
	    G_OPTION_ENTRY_NULL};
	g_auto(GStrv) given = g_strdupv(argv);
	int status = EXIT_USAGE;
	GError *error = NULL;

	if (cmd_parse(&cmd_calibrate, "-w SPEC | --show", description, entries, &argc, &argv)) {
		if (argc > 1)
			err_usage(&error, "calibrate takes no operand, and '%s' is one: the workload is given with -w",
				  argv[1]);
		else
			status = calibrate(&options, given, &error);
		if (error)
			status = cmd_fail(error);
	}
	sitting_options_clear(&options.sitting);
	g_free(options.format);
	return status;
}

const struct command cmd_calibrate = {"calibrate", "learn how a workload's noise behaves on this machine", run};
