#include <math.h>

#include "../plots/chart.h"
#include "../workloads/workload.h"
#include "cmd.h"
#include "dataset.h"
#include "err.h"
#include "import.h"
#include "observe.h"
#include "probe.h"
#include "report.h"
#include "reset.h"
#include "setting.h"
#include "shared.h"
#include "store.h"
#include "unit.h"

extern const struct command cmd_list;

struct list_options {
	char *store;
	gboolean only_names;
};

static void add_row(const struct list_options *options, GString *out, const char *name, const char *summary)
{
	if (options->only_names)
		g_string_append_printf(out, "%s\n", name);
	else
		g_string_append_printf(out, "%-16s %s\n", name, summary);
}

/* The first workload with the same options, to list these once. */
static const struct workload *first_with_options(const struct workload *workload)
{
	const struct workload *const *row = workload_table;

	while ((*row)->options != workload->options)
		row++;
	return *row;
}

static gboolean list_workloads(const struct list_options *options, GString *out, GError **error)
{
	for (const struct workload *const *row = workload_table; *row; row++) {
		const struct workload *first = first_with_options(*row);

		add_row(options, out, (*row)->name, (*row)->summary);
		if (options->only_names)
			continue;
		if (first != *row) {
			g_string_append_printf(out, "    options as %s\n", first->name);
			continue;
		}
		for (const struct workload_option *option = (*row)->options; option && option->name; option++)
			g_string_append_printf(out, "    %-12s %s%s%s%s\n", option->name, option->help,
			                       option->value ? " (default: " : "", option->value ? option->value : "",
			                       option->value ? ")" : "");
	}
	return TRUE;
}

static void add_metric(const struct list_options *options, GString *out, const struct metric *metric)
{
	g_autofree char *unit = g_strdup_printf("%s%s%s", metric->unit, *metric->unit ? ", " : "",
	                                        metric->better == BETTER_NONE ? "no direction" : better_name(metric->better));
	g_autofree char *text = g_strdup_printf("%s [%s]", metric->help, unit);

	add_row(options, out, metric->name, text);
}

static void add_metrics(const struct list_options *options, GString *out, const struct metric *metrics)
{
	for (; metrics->name; metrics++)
		add_metric(options, out, metrics);
}

static gboolean list_metrics(const struct list_options *options, GString *out, GError **error)
{
	/* workloads may call different things by one name */
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	add_metrics(options, out, run_metrics);
	add_metrics(options, out, observe_metrics);
	for (const struct probe_kind *const *row = probe_table; *row; row++)
		add_metrics(options, out, (*row)->metrics);
	for (const struct workload *const *row = workload_table; *row; row++)
		for (const struct metric *metric = (*row)->metrics; metric && metric->name; metric++) {
			if (g_hash_table_add(seen, g_strconcat(metric->name, "\n", metric->help, NULL)))
				add_metric(options, out, metric);
		}
	return TRUE;
}

static gboolean list_resets(const struct list_options *options, GString *out, GError **error)
{
	for (const struct reset *row = reset_table; row->name; row++)
		add_row(options, out, row->name, row->summary);
	return TRUE;
}

static gboolean list_settings(const struct list_options *options, GString *out, GError **error)
{
	for (const struct setting_kind *const *row = setting_table; *row; row++) {
		g_autofree char *name = g_strconcat((*row)->name, g_str_has_suffix((*row)->name, ":") ? "NAME" : "", NULL);

		if (options->only_names)
			add_row(options, out, (*row)->name, NULL);
		else
			g_string_append_printf(out, "%-17s %s\n    levels: %s\n", name, (*row)->summary, (*row)->levels);
	}
	return TRUE;
}

static gboolean list_probes(const struct list_options *options, GString *out, GError **error)
{
	for (const struct probe_kind *const *row = probe_table; *row; row++) {
		g_autofree char *name = g_strconcat((*row)->name, (*row)->argument ? ":" : "", (*row)->argument, NULL);

		add_row(options, out, options->only_names ? (*row)->name : name, (*row)->summary);
	}
	return TRUE;
}

static gboolean list_charts(const struct list_options *options, GString *out, GError **error)
{
	for (const struct chart *const *row = chart_table; *row; row++)
		add_row(options, out, (*row)->name, (*row)->summary);
	return TRUE;
}

static gboolean list_formats(const struct list_options *options, GString *out, GError **error)
{
	for (const struct importer *const *row = importer_table; *row; row++)
		add_row(options, out, (*row)->name, (*row)->summary);
	for (const struct report_format *const *row = report_table; *row; row++)
		add_row(options, out, (*row)->name, (*row)->summary);
	return TRUE;
}

static struct dataset *load_store(const struct list_options *options, gboolean with_warmups, GError **error)
{
	g_autoptr(Store) store = store_open(cmd_store_path(options->store), STORE_READ, error);

	if (!store)
		return NULL;
	return with_warmups ? store_load_all(store, error) : store_load(store, FALSE, error);
}

static gboolean list_runs(const struct list_options *options, GString *out, GError **error)
{
	g_autoptr(Dataset) dataset = load_store(options, TRUE, error);

	if (!dataset)
		return FALSE;
	for (guint i = 0; i < dataset->n_runs; i++) {
		const char *workload = column_get(dataset->workload, i);
		const char *label = column_get(dataset_find_factor(dataset, "label"), i);
		const char *outcome = column_get(dataset->outcome, i), *why = column_get(dataset->message, i);
		g_autofree char *judged = g_strconcat(dataset_in_sample(dataset, i) ? "" : "warm-up ",
		                                      outcome ? outcome : "ok", NULL);
		struct values *values = workload ? dataset_find_metric(dataset, g_hash_table_lookup(dataset->primary, workload)) : NULL;
		g_autofree char *value = number_format(values && dataset_ok(dataset, i) ? values_get(values, i) : NAN);
		g_autofree char *shown_workload = text_printable(workload ? workload : "-");
		g_autofree char *shown_label = text_printable(label ? label : "-");
		g_autofree char *message = text_printable(why ? why : "");

		g_string_append_printf(out, "%6" G_GINT64_FORMAT "  %-14s %10s %-5s %-20s %s%s%s\n",
				       dataset_store_run(dataset, i), judged, value, values ? values->metric.unit : "",
				       shown_workload, shown_label, why ? ": " : "", message);
	}
	return TRUE;
}

static gboolean list_plans(const struct list_options *options, GString *out, GError **error)
{
	g_autoptr(Store) store = store_open(cmd_store_path(options->store), STORE_READ, error);
	g_autoptr(GPtrArray) plans = store ? store_plans(store, error) : NULL;

	for (guint i = 0; plans && i < plans->len; i++) {
		const struct store_plan *plan = plans->pdata[i];
		g_autoptr(GDateTime) created = g_date_time_new_from_unix_local(plan->created_us / G_USEC_PER_SEC);
		g_autofree char *when = g_date_time_format(created, "%Y-%m-%d %H:%M:%S");
		g_autofree char *command = text_printable(plan->command ? plan->command : "-");

		g_string_append_printf(out, "%4" G_GINT64_FORMAT "  %s  %-9s %5u of %-5u runs%s  %s\n", plan->number, when,
				       plan->purpose, plan->runs - plan->left, plan->runs,
				       plan->is_under_way ? ", under way" : "", command);
	}
	return plans != NULL;
}

static gboolean list_labels(const struct list_options *options, GString *out, GError **error)
{
	g_autoptr(Dataset) dataset = load_store(options, FALSE, error);
	struct column *label = dataset ? dataset_find_factor(dataset, "label") : NULL;

	for (guint level = 0; label && level < label->level->len; level++) {
		g_autofree char *shown = text_printable(label->level->pdata[level]);
		guint n = 0, failed = 0;

		for (guint i = 0; i < dataset->n_runs; i++) {
			const char *at = column_get(label, i);

			if (!at || !g_str_equal(at, label->level->pdata[level]))
				continue;
			n++;
			failed += !dataset_ok(dataset, i) && !dataset_skipped(dataset, i);
		}
		if (n && options->only_names && g_str_equal(shown, label->level->pdata[level]))
			add_row(options, out, shown, NULL);
		else if (n && !options->only_names)
			g_string_append_printf(out, "%-20s %u run%s, %u failed\n", shown, n, n == 1 ? "" : "s", failed);
	}
	return dataset != NULL;
}

/* What can be listed. */
static const struct {
	const char *name;
	gboolean (*list)(const struct list_options *options, GString *out, GError **error);
} lists[] = {
    {"workloads", list_workloads}, {"metrics", list_metrics}, {"resets", list_resets},   {"settings", list_settings},
    {"probes", list_probes},       {"charts", list_charts},   {"formats", list_formats}, {"plans", list_plans},
    {"runs", list_runs},           {"labels", list_labels},
};

/* Their names, with what stands between two. */
static char *join_names(const char *separator)
{
	GString *names = g_string_new(lists[0].name);

	for (guint i = 1; i < G_N_ELEMENTS(lists); i++)
		g_string_append_printf(names, "%s%s", separator, lists[i].name);
	return g_string_free(names, FALSE);
}

static gboolean list_one(const struct list_options *options, const char *what, GString *out, GError **error)
{
	g_autofree char *names = join_names(", ");

	for (guint i = 0; what && i < G_N_ELEMENTS(lists); i++)
		if (g_str_equal(what, lists[i].name))
			return lists[i].list(options, out, error);
	if (!what)
		return err_usage(error, "list what? one of %s", names);
	return err_usage(error, "no list of '%s': there are %s", what, names);
}

gboolean cmd_list_names(const char *what, const char *store, GString *out, GError **error)
{
	g_autofree char *path = g_strdup(store);

	return list_one(&(struct list_options){.store = path, .only_names = TRUE}, what, out, error);
}

static int run(int argc, char **argv)
{
	struct list_options options = {0};
	const GOptionEntry entries[] = {{"store", 0, 0, G_OPTION_ARG_FILENAME, &options.store,
	                                 "The store (default: $VMSTAT_BENCH_STORE or vmstat-bench.db)", "FILE"},
	                                G_OPTION_ENTRY_NULL};
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *names = join_names("|");
	GError *error = NULL;
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_list, names, "Examples:\n  vmstat-bench list workloads\n  vmstat-bench list runs --store t.db", entries, &argc, &argv)) {
		if (argc > 2)
			err_usage(&error, "list takes one word, and '%s' is a second one", argv[2]);
		else
			list_one(&options, argv[1], out, &error);
		status = error ? cmd_fail(error) : cmd_print(out);
	}
	g_free(options.store);
	return status;
}

const struct command cmd_list = {"list", "list workloads, metrics, settings, plans, runs and more", run};
