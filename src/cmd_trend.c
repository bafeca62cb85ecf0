#include "analyse_trend.h"
#include "better.h"
#include "cmd.h"
#include "cmd_analyse.h"
#include "cmd_reading.h"
#include "dataset.h"
#include "err.h"
#include "names.h"
#include "operand.h"
#include "report.h"

#define LABEL "label"

extern const struct command cmd_trend;

static const char description[] = "Where along the history of runs the values changed: in the order in which they were "
				  "run, or in that of labels, which\n"
				  "is that of the operands, else that of the file or store; a change then falls "
				  "between labels. Treatments that differ\n"
				  "in anything but the label are looked at one by one. A change is what a permutation "
				  "test finds once in 50 series that\n"
				  "have none (E-divisive up to 4000 runs, above PELT with permutations); each comes "
				  "with the ratio of geometric means\n"
				  "of the runs after it to those before, from change to change.\n\n"
				  "Runs that are like their neighbours look like changes: the report says so.\n\n"
				  "Examples:\n"
				  "  vmstat-bench trend --workload dd1\n"
				  "  vmstat-bench trend 6.1 6.2 6.3 6.4 6.5 --order labels\n"
				  "  vmstat-bench trend nightly.tsv --by version --metric elapsed --format json\n"
				  "  vmstat-bench trend numbers.txt --better value=lower";

/* Labels as the operands name them, then the others as they are listed. */
static GPtrArray *labels_in_order(struct operands *operands, const struct column *column)
{
	g_autoptr(GPtrArray) among = levels_among(column, operands_rows(operands));
	GPtrArray *order = g_ptr_array_new();

	for (guint i = 0; i < operands->names->len; i++)
		if (names_have(among, g_ptr_array_index(operands->names, i), NULL))
			names_add_once(order, g_ptr_array_index(operands->names, i));
	for (guint i = 0; i < column->level->len; i++)
		if (names_have(among, g_ptr_array_index(column->level, i), NULL))
			names_add_once(order, g_ptr_array_index(column->level, i));
	return order;
}

static gboolean wants_labels(const struct trend_command_options *options, gboolean *by_label, GError **error)
{
	*by_label = options->by || (options->order && g_str_equal(options->order, "labels"));
	if (options->order && !g_str_equal(options->order, "labels") && !g_str_equal(options->order, "time"))
		return err_usage(error, "--order '%s' is neither time nor labels", options->order);
	if (options->by && options->order && g_str_equal(options->order, "time"))
		return err_usage(error, "--by names what is to be the label: leave out --order time");
	return TRUE;
}

static gboolean find_labels(struct operands *operands, const struct trend_command_options *options, gboolean by_label,
			    struct trend_options *trend, GError **error)
{
	g_autoptr(GPtrArray) order = NULL;

	trend->labels =
	    options->by ? operands_factor(operands, options->by, error) : dataset_find_factor(operands->dataset, LABEL);
	if (options->by && !trend->labels)
		return FALSE;
	if (!by_label)
		return TRUE;
	if (!trend->labels)
		return err_usage(error, "--order labels: these runs have no label: name what is to be one with --by");
	order = labels_in_order(operands, trend->labels);
	if (order->len < 2)
		return err_usage(error, "'%s' has no two levels between which something could change",
				 trend->labels->name);
	trend->order = g_steal_pointer(&order);
	return TRUE;
}

struct trend_analysis *cmd_trend_analyse(struct reading *reading, const struct trend_command_options *options,
					 GError **error)
{
	struct trend_options wanted = {0};
	struct trend_analysis *analysis = NULL;
	gboolean by_label = FALSE;

	if (wants_labels(options, &by_label, error) &&
	    better_apply(reading->operands->dataset, reading->better, error) &&
	    find_labels(reading->operands, options, by_label, &wanted, error))
		analysis = analyse_trend(reading->operands->dataset, operands_rows(reading->operands), &wanted,
					 &reading->analyse, error);
	if (wanted.order)
		g_ptr_array_unref(wanted.order);
	return analysis;
}

static gboolean trend(struct reading *reading, const void *options, GError **error)
{
	g_autoptr(TrendAnalysis) analysis = NULL;

	if (!reading_load(reading, error))
		return FALSE;
	analysis = cmd_trend_analyse(reading, options, error);
	if (!analysis)
		return FALSE;
	reading->report->trend(analysis, &reading->to);
	return TRUE;
}

static int run(int argc, char **argv)
{
	struct trend_command_options options = {0};
	struct reading reading = {.answer = REPORT_ANSWER(trend)};
	const GOptionEntry entries[] = {
	    {"order", 0, 0, G_OPTION_ARG_FILENAME, &options.order, "time or labels (default: time)", "ORDER"},
	    {"by", 0, 0, G_OPTION_ARG_FILENAME, &options.by,
	     "The factor or numeric column whose levels are the labels, in their order (default: label)", "FACTOR"},
	    READING_SELECTED(&reading, "These", "metrics, or all", "each workload's primary"),
	    READING_CONFIDENCE(&reading, "Of the intervals, as"),
	    READING_BETTER(&reading),
	    READING_FORMAT(&reading, "markdown "),
	    READING_STORE(&reading),
	    G_OPTION_ENTRY_NULL};
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_trend, "[OPERAND...]", description, entries, &argc, &argv))
		status = reading_answer(&reading, argv + 1, trend, &options);
	g_free(options.order);
	g_free(options.by);
	reading_clear(&reading);
	return status;
}

const struct command cmd_trend = {"trend", "tell when along a history of runs something changed", run};
