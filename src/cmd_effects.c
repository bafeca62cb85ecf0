#include "analyse.h"
#include "analyse_effects.h"
#include "better.h"
#include "cmd.h"
#include "dataset.h"
#include "err.h"
#include "operand.h"
#include "report.h"

extern const struct command cmd_effects;

struct effects_options {
	char **by, **metrics, **workloads, **better;
	char *scale, *confidence, *format, *store;
};

static const char description[] =
    "Analysis of variance by one factor or two, of text or numbers: does it matter, which levels, which cell is best "
    "and\n"
    "which cannot be told from the best (Tukey). Two factors with one run a cell are taken to add up, which Tukey's "
    "test\n"
    "of non-additivity checks; with more, their interaction has a line of its own. Unequal numbers: each factor given\n"
    "the other (type II). One factor: the classical F beside Welch's and Kruskal and Wallis's.\n\n"
    "Where at least three blocks have runs of every cell these are the blocks of the analysis, and what differs "
    "between\n"
    "them is not noise; with three or more boots (or sittings) of every cell the boot is the replicate. Means are of "
    "the\n"
    "replicates, geometric with --scale log. Operands are those of show.\n\n"
    "JSON is one object for one workload and metric; for several they are in the array \"results\".\n\n"
    "Examples:\n"
    "  vmstat-bench effects --by label --workload dd1\n"
    "  vmstat-bench effects grid.tsv --by start_writeout_pct,sync_wait_pct\n"
    "  vmstat-bench effects results.tsv swap_MB=200 --by kernel --metric elapsed --scale log --format json";

/* The columns of --by, and how many. */
static gboolean find_factors(struct operands *operands, char **names, const struct column **factors, guint *n,
			     GError **error)
{
	guint given = names ? g_strv_length(names) : 0;

	if (given < 1 || given > EFFECTS_FACTORS)
		return err_usage(error, "effects of what? name one factor or two with --by");
	if (given == 2 && g_str_equal(names[0], names[1]))
		return err_usage(error, "--by names '%s' twice", names[0]);
	for (*n = 0; *n < given; (*n)++) {
		factors[*n] = operands_factor(operands, names[*n], error);
		if (!factors[*n])
			return FALSE;
	}
	return TRUE;
}

static gboolean parse_scale(const char *text, gboolean *is_log, GError **error)
{
	*is_log = text && g_str_equal(text, "log");
	return !text || *is_log || g_str_equal(text, "raw") ||
	       err_usage(error, "--scale '%s' is neither raw nor log", text);
}

static gboolean effects(char **operand, const struct effects_options *options, GString *out, GError **error)
{
	g_auto(GStrv) metrics = cmd_split_lists(options->metrics), workloads = cmd_split_lists(options->workloads),
		      by = cmd_split_lists(options->by);
	struct analyse_options analyse = {.level = 0.95, .margin_pct = 5, .metrics = metrics, .workloads = workloads};
	const struct report_format *format = report_find(options->format ? options->format : "text", error);
	const struct column *factors[EFFECTS_FACTORS];
	g_autoptr(Operands) operands = NULL;
	g_autoptr(EffectsAnalysis) analysis = NULL;
	gboolean is_log;
	guint n = 0;

	if (!format || !parse_scale(options->scale, &is_log, error))
		return FALSE;
	if (options->confidence && !cmd_parse_confidence(options->confidence, &analyse.level, error))
		return FALSE;
	operands = operands_load(operand, cmd_store_path(options->store), error);
	if (!operands || !find_factors(operands, by, factors, &n, error) ||
	    !better_apply(operands->dataset, options->better, error))
		return FALSE;
	analysis = analyse_effects(operands->dataset, operands_rows(operands), factors, n, is_log, &analyse, error);
	if (!analysis)
		return FALSE;
	format->effects(analysis, out);
	return TRUE;
}

static void options_clear(struct effects_options *options)
{
	g_strfreev(options->by);
	g_strfreev(options->metrics);
	g_strfreev(options->workloads);
	g_strfreev(options->better);
	g_free(options->scale);
	g_free(options->confidence);
	g_free(options->format);
	g_free(options->store);
}

static int run(int argc, char **argv)
{
	struct effects_options options = {0};
	const GOptionEntry entries[] = {
	    {"by", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.by, "One factor or numeric column, or two", "F1[,F2]"},
	    {"metric", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.metrics,
	     "These metrics, or all; a comma list, repeatable (default: each workload's primary)", "M"},
	    {"workload", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.workloads,
	     "These workloads; a comma list, repeatable (default: all)", "W"},
	    {"scale", 0, 0, G_OPTION_ARG_FILENAME, &options.scale,
	     "raw (effects add) or log (effects multiply) (default: raw)", "SCALE"},
	    {"confidence", 0, 0, G_OPTION_ARG_FILENAME, &options.confidence,
	     "Of the comparisons with the best cell, as 0.95 or 95 (default: 0.95)", "C"},
	    {"better", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.better,
	     "Which way is better, where the unit does not say; repeatable", "M=higher|lower"},
	    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format, "text or json (default: text)", "FORMAT"},
	    {"store", 0, 0, G_OPTION_ARG_FILENAME, &options.store,
	     "The store (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"},
	    G_OPTION_ENTRY_NULL};
	g_autoptr(GString) out = g_string_new(NULL);
	GError *error = NULL;
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_effects, "[OPERAND...] --by F1[,F2]", description, entries, &argc, &argv))
		status = effects(argv + 1, &options, out, &error) ? cmd_print(out) : cmd_fail(error);
	options_clear(&options);
	return status;
}

const struct command cmd_effects = {"effects", "tell which factor matters, and which setting is best", run};
