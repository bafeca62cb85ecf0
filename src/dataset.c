#include "dataset.h"

#include <math.h>
#include <string.h>

#include "outcome.h"
#include "shared.h"
#include "unit.h"

#define WARNINGS_MAX 20 /* more say nothing new */

static void values_free(struct values *values)
{
	g_array_unref(values->value);
	g_free(values);
}

static void facts_unref(gpointer facts)
{
	g_hash_table_unref(facts);
}

struct dataset *dataset_new(void)
{
	struct dataset *dataset = g_new0(struct dataset, 1);

	dataset->factors = g_ptr_array_new_with_free_func((GDestroyNotify)column_free);
	dataset->metrics = g_ptr_array_new_with_free_func((GDestroyNotify)values_free);
	dataset->fact_sets = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, facts_unref);
	dataset->primary = g_hash_table_new(g_str_hash, g_str_equal);
	dataset->warnings = g_ptr_array_new_with_free_func(g_free);
	return dataset;
}

void dataset_free(struct dataset *dataset)
{
	if (!dataset)
		return;
	column_free(dataset->workload);
	column_free(dataset->sitting);
	column_free(dataset->block);
	column_free(dataset->boot);
	column_free(dataset->outcome);
	column_free(dataset->facts);
	column_free(dataset->message);
	if (dataset->flags)
		g_array_unref(dataset->flags);
	if (dataset->started_us)
		g_array_unref(dataset->started_us);
	if (dataset->store_run)
		g_array_unref(dataset->store_run);
	if (dataset->details)
		g_ptr_array_unref(dataset->details);
	g_ptr_array_unref(dataset->factors);
	g_ptr_array_unref(dataset->metrics);
	g_hash_table_unref(dataset->fact_sets);
	g_hash_table_unref(dataset->primary);
	g_ptr_array_unref(dataset->warnings);
	g_free(dataset);
}

void dataset_warn(struct dataset *dataset, const char *format, ...)
{
	va_list args;

	if (dataset->warnings->len == WARNINGS_MAX)
		return;
	va_start(args, format);
	g_ptr_array_add(dataset->warnings, g_strdup_vprintf(format, args));
	va_end(args);
}

guint dataset_add_run(struct dataset *dataset)
{
	return dataset->n_runs++;
}

struct column *dataset_find_factor(const struct dataset *dataset, const char *name)
{
	for (guint i = 0; i < dataset->factors->len; i++) {
		struct column *column = g_ptr_array_index(dataset->factors, i);

		if (g_str_equal(column->name, name))
			return column;
	}
	return NULL;
}

struct column *dataset_factor(struct dataset *dataset, const char *name)
{
	struct column *column = dataset_find_factor(dataset, name);

	if (!column) {
		column = column_new(name);
		g_ptr_array_add(dataset->factors, column);
	}
	return column;
}

/* unit NULL: of any unit. */
static struct values *find_values(const struct dataset *dataset, const char *name, const char *unit)
{
	for (guint i = 0; i < dataset->metrics->len; i++) {
		struct values *values = g_ptr_array_index(dataset->metrics, i);

		if (g_str_equal(values->metric.name, name) && (!unit || g_str_equal(values->metric.unit, unit)))
			return values;
	}
	return NULL;
}

struct values *dataset_find_metric(const struct dataset *dataset, const char *name)
{
	struct values *values = find_values(dataset, name, NULL);

	if (!values) {
		struct metric metric = metric_of_column(name);

		values = find_values(dataset, metric.name, metric.unit);
	}
	return values;
}

struct values *dataset_add_metric(struct dataset *dataset, const struct metric *metric)
{
	struct values *values = g_new0(struct values, 1);

	values->metric = *metric;
	values->metric.name = g_intern_string(metric->name);
	values->metric.unit = g_intern_string(metric->unit);
	values->value = g_array_new(FALSE, FALSE, sizeof(double));
	g_ptr_array_add(dataset->metrics, values);
	return values;
}

struct values *dataset_metric(struct dataset *dataset, const struct metric *metric)
{
	struct values *values = find_values(dataset, metric->name, metric->unit);

	return values ? values : dataset_add_metric(dataset, metric);
}

static void values_pad(struct values *values, guint length)
{
	guint old = values->value->len;

	if (old >= length)
		return;
	g_array_set_size(values->value, length);
	for (guint i = old; i < length; i++)
		g_array_index(values->value, double, i) = NAN;
}

void values_set(struct values *values, guint row, double value)
{
	values_pad(values, row);
	if (row == values->value->len)
		g_array_append_val(values->value, value);
	else
		g_array_index(values->value, double, row) = value;
}

double values_get(const struct values *values, guint row)
{
	return row < values->value->len ? g_array_index(values->value, double, row) : NAN;
}

static gint64 number_at(const GArray *numbers, guint row)
{
	return numbers && row < numbers->len ? g_array_index(numbers, gint64, row) : 0;
}

gint64 dataset_started_us(const struct dataset *dataset, guint row)
{
	return number_at(dataset->started_us, row);
}

gint64 dataset_store_run(const struct dataset *dataset, guint row)
{
	return number_at(dataset->store_run, row);
}

gboolean dataset_ok(const struct dataset *dataset, guint row)
{
	const char *outcome = column_get(dataset->outcome, row);

	return !outcome || g_str_equal(outcome, outcome_name(OUTCOME_OK));
}

gboolean dataset_skipped(const struct dataset *dataset, guint row)
{
	const char *outcome = column_get(dataset->outcome, row);

	return outcome && (g_str_equal(outcome, outcome_name(OUTCOME_SKIPPED)) ||
			   g_str_equal(outcome, outcome_name(OUTCOME_INTERRUPTED)));
}

struct run_detail *dataset_find_detail(const struct dataset *dataset, guint row)
{
	return dataset->details && row < dataset->details->len ? dataset->details->pdata[row] : NULL;
}

struct run_detail *dataset_detail(struct dataset *dataset, guint row)
{
	if (!dataset->details)
		dataset->details = g_ptr_array_new_with_free_func((GDestroyNotify)run_detail_unref);
	if (row >= dataset->details->len)
		g_ptr_array_set_size(dataset->details, (gint)row + 1);
	if (!dataset->details->pdata[row])
		dataset->details->pdata[row] = run_detail_new();
	return dataset->details->pdata[row];
}

gboolean dataset_in_sample(const struct dataset *dataset, guint row)
{
	const struct run_detail *detail = dataset_find_detail(dataset, row);

	return !detail || (!detail->is_warmup && !detail->is_calibration);
}

static void append_optional(struct column **to, const struct column *from, guint offset)
{
	if (!from)
		return;
	if (!*to)
		*to = column_new(from->name);
	column_append(*to, from, offset);
}

/* Of numbers a run, 0 where there is none. */
static void append_numbers(GArray **to, const GArray *from, guint offset)
{
	if (!from)
		return;
	if (!*to)
		*to = g_array_new(FALSE, TRUE, g_array_get_element_size(shared(from)));
	g_array_set_size(*to, offset);
	g_array_append_vals(*to, from->data, from->len);
}

static void append_details(struct dataset *dataset, const struct dataset *other)
{
	if (!other->details)
		return;
	if (!dataset->details)
		dataset->details = g_ptr_array_new_with_free_func((GDestroyNotify)run_detail_unref);
	g_ptr_array_set_size(dataset->details, (gint)dataset->n_runs);
	for (guint i = 0; i < other->details->len; i++) {
		struct run_detail *detail = other->details->pdata[i];

		g_ptr_array_add(dataset->details, detail ? run_detail_ref(detail) : NULL);
	}
}

static void merge_tables(struct dataset *dataset, const struct dataset *other)
{
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, other->fact_sets);
	while (g_hash_table_iter_next(&iter, &key, &value))
		if (!g_hash_table_contains(dataset->fact_sets, key))
			g_hash_table_insert(dataset->fact_sets, key, g_hash_table_ref(value));
	g_hash_table_iter_init(&iter, other->primary);
	while (g_hash_table_iter_next(&iter, &key, &value))
		if (!g_hash_table_contains(dataset->primary, key))
			g_hash_table_insert(dataset->primary, key, value);
}

void dataset_append(struct dataset *dataset, const struct dataset *other)
{
	guint offset = dataset->n_runs;

	append_optional(&dataset->workload, other->workload, offset);
	append_optional(&dataset->sitting, other->sitting, offset);
	append_optional(&dataset->block, other->block, offset);
	append_optional(&dataset->boot, other->boot, offset);
	append_optional(&dataset->outcome, other->outcome, offset);
	append_optional(&dataset->facts, other->facts, offset);
	append_optional(&dataset->message, other->message, offset);
	append_numbers(&dataset->flags, other->flags, offset);
	append_numbers(&dataset->started_us, other->started_us, offset);
	append_numbers(&dataset->store_run, other->store_run, offset);
	append_details(dataset, other);
	for (guint i = 0; i < other->factors->len; i++) {
		const struct column *from = g_ptr_array_index(other->factors, i);

		column_append(dataset_factor(dataset, from->name), from, offset);
	}
	for (guint i = 0; i < other->metrics->len; i++) {
		const struct values *from = g_ptr_array_index(other->metrics, i);
		struct values *to = dataset_metric(dataset, &from->metric);

		to->only_by_name = from->only_by_name;

		values_pad(to, offset);
		g_array_append_vals(to->value, from->value->data, from->value->len);
	}
	merge_tables(dataset, other);
	for (guint i = 0; i < other->warnings->len; i++)
		dataset_warn(dataset, "%s", (const char *)other->warnings->pdata[i]);
	dataset->n_runs += other->n_runs;
}

/* Workloads whose primary metric is about to go get the first of the others. */
static void forget_primary(struct dataset *dataset, const char *name)
{
	const char *next = NULL;
	GHashTableIter iter;
	gpointer primary;

	for (guint i = 0; i < dataset->metrics->len && !next; i++) {
		const struct values *values = g_ptr_array_index(dataset->metrics, i);

		if (!g_str_equal(values->metric.name, name))
			next = values->metric.name;
	}
	g_hash_table_iter_init(&iter, dataset->primary);
	while (g_hash_table_iter_next(&iter, NULL, &primary)) {
		if (!g_str_equal(primary, name))
			continue;
		if (next)
			g_hash_table_iter_replace(&iter, shared(next));
		else
			g_hash_table_iter_remove(&iter);
	}
}

gboolean dataset_metric_to_factor(struct dataset *dataset, const char *name)
{
	struct values *values = dataset_find_metric(dataset, name);
	struct column *column;

	if (!values)
		return FALSE;
	column = dataset_factor(dataset, name);
	for (guint row = 0; row < values->value->len; row++) {
		double value = values_get(values, row);

		if (!isnan(value)) {
			g_autofree char *level = number_format_shortest(value);

			column_set(column, row, level);
		}
	}
	forget_primary(dataset, values->metric.name);
	g_ptr_array_remove(dataset->metrics, values);
	return TRUE;
}
