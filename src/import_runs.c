#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "export.h"
#include "import_json.h"
#include "outcome.h"
#include "shared.h"

/* What export --format json wrote (export_json.c says what): a header, then runs with their series. */

struct runs {
	GPtrArray *metrics; /* struct values *, as the header has them; NULL: there was none */
	GArray *columns;    /* struct metric, ends with a NULL name: those of the series that follow; NULL: none yet */
	double number;      /* of the last run */
};

static gboolean wrong(const struct json_document *document, const char *what, GError **error)
{
	return err_usage(error, "%s:%" G_GUINT64_FORMAT ": %s", document->path, document->line, what);
}

static gboolean read_metric(const struct json_document *document, const json_t *one, struct metric *metric,
			    GError **error)
{
	const char *name = json_get_text(one, "name"), *unit = json_get_text(one, "unit");
	const char *better = json_get_text(one, "better");

	*metric = (struct metric){0};
	if (!name || !*name || !unit || (better && !better_parse(better, &metric->better)))
		return wrong(document, "a metric without a name, a unit or a known direction", error);
	metric->name = g_intern_string(name);
	metric->unit = g_intern_string(unit);
	return TRUE;
}

static gboolean read_metrics(const struct json_document *document, struct runs *runs, GError **error)
{
	const json_t *metrics = json_object_get(document->root, "metrics");

	for (size_t i = 0; i < json_array_size(metrics); i++) {
		const json_t *one = json_array_get(metrics, i);
		struct metric metric;
		struct values *values;

		if (!read_metric(document, one, &metric, error))
			return FALSE;
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

	if (g_strcmp0(json_get_text(document->root, "schema"), EXPORT_SCHEMA) != 0 &&
	    g_strcmp0(json_get_text(document->root, "schema"), EXPORT_SCHEMA_1) != 0)
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

static void read_detail(struct dataset *dataset, const json_t *run, guint row)
{
	const json_t *kernel = json_object_get(run, "kernel");

	if (json_is_true(json_object_get(run, "warmup")))
		dataset_detail(dataset, row)->is_warmup = TRUE;
	if (json_is_true(json_object_get(run, "calibration")))
		dataset_detail(dataset, row)->is_calibration = TRUE;
	for (size_t i = 0; i < json_array_size(kernel); i++)
		if (json_is_string(json_array_get(kernel, i)))
			run_detail_add_message(dataset_detail(dataset, row), json_string_value(json_array_get(kernel, i)));
}

static gboolean read_columns(const struct json_document *document, struct runs *runs, const json_t *columns,
			     GError **error)
{
	g_autoptr(GArray) read = g_array_new(TRUE, TRUE, sizeof(struct metric));

	for (size_t i = 0; i < json_array_size(columns); i++) {
		struct metric metric;

		if (!read_metric(document, json_array_get(columns, i), &metric, error))
			return FALSE;
		g_array_append_val(read, metric);
	}
	g_clear_pointer(&runs->columns, g_array_unref);
	runs->columns = g_steal_pointer(&read);
	return TRUE;
}

/* Of the last run: its columns stay the same. */
static gboolean read_row(const struct json_document *document, const struct runs *runs, const json_t *row,
			 GError **error)
{
	struct run_detail *detail = dataset_detail(document->dataset, document->dataset->n_runs - 1);
	guint n = runs->columns ? runs->columns->len : 0;
	double at_s = json_number_value(json_array_get(row, 0)), *values;

	if (!n || json_array_size(row) != n + 1 || !json_is_number(json_array_get(row, 0)) ||
	    (detail->columns && detail->columns != runs->columns))
		return wrong(document, "a row of a series with more or fewer values than there are columns", error);
	values = run_detail_add_row(detail, runs->columns, at_s);
	for (guint i = 0; i < n; i++)
		if (json_is_number(json_array_get(row, i + 1)))
			values[i] = json_number_value(json_array_get(row, i + 1));
	return TRUE;
}

static gboolean read_series(const struct json_document *document, struct runs *runs, GError **error)
{
	const json_t *columns = json_object_get(document->root, "columns");
	const json_t *series = json_object_get(document->root, "series");

	/* NaN where there was no run */
	if (!(json_get_number(document->root, "of") == runs->number))
		return wrong(document, "a series of another run than the one before it", error);
	if (runs->number >= 1 && runs->number < 9e15)
		dataset_detail(document->dataset, document->dataset->n_runs - 1)->number = (gint64)runs->number;
	if (columns && !read_columns(document, runs, columns, error))
		return FALSE;
	for (size_t i = 0; i < json_array_size(series); i++)
		if (!read_row(document, runs, json_array_get(series, i), error))
			return FALSE;
	return TRUE;
}

static gboolean read_run(const struct json_document *document, struct runs *runs, GError **error)
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
	runs->number = json_get_number(document->root, "run");
	read_detail(dataset, document->root, row);
	read_column(document, "workload", &dataset->workload, row);
	read_column(document, "sitting", &dataset->sitting, row);
	read_column(document, "block", &dataset->block, row);
	read_column(document, "boot", &dataset->boot, row);
	read_column(document, "outcome", &dataset->outcome, row);
	read_column(document, "facts", &dataset->facts, row);
	read_column(document, "message", &dataset->message, row);
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

	if (json_object_get(document->root, "of"))
		return read_series(document, runs, error);
	if (!json_object_get(document->root, "schema"))
		return read_run(document, runs, error);
	runs->number = NAN;
	g_clear_pointer(&runs->metrics, g_ptr_array_unref);
	return read_header(document, runs, error);
}

static gboolean read_stream(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct runs runs = {.number = NAN};
	gboolean ok = import_json(path, stream, dataset, NULL, take, &runs, error);

	g_clear_pointer(&runs.metrics, g_ptr_array_unref);
	g_clear_pointer(&runs.columns, g_array_unref);
	return ok;
}

static gboolean detect(const char *head, gsize length)
{
	return g_str_has_prefix(head, "{") &&
	       (strstr(head, "\"" EXPORT_SCHEMA "\"") || strstr(head, "\"" EXPORT_SCHEMA_1 "\""));
}

const struct importer import_runs = {"vmstat-bench", "runs that export --format json wrote", detect, read_stream};
