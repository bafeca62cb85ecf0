#include "import_formats.h"

#include <string.h>

#include "dataset.h"
#include "err.h"
#include "export.h"
#include "import_json.h"
#include "outcome.h"
#include "shared.h"

/* What export --format json wrote: a header, then a run a line. */

struct runs {
	GPtrArray *metrics; /* struct values *, as the header has them; NULL: there was none */
	gboolean any;
};

static gboolean wrong(const struct json_document *document, const char *what, GError **error)
{
	return err_usage(error, "%s:%" G_GUINT64_FORMAT ": %s", document->path, document->line, what);
}

static gboolean read_metrics(const struct json_document *document, struct runs *runs, GError **error)
{
	const json_t *metrics = json_object_get(document->root, "metrics");

	for (size_t i = 0; i < json_array_size(metrics); i++) {
		const json_t *one = json_array_get(metrics, i);
		const char *name = json_get_text(one, "name"), *unit = json_get_text(one, "unit");
		const char *better = json_get_text(one, "better");
		struct metric metric = {.name = name, .unit = unit};
		struct values *values;

		if (!name || !*name || !unit || (better && !better_parse(better, &metric.better)))
			return wrong(document, "a metric without a name, a unit or a known direction", error);
		values = dataset_metric(document->dataset, &metric);
		values->only_by_name = json_is_true(json_object_get(one, "only_by_name"));
		g_ptr_array_add(runs->metrics, values);
	}
	return TRUE;
}

static void read_levels(struct column *column, const json_t *levels)
{
	for (size_t i = 0; i < json_array_size(levels); i++)
		if (json_is_string(json_array_get(levels, i)))
			column_add_level(column, json_string_value(json_array_get(levels, i)));
}

static void read_texts(const json_t *object, GHashTable *table)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(gsize)object, key, value)
		if (json_is_string(value))
			g_hash_table_insert(table, text_kept(key), text_kept(json_string_value(value)));
}

static gboolean read_header(const struct json_document *document, struct runs *runs, GError **error)
{
	struct dataset *dataset = document->dataset;
	const json_t *factors = json_object_get(document->root, "factors");
	const json_t *workloads = json_object_get(document->root, "workloads");
	const char *name;
	json_t *facts;

	if (g_strcmp0(json_get_text(document->root, "schema"), EXPORT_SCHEMA) != 0)
		return wrong(document, "runs of another version than " EXPORT_SCHEMA, error);
	runs->metrics = g_ptr_array_new();
	if (!read_metrics(document, runs, error))
		return FALSE;
	if (json_array_size(workloads) && !dataset->workload)
		dataset->workload = column_new("workload");
	if (dataset->workload)
		read_levels(dataset->workload, workloads);
	for (size_t i = 0; i < json_array_size(factors); i++) {
		const char *factor = json_get_text(json_array_get(factors, i), "name");

		if (!factor || !*factor)
			return wrong(document, "a factor without a name", error);
		read_levels(dataset_factor(dataset, factor), json_object_get(json_array_get(factors, i), "levels"));
	}
	read_texts(json_object_get(document->root, "primary"), dataset->primary);
	json_object_foreach(json_object_get(document->root, "facts"), name, facts) {
		GHashTable *table = g_hash_table_new(g_str_hash, g_str_equal);

		read_texts(facts, table);
		g_hash_table_insert(dataset->fact_sets, text_kept(name), table);
	}
	return TRUE;
}

static void read_column(const struct json_document *document, const char *key, struct column **column, guint row)
{
	const char *text = json_get_text(document->root, key);

	if (!text)
		return;
	if (!*column)
		*column = column_new(key);
	column_set(*column, row, text);
}

static void read_flags(struct dataset *dataset, const json_t *flags, guint row)
{
	flag_set set = 0;

	for (size_t i = 0; i < json_array_size(flags); i++)
		if (json_is_string(json_array_get(flags, i)))
			set |= flag_of_name(json_string_value(json_array_get(flags, i)));
	if (!set)
		return;
	if (!dataset->flags)
		dataset->flags = g_array_new(FALSE, TRUE, sizeof(flag_set));
	if (dataset->flags->len <= row)
		g_array_set_size(dataset->flags, row + 1);
	g_array_index(dataset->flags, flag_set, row) = set;
}

static void read_started(struct dataset *dataset, double started_us, guint row)
{
	gint64 started;

	/* NaN where there is none; a double is exact to 2^53 */
	if (!(started_us > 0) || started_us > 9e15)
		return;
	started = (gint64)started_us;
	if (!dataset->started_us)
		dataset->started_us = g_array_new(FALSE, TRUE, sizeof(gint64));
	if (dataset->started_us->len <= row)
		g_array_set_size(dataset->started_us, row + 1);
	g_array_index(dataset->started_us, gint64, row) = started;
}

static gboolean read_run(const struct json_document *document, const struct runs *runs, GError **error)
{
	struct dataset *dataset = document->dataset;
	const json_t *values = json_object_get(document->root, "values");
	const char *outcome = json_get_text(document->root, "outcome"), *factor;
	json_t *treatment = json_object_get(document->root, "treatment"), *level;
	enum outcome known;
	guint row;

	if (!runs->metrics)
		return wrong(document, "a run before what the file is", error);
	if (json_array_size(values) != runs->metrics->len)
		return wrong(document, "a run with more or fewer values than there are metrics", error);
	if (outcome && !outcome_parse(outcome, &known))
		return wrong(document, "an outcome that there is none of", error);
	row = dataset_add_run(dataset);
	read_column(document, "workload", &dataset->workload, row);
	read_column(document, "sitting", &dataset->sitting, row);
	read_column(document, "block", &dataset->block, row);
	read_column(document, "boot", &dataset->boot, row);
	read_column(document, "outcome", &dataset->outcome, row);
	read_column(document, "facts", &dataset->facts, row);
	read_started(dataset, json_get_number(document->root, "started_us"), row);
	read_flags(dataset, json_object_get(document->root, "flags"), row);
	json_object_foreach(treatment, factor, level)
		if (json_is_string(level))
			column_set(dataset_factor(dataset, factor), row, json_string_value(level));
	for (guint i = 0; i < runs->metrics->len; i++)
		if (json_is_number(json_array_get(values, i)))
			values_set(runs->metrics->pdata[i], row, json_number_value(json_array_get(values, i)));
	return TRUE;
}

static gboolean take(const struct json_document *document, gpointer data, GError **error)
{
	struct runs *runs = data;

	if (!json_object_get(document->root, "schema"))
		return read_run(document, runs, error);
	g_clear_pointer(&runs->metrics, g_ptr_array_unref);
	return read_header(document, runs, error);
}

static gboolean read_stream(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct runs runs = {0};
	gboolean ok = import_json(path, stream, dataset, NULL, take, &runs, error);

	g_clear_pointer(&runs.metrics, g_ptr_array_unref);
	return ok;
}

static gboolean detect(const char *head, gsize length)
{
	return g_str_has_prefix(head, "{") && strstr(head, "\"" EXPORT_SCHEMA "\"") != NULL;
}

const struct importer import_runs = {"vmstat-bench", "runs that export --format json wrote", detect, read_stream};
