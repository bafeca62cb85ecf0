#include <math.h>

#include "analyse.h"
#include "csv.h"
#include "document.h"
#include "names.h"
#include "report.h"

/* Tidy tables: one row an estimate or a comparison, all digits. */

/* Names may come from a file or a command line in any encoding. */
static void put_text(GString *out, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);

	csv_field(out, valid);
}

/* NaN and infinity are empty, as they are null in JSON. */
static void put_number(GString *out, double value)
{
	csv_number(out, isfinite(value) ? value : NAN);
}

static void put_subject(GString *out, const char *workload, const struct metric *metric)
{
	put_text(out, workload);
	put_text(out, metric->name);
	put_text(out, metric->unit);
	put_text(out, better_name(metric->better));
}

/* Names with a space between. */
static void put_flags(GString *out, flag_set set)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autofree char *list = NULL;

	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (set & info->flag)
			names_add(names, info->name);
	list = names_join(names, " ");
	csv_field(out, list);
}

static GPtrArray *factors_of(const GPtrArray *estimates)
{
	GPtrArray *factors = g_ptr_array_new();

	for (guint i = 0; i < estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(estimates, i);

		for (guint j = 0; j < row->levels->len; j++)
			names_add_once(factors, g_array_index(row->levels, struct level, j).factor);
	}
	return factors;
}

static const char *level_of(const struct estimate_row *row, const char *factor)
{
	for (guint i = 0; i < row->levels->len; i++)
		if (g_str_equal(g_array_index(row->levels, struct level, i).factor, factor))
			return g_array_index(row->levels, struct level, i).level;
	return "";
}

/* Columns for the levels of each factor follow. */
static const char estimate_header[] =
    "workload,metric,unit,better,treatment,n,failed,mean,low,high,level,method,sd,cv,median,mad,min,max,outliers,flags";

static void put_estimate(GString *out, const struct estimate_row *row, const GPtrArray *factors)
{
	const struct description *summary = &row->summary;

	put_subject(out, row->workload, &row->metric);
	put_text(out, row->treatment);
	csv_count(out, row->n);
	csv_count(out, row->failed);
	put_number(out, summary->mean);
	put_number(out, row->ci.low);
	put_number(out, row->ci.high);
	put_number(out, row->ci.level);
	put_text(out, row->ci_method);
	put_number(out, summary->sd);
	put_number(out, summary->cv);
	put_number(out, summary->median);
	put_number(out, summary->mad);
	put_number(out, summary->min);
	put_number(out, summary->max);
	csv_count(out, row->outliers);
	put_flags(out, row->flags);
	for (guint i = 0; i < factors->len; i++)
		put_text(out, level_of(row, g_ptr_array_index(factors, i)));
	g_string_append_c(out, '\n');
}

static void show(const struct analysis *analysis, struct document *to)
{
	g_autoptr(GPtrArray) factors = factors_of(analysis->estimates);

	g_string_append(to->out, estimate_header);
	for (guint i = 0; i < factors->len; i++) {
		g_autofree char *name = g_strconcat("treatment.", g_ptr_array_index(factors, i), NULL);

		put_text(to->out, name);
	}
	g_string_append_c(to->out, '\n');
	for (guint i = 0; i < analysis->estimates->len; i++)
		put_estimate(to->out, g_ptr_array_index(analysis->estimates, i), factors);
}

static void put_side(GString *out, const struct side *side)
{
	csv_count(out, side->n);
	csv_count(out, side->failed);
	csv_count(out, side->n_units);
	put_number(out, side->mean);
}

static void put_interval(GString *out, const struct interval_estimate *interval)
{
	put_number(out, interval->method ? interval->estimate : NAN);
	put_number(out, interval->method ? interval->low : NAN);
	put_number(out, interval->method ? interval->high : NAN);
}

static const char comparison_header[] =
    "workload,metric,unit,better,baseline,other,verdict,material,ratio,ratio_low,ratio_high,"
    "difference,difference_low,difference_high,level,method,p,p_adjusted,design,replicate,"
    "baseline_n,baseline_failed,baseline_replicates,baseline_mean,other_n,other_failed,other_replicates,other_mean,"
    "margin_pct,detectable_pct,runs_needed,permutation_p,hodges_lehmann_low,hodges_lehmann_high,failures_p_adjusted,"
    "flags\n";

static void put_comparison(GString *out, const struct comparison *c, double margin_pct)
{
	static const char *const material[] = {[MATERIAL_NO] = "no", [MATERIAL_YES] = "yes", [MATERIAL_UNKNOWN] = ""};
	const struct interval_estimate *interval = c->ratio.method ? &c->ratio : &c->difference;

	put_subject(out, c->workload, &c->metric);
	put_text(out, c->baseline.name);
	put_text(out, c->other.name);
	put_text(out, verdict_name(c->verdict));
	put_text(out, material[c->material]);
	put_interval(out, &c->ratio);
	put_interval(out, &c->difference);
	put_number(out, interval->method ? interval->level : NAN);
	put_text(out, interval->method);
	put_number(out, c->p);
	put_number(out, c->p_adjusted);
	put_text(out, c->design);
	put_text(out, c->unit_of_replication);
	put_side(out, &c->baseline);
	put_side(out, &c->other);
	put_number(out, margin_pct);
	put_number(out, c->detectable_pct);
	put_number(out, c->runs_needed);
	put_number(out, c->cross_check.permutation_p);
	put_number(out, c->cross_check.hodges_lehmann.low);
	put_number(out, c->cross_check.hodges_lehmann.high);
	put_number(out, c->failure_rate.p_adjusted);
	put_flags(out, c->flags);
	g_string_append_c(out, '\n');
}

static void compare(const struct analysis *analysis, struct document *to)
{
	g_string_append(to->out, comparison_header);
	for (guint i = 0; i < analysis->comparisons->len; i++)
		put_comparison(to->out, g_ptr_array_index(analysis->comparisons, i), analysis->margin_pct);
}

extern const struct report_format report_csv;
const struct report_format report_csv = {
    .name = "csv",
    .summary = "a row an estimate or comparison, all digits",
    .is_data = TRUE,
    .show = show,
    .compare = compare,
};
