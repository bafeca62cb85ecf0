#include "export.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "dataset.h"
#include "operand.h"
#include "shared.h"

/* One object a line. The first says what is in the file: "values" of a run has the order of "metrics"; levels and
 * workloads have the order in which tables list them. Then come the runs, each followed by objects with the rows of its
 * series: "of" is the run's number, a row the seconds since it began and the values, whose "columns" stand in an object
 * before them where they change. Sittings and blocks are numbered as they come. */

#define ROWS_MAX 4096 /* in an object, so that a reader needs little memory, however long a run was */

struct lines {
	const struct dataset *dataset;
	const GArray *rows; /* guint: those that are written */
	GString *out;
	GPtrArray *metrics, *factors; /* struct values *, struct column *: those that some row has */
	GHashTable *sittings, *blocks; /* level -> its number */
	const GArray *columns; /* of the last series; NULL: none yet */
};

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

/* What a program or the kernel said need not be UTF-8. */
static json_t *any_text(const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	return json_string(valid);
}

static json_t *number_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static void append_line(struct lines *lines, json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT);

	g_string_append_printf(lines->out, "%s\n", text);
	free(text);
	json_decref(object);
}

static json_t *levels_of(const struct column *column, const GArray *rows)
{
	g_autoptr(GPtrArray) among = levels_among(column, rows);
	json_t *levels = json_array();

	for (guint i = 0; i < among->len; i++)
		json_array_append_new(levels, json_string(among->pdata[i]));
	return levels;
}

/* Sorted, so that the same runs make the same file. */
static json_t *texts_of(GHashTable *table)
{
	g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(table), (GCompareFunc)strcmp);
	json_t *object = json_object();

	for (GList *key = keys; key; key = key->next)
		json_object_set_new(object, key->data, json_string(g_hash_table_lookup(table, key->data)));
	return object;
}

static json_t *metric_of(const struct metric *metric)
{
	return json_pack("{s:s, s:s, s:o}", "name", metric->name, "unit", metric->unit, "better",
			 text_or_null(better_name(metric->better)));
}

static json_t *metrics_of(const struct lines *lines)
{
	json_t *metrics = json_array();

	for (guint i = 0; i < lines->metrics->len; i++) {
		const struct values *values = lines->metrics->pdata[i];
		json_t *metric = metric_of(&values->metric);

		json_object_set_new(metric, "only_by_name", json_boolean(values->only_by_name));
		json_array_append_new(metrics, metric);
	}
	return metrics;
}

static json_t *factors_of(const struct lines *lines)
{
	json_t *factors = json_array();

	for (guint i = 0; i < lines->factors->len; i++) {
		const struct column *factor = lines->factors->pdata[i];

		json_array_append_new(factors, json_pack("{s:s, s:o}", "name", factor->name, "levels",
							 levels_of(factor, lines->rows)));
	}
	return factors;
}

static json_t *facts_of(const struct lines *lines)
{
	g_autoptr(GPtrArray) names = levels_among(lines->dataset->facts, lines->rows);
	json_t *facts = json_object();

	for (guint i = 0; i < names->len; i++) {
		GHashTable *set = g_hash_table_lookup(lines->dataset->fact_sets, names->pdata[i]);

		if (set)
			json_object_set_new(facts, names->pdata[i], texts_of(set));
	}
	return facts;
}

/* The primary metrics of the workloads that some row has. */
static GHashTable *primaries(const struct dataset *dataset, const GArray *rows)
{
	g_autoptr(GPtrArray) workloads = levels_among(dataset->workload, rows);
	GHashTable *primary = g_hash_table_new(g_str_hash, g_str_equal);

	if (!dataset->workload)
		g_ptr_array_add(workloads, shared(""));
	for (guint i = 0; i < workloads->len; i++) {
		gpointer metric = g_hash_table_lookup(dataset->primary, workloads->pdata[i]);

		if (metric)
			g_hash_table_insert(primary, workloads->pdata[i], metric);
	}
	return primary;
}

static gboolean has_name(gpointer key, gpointer value, gpointer name)
{
	return g_str_equal(name, value);
}

static void choose_columns(struct lines *lines, GHashTable *primary)
{
	for (guint i = 0; i < lines->dataset->metrics->len; i++) {
		struct values *values = lines->dataset->metrics->pdata[i];
		gboolean any = g_hash_table_find(primary, has_name, shared(values->metric.name)) != NULL;

		for (guint j = 0; j < lines->rows->len && !any; j++)
			any = isfinite(values_get(values, g_array_index(lines->rows, guint, j)));
		if (any)
			g_ptr_array_add(lines->metrics, values);
	}
	for (guint i = 0; i < lines->dataset->factors->len; i++) {
		gboolean any = FALSE;

		for (guint j = 0; j < lines->rows->len && !any; j++)
			any = column_get(lines->dataset->factors->pdata[i], g_array_index(lines->rows, guint, j)) != NULL;
		if (any)
			g_ptr_array_add(lines->factors, lines->dataset->factors->pdata[i]);
	}
}

static void write_header(struct lines *lines)
{
	g_autoptr(GHashTable) primary = primaries(lines->dataset, lines->rows);

	choose_columns(lines, primary);
	append_line(lines,
		    json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "schema", EXPORT_SCHEMA, "metrics", metrics_of(lines),
			      "workloads", levels_of(lines->dataset->workload, lines->rows), "primary", texts_of(primary),
			      "factors", factors_of(lines), "facts", facts_of(lines)));
}

static void set_text(json_t *object, const char *key, const struct column *column, guint row)
{
	const char *text = column_get(column, row);

	if (text)
		json_object_set_new(object, key, json_string(text));
}

static void set_number(json_t *object, const char *key, const struct column *column, guint row, GHashTable *numbers)
{
	const char *text = column_get(column, row);
	g_autofree char *number = NULL;

	if (!text)
		return;
	if (!g_hash_table_contains(numbers, text))
		g_hash_table_insert(numbers, shared(text), GUINT_TO_POINTER(g_hash_table_size(numbers) + 1));
	number = g_strdup_printf("%u", GPOINTER_TO_UINT(g_hash_table_lookup(numbers, text)));
	json_object_set_new(object, key, json_string(number));
}

static json_t *flags_of(flag_set set)
{
	json_t *flags = json_array();

	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (set & info->flag)
			json_array_append_new(flags, json_string(info->name));
	return flags;
}

static void set_detail(json_t *run, const struct run_detail *detail)
{
	const GPtrArray *messages = detail->seen.messages;
	json_t *kernel = json_array();

	if (detail->is_warmup)
		json_object_set_new(run, "warmup", json_true());
	if (detail->is_calibration)
		json_object_set_new(run, "calibration", json_true());
	for (guint i = 0; messages && i < messages->len; i++)
		json_array_append_new(kernel, any_text(messages->pdata[i]));
	if (messages)
		json_object_set(run, "kernel", kernel);
	json_decref(kernel);
}

static json_t *values_of(const struct lines *lines, guint row)
{
	json_t *values = json_array();

	for (guint i = 0; i < lines->metrics->len; i++)
		json_array_append_new(values, number_or_null(values_get(lines->metrics->pdata[i], row)));
	return values;
}

static json_t *run_of(const struct lines *lines, guint row, guint number)
{
	const struct dataset *dataset = lines->dataset;
	const struct run_detail *detail = dataset_find_detail(dataset, row);
	const char *message = column_get(dataset->message, row);
	json_t *run = json_pack("{s:i}", "run", (int)number), *treatment = json_object();

	if (detail)
		set_detail(run, detail);
	set_text(run, "workload", dataset->workload, row);
	set_number(run, "sitting", dataset->sitting, row, lines->sittings);
	set_number(run, "block", dataset->block, row, lines->blocks);
	set_text(run, "boot", dataset->boot, row);
	set_text(run, "outcome", dataset->outcome, row);
	if (message)
		json_object_set_new(run, "message", any_text(message));
	set_text(run, "facts", dataset->facts, row);
	if (dataset_started_us(dataset, row))
		json_object_set_new(run, "started_us", json_integer(dataset_started_us(dataset, row)));
	if (dataset->flags && row < dataset->flags->len && g_array_index(dataset->flags, flag_set, row))
		json_object_set_new(run, "flags", flags_of(g_array_index(dataset->flags, flag_set, row)));
	for (guint i = 0; i < lines->factors->len; i++)
		set_text(treatment, ((const struct column *)lines->factors->pdata[i])->name, lines->factors->pdata[i], row);
	json_object_set_new(run, "treatment", treatment);
	json_object_set_new(run, "values", values_of(lines, row));
	return run;
}

static void write_columns(struct lines *lines, const GArray *columns, guint number)
{
	json_t *metrics = json_array();

	for (guint i = 0; i < columns->len; i++)
		json_array_append_new(metrics, metric_of(&g_array_index(columns, struct metric, i)));
	append_line(lines, json_pack("{s:i, s:o}", "of", (int)number, "columns", metrics));
	lines->columns = columns;
}

static json_t *row_of(const struct series *series, guint row)
{
	json_t *values = json_array();

	json_array_append_new(values, json_real(g_array_index(series->at_s, double, row)));
	for (guint i = 0; i < series->n_columns; i++)
		json_array_append_new(values,
				      number_or_null(g_array_index(series->values, double, row * series->n_columns + i)));
	return values;
}

static void write_series(struct lines *lines, const struct run_detail *detail, guint number)
{
	const struct series *series = &detail->seen.series;

	if (detail->columns != lines->columns)
		write_columns(lines, detail->columns, number);
	for (guint row = 0; row < series->at_s->len;) {
		json_t *rows = json_array();

		for (guint end = row + MIN(ROWS_MAX, series->at_s->len - row); row < end; row++)
			json_array_append_new(rows, row_of(series, row));
		append_line(lines, json_pack("{s:i, s:o}", "of", (int)number, "series", rows));
	}
}

static void write_json(const struct dataset *dataset, const GArray *rows, GString *out)
{
	struct lines lines = {.dataset = dataset,
			      .rows = rows,
			      .out = out,
			      .metrics = g_ptr_array_new(),
			      .factors = g_ptr_array_new(),
			      .sittings = g_hash_table_new(NULL, NULL),
			      .blocks = g_hash_table_new(NULL, NULL)};

	write_header(&lines);
	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		const struct run_detail *detail = dataset_find_detail(dataset, row);

		append_line(&lines, run_of(&lines, row, i + 1));
		if (detail && detail->columns)
			write_series(&lines, detail, i + 1);
	}
	g_ptr_array_unref(lines.metrics);
	g_ptr_array_unref(lines.factors);
	g_hash_table_unref(lines.sittings);
	g_hash_table_unref(lines.blocks);
}

const struct exporter export_json = {"json", "everything, one object a line: import and show read it", write_json,
				    TRUE};
