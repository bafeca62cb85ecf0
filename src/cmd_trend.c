#include "analyse.h"
#include "analyse_trend.h"
#include "better.h"
#include "cmd.h"
#include "dataset.h"
#include "err.h"
#include "names.h"
#include "operand.h"
#include "report.h"

#define LABEL "label"

extern const struct command cmd_trend;

struct trend_command_options {
	char **metrics, **workloads, **better;
	char *order, *by, *confidence, *format, *store;
};

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

static gboolean trend(char **operand, const struct trend_command_options *options, GString *out, GError **error)
{
	g_auto(GStrv) metrics = cmd_split_lists(options->metrics), workloads = cmd_split_lists(options->workloads);
	struct analyse_options analyse = {.level = 0.95, .margin_pct = 5, .metrics = metrics, .workloads = workloads};
	const struct report_format *format = report_find(options->format ? options->format : "text", error);
	g_autoptr(Operands) operands = NULL;
	g_autoptr(TrendAnalysis) analysis = NULL;
	struct trend_options wanted = {0};
	gboolean by_label = FALSE;

	if (!format || !wants_labels(options, &by_label, error))
		return FALSE;
	if (options->confidence && !cmd_parse_confidence(options->confidence, &analyse.level, error))
		return FALSE;
	operands = operands_load(operand, cmd_store_path(options->store), error);
	if (!operands || !better_apply(operands->dataset, options->better, error) ||
	    !find_labels(operands, options, by_label, &wanted, error))
		return FALSE;
	analysis = analyse_trend(operands->dataset, operands_rows(operands), &wanted, &analyse, error);
	if (wanted.order)
		g_ptr_array_unref(wanted.order);
	if (!analysis)
		return FALSE;
	format->trend(analysis, out);
	return TRUE;
}

static void options_clear(struct trend_command_options *options)
{
	g_strfreev(options->metrics);
	g_strfreev(options->workloads);
	g_strfreev(options->better);
	g_free(options->order);
	g_free(options->by);
	g_free(options->confidence);
	g_free(options->format);
	g_free(options->store);
}

static int run(int argc, char **argv)
{
	struct trend_command_options options = {0};
	const GOptionEntry entries[] = {
	    {"order", 0, 0, G_OPTION_ARG_FILENAME, &options.order, "time or labels (default: time)", "ORDER"},
	    {"by", 0, 0, G_OPTION_ARG_FILENAME, &options.by,
	     "The factor or numeric column whose levels are the labels, in their order (default: label)", "FACTOR"},
	    {"metric", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.metrics,
	     "These metrics, or all; a comma list, repeatable (default: each workload's primary)", "M"},
	    {"workload", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.workloads,
	     "These workloads; a comma list, repeatable (default: all)", "W"},
	    {"confidence", 0, 0, G_OPTION_ARG_FILENAME, &options.confidence,
	     "Of the intervals, as 0.95 or 95 (default: 0.95)", "C"},
	    {"better", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options.better,
	     "Which way is better, where the unit does not say; repeatable", "M=higher|lower"},
	    {"format", 0, 0, G_OPTION_ARG_FILENAME, &options.format, "text or json (default: text)", "FORMAT"},
	    {"store", 0, 0, G_OPTION_ARG_FILENAME, &options.store,
	     "The store (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"},
	    G_OPTION_ENTRY_NULL};
	g_autoptr(GString) out = g_string_new(NULL);
	GError *error = NULL;
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_trend, "[OPERAND...]", description, entries, &argc, &argv))
		status = trend(argv + 1, &options, out, &error) ? cmd_print(out) : cmd_fail(error);
	options_clear(&options);
	return status;
}

const struct command cmd_trend = {"trend", "tell when along a history of runs something changed", run};
