#include "report.h"

#include <jansson.h>
#include <math.h>

#include "analyse.h"

#define SCHEMA "vmstat-bench/1"

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *whole(double value)
{
	return isfinite(value) && value < 9e15 ? json_integer((json_int_t)value) : json_null();
}

/* Names may come from a file or a command line in any encoding. */
static json_t *text(const char *value)
{
	g_autofree char *valid = value ? g_utf8_make_valid(value, -1) : NULL;

	return valid ? json_string(valid) : json_null();
}

static json_t *name_or_null(const char *value)
{
	return text(*value ? value : NULL);
}

static json_t *flags(guint32 set)
{
	json_t *array = json_array();

	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (set & info->flag)
			json_array_append_new(array, json_string(info->name));
	return array;
}

static void print(json_t *root, GString *out)
{
	char *dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));

	g_string_append_printf(out, "%s\n", dump);
	free(dump);
	json_decref(root);
}

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *subject(const char *workload, const struct metric *metric)
{
	json_t *object = json_object();

	set(object, "workload", name_or_null(workload));
	set(object, "metric", text(metric->name));
	set(object, "unit", text(metric->unit));
	set(object, "better", text(better_name(metric->better)));
	return object;
}

static json_t *treatment(const GArray *levels)
{
	json_t *object = json_object();

	for (guint i = 0; i < levels->len; i++) {
		const struct level *level = &g_array_index(levels, struct level, i);
		g_autofree char *factor = g_utf8_make_valid(level->factor, -1);

		set(object, factor, text(level->level));
	}
	return object;
}

static json_t *interval_of_mean(const struct estimate_row *row)
{
	json_t *object = json_object();

	set(object, "level", number(row->ci.level));
	set(object, "low", number(row->ci.low));
	set(object, "high", number(row->ci.high));
	set(object, "method", text(row->ci_method));
	return object;
}

static json_t *estimate(const struct estimate_row *row)
{
	const struct description *summary = &row->summary;
	json_t *object = subject(row->workload, &row->metric), *samples = json_array();

	set(object, "treatment", treatment(row->levels));
	set(object, "n", json_integer(row->n));
	set(object, "failed", json_integer(row->failed));
	set(object, "mean", number(summary->mean));
	set(object, "sd", number(summary->sd));
	set(object, "cv", number(summary->cv));
	set(object, "median", number(summary->median));
	set(object, "mad", number(summary->mad));
	set(object, "min", number(summary->min));
	set(object, "max", number(summary->max));
	set(object, "ci", interval_of_mean(row));
	set(object, "flags", flags(row->flags));
	for (guint i = 0; i < row->samples->len; i++)
		json_array_append_new(samples, number(g_array_index(row->samples, double, i)));
	set(object, "samples", samples);
	return object;
}

static void show(const struct analysis *analysis, GString *out)
{
	json_t *root = json_object(), *results = json_array();

	for (guint i = 0; i < analysis->estimates->len; i++)
		json_array_append_new(results, estimate(g_ptr_array_index(analysis->estimates, i)));
	set(root, "schema", json_string(SCHEMA));
	set(root, "results", results);
	print(root, out);
}

static json_t *side(const struct side *side)
{
	json_t *object = json_object();

	set(object, "name", text(side->name));
	set(object, "n", json_integer(side->n));
	set(object, "failed", json_integer(side->failed));
	set(object, "mean", number(side->mean));
	return object;
}

static json_t *interval(const struct interval_estimate *interval)
{
	json_t *object;

	if (!interval->method || !isfinite(interval->estimate))
		return json_null();
	object = json_object();
	set(object, "estimate", number(interval->estimate));
	set(object, "low", number(interval->low));
	set(object, "high", number(interval->high));
	set(object, "level", number(interval->level));
	set(object, "method", text(interval->method));
	return object;
}

static json_t *replicates(const struct comparison *comparison)
{
	json_t *object = json_object();

	set(object, "unit", text(comparison->unit_of_replication));
	set(object, "baseline", json_integer(comparison->baseline.n_units));
	set(object, "other", json_integer(comparison->other.n_units));
	return object;
}

static json_t *texts(const GPtrArray *values)
{
	json_t *array = json_array();

	for (guint i = 0; i < values->len; i++)
		json_array_append_new(array, text(g_ptr_array_index(values, i)));
	return array;
}

static json_t *facts(const GPtrArray *differences)
{
	json_t *object = json_object();

	for (guint i = 0; i < differences->len; i++) {
		const struct fact_difference *difference = g_ptr_array_index(differences, i);
		g_autofree char *key = g_utf8_make_valid(difference->key, -1);
		json_t *sides = json_object();

		set(sides, "baseline", texts(difference->baseline));
		set(sides, "other", texts(difference->other));
		set(object, key, sides);
	}
	return object;
}

static json_t *material(enum material material)
{
	return material == MATERIAL_UNKNOWN ? json_null() : json_boolean(material == MATERIAL_YES);
}

static json_t *comparison(const struct comparison *c)
{
	json_t *object = subject(c->workload, &c->metric);

	set(object, "baseline", side(&c->baseline));
	set(object, "other", side(&c->other));
	set(object, "ratio", interval(&c->ratio));
	set(object, "difference", interval(&c->difference));
	set(object, "p", number(c->p));
	set(object, "p_adjusted", number(c->p_adjusted));
	set(object, "verdict", text(verdict_name(c->verdict)));
	set(object, "material", material(c->material));
	set(object, "detectable_pct", number(c->detectable_pct));
	set(object, "runs_needed", whole(c->runs_needed));
	set(object, "design", text(c->design));
	set(object, "replicates", replicates(c));
	set(object, "facts_differ", facts(c->facts_differ));
	set(object, "flags", flags(c->flags));
	return object;
}

static void compare(const struct analysis *analysis, GString *out)
{
	json_t *root = json_object(), *comparisons = json_array();

	for (guint i = 0; i < analysis->comparisons->len; i++)
		json_array_append_new(comparisons, comparison(g_ptr_array_index(analysis->comparisons, i)));
	set(root, "schema", json_string(SCHEMA));
	set(root, "baseline", text(analysis->baseline));
	set(root, "confidence", number(analysis->level));
	set(root, "margin_pct", number(analysis->margin_pct));
	set(root, "correction", json_string("holm"));
	set(root, "comparisons", comparisons);
	print(root, out);
}

extern const struct report_format report_json;
const struct report_format report_json = {
    .name = "json",
    .summary = "one JSON object, all digits",
    .show = show,
    .compare = compare,
};
