#include "report_json.h"

#include "analyse_trend.h"
#include "document.h"
#include "flag.h"
#include "selection.h"

static json_t *change(const struct trend_series *series, const struct trend_change *change)
{
	json_t *object = json_of_subject(series->workload, &series->metric);

	json_put(object, "treatment", json_of_levels(series->levels));
	json_put(object, "index", json_integer(change->index));
	json_put(object, "at", json_of_text(change->at));
	json_put(object, "label", json_of_text(change->label));
	json_put(object, "before", json_of_number(change->before));
	json_put(object, "after", json_of_number(change->after));
	json_put(object, "n_before", json_integer(change->n_before));
	json_put(object, "n_after", json_integer(change->n_after));
	json_put(object, "ratio", json_of_interval(&change->ratio));
	json_put(object, "difference", json_of_interval(&change->difference));
	json_put(object, "p", json_of_number(change->p));
	json_put(object, "verdict", json_of_text(verdict_name(change->verdict)));
	return object;
}

static json_t *series_summary(const struct trend_series *series)
{
	json_t *object = json_of_subject(series->workload, &series->metric);

	json_put(object, "treatment", json_of_levels(series->levels));
	json_put(object, "n", json_integer(series->values->len));
	json_put(object, "failed", json_integer(series->failed));
	json_put(object, "changes", json_integer(series->changes->len));
	json_put(object, "autocorrelation", json_of_number(series->lag_one));
	json_put(object, "autocorrelated", json_boolean(series->is_autocorrelated));
	json_put(object, "flags", json_of_flags(series->flags));
	return object;
}

void report_json_trend(const struct trend_analysis *analysis, struct document *to)
{
	json_t *root = json_object(), *changes = json_array(), *all = json_array();

	for (guint i = 0; i < analysis->series->len; i++) {
		const struct trend_series *series = g_ptr_array_index(analysis->series, i);

		json_array_append_new(all, series_summary(series));
		for (guint j = 0; j < series->changes->len; j++)
			json_array_append_new(changes, change(series, g_ptr_array_index(series->changes, j)));
	}
	json_put(root, "schema", json_string(JSON_SCHEMA));
	json_put(root, "order", json_string(analysis->by_label ? "labels" : "time"));
	json_put(root, "confidence", json_of_number(analysis->level));
	json_put(root, "changes", changes);
	json_put(root, "series", all);
	json_print(root, to->out);
}
