#include "analyse_effects.h"
#include "better.h"
#include "cmd.h"
#include "cmd_analyse.h"
#include "cmd_reading.h"
#include "err.h"
#include "operand.h"
#include "report.h"

extern const struct command cmd_effects;

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

gboolean cmd_scale_parse(const char *text, gboolean *is_log, GError **error)
{
	*is_log = text && g_str_equal(text, "log");
	return !text || *is_log || g_str_equal(text, "raw") ||
	       err_usage(error, "--scale '%s' is neither raw nor log", text);
}

struct effects_analysis *cmd_effects_analyse(struct reading *reading, const struct effects_options *options,
					     GError **error)
{
	g_auto(GStrv) by = cmd_split_lists(options->by);
	const struct column *factors[EFFECTS_FACTORS];
	gboolean is_log;
	guint n = 0;

	if (!cmd_scale_parse(options->scale, &is_log, error) ||
	    !find_factors(reading->operands, by, factors, &n, error) ||
	    !better_apply(reading->operands->dataset, reading->better, error))
		return NULL;
	return analyse_effects(reading->operands->dataset, operands_rows(reading->operands), factors, n, is_log,
			       &reading->analyse, error);
}

static gboolean effects(struct reading *reading, const void *options, GError **error)
{
	g_autoptr(EffectsAnalysis) analysis = NULL;

	if (!reading_load(reading, error))
		return FALSE;
	analysis = cmd_effects_analyse(reading, options, error);
	if (!analysis)
		return FALSE;
	reading->report->effects(analysis, &reading->to);
	return TRUE;
}

static int run(int argc, char **argv)
{
	struct effects_options options = {0};
	struct reading reading = {.answer = REPORT_ANSWER(effects)};
	const GOptionEntry entries[] = {
	    {"by", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.by, "One factor or numeric column, or two", "F1[,F2]"},
	    READING_SELECTED(&reading, "These", "metrics, or all", "each workload's primary"),
	    {"scale", 0, 0, G_OPTION_ARG_FILENAME, &options.scale,
	     "raw (effects add) or log (effects multiply) (default: raw)", "SCALE"},
	    READING_CONFIDENCE(&reading, "Of the comparisons with the best cell, as"),
	    READING_BETTER(&reading),
	    READING_FORMAT(&reading, "markdown "),
	    READING_STORE(&reading),
	    G_OPTION_ENTRY_NULL};
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_effects, "[OPERAND...] --by F1[,F2]", description, entries, &argc, &argv))
		status = reading_answer(&reading, argv + 1, effects, &options);
	g_strfreev(options.by);
	g_free(options.scale);
	reading_clear(&reading);
	return status;
}

const struct command cmd_effects = {"effects", "tell which factor matters, and which setting is best", run};
