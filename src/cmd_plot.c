#include "../plots/chart.h"
#include "../plots/gnuplot.h"
#include "cmd.h"
#include "cmd_chart.h"
#include "cmd_reading.h"
#include "err.h"

extern const struct command cmd_plot;

struct plot_options {
	char *output, *keep, *size;
	struct chart_options chart;
};

static const char description[] =
    "CHART is one of those of 'vmstat-bench list charts'. There is a panel for each workload and metric; a workload's\n"
    "primary metric is drawn where --metric does not choose, and --metric all draws all. Charts of comparisons,\n"
    "effects and trends take the options of the commands of that name; latency draws all percentiles of probes.\n\n"
    "An OPERAND is a label in the store, a file that can be imported, or a filter NAME=LEVEL, as for\n"
    "'vmstat-bench show'; without one all of the store is drawn, by allan all of its calibrations. gnuplot does the\n"
    "drawing: 'apt install gnuplot-nox' where it is missing. A .txt is 78 columns wide, for a mail.\n\n"
    "Examples:\n"
    "  vmstat-bench plot interval -o means.svg\n"
    "  vmstat-bench plot box 6.1 6.12 --workload dd1 -o dd1.png --keep dd1-plot\n"
    "  vmstat-bench plot forest 6.1 6.12 6.13 -o verdicts.pdf --size slide\n"
    "  vmstat-bench plot scaling results.tsv --by procs --metric throughput -o throughput.svg\n"
    "  vmstat-bench plot heatmap results.tsv --by procs,fs -o best.svg\n"
    "  vmstat-bench plot timeline 6.12 --run 17 -o run17.svg";

static gboolean parse_size(const struct plot_options *options, enum picture_size *size, GError **error)
{
	const char *name = options->size ? options->size : "page";
	g_autofree char *output = g_ascii_strdown(options->output, -1);

	if (g_str_equal(name, "slide"))
		*size = PICTURE_SLIDE;
	else if (g_str_equal(name, "page"))
		*size = PICTURE_PAGE;
	else
		return err_usage(error, "--size '%s' is neither page nor slide", name);
	if (!g_str_has_suffix(output, ".txt"))
		return TRUE;
	*size = PICTURE_TEXT;
	return !options->size || err_usage(error, "--size is of pictures: a text has 78 columns");
}

static gboolean draw(const struct chart *chart, struct reading *reading, const struct plot_options *options,
		     char **warnings, GError **error)
{
	struct chart_data data = {0};
	enum picture_size size = PICTURE_PAGE;
	struct picture picture;
	gboolean ok;

	if (!parse_size(options, &size, error))
		return FALSE;
	picture_init(&picture, size);
	ok = chart_data_prepare(&data, chart->needs, reading, &options->chart, error) &&
	     chart->draw(&data, &picture, error) &&
	     gnuplot_run(&picture, &(struct gnuplot_arg){.output = options->output, .keep_dir = options->keep},
			 warnings, error);
	picture_clear(&picture);
	chart_data_clear(&data);
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
		err_usage(error, "no name for the picture: give -o FILE.svg, .png, .pdf or .txt");
		return NULL;
	}
	return gnuplot_check_output(options->output, error) ? chart : NULL;
}

static int run(int argc, char **argv)
{
	struct plot_options options = {0};
	struct reading reading = {0};
	const GOptionEntry entries[] = {
	    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "The picture; .svg, .png, .pdf or .txt says its format",
	     "FILE"},
	    {"keep", 0, 0, G_OPTION_ARG_FILENAME, &options.keep,
	     "Keep gnuplot's script and data in DIR (made if missing)", "DIR"},
	    {"size", 0, 0, G_OPTION_ARG_FILENAME, &options.size, "page or slide (16:9, larger letters) (default: page)",
	     "SIZE"},
	    CHART_OPTIONS(&options.chart),
	    READING_SELECTED(&reading, "Draw these", "metrics", "each workload's primary"),
	    READING_CONFIDENCE(&reading, "Of the intervals, as"),
	    READING_BETTER(&reading),
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
	g_free(options.size);
	chart_options_clear(&options.chart);
	reading_clear(&reading);
	return status;
}

const struct command cmd_plot = {"plot", "draw a chart with gnuplot", run};
