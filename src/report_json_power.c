#include "report_json.h"

#include "analyse_power.h"
#include "document.h"
#include "selection.h"

static json_t *points(const GArray *points)
{
	json_t *array = json_array();

	for (guint i = 0; i < points->len; i++) {
		const struct power_point *point = &g_array_index(points, struct power_point, i);
		json_t *object = json_object();

		json_put(object, "n", json_of_whole(point->n));
		json_put(object, "detectable_pct", json_of_number(point->detectable_pct));
		json_put(object, "power", json_of_number(point->power));
		json_put(object, "cost_s", json_of_number(point->cost_s));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *row(const struct power_analysis *analysis, const struct power_row *row)
{
	gboolean has_data = row->metric.name != NULL;
	json_t *object = json_object();

	json_put(object, "workload", json_of_name(row->workload));
	json_put(object, "metric", json_of_text(row->metric.name));
	json_put(object, "treatment", row->levels ? json_of_levels(row->levels) : json_object());
	json_put(object, "cv", json_of_number(row->cv));
	json_put(object, "scale", json_string(row->is_raw ? "raw" : "log"));
	json_put(object, "n", has_data ? json_integer(row->n) : json_null());
	json_put(object, "unit_of_replication", json_of_text(row->unit));
	json_put(object, "detectable_pct", json_of_number(row->detectable_pct));
	json_put(object, "detect_pct", json_of_number(analysis->detect_pct));
	json_put(object, "power", json_of_number(analysis->power));
	json_put(object, "runs_needed", json_of_whole(row->runs_needed));
	json_put(object, "runs_needed_90", json_of_whole(row->runs_needed_90));
	json_put(object, "cost_s", json_of_number(row->cost_s));
	json_put(object, "points", points(row->points));
	json_put(object, "flags", json_of_flags(row->flags));
	return object;
}

void report_json_power(const struct power_analysis *analysis, struct document *to)
{
	json_t *root = json_object(), *rows = json_array();

	for (guint i = 0; i < analysis->rows->len; i++)
		json_array_append_new(rows, row(analysis, g_ptr_array_index(analysis->rows, i)));
	json_put(root, "schema", json_string(JSON_SCHEMA));
	json_put(root, "confidence", json_of_number(analysis->level));
	json_put(root, "rows", rows);
	json_print(root, to->out);
}
