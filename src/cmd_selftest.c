#include "aa.h"
#include "clock.h"
#include "cmd.h"
#include "cmd_sitting.h"
#include "dataset.h"
#include "document.h"
#include "err.h"
#include "report.h"
#include "sitting.h"
#include "store.h"
#include "unit.h"

extern const struct command cmd_selftest;

#define RUNS "200"
#define TIME "10m"
#define SIZE "64M"

struct selftest_options {
	struct sitting_options sitting;
	char *time, *format;
	gboolean aa;
};

/* What is behind the report of a sitting. */
struct selftest_report {
	const struct report_format *format;
	double time_s, start_s;
};

static const char description[] =
    "--aa runs one workload many times while nothing is changed, and then compares its runs with each other, as many\n"
    "times as the runs allow: one batch after the other (sequential), and in pairs whose order is random "
    "(interleaved).\n"
    "What is declared different is a false alarm; 5% are promised. It also tells the smallest difference that can be\n"
    "found on this machine in a given time. The runs are kept in the store as a calibration, see 'calibrate'.\n\n"
    "Examples:\n"
    "  vmstat-bench selftest --aa\n"
    "  vmstat-bench selftest --aa -w qsbench:size=64M --runs 400 --time 1h --dir /mnt/test\n"
    "  vmstat-bench selftest --aa -w cmd:true --reset none --format json";

static gboolean report(const void *data, const struct sitting *sitting, const struct runner_summary *summary,
		       struct store *store, GString *out, GError **error)
{
	const struct selftest_report *asked = data;
	gboolean text = g_str_equal(asked->format->name, "text");
	double run_s = (clock_monotonic_s() - asked->start_s) / summary->done;
	g_autoptr(Dataset) dataset = store_load(store, TRUE, error);
	g_autofree char *path = text_printable(sitting->store_path);
	struct aa_analysis analysis = {0};
	struct document to;
	gboolean ok = dataset && analyse_aa(dataset, run_s, asked->time_s, &analysis, error);

	if (ok && text)
		sitting_describe(sitting, out);
	document_of_terminal(&to, out);
	if (ok)
		asked->format->aa(&analysis, &to);
	if (ok && text) {
		sitting_describe_end(sitting, summary, out);
		g_string_append_printf(out, "stored in %s, as a calibration\n", path);
	}
	aa_analysis_clear(&analysis);
	return ok;
}

static gboolean read_options(const struct selftest_options *options, struct selftest_report *asked, GError **error)
{
	if (!options->aa)
		return err_usage(error, "selftest of what? --aa compares runs that differ in nothing");
	asked->format = report_find_for(options->format ? options->format : "text", REPORT_ANSWER(aa), error);
	if (!asked->format || !duration_parse(options->time ? options->time : TIME, &asked->time_s, error))
		return FALSE;
	return asked->time_s > 0 || err_usage(error, "--time '%s' leaves no time for a run", options->time);
}

static int selftest(struct selftest_options *options, char *const *argv, GError **error)
{
	static const char *const usual[] = {"dd1", NULL};
	struct selftest_report asked;
	struct sitting sitting;
	int status = EXIT_USAGE;

	if (!read_options(options, &asked, error))
		return status;
	if (!options->sitting.repeat)
		options->sitting.repeat = g_strdup(RUNS);
	if (!options->sitting.workloads && !options->sitting.size)
		options->sitting.size = g_strdup(SIZE);
	if (sitting_init(&sitting, &options->sitting, PURPOSE_CALIBRATE, usual, error)) {
		asked.start_s = clock_monotonic_s();
		if (sitting.plan->workloads->len == 1)
			status = cmd_sitting(&sitting, argv, options->sitting.store,
					     &(struct sitting_report){report, &asked});
		else
			err_usage(error, "selftest takes one workload at a time");
	}
	sitting_clear(&sitting);
	return status;
}

static int run(int argc, char **argv)
{
	struct selftest_options options = {.sitting.repeat_name = "--runs"};
	struct sitting_options *sitting = &options.sitting;
	const GOptionEntry entries[] = {
	    {"aa", 0, 0, G_OPTION_ARG_NONE, &options.aa, "Compare runs that differ in nothing", NULL},
	    {"workload", 'w', 0, G_OPTION_ARG_FILENAME_ARRAY, &sitting->workloads,
	     "What to run: NAME, NAME:option=value:... or cmd:COMMAND (default: dd1 of " SIZE ")", "SPEC"},
	    {"runs", 0, 0, G_OPTION_ARG_FILENAME, &sitting->repeat, "How many runs (default: " RUNS ")", "N"},
	    {"time", 0, 0, G_OPTION_ARG_FILENAME, &options.time,
	     "Tell the smallest difference found in this time (default: " TIME ")", "DUR"},
	    {"max-time", 0, 0, G_OPTION_ARG_FILENAME, &sitting->max_time, "Begin no run that would end after this time",
	     "DUR"},
	    {"label", 0, 0, G_OPTION_ARG_FILENAME, &sitting->label,
	     "Name that is kept with the runs (default: the kernel's release)", "NAME"},
	    SITTING_ENTRIES(sitting),
	    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format, "text, markdown or json (default: text)", "FORMAT"},
	    G_OPTION_ENTRY_NULL};
	g_auto(GStrv) given = g_strdupv(argv);
	int status = EXIT_USAGE;
	GError *error = NULL;

	if (cmd_parse(&cmd_selftest, "--aa", description, entries, &argc, &argv)) {
		if (argc > 1)
			err_usage(&error, "selftest takes no operand, and '%s' is one: the workload is given with -w",
				  argv[1]);
		else
			status = selftest(&options, given, &error);
		if (error)
			status = cmd_fail(error);
	}
	sitting_options_clear(&options.sitting);
	g_free(options.time);
	g_free(options.format);
	return status;
}

const struct command cmd_selftest = {"selftest", "count false alarms where nothing differs", run};
