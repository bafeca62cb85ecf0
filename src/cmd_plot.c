#include "../plots/chart.h"
#include "../plots/gnuplot.h"
#include "analyse.h"
#include "cmd.h"
#include "dataset.h"
#include "err.h"
#include "operand.h"
#include "profile.h"
#include "store.h"

extern const struct command cmd_plot;

struct plot_options {
	char *output, *keep, *confidence, *store;
	char **metrics, **workloads;
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
static struct analysis *profile(char **operand, const char *store_path, const struct analyse_options *analyse,
				GError **error)
{
	g_autoptr(Operands) operands = NULL;
	g_autoptr(Dataset) calibration = NULL;
	g_autoptr(Store) store = NULL;

	if (*operand) {
		operands = operands_load(operand, store_path, error);
		return operands ? analyse_profile(operands->dataset, operands_rows(operands), NULL, analyse, error) : NULL;
	}
	store = store_open(store_path, STORE_READ, error);
	calibration = store ? store_load_calibration(store, error) : NULL;
	if (!calibration)
		return NULL;
	if (calibration->n_runs)
		return analyse_profile(calibration, NULL, NULL, analyse, error);
	err_usage(error, "no calibration in the store '%s': make one with 'vmstat-bench calibrate -w SPEC'",
		  store_path);
	return NULL;
}

static struct analysis *estimate(char **operand, const char *store_path, const struct analyse_options *analyse,
				 GError **error)
{
	g_autoptr(Operands) operands = operands_load(operand, store_path, error);

	return operands ? analyse_show(operands->dataset, operands_rows(operands), analyse, error) : NULL;
}

static gboolean draw(const struct chart *chart, char **operand, const struct plot_options *options, char **warnings,
		     GError **error)
{
	g_auto(GStrv) metrics = cmd_split_lists(options->metrics), workloads = cmd_split_lists(options->workloads);
	struct analyse_options analyse = {
	    .level = 0.95, .margin_pct = 5, .metrics = metrics, .workloads = workloads, .primary_only = TRUE};
	g_autoptr(Analysis) analysis = NULL;
	struct picture picture;
	gboolean ok;

	if (options->confidence && !cmd_parse_confidence(options->confidence, &analyse.level, error))
		return FALSE;
	analysis = (chart->of_profiles ? profile : estimate)(operand, cmd_store_path(options->store), &analyse, error);
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
	const GOptionEntry entries[] = {
	    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "The picture; .svg or .png says its format",
	     "FILE"},
	    {"keep", 0, 0, G_OPTION_ARG_FILENAME, &options.keep,
	     "Keep gnuplot's script and data in DIR (made if missing)", "DIR"},
	    {"metric", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.metrics,
	     "Draw these metrics; a comma list, repeatable (default: each workload's primary)", "M"},
	    {"workload", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.workloads,
	     "Draw these workloads; a comma list, repeatable (default: all)", "W"},
	    {"confidence", 0, 0, G_OPTION_ARG_FILENAME, &options.confidence,
	     "Of the intervals, as 0.95 or 95 (default: 0.95)", "C"},
	    {"store", 0, 0, G_OPTION_ARG_FILENAME, &options.store,
	     "The store (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"},
	    G_OPTION_ENTRY_NULL};
	g_autofree char *warnings = NULL;
	GError *error = NULL;
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_plot, "CHART [OPERAND...] -o FILE", description, entries, &argc, &argv)) {
		const struct chart *chart = choose_chart(argv[1], &options, &error);

		if (chart && draw(chart, argv + 2, &options, &warnings, &error))
			status = EXIT_OK;
		else
			status = cmd_fail(error);
		if (warnings)
			cmd_warn("gnuplot: %s", warnings);
	}
	g_free(options.output);
	g_free(options.keep);
	g_free(options.confidence);
	g_free(options.store);
	g_strfreev(options.metrics);
	g_strfreev(options.workloads);
	return status;
}

const struct command cmd_plot = {"plot", "draw a chart with gnuplot", run};
