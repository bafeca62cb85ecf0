#include "report_json.h"

#include <math.h>

#include "analyse.h"
#include "document.h"
#include "report.h"
#include "variance.h"

json_t *json_of_number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_of_whole(double value)
{
	return isfinite(value) && value < 9e15 ? json_integer((json_int_t)value) : json_null();
}

/* Names may come from a file or a command line in any encoding. */
json_t *json_of_text(const char *value)
{
	g_autofree char *valid = value ? g_utf8_make_valid(value, -1) : NULL;

	return valid ? json_string(valid) : json_null();
}

json_t *json_of_name(const char *value)
{
	return json_of_text(*value ? value : NULL);
}

json_t *json_of_flags(flag_set set)
{
	json_t *array = json_array();

	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (set & info->flag)
			json_array_append_new(array, json_string(info->name));
	return array;
}

void json_print(json_t *root, GString *out)
{
	char *dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));

	g_string_append_printf(out, "%s\n", dump);
	free(dump);
	json_decref(root);
}

void json_put(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

json_t *json_of_subject(const char *workload, const struct metric *metric)
{
	json_t *object = json_object();

	json_put(object, "workload", json_of_name(workload));
	json_put(object, "metric", json_of_text(metric->name));
	json_put(object, "unit", json_of_text(metric->unit));
	json_put(object, "better", json_of_text(better_name(metric->better)));
	return object;
}

json_t *json_of_levels(const GArray *levels)
{
	json_t *object = json_object();

	for (guint i = 0; i < levels->len; i++) {
		const struct level *level = &g_array_index(levels, struct level, i);
		g_autofree char *factor = g_utf8_make_valid(level->factor, -1);

		json_put(object, factor, json_of_text(level->level));
	}
	return object;
}

static json_t *interval_of_mean(const struct estimate_row *row)
{
	json_t *object = json_object();

	json_put(object, "level", json_of_number(row->ci.level));
	json_put(object, "low", json_of_number(row->ci.low));
	json_put(object, "high", json_of_number(row->ci.high));
	json_put(object, "method", json_of_text(row->ci_method));
	return object;
}

static json_t *estimate(const struct estimate_row *row)
{
	const struct description *summary = &row->summary;
	json_t *object = json_of_subject(row->workload, &row->metric), *samples = json_array();

	json_put(object, "treatment", json_of_levels(row->levels));
	json_put(object, "n", json_integer(row->n));
	json_put(object, "failed", json_integer(row->failed));
	json_put(object, "mean", json_of_number(summary->mean));
	json_put(object, "sd", json_of_number(summary->sd));
	json_put(object, "cv", json_of_number(summary->cv));
	json_put(object, "median", json_of_number(summary->median));
	json_put(object, "mad", json_of_number(summary->mad));
	json_put(object, "min", json_of_number(summary->min));
	json_put(object, "max", json_of_number(summary->max));
	json_put(object, "ci", interval_of_mean(row));
	json_put(object, "outliers", json_integer(row->outliers));
	json_put(object, "components", json_of_variance(row->variance));
	json_put(object, "flags", json_of_flags(row->flags));
	for (guint i = 0; i < row->samples->len; i++)
		json_array_append_new(samples, json_of_number(g_array_index(row->samples, double, i)));
	json_put(object, "samples", samples);
	return object;
}

json_t *json_of_variance(const struct variance_report *report)
{
	json_t *object, *f, *plan;

	if (!report)
		return json_null();
	object = json_object();
	f = json_object();
	plan = json_object();
	json_put(f, "f", json_of_number(report->f));
	json_put(f, "df", json_of_number(report->df));
	json_put(f, "df_error", json_of_number(report->df_error));
	json_put(f, "p", json_of_number(report->p));
	json_put(plan, "half_width_pct", json_of_number(report->half_pct));
	json_put(plan, "level", json_of_number(report->level));
	json_put(plan, "boots", json_of_whole(report->boots_needed));
	json_put(plan, "runs_per_boot", json_of_whole(report->runs_per_boot));
	json_put(plan, "time_s", json_of_number(report->time_s));
	json_put(object, "boots", json_integer(report->boots));
	json_put(object, "runs", json_integer(report->runs));
	json_put(object, "scale", json_string(report->is_log ? "log" : "raw"));
	json_put(object, "between_variance", json_of_number(report->between));
	json_put(object, "within_variance", json_of_number(report->within));
	json_put(object, "between_share", json_of_number(report->between_share));
	json_put(object, "test", f);
	json_put(object, "boot_cost_s", json_of_number(report->boot_cost_s));
	json_put(object, "run_cost_s", json_of_number(report->run_cost_s));
	json_put(object, "cheapest", plan);
	return object;
}

static void show(const struct analysis *analysis, struct document *to)
{
	json_t *root = json_object(), *results = json_array();

	for (guint i = 0; i < analysis->estimates->len; i++)
		json_array_append_new(results, estimate(g_ptr_array_index(analysis->estimates, i)));
	json_put(root, "schema", json_string(JSON_SCHEMA));
	json_put(root, "results", results);
	json_print(root, to->out);
}

json_t *json_of_interval(const struct interval_estimate *interval)
{
	json_t *object;

	if (!interval->method || !isfinite(interval->estimate))
		return json_null();
	object = json_object();
	json_put(object, "estimate", json_of_number(interval->estimate));
	json_put(object, "low", json_of_number(interval->low));
	json_put(object, "high", json_of_number(interval->high));
	json_put(object, "level", json_of_number(interval->level));
	json_put(object, "method", json_of_text(interval->method));
	return object;
}

extern const struct report_format report_json;
const struct report_format report_json = {
    .name = "json",
    .summary = "one JSON object, all digits",
    .is_data = TRUE,
    .show = show,
    .compare = report_json_compare,
    .effects = report_json_effects,
    .power = report_json_power,
    .trend = report_json_trend,
    .calibrate = report_json_calibrate,
    .aa = report_json_aa,
};
