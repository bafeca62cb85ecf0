#include "analyse.h"
#include "better.h"
#include "cmd.h"
#include "cmd_analyse.h"
#include "cmd_calibration.h"
#include "cmd_reading.h"
#include "dataset.h"
#include "dataset_rows.h"
#include "err.h"
#include "import.h"
#include "operand.h"
#include "report.h"
#include "sides.h"
#include "unit.h"

extern const struct command cmd_compare;

struct answer_options {
	struct compare_options compare;
	char **fail_on;
};

static const char description[] =
    "Each OTHER is compared with BASELINE; both are labels in the store or files that can be imported. With --by the\n"
    "sides are the levels of a factor among the runs of all operands instead. NAME=LEVEL operands keep only the runs\n"
    "of that level: several of one name mean any of them, those of different names all of them.\n\n"
    "A verdict is better or worse (changed, where neither way is better) when the interval of the ratio of geometric\n"
    "means excludes 1, corrected for the number of comparisons; same when it lies within the margin on either side of\n"
    "1; undecided otherwise, with what could have been detected and the runs needed; untestable with fewer than three\n"
    "replicates a side, no variation, or mostly failures.\n\n"
    "Two other tests look at the same runs, and where they disagree the verdict is fragile. Runs that drift, resemble\n"
    "those before them, stand out or gather in two places are pointed out and stay in. Sides that fail more often are\n"
    "named whatever the verdict is.\n\n"
    "Examples:\n"
    "  vmstat-bench compare 6.1 6.12\n"
    "  vmstat-bench compare 6.1 6.6 6.12 --workload dd1 --metric bandwidth --margin 3\n"
    "  vmstat-bench compare results.tsv swap_MB=200 --by variant --baseline default --metric elapsed\n"
    "  vmstat-bench compare results.tsv --by kernel --all-pairs\n"
    "  vmstat-bench compare 6.1 6.6 6.12 --method dunnett\n"
    "  vmstat-bench compare 6.1 6.12 --verbose\n"
    "  vmstat-bench compare 6.1 6.12 --format markdown >comment.md\n"
    "  vmstat-bench compare before.tsv after.tsv --fail-on worse,undecided --format json";

/* The verdicts that --fail-on names, as bits of 1 << verdict. */
static gboolean parse_fail_on(char *const *names, guint *gates, GError **error)
{
	for (; names && *names; names++) {
		if (g_str_equal(*names, "worse"))
			*gates |= 1u << VERDICT_WORSE;
		else if (g_str_equal(*names, "changed"))
			*gates |= 1u << VERDICT_BETTER | 1u << VERDICT_WORSE | 1u << VERDICT_CHANGED;
		else if (g_str_equal(*names, "undecided"))
			*gates |= 1u << VERDICT_UNDECIDED | 1u << VERDICT_UNTESTABLE;
		else if (g_str_equal(*names, "untestable"))
			*gates |= 1u << VERDICT_UNTESTABLE;
		else
			return err_usage(error,
					 "--fail-on knows no '%s': there are worse, changed, undecided and untestable",
					 *names);
	}
	return TRUE;
}

static gboolean parse_method(const struct compare_options *options, struct analyse_options *analyse, GError **error)
{
	const char *method = options->method ? options->method : "holm";

	analyse->all_pairs = options->all_pairs;
	analyse->use_dunnett = g_str_equal(method, "dunnett");
	if (!analyse->use_dunnett && !g_str_equal(method, "holm"))
		return err_usage(error, "no method '%s': there are holm and dunnett", method);
	if (options->method && options->all_pairs)
		return err_usage(error,
				 "--method is for comparisons with one baseline and does not go with --all-pairs");
	return TRUE;
}

gboolean cmd_compare_check(struct reading *reading, const struct compare_options *options, GError **error)
{
	if (options->baseline && !options->by)
		return err_usage(
		    error, "--baseline names a level of the factor given with --by: add it, or put the baseline first");
	if (options->margin &&
	    !percent_parse(options->margin, "--margin", 0, 100, &reading->analyse.margin_pct, error))
		return FALSE;
	if (!parse_method(options, &reading->analyse, error))
		return FALSE;
	return *reading->operand || options->by ||
	       err_usage(error, "compare what? name a baseline and at least one other, or a factor with --by");
}

/* What is known of the noise: the series in a file, or the calibrations beside the runs in the store. TRUE with NULL
 * where there is neither. */
static gboolean load_calibration(const struct compare_options *options, const struct reading *reading,
				 struct dataset **calibration, GError **error)
{
	*calibration = options->calibration ? import_file(options->calibration, error) : NULL;
	if (*calibration)
		dataset_keep_calibration(*calibration);
	if (options->calibration)
		return *calibration != NULL;
	return cmd_load_calibration(reading->operands->dataset, cmd_store_path(reading->store), calibration, error);
}

struct analysis *cmd_compare_analyse(struct reading *reading, const struct compare_options *options, GError **error)
{
	struct operands *operands = reading->operands;
	g_autoptr(Dataset) calibration = NULL;
	g_autoptr(GPtrArray) sides = options->by ? sides_by_factor(operands, options->by, options->baseline, error)
						 : sides_by_name(operands, error);
	g_autoptr(GPtrArray) others = g_ptr_array_new();
	struct analysis *analysis;

	if (!sides || !better_apply(operands->dataset, reading->better, error))
		return NULL;
	if (!load_calibration(options, reading, &calibration, error))
		return NULL;
	reading->analyse.calibration = calibration;
	reading->analyse.order_unknown = operands->order_unknown;
	for (guint i = 1; i < sides->len; i++)
		g_ptr_array_add(others, g_ptr_array_index(sides, i));
	analysis = analyse_compare(operands->dataset, g_ptr_array_index(sides, 0), others, &reading->analyse, error);
	reading->analyse.calibration = NULL;
	return analysis;
}

static int gate(const struct analysis *analysis, guint gates)
{
	for (guint i = 0; i < analysis->comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(analysis->comparisons, i);

		if (gates & 1u << c->verdict)
			return EXIT_GATE;
		/* a side that fails more often is worse, however fast the rest of its runs are */
		if (gates & 1u << VERDICT_WORSE && c->failure_rate.p_adjusted < 1 - analysis->level &&
		    c->failure_rate.other > c->failure_rate.baseline)
			return EXIT_GATE;
	}
	return EXIT_OK;
}

static gboolean compare(struct reading *reading, const void *data, GError **error)
{
	const struct answer_options *options = data;
	g_auto(GStrv) fail_on = cmd_split_lists(options->fail_on);
	g_autoptr(Analysis) analysis = NULL;
	guint gates = 0;

	if (!cmd_compare_check(reading, &options->compare, error) || !parse_fail_on(fail_on, &gates, error) ||
	    !reading_load(reading, error))
		return FALSE;
	analysis = cmd_compare_analyse(reading, &options->compare, error);
	if (!analysis)
		return FALSE;
	reading->report->compare(analysis, &reading->to);
	reading->status = gate(analysis, gates);
	return TRUE;
}

static void options_clear(struct answer_options *options)
{
	g_strfreev(options->fail_on);
	g_free(options->compare.by);
	g_free(options->compare.baseline);
	g_free(options->compare.method);
	g_free(options->compare.margin);
	g_free(options->compare.calibration);
}

static int run(int argc, char **argv)
{
	struct answer_options options = {0};
	struct reading reading = {.answer = REPORT_ANSWER(compare)};
	const GOptionEntry entries[] = {
	    {"by", 0, 0, G_OPTION_ARG_FILENAME, &options.compare.by, "Compare the levels of this factor or numeric column",
	     "FACTOR"},
	    {"baseline", 0, 0, G_OPTION_ARG_FILENAME, &options.compare.baseline,
	     "With --by: the level to compare with (default: the first)", "LEVEL"},
	    READING_SELECTED(&reading, "Compare these", "metrics, or all", "each workload's primary"),
	    {"all-pairs", 0, 0, G_OPTION_ARG_NONE, &options.compare.all_pairs,
	     "Compare every two sides: by Tukey's procedure where they share blocks, else by Games and Howell's", NULL},
	    {"method", 0, 0, G_OPTION_ARG_FILENAME, &options.compare.method,
	     "How to allow for several comparisons with the baseline: holm, or dunnett, which pools the variance of "
	     "all "
	     "sides (default: holm)",
	     "METHOD"},
	    {"margin", 0, 0, G_OPTION_ARG_FILENAME, &options.compare.margin,
	     "Smallest difference that matters, in % (default: 5)", "PCT"},
	    READING_CONFIDENCE(&reading, "As"),
	    READING_BETTER(&reading),
	    {"fail-on", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.fail_on,
	     "Exit 1 where a verdict is worse (or failures are more frequent), changed (better, worse or changed), undecided (or untestable) or untestable; a comma list",
	     "VERDICT"},
	    READING_FORMAT(&reading, "markdown, csv "),
	    READING_VERBOSE(&reading, "Say why each verdict is what it is, and what to do about each caveat"),
	    READING_STORE(&reading),
	    {"calibration", 0, 0, G_OPTION_ARG_FILENAME, &options.compare.calibration,
	     "A series of runs of one treatment, from which to learn how the machine drifts (default: what 'calibrate' "
	     "left in the store)",
	     "FILE"},
	    G_OPTION_ENTRY_NULL};
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_compare, "BASELINE OTHER... | [OPERAND...] --by FACTOR", description, entries, &argc, &argv))
		status = reading_answer(&reading, argv + 1, compare, &options);
	options_clear(&options);
	reading_clear(&reading);
	return status;
}

const struct command cmd_compare = {"compare", "tell whether a difference is real", run};
