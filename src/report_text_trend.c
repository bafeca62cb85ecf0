#include "report_text.h"

#include <math.h>

#include "analyse_trend.h"
#include "document.h"
#include "flag.h"
#include "table.h"
#include "unit.h"

static const struct trend_series *series_at(const struct trend_analysis *analysis, guint i)
{
	return g_ptr_array_index(analysis->series, i);
}

/* Which columns are needed to tell series apart. */
struct outline {
	gboolean has_workloads, has_metrics, has_treatments, has_ratios;
	guint n_changes;
	flag_set flags;
};

static struct outline outline_of(const struct trend_analysis *analysis)
{
	const struct trend_series *first = series_at(analysis, 0);
	struct outline outline = {.has_ratios = TRUE};

	for (guint i = 0; i < analysis->series->len; i++) {
		const struct trend_series *series = series_at(analysis, i);

		outline.has_workloads |= !g_str_equal(series->workload, first->workload);
		outline.has_metrics |= !g_str_equal(series->metric.name, first->metric.name);
		outline.has_treatments |= !g_str_equal(series->treatment, first->treatment);
		outline.n_changes += series->changes->len;
		outline.flags |= series->flags;
		for (guint j = 0; j < series->changes->len; j++)
			outline.has_ratios &=
			    isfinite(((struct trend_change *)g_ptr_array_index(series->changes, j))->ratio.estimate);
	}
	return outline;
}

static void add_change(struct table *table, const struct trend_series *series, const struct trend_change *change,
		       const struct outline *outline)
{
	const struct interval_estimate *interval = outline->has_ratios ? &change->ratio : &change->difference;

	if (outline->has_workloads)
		table_cell(table, series->workload);
	if (outline->has_metrics)
		table_cell(table, series->metric.name);
	if (outline->has_treatments)
		table_cell(table, series->treatment);
	table_cell(table, change->at);
	table_number(table, change->before);
	table_number(table, change->after);
	table_number(table, interval->estimate);
	table_number(table, interval->low);
	table_number(table, interval->high);
	table_verdict(table, change->verdict);
}

static void print_table(const struct trend_analysis *analysis, const struct outline *outline, struct document *to)
{
	g_autoptr(Table) table = table_new();

	if (outline->has_workloads)
		table_column(table, "workload", TABLE_LABEL);
	if (outline->has_metrics)
		table_column(table, "metric", TABLE_LABEL);
	if (outline->has_treatments)
		table_column(table, "treatment", TABLE_LABEL);
	table_column(table, "from", analysis->by_label ? TABLE_LABEL : TABLE_LEFT);
	table_column(table, "before", TABLE_RIGHT);
	table_column(table, "after", TABLE_RIGHT);
	table_column(table, outline->has_ratios ? "ratio" : "difference", TABLE_RIGHT);
	table_column(table, "low", TABLE_RIGHT);
	table_column(table, "high", TABLE_RIGHT);
	table_column(table, "verdict", TABLE_LEAD);
	for (guint i = 0; i < analysis->series->len; i++)
		for (guint j = 0; j < series_at(analysis, i)->changes->len; j++)
			add_change(table, series_at(analysis, i), g_ptr_array_index(series_at(analysis, i)->changes, j),
				   outline);
	document_table(to, table);
	document_gap(to);
}

/* "dd1 bandwidth, swap=200: " of what the series do not share. */
static GString *subject_of(const struct trend_series *series, const struct outline *outline)
{
	GString *line = g_string_new(NULL);

	if (outline->has_workloads)
		g_string_append(line, series->workload);
	if (outline->has_metrics)
		g_string_append_printf(line, "%s%s", line->len ? " " : "", series->metric.name);
	if (outline->has_treatments)
		g_string_append_printf(line, "%s%s", line->len ? ", " : "", series->treatment);
	if (line->len)
		g_string_append(line, ": ");
	return line;
}

static void append_size(GString *line, const struct trend_change *change, const char *unit)
{
	gboolean has_ratio = isfinite(change->ratio.estimate);
	const struct interval_estimate *interval = has_ratio ? &change->ratio : &change->difference;
	g_autofree char *estimate = number_format(interval->estimate), *low = number_format(interval->low),
			*high = number_format(interval->high);

	if (has_ratio)
		g_string_append_printf(line, "is %sx (%s to %s) of what it was", estimate, low, high);
	else
		g_string_append_printf(line, "differs by %s%s%s (%s to %s) from what it was", estimate,
				       *unit ? " " : "", unit, low, high);
}

/* "from run 1001 on value is 1.02x (1.01 to 1.03) of what it was: changed, p = 0.002, 1000 runs before, 1000 after" */
static void say_change(const struct trend_series *series, const struct trend_change *change,
		       const struct outline *outline, struct document *to)
{
	g_autoptr(GString) line = subject_of(series, outline);
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append_printf(line, "from %s", change->at);
	if (change->label && !g_str_equal(change->label, change->at))
		g_string_append_printf(line, " (%s)", change->label);
	g_string_append_printf(line, " on %s ", series->metric.name);
	append_size(line, change, series->metric.unit);
	g_string_append_printf(line, ": %s, p = %s, %u runs before, %u after", verdict_name(change->verdict),
			       g_ascii_formatd(buffer, sizeof(buffer), "%.3f", change->p), change->n_before,
			       change->n_after);
	document_say(to, line->str);
}

static void say_series(const struct trend_series *series, const struct outline *outline, struct document *to)
{
	g_autoptr(GString) line = subject_of(series, outline);
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	for (guint i = 0; i < series->changes->len; i++)
		say_change(series, g_ptr_array_index(series->changes, i), outline, to);
	if (!series->changes->len) {
		g_string_append_printf(line, "no change found in %u run%s", series->values->len,
				       series->values->len == 1 ? "" : "s");
		if (series->n_labels)
			g_string_append_printf(line, " of %u label%s", series->n_labels,
					       series->n_labels == 1 ? "" : "s");
		document_say(to, line->str);
	}
	if (series->is_autocorrelated) {
		g_string_printf(
		    line, "runs are like their neighbours (lag-1 autocorrelation %s): drift can pass for a change",
		    g_ascii_formatd(buffer, sizeof(buffer), "%.2f", series->lag_one));
		document_detail(to, line->str);
	}
}

static void print_heading(const struct trend_analysis *analysis, const struct outline *outline, struct document *to)
{
	const struct trend_series *first = series_at(analysis, 0);
	const char *better = better_name(first->metric.better);
	g_autoptr(GString) line = g_string_new(NULL);

	if (!outline->has_workloads && *first->workload)
		g_string_append_printf(line, "%s: ", first->workload);
	if (!outline->has_metrics) {
		g_string_append_printf(line, "%s%s%s", first->metric.name, *first->metric.unit ? " in " : "",
				       first->metric.unit);
		if (better)
			g_string_append_printf(line, ", %s is better", better);
	}
	if (!outline->has_treatments && *first->treatment)
		g_string_append_printf(line, ", %s", first->treatment);
	g_string_append_printf(line, "%sin the order of %s", line->len ? "; " : "",
			       analysis->by_label ? "labels" : "time");
	document_paragraph(to, line->str);
	document_gap(to);
}

void report_text_trend(const struct trend_analysis *analysis, struct document *to)
{
	struct outline outline = outline_of(analysis);
	g_autofree char *level = percent_text(analysis->level);
	g_autoptr(GString) line = g_string_new(NULL);

	print_heading(analysis, &outline, to);
	if (outline.n_changes)
		print_table(analysis, &outline, to);
	for (guint i = 0; i < analysis->series->len; i++)
		say_series(series_at(analysis, i), &outline, to);
	if (outline.n_changes) {
		g_string_printf(line, "low, high: %s confidence interval, the place of the change taken as known",
				level);
		document_gap(to);
		document_paragraph(to, line->str);
	}
	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (outline.flags & info->flag) {
			g_string_printf(line, "%s: %s", info->name, info->text);
			document_caveat(to, "", 0, line->str);
		}
}
