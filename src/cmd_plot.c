#include "../plots/chart.h"
#include "../plots/gnuplot.h"
#include "analyse.h"
#include "cmd.h"
#include "cmd_reading.h"
#include "dataset.h"
#include "err.h"
#include "operand.h"
#include "profile.h"
#include "store.h"

extern const struct command cmd_plot;

struct plot_options {
	char *output, *keep;
};

static const char description[] =
    "CHART is one of those of 'vmstat-bench list charts': interval (means with their confidence intervals), box\n"
    "(quartiles with every run as a point) or allan (the noise profile of 'vmstat-bench calibrate'). There is a panel "
    "for each workload and metric; a workload's primary\n"
    "metric is drawn where --metric does not choose, and --metric all draws all.\n\n"
    "An OPERAND is a label in the store, a file that can be imported, or a filter NAME=LEVEL, as for\n"
    "'vmstat-bench show'; without one all of the store is drawn, by allan all of its calibrations. gnuplot does the "
    "drawing: 'apt install\n"
    "gnuplot-nox' where it is missing.\n\n"
    "Examples:\n"
    "  vmstat-bench plot interval -o means.svg\n"
    "  vmstat-bench plot box 6.1 6.12 --workload dd1 -o dd1.png --keep dd1-plot\n"
    "  vmstat-bench plot box results.tsv --metric throughput -o throughput.svg";

/* Profiles of the calibrations in the store, or of the runs that the operands name. */
static struct analysis *profile(struct reading *reading, GError **error)
{
	g_autoptr(Dataset) calibration = NULL;
	g_autoptr(Store) store = NULL;

	if (*reading->operand) {
		if (!reading_load(reading, error))
			return NULL;
		return analyse_profile(reading->operands->dataset, operands_rows(reading->operands), NULL,
				       &reading->analyse, error);
	}
	store = store_open(cmd_store_path(reading->store), STORE_READ, error);
	calibration = store ? store_load_calibration(store, error) : NULL;
	if (!calibration)
		return NULL;
	if (calibration->n_runs)
		return analyse_profile(calibration, NULL, NULL, &reading->analyse, error);
	err_usage(error, "no calibration in the store '%s': make one with 'vmstat-bench calibrate -w SPEC'",
		  cmd_store_path(reading->store));
	return NULL;
}

static struct analysis *estimate(struct reading *reading, GError **error)
{
	if (!reading_load(reading, error))
		return NULL;
	reading->analyse.primary_only = TRUE;
	return analyse_show(reading->operands->dataset, operands_rows(reading->operands), &reading->analyse, error);
}

static gboolean draw(const struct chart *chart, struct reading *reading, const struct plot_options *options,
		     char **warnings, GError **error)
{
	g_autoptr(Analysis) analysis = (chart->of_profiles ? profile : estimate)(reading, error);
	struct picture picture;
	gboolean ok;

	if (!analysis)
		return FALSE;
	picture_init(&picture);
	ok = chart->draw(analysis, &picture, error) &&
	     gnuplot_run(&picture, &(struct gnuplot_arg){.output = options->output, .keep_dir = options->keep},
			 warnings, error);
	picture_clear(&picture);
	return ok;
}

static const struct chart *choose_chart(const char *name, const struct plot_options *options, GError **error)
{
	const struct chart *chart;

	if (!name) {
		err_usage(error, "plot what? name a chart of 'vmstat-bench list charts' first");
		return NULL;
	}
	chart = chart_find(name, error);
	if (!chart)
		return NULL;
	if (!options->output) {
		err_usage(error, "no name for the picture: give -o FILE.svg or -o FILE.png");
		return NULL;
	}
	return gnuplot_check_output(options->output, error) ? chart : NULL;
}

static int run(int argc, char **argv)
{
	struct plot_options options = {0};
	struct reading reading = {0};
	const GOptionEntry entries[] = {
	    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "The picture; .svg or .png says its format",
	     "FILE"},
	    {"keep", 0, 0, G_OPTION_ARG_FILENAME, &options.keep,
	     "Keep gnuplot's script and data in DIR (made if missing)", "DIR"},
	    READING_SELECTED(&reading, "Draw these", "metrics", "each workload's primary"),
	    READING_CONFIDENCE(&reading, "Of the intervals, as"),
	    READING_STORE(&reading),
	    G_OPTION_ENTRY_NULL};
	g_autofree char *warnings = NULL;
	GError *error = NULL;
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_plot, "CHART [OPERAND...] -o FILE", description, entries, &argc, &argv)) {
		const struct chart *chart = choose_chart(argv[1], &options, &error);

		if (chart && reading_parse(&reading, argv + 2, &error) &&
		    draw(chart, &reading, &options, &warnings, &error))
			status = EXIT_OK;
		else
			status = cmd_fail(error);
		if (warnings)
			cmd_warn("gnuplot: %s", warnings);
	}
	g_free(options.output);
	g_free(options.keep);
	reading_clear(&reading);
	return status;
}

const struct command cmd_plot = {"plot", "draw a chart with gnuplot", run};
