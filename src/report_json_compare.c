#include "report_json.h"

#include <math.h>

#include "analyse.h"
#include "document.h"

static json_t *side(const struct side *side)
{
	json_t *object = json_object();

	json_put(object, "name", json_of_text(side->name));
	json_put(object, "n", json_integer(side->n));
	json_put(object, "failed", json_integer(side->failed));
	json_put(object, "mean", json_of_number(side->mean));
	json_put(object, "outliers", json_integer(side->outliers));
	json_put(object, "components", json_of_variance(side->variance));
	json_put(object, "flags", json_of_flags(side->flags));
	return object;
}

static json_t *replicates(const struct comparison *comparison)
{
	json_t *object = json_object();

	json_put(object, "unit", json_of_text(comparison->unit_of_replication));
	json_put(object, "baseline", json_integer(comparison->baseline.n_units));
	json_put(object, "other", json_integer(comparison->other.n_units));
	return object;
}

static json_t *texts(const GPtrArray *values)
{
	json_t *array = json_array();

	for (guint i = 0; i < values->len; i++)
		json_array_append_new(array, json_of_text(g_ptr_array_index(values, i)));
	return array;
}

static json_t *facts(const GPtrArray *differences)
{
	json_t *object = json_object();

	for (guint i = 0; i < differences->len; i++) {
		const struct fact_difference *difference = g_ptr_array_index(differences, i);
		g_autofree char *key = g_utf8_make_valid(difference->key, -1);
		json_t *sides = json_object();

		json_put(sides, "baseline", texts(difference->baseline));
		json_put(sides, "other", texts(difference->other));
		json_put(object, key, sides);
	}
	return object;
}

static json_t *material(enum material material)
{
	return material == MATERIAL_UNKNOWN ? json_null() : json_boolean(material == MATERIAL_YES);
}

static json_t *shift(const struct interval_estimate *interval)
{
	json_t *object = json_of_interval(interval);

	if (json_is_object(object))
		json_object_del(object, "method");
	return object;
}

static json_t *permutation(const struct cross_check *check)
{
	gboolean is_asked = isfinite(check->permutation_p);
	json_t *object;

	if (isnan(check->least_p))
		return json_null();
	object = json_object();
	json_put(object, "p", json_of_number(check->permutation_p));
	json_put(object, "least_p", json_of_number(check->least_p));
	json_put(object, "exact", is_asked ? json_boolean(check->is_exact) : json_null());
	return object;
}

static json_t *cross_check(const struct cross_check *check)
{
	json_t *object = json_object();

	json_put(object, "hodges_lehmann", shift(&check->hodges_lehmann));
	json_put(object, "permutation", permutation(check));
	json_put(object, "bca", shift(&check->bca));
	return object;
}

static json_t *failure_rate(const struct failure_rate *rate)
{
	json_t *object = json_object();

	json_put(object, "baseline", json_of_number(rate->baseline));
	json_put(object, "other", json_of_number(rate->other));
	json_put(object, "p", json_of_number(rate->p));
	json_put(object, "p_adjusted", json_of_number(rate->p_adjusted));
	return object;
}

static json_t *comparison(const struct comparison *c)
{
	json_t *object = json_of_subject(c->workload, &c->metric);

	json_put(object, "baseline", side(&c->baseline));
	json_put(object, "other", side(&c->other));
	json_put(object, "ratio", json_of_interval(&c->ratio));
	json_put(object, "difference", json_of_interval(&c->difference));
	json_put(object, "p", json_of_number(c->p));
	json_put(object, "p_adjusted", json_of_number(c->p_adjusted));
	json_put(object, "verdict", json_of_text(verdict_name(c->verdict)));
	json_put(object, "material", material(c->material));
	json_put(object, "detectable_pct", json_of_number(c->detectable_pct));
	json_put(object, "runs_needed", json_of_whole(c->runs_needed));
	json_put(object, "design", json_of_text(c->design));
	json_put(object, "replicates", replicates(c));
	json_put(object, "cross_check", cross_check(&c->cross_check));
	json_put(object, "failure_rate", failure_rate(&c->failure_rate));
	json_put(object, "facts_differ", facts(c->facts_differ));
	json_put(object, "flags", json_of_flags(c->flags));
	return object;
}

/* "holm", or the names of those that the designs called for. */
static json_t *corrections(guint used)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (int i = CORRECTION_HOLM; i <= CORRECTION_TUKEY; i++)
		if (used & 1u << i)
			g_string_append_printf(names, "%s%s", names->len ? ", " : "",
					       correction_name((enum correction)i));
	return json_string(names->str);
}

static json_t *summary(const GArray *rows)
{
	json_t *array = json_array();

	for (guint i = 0; i < rows->len; i++) {
		const struct summary_row *row = &g_array_index(rows, struct summary_row, i);
		json_t *object = json_object();

		json_put(object, "baseline", json_of_text(row->baseline));
		json_put(object, "other", json_of_text(row->other));
		json_put(object, "ratio", json_of_number(row->ratio));
		json_put(object, "workloads", json_integer(row->workloads));
		json_array_append_new(array, object);
	}
	return array;
}

void report_json_compare(const struct analysis *analysis, struct document *to)
{
	json_t *root = json_object(), *comparisons = json_array();

	for (guint i = 0; i < analysis->comparisons->len; i++)
		json_array_append_new(comparisons, comparison(g_ptr_array_index(analysis->comparisons, i)));
	json_put(root, "schema", json_string(JSON_SCHEMA));
	json_put(root, "baseline", json_of_text(analysis->baseline));
	json_put(root, "confidence", json_of_number(analysis->level));
	json_put(root, "margin_pct", json_of_number(analysis->margin_pct));
	json_put(root, "correction", corrections(analysis->corrections));
	json_put(root, "comparisons", comparisons);
	json_put(root, "summary", summary(analysis->summary));
	json_print(root, to->out);
}
