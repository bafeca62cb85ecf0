#include "report_text.h"

#include <math.h>

#include "analyse.h"
#include "names.h"
#include "table.h"
#include "unit.h"

#define HEADER_CELLS 10 /* of a side's name above a column of numbers */

static gboolean has_several(const GPtrArray *comparisons,
			    gboolean (*is_same)(const struct comparison *, const struct comparison *))
{
	for (guint i = 1; i < comparisons->len; i++)
		if (!is_same(g_ptr_array_index(comparisons, 0), g_ptr_array_index(comparisons, i)))
			return TRUE;
	return FALSE;
}

static gboolean same_other(const struct comparison *x, const struct comparison *y)
{
	return g_str_equal(x->other.name, y->other.name);
}

static gboolean same_workload(const struct comparison *x, const struct comparison *y)
{
	return g_str_equal(x->workload, y->workload);
}

static gboolean same_metric(const struct comparison *x, const struct comparison *y)
{
	return g_str_equal(x->metric.name, y->metric.name) && g_str_equal(x->metric.unit, y->metric.unit);
}

static gboolean has_workloads(const GPtrArray *comparisons)
{
	return has_several(comparisons, same_workload) ||
	       *((struct comparison *)g_ptr_array_index(comparisons, 0))->workload;
}

static void table_p(struct table *table, double p)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	if (isnan(p))
		table_cell(table, "-");
	else
		table_cell(table, p < 1e-4 ? "<0.0001" : g_ascii_formatd(buffer, sizeof(buffer), "%.4f", p));
}

static void side_column(struct table *table, const char *name)
{
	g_autofree char *printable = text_printable(name);
	g_autofree char *header = text_cut(printable, HEADER_CELLS);

	table_column(table, header, TABLE_RIGHT);
}

static void print_table(const GPtrArray *comparisons, GString *out)
{
	const struct comparison *first = g_ptr_array_index(comparisons, 0);
	gboolean has_workload = has_workloads(comparisons), has_other = has_several(comparisons, same_other);
	g_autoptr(Table) table = table_new();

	if (has_workload)
		table_column(table, "workload", TABLE_LABEL);
	table_column(table, "metric", TABLE_LEFT);
	if (has_other)
		table_column(table, "other", TABLE_LABEL);
	side_column(table, first->baseline.name);
	side_column(table, has_other ? "mean" : first->other.name);
	table_column(table, "ratio", TABLE_RIGHT);
	table_column(table, "low", TABLE_RIGHT);
	table_column(table, "high", TABLE_RIGHT);
	table_column(table, "p adj.", TABLE_RIGHT);
	table_column(table, "verdict", TABLE_LEFT);
	for (guint i = 0; i < comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(comparisons, i);

		if (has_workload)
			table_cell(table, c->workload);
		table_cell(table, c->metric.name);
		if (has_other)
			table_cell(table, c->other.name);
		table_number(table, c->baseline.mean);
		table_number(table, c->other.mean);
		table_number(table, c->ratio.estimate);
		table_number(table, c->ratio.low);
		table_number(table, c->ratio.high);
		table_p(table, c->p_adjusted);
		table_cell(table, verdict_name(c->verdict));
	}
	table_print(table, TEXT_COLUMNS, out);
}

/* "baseline 2.4.7; throughput in MB/s, higher is better" */
static void print_legend(const struct analysis *analysis, GString *out)
{
	g_autoptr(GString) line = g_string_new("baseline ");
	g_autofree char *printable = NULL;

	g_string_append(line, analysis->baseline);
	for (guint i = 0; i < analysis->comparisons->len; i++) {
		const struct comparison *c = g_ptr_array_index(analysis->comparisons, i);
		const char *better = better_name(c->metric.better);
		gboolean is_known = FALSE;

		for (guint j = 0; j < i && !is_known; j++)
			is_known = same_metric(g_ptr_array_index(analysis->comparisons, j), c);
		if (is_known)
			continue;
		g_string_append_printf(line, "; %s%s%s", c->metric.name, *c->metric.unit ? " in " : "", c->metric.unit);
		if (better)
			g_string_append_printf(line, ", %s is better", better);
	}
	printable = text_printable(line->str);
	text_wrap(printable, 0, TEXT_COLUMNS, out);
	g_string_append_c(out, '\n');
}

/* Two digits: what could have been detected is itself an estimate. */
static char *rough_percent(double percent)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strdup_printf("%s%%",
			       g_ascii_formatd(buffer, sizeof(buffer), percent < 9.95 ? "%.2g" : "%.0f", percent));
}

static void append_interval(GString *line, const struct interval_estimate *interval, const struct analysis *analysis)
{
	g_autofree char *low = number_format(interval->low), *high = number_format(interval->high);

	if (isnan(interval->low))
		return;
	g_string_append_printf(line, " (%s to %s", low, high);
	if (fabs(interval->level - analysis->level) > 1e-12) {
		g_autofree char *level = percent_text(interval->level);

		g_string_append_printf(line, ", %s interval", level);
	}
	g_string_append_c(line, ')');
}

static void append_contrast(GString *line, const struct comparison *c, const struct analysis *analysis)
{
	if (isfinite(c->ratio.estimate)) {
		g_autofree char *ratio = number_format(c->ratio.estimate);

		g_string_append_printf(line, "%s is %sx", c->other.name, ratio);
		append_interval(line, &c->ratio, analysis);
		g_string_append_printf(line, " of %s", c->baseline.name);
	} else if (isfinite(c->difference.estimate)) {
		g_autofree char *difference = number_format(c->difference.estimate);

		g_string_append_printf(line, "%s differs from %s by %s%s%s", c->other.name, c->baseline.name,
				       difference, *c->metric.unit ? " " : "", c->metric.unit);
		append_interval(line, &c->difference, analysis);
	} else {
		g_string_append_printf(line, "%s against %s", c->other.name, c->baseline.name);
	}
}

static char *replicates_text(const struct comparison *c)
{
	guint x = c->baseline.n_units, y = c->other.n_units;
	const char *pairs = g_str_equal(c->design, "blocked") ? " in pairs" : "";

	if (x != y)
		return g_strdup_printf("%u and %u %ss", x, y, c->unit_of_replication);
	return g_strdup_printf("%u %s%s a side%s", x, c->unit_of_replication, x == 1 ? "" : "s", pairs);
}

static void append_undecided(GString *line, const struct comparison *c, const char *replicates, double margin_pct)
{
	g_string_append(line, ": undecided");
	if (isfinite(c->detectable_pct)) {
		g_autofree char *detectable = rough_percent(c->detectable_pct);

		g_string_append_printf(line, ": %s could have detected %s", replicates, detectable);
	}
	if (isfinite(c->runs_needed) && c->runs_needed > MIN(c->baseline.n_units, c->other.n_units)) {
		g_autofree char *margin = percent_text(margin_pct / 100);

		g_string_append_printf(line, "; about %.0f%s are needed for %s", c->runs_needed,
				       c->baseline.n_units == c->other.n_units ? "" : " a side", margin);
	}
}

static void append_verdict(GString *line, const struct comparison *c, double margin_pct)
{
	static const char *const material[] = {
	    [MATERIAL_NO] = "not material", [MATERIAL_YES] = "material", [MATERIAL_UNKNOWN] = "perhaps material"};
	g_autofree char *replicates = replicates_text(c), *margin = percent_text(margin_pct / 100);

	switch (c->verdict) {
	case VERDICT_UNDECIDED:
		append_undecided(line, c, replicates, margin_pct);
		break;
	case VERDICT_UNTESTABLE:
		g_string_append_printf(line, ": untestable, %s (%s)", c->reason, replicates);
		break;
	case VERDICT_SAME:
		g_string_append_printf(line, ": same within %s, %s", margin, replicates);
		break;
	default:
		g_string_append_printf(line, ": %s, %s, %s", verdict_name(c->verdict), material[c->material],
				       replicates);
	}
}

static void append_facts(GString *line, const GPtrArray *differences)
{
	for (guint i = 0; i < differences->len; i++) {
		const struct fact_difference *difference = g_ptr_array_index(differences, i);
		g_autofree char *baseline = names_join(difference->baseline, " and "),
				*other = names_join(difference->other, " and ");

		g_string_append_printf(line, "%s%s %s / %s", i ? ", " : "", difference->key, baseline, other);
	}
}

/* What a comparison adds to the text of one of its flags, "" where nothing. */
static char *detail(const struct comparison *c, guint32 flag)
{
	GString *line = g_string_new(NULL);

	if (flag == FLAG_FACTS_DIFFER)
		append_facts(line, c->facts_differ);
	if (flag == FLAG_ORDER_CONFOUNDED && c->ran_first)
		g_string_append_printf(line, "%s ran before %s", c->ran_first,
				       c->ran_first == c->baseline.name ? c->other.name : c->baseline.name);
	if (flag == FLAG_MIXED_LEVELS) {
		g_autofree char *factors = names_join(c->mixed, ", ");

		g_string_append(line, factors);
	}
	if (flag == FLAG_FAILURES)
		g_string_append_printf(line, "%u of %s and %u of %s failed", c->baseline.failed, c->baseline.name,
				       c->other.failed, c->other.name);
	return g_string_free(line, FALSE);
}

static void print_caveat(const char *name, const char *text, const char *more, GString *out)
{
	g_autoptr(GString) line = g_string_new(name);
	g_autofree char *printable = NULL;

	if (*text)
		g_string_append_printf(line, ": %s", text);
	if (*more)
		g_string_append_printf(line, ": %s", more);
	printable = text_printable(line->str);
	text_wrap(printable, 2, TEXT_COLUMNS, out);
}

/* Flags that all comparisons carry are explained once, after them; none where there is only one. */
static guint32 shared_flags(const GPtrArray *comparisons)
{
	guint32 flags = comparisons->len > 1 ? G_MAXUINT32 : 0;

	for (guint i = 0; i < comparisons->len; i++)
		flags &= ((struct comparison *)g_ptr_array_index(comparisons, i))->flags;
	return flags;
}

static gboolean is_shared_detail(const GPtrArray *comparisons, guint32 flag)
{
	g_autofree char *first = detail(g_ptr_array_index(comparisons, 0), flag);

	for (guint i = 1; i < comparisons->len; i++) {
		g_autofree char *other = detail(g_ptr_array_index(comparisons, i), flag);

		if (!g_str_equal(first, other))
			return FALSE;
	}
	return TRUE;
}

static void print_own_caveats(const struct comparison *c, const GPtrArray *comparisons, guint32 shared, GString *out)
{
	for (const struct flag_info *info = flag_table; info->flag; info++) {
		g_autofree char *more = detail(c, info->flag);

		if (!(c->flags & info->flag))
			continue;
		if (!(shared & info->flag))
			print_caveat(info->name, info->text, more, out);
		else if (!is_shared_detail(comparisons, info->flag))
			print_caveat(info->name, "", more, out);
	}
}

static void print_shared_caveats(const GPtrArray *comparisons, guint32 shared, GString *out)
{
	if (shared)
		g_string_append(out, "all of these:\n");
	for (const struct flag_info *info = flag_table; info->flag; info++) {
		g_autofree char *more = detail(g_ptr_array_index(comparisons, 0), info->flag);

		if (shared & info->flag)
			print_caveat(info->name, info->text, is_shared_detail(comparisons, info->flag) ? more : "",
				     out);
	}
}

static void print_sentence(const struct analysis *analysis, const struct comparison *c, GString *out)
{
	g_autoptr(GString) line = g_string_new(NULL);
	g_autofree char *printable = NULL;

	if (has_several(analysis->comparisons, same_workload))
		g_string_append_printf(line, "%s ", c->workload);
	if (has_several(analysis->comparisons, same_workload) || has_several(analysis->comparisons, same_metric))
		g_string_append_printf(line, "%s: ", c->metric.name);
	append_contrast(line, c, analysis);
	append_verdict(line, c, analysis->margin_pct);
	printable = text_printable(line->str);
	text_wrap(printable, 0, TEXT_COLUMNS, out);
}

static void print_terms(const struct analysis *analysis, GString *out)
{
	g_autofree char *level = percent_text(analysis->level), *margin = percent_text(analysis->margin_pct / 100);
	guint n = analysis->comparisons->len;

	g_string_append_printf(out, "\n%s confidence, margin %s, ", level, margin);
	if (n == 1)
		g_string_append(out, "one comparison\n");
	else
		g_string_append_printf(out, "Holm's correction over %u comparisons\n", n);
}

void report_text_compare(const struct analysis *analysis, GString *out)
{
	const GPtrArray *comparisons = analysis->comparisons;
	guint32 shared;

	if (!comparisons->len)
		return;
	shared = shared_flags(comparisons);
	print_legend(analysis, out);
	print_table(comparisons, out);
	g_string_append_c(out, '\n');
	for (guint i = 0; i < comparisons->len; i++) {
		print_sentence(analysis, g_ptr_array_index(comparisons, i), out);
		print_own_caveats(g_ptr_array_index(comparisons, i), comparisons, shared, out);
	}
	print_shared_caveats(comparisons, shared, out);
	print_terms(analysis, out);
}
