#include "report_text.h"

#include <math.h>

#include "analyse_power.h"
#include "document.h"
#include "flag.h"
#include "table.h"
#include "unit.h"

static const struct power_row *row_at(const struct power_analysis *analysis, guint i)
{
	return g_ptr_array_index(analysis->rows, i);
}

/* Which columns the rows need to be told apart. */
struct outline {
	gboolean has_workloads, has_metrics, has_treatments, has_costs;
	flag_set flags;
};

static struct outline outline_of(const struct power_analysis *analysis)
{
	const struct power_row *first = row_at(analysis, 0);
	struct outline outline = {0};

	for (guint i = 0; i < analysis->rows->len; i++) {
		const struct power_row *row = row_at(analysis, i);

		outline.has_workloads |= !g_str_equal(row->workload, first->workload);
		outline.has_metrics |= g_strcmp0(row->metric.name, first->metric.name) != 0;
		outline.has_treatments |= !g_str_equal(row->treatment, first->treatment);
		outline.has_costs |= isfinite(row->cost_s);
		outline.flags |= row->flags;
	}
	return outline;
}

static void table_percent(struct table *table, double percent)
{
	g_autofree char *text = text_of_rough(percent);

	table_cell(table, text);
}

static void table_time(struct table *table, double seconds)
{
	g_autofree char *text = isfinite(seconds) ? duration_format(seconds) : g_strdup("-");

	table_cell(table, text);
}

static void table_whole(struct table *table, double value)
{
	g_autofree char *text = text_of_count(value);

	table_cell(table, text);
}

static void add_keys(struct table *table, const struct outline *outline)
{
	if (outline->has_workloads)
		table_column(table, "workload", TABLE_LABEL);
	if (outline->has_metrics)
		table_column(table, "metric", TABLE_LABEL);
	if (outline->has_treatments)
		table_column(table, "treatment", TABLE_LABEL);
}

static void add_key(struct table *table, const struct power_row *row, const struct outline *outline)
{
	if (outline->has_workloads)
		table_cell(table, row->workload);
	if (outline->has_metrics)
		table_cell(table, row->metric.name);
	if (outline->has_treatments)
		table_cell(table, row->treatment);
}

static void print_rows(const struct power_analysis *analysis, const struct outline *outline, struct document *to)
{
	g_autofree char *at_power = percent_text(analysis->power);
	g_autoptr(Table) table = table_new();
	gboolean is_90 = fabs(analysis->power - 0.9) < 1e-12;

	add_keys(table, outline);
	table_column(table, "n", TABLE_RIGHT);
	table_column(table, "cv", TABLE_RIGHT);
	table_column(table, "detects", TABLE_RIGHT);
	table_column(table, at_power, TABLE_RIGHT);
	if (!is_90)
		table_column(table, "90%", TABLE_RIGHT);
	if (outline->has_costs)
		table_column(table, "time", TABLE_RIGHT);
	for (guint i = 0; i < analysis->rows->len; i++) {
		const struct power_row *row = row_at(analysis, i);

		add_key(table, row, outline);
		table_count(table, row->n);
		table_percent(table, 100 * row->cv);
		table_percent(table, row->detectable_pct);
		table_whole(table, row->runs_needed);
		if (!is_90)
			table_whole(table, row->runs_needed_90);
		if (outline->has_costs)
			table_time(table, row->cost_s);
	}
	document_table(to, table);
	document_gap(to);
}

/* One row: what more runs buy, line by line. */
static void print_points(const struct power_analysis *analysis, const struct power_row *row, struct document *to)
{
	g_autofree char *difference = percent_text(analysis->detect_pct / 100);
	g_autofree char *header = g_strdup_printf("finds %s", difference);
	g_autoptr(Table) table = table_new();

	table_column(table, "n a side", TABLE_RIGHT);
	table_column(table, "detects", TABLE_RIGHT);
	table_column(table, header, TABLE_RIGHT);
	if (isfinite(row->run_s))
		table_column(table, "time", TABLE_RIGHT);
	for (guint i = 0; i < row->points->len; i++) {
		const struct power_point *point = &g_array_index(row->points, struct power_point, i);

		table_whole(table, point->n);
		table_percent(table, point->detectable_pct);
		if (point->power > 0.99)
			table_cell(table, ">99%");
		else
			table_percent(table, 100 * point->power);
		if (isfinite(row->run_s))
			table_time(table, point->cost_s);
	}
	document_table(to, table);
	document_gap(to);
}

/* Several rows: what each number of runs a side detects. */
static void print_matrix(const struct power_analysis *analysis, const struct outline *outline, struct document *to)
{
	static const guint sizes[] = {3, 5, 10, 20, 30};
	g_autoptr(Table) table = table_new();

	add_keys(table, outline);
	for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
		g_autofree char *header = g_strdup_printf("n = %u", sizes[i]);

		table_column(table, header, TABLE_RIGHT);
	}
	for (guint i = 0; i < analysis->rows->len; i++) {
		const struct power_row *row = row_at(analysis, i);

		add_key(table, row, outline);
		for (guint j = 0; j < G_N_ELEMENTS(sizes); j++) {
			double detectable = NAN;

			for (guint k = 0; k < row->points->len; k++)
				if (g_array_index(row->points, struct power_point, k).n == sizes[j])
					detectable = g_array_index(row->points, struct power_point, k).detectable_pct;
			table_percent(table, detectable);
		}
	}
	document_table(to, table);
	document_gap(to);
}

static void print_heading(const struct power_row *row, const struct outline *outline, struct document *to)
{
	g_autoptr(GString) line = g_string_new(NULL);

	if (!outline->has_workloads && *row->workload)
		g_string_append(line, row->workload);
	if (!outline->has_metrics && row->metric.name)
		g_string_append_printf(line, "%s%s%s%s", line->len ? ": " : "", row->metric.name,
				       *row->metric.unit ? " in " : "", row->metric.unit);
	if (!outline->has_treatments && *row->treatment)
		g_string_append_printf(line, ", %s", row->treatment);
	if (!line->len)
		return;
	document_paragraph(to, line->str);
	document_gap(to);
}

/* "4 runs a side find 5% with a power of 80%, 5 with 90%" */
static void print_answer(const struct power_analysis *analysis, const struct power_row *row, struct document *to)
{
	g_autofree char *difference = percent_text(analysis->detect_pct / 100), *power = percent_text(analysis->power),
			*cv = text_of_rough(100 * row->cv), *needed = text_of_count(row->runs_needed),
			*needed_90 = text_of_count(row->runs_needed_90);
	g_autoptr(GString) line = g_string_new(NULL);

	if (!isfinite(row->runs_needed)) {
		g_string_append_printf(line, "how many runs are needed cannot be said: %s",
				       row->n < 2 ? "there are no two to see a spread in" : "they do not vary");
	} else {
		g_string_append_printf(line,
				       "%s %ss a side find a difference of %s with a power of %s, %s with 90%%, where "
				       "the spread is %s",
				       needed, row->unit, difference, power, needed_90, cv);
		if (isfinite(row->detectable_pct)) {
			g_autofree char *detectable = text_of_rough(row->detectable_pct);

			g_string_append_printf(line, "; the %u at hand, against as many, find %s", row->n, detectable);
		}
	}
	document_say(to, line->str);
}

static void print_terms(const struct power_analysis *analysis, const struct outline *outline, struct document *to)
{
	g_autofree char *level = percent_text(analysis->level), *power = percent_text(analysis->power),
			*difference = percent_text(analysis->detect_pct / 100);
	g_autoptr(GString) line = g_string_new(NULL);

	g_string_append_printf(line, "%s confidence; detects: the difference found with a power of %s by n a side",
			       level, power);
	if (analysis->rows->len > 1)
		g_string_append_printf(line, "; %s%s: runs a side needed to find %s", power,
				       fabs(analysis->power - 0.9) < 1e-12 ? "" : ", 90%", difference);
	if (outline->has_costs)
		g_string_append(line, "; time: of both sides");
	document_paragraph(to, line->str);
	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (outline->flags & info->flag) {
			g_string_printf(line, "%s: %s", info->name, info->text);
			document_caveat(to, "", 0, line->str);
		}
}

void report_text_power(const struct power_analysis *analysis, struct document *to)
{
	struct outline outline = outline_of(analysis);
	const struct power_row *first = row_at(analysis, 0);

	print_heading(first, &outline, to);
	if (analysis->rows->len > 1) {
		print_rows(analysis, &outline, to);
		document_paragraph(to, "detects with n runs a side:");
		print_matrix(analysis, &outline, to);
	} else {
		if (first->points->len)
			print_points(analysis, first, to);
		print_answer(analysis, first, to);
	}
	print_terms(analysis, &outline, to);
}
