#include "export.h"

#include <jansson.h>
#include <math.h>

#include "dataset.h"

/* One object a line: the first says what the others mean, each of which is a run. "values" of a run has the order of
 * "metrics"; levels and workloads have the order in which tables list them. Nothing of a dataset is lost. */

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

static json_t *levels_of(const struct column *column)
{
	json_t *levels = json_array();

	for (guint i = 0; column && i < column->level->len; i++)
		json_array_append_new(levels, json_string(column->level->pdata[i]));
	return levels;
}

static json_t *texts_of(GHashTable *table)
{
	json_t *object = json_object();
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, table);
	while (g_hash_table_iter_next(&iter, &key, &value))
		json_object_set_new(object, key, json_string(value));
	return object;
}

static json_t *metrics_of(const struct dataset *dataset)
{
	json_t *metrics = json_array();

	for (guint i = 0; i < dataset->metrics->len; i++) {
		const struct values *values = dataset->metrics->pdata[i];

		json_array_append_new(metrics, json_pack("{s:s, s:s, s:o, s:b}", "name", values->metric.name, "unit",
							 values->metric.unit, "better",
							 text_or_null(better_name(values->metric.better)), "only_by_name",
							 values->only_by_name ? 1 : 0));
	}
	return metrics;
}

static json_t *header_of(const struct dataset *dataset)
{
	json_t *factors = json_array(), *facts = json_object();
	GHashTableIter iter;
	gpointer key, value;

	for (guint i = 0; i < dataset->factors->len; i++) {
		const struct column *factor = dataset->factors->pdata[i];

		json_array_append_new(factors, json_pack("{s:s, s:o}", "name", factor->name, "levels", levels_of(factor)));
	}
	g_hash_table_iter_init(&iter, dataset->fact_sets);
	while (g_hash_table_iter_next(&iter, &key, &value))
		json_object_set_new(facts, key, texts_of(value));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "schema", EXPORT_SCHEMA, "metrics", metrics_of(dataset),
			 "workloads", levels_of(dataset->workload), "primary", texts_of(dataset->primary), "factors",
			 factors, "facts", facts);
}

static void set_text(json_t *object, const char *key, const struct column *column, guint row)
{
	const char *text = column_get(column, row);

	if (text)
		json_object_set_new(object, key, json_string(text));
}

static json_t *flags_of(flag_set set)
{
	json_t *flags = json_array();

	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (set & info->flag)
			json_array_append_new(flags, json_string(info->name));
	return flags;
}

static json_t *run_of(const struct dataset *dataset, guint row, guint number)
{
	json_t *run = json_pack("{s:i}", "run", (int)number), *treatment = json_object(), *values = json_array();

	set_text(run, "workload", dataset->workload, row);
	set_text(run, "sitting", dataset->sitting, row);
	set_text(run, "block", dataset->block, row);
	set_text(run, "boot", dataset->boot, row);
	set_text(run, "outcome", dataset->outcome, row);
	set_text(run, "facts", dataset->facts, row);
	if (dataset_started_us(dataset, row))
		json_object_set_new(run, "started_us", json_integer(dataset_started_us(dataset, row)));
	if (dataset->flags && row < dataset->flags->len && g_array_index(dataset->flags, flag_set, row))
		json_object_set_new(run, "flags", flags_of(g_array_index(dataset->flags, flag_set, row)));
	for (guint i = 0; i < dataset->factors->len; i++)
		set_text(treatment, ((const struct column *)dataset->factors->pdata[i])->name, dataset->factors->pdata[i], row);
	for (guint i = 0; i < dataset->metrics->len; i++) {
		double value = values_get(dataset->metrics->pdata[i], row);

		json_array_append_new(values, isfinite(value) ? json_real(value) : json_null());
	}
	json_object_set_new(run, "treatment", treatment);
	json_object_set_new(run, "values", values);
	return run;
}

static void append_line(json_t *object, GString *out)
{
	char *text = json_dumps(object, JSON_COMPACT);

	g_string_append_printf(out, "%s\n", text);
	free(text);
	json_decref(object);
}

static void write_json(const struct dataset *dataset, const GArray *rows, GString *out)
{
	append_line(header_of(dataset), out);
	for (guint i = 0; i < rows->len; i++)
		append_line(run_of(dataset, g_array_index(rows, guint, i), i + 1), out);
}

const struct exporter export_json = {"json", "everything, one object a line: import and show read it", write_json};
