#include "analyse_sample.h"

#include <math.h>

#include "analyse.h"
#include "err.h"
#include "names.h"
#include "shared.h"

static flag_set flags_of_row(const struct dataset *dataset, guint row)
{
	return dataset->flags && row < dataset->flags->len ? g_array_index(dataset->flags, flag_set, row) : 0;
}

/* Those of complete runs that have a value. */
static GArray *usable_rows(const struct dataset *dataset, const GArray *rows, const struct values *values)
{
	GArray *usable = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);

		if (dataset_ok(dataset, row) && isfinite(values_get(values, row)))
			g_array_append_val(usable, row);
	}
	return usable;
}

void sample_init(struct sample *sample, const struct dataset *dataset, const GArray *rows, const struct values *values)
{
	guint n = 0;

	*sample = (struct sample){.rows = g_array_ref(shared(rows)),
				  .values = g_array_new(FALSE, FALSE, sizeof(double)),
				  .n_runs = rows->len};
	g_array_set_size(sample->values, rows->len);
	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		double value = values_get(values, row);
		gboolean is_ok = dataset_ok(dataset, row);

		sample->n_ok += is_ok;
		sample->failed += !is_ok && !dataset_skipped(dataset, row);
		if (is_ok && isfinite(value)) {
			g_array_index(sample->values, double, n++) = value;
			sample->flags |= flags_of_row(dataset, row);
		}
	}
	g_array_set_size(sample->values, n);
	if (n < rows->len) {
		g_array_unref(sample->rows);
		sample->rows = usable_rows(dataset, rows, values);
	}
	if (sample->failed)
		sample->flags |= FLAG_FAILURES;
	if (!sample->values->len)
		sample->flags |= FLAG_NO_DATA;
}

void sample_clear(struct sample *sample)
{
	g_array_unref(sample->rows);
	g_array_unref(sample->values);
}

gboolean sample_is_positive(const struct sample *sample)
{
	for (guint i = 0; i < sample->values->len; i++)
		if (g_array_index(sample->values, double, i) <= 0)
			return FALSE;
	return TRUE;
}

static guint32 code_of_row(const struct column *column, guint row)
{
	return column ? column_code(column, row) : row;
}

void units_init(struct units *units, const struct sample *sample, const struct column *column, gboolean is_geometric)
{
	g_autoptr(GHashTable) place = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) count = g_array_new(FALSE, FALSE, sizeof(guint));

	if (!column) {
		/* Runs as they are: a logarithm and back would round. */
		units->code = g_array_ref(sample->rows);
		units->values = g_array_ref(sample->values);
		return;
	}
	units->code = g_array_new(FALSE, FALSE, sizeof(guint32));
	units->values = g_array_new(FALSE, FALSE, sizeof(double));
	for (guint i = 0; i < sample->rows->len; i++) {
		guint32 code = code_of_row(column, g_array_index(sample->rows, guint, i));
		double value = g_array_index(sample->values, double, i);
		guint at;

		if (code == DATASET_ABSENT)
			continue;
		at = GPOINTER_TO_UINT(g_hash_table_lookup(place, GUINT_TO_POINTER(code)));
		if (!at) {
			const double zero = 0;
			const guint none = 0;

			g_array_append_val(units->code, code);
			g_array_append_val(units->values, zero);
			g_array_append_val(count, none);
			at = count->len;
			g_hash_table_insert(place, GUINT_TO_POINTER(code), GUINT_TO_POINTER(at));
		}
		g_array_index(units->values, double, at - 1) += is_geometric ? log(value) : value;
		g_array_index(count, guint, at - 1)++;
	}
	for (guint i = 0; i < count->len; i++) {
		double *value = &g_array_index(units->values, double, i);

		*value /= g_array_index(count, guint, i);
		if (is_geometric)
			*value = exp(*value);
	}
}

void units_clear(struct units *units)
{
	g_array_unref(units->code);
	g_array_unref(units->values);
}

guint sample_count_levels(const struct sample *sample, const struct column *column)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
	guint32 last = DATASET_ABSENT;

	if (!column)
		return 0;
	for (guint i = 0; i < sample->rows->len; i++) {
		guint32 code = code_of_row(column, g_array_index(sample->rows, guint, i));

		if (code == DATASET_ABSENT)
			return 0;
		if (code != last)
			g_hash_table_add(seen, GUINT_TO_POINTER(code));
		last = code;
	}
	return g_hash_table_size(seen);
}

const struct column *sample_replicate(const struct dataset *dataset, const struct sample *const *samples, guint n)
{
	const struct column *const columns[] = {dataset->boot, dataset->sitting};

	for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
		guint enough = 0;

		while (enough < n && sample_count_levels(samples[enough], columns[i]) >= 3)
			enough++;
		if (enough == n)
			return columns[i];
	}
	return NULL;
}

const char *row_workload(const struct dataset *dataset, guint row)
{
	const char *workload = column_get(dataset->workload, row);

	return workload ? workload : "";
}

GArray *rows_of_workload(const struct dataset *dataset, const GArray *rows, const char *workload)
{
	guint32 code = dataset->workload ? column_code_of(dataset->workload, workload) : DATASET_ABSENT;
	GArray *chosen;

	if (!dataset->workload && !*workload)
		return g_array_ref(shared(rows));
	chosen = g_array_new(FALSE, FALSE, sizeof(guint));
	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		guint32 its = column_code(dataset->workload, row);

		if (its == DATASET_ABSENT ? !*workload : its == code)
			g_array_append_val(chosen, row);
	}
	return chosen;
}

static gboolean is_named(char *const *names, const char *name)
{
	for (; *names; names++)
		if (g_str_equal(*names, name))
			return TRUE;
	return FALSE;
}

static gboolean check_metrics(const struct dataset *dataset, char *const *names, GError **error)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	g_autofree char *list = NULL;

	for (; names && *names; names++) {
		if (g_str_equal(*names, "all") || dataset_find_metric(dataset, *names))
			continue;
		for (guint i = 0; i < dataset->metrics->len; i++)
			names_add_once(known, ((struct values *)g_ptr_array_index(dataset->metrics, i))->metric.name);
		list = names_quoted(known);
		if (!known->len)
			return err_usage(error, "no metric '%s': the data holds none", *names);
		return err_usage(error, "no metric '%s': there are %s", *names, list);
	}
	return TRUE;
}

static gboolean check_workloads(const GPtrArray *known, char *const *names, GError **error)
{
	for (; names && *names; names++) {
		g_autofree char *list = NULL;

		if (names_have(known, *names, NULL))
			continue;
		list = names_quoted(known);
		return err_usage(error, "no workload '%s': there are %s", *names, list);
	}
	return TRUE;
}

static void workload_rows_free(struct workload_rows *workload)
{
	if (!workload)
		return;
	g_array_unref(workload->rows);
	g_free(workload);
}

/* The workloads among the rows, in the order in which the dataset lists them; NULL in place of those that have none. */
static GPtrArray *split_by_workload(const struct dataset *dataset, const GArray *rows)
{
	guint n = dataset->workload ? dataset->workload->level->len : 0;
	/* of rows that name none, which is "" as well */
	guint none = dataset->workload ? MIN(column_code_of(dataset->workload, ""), n) : 0;
	GPtrArray *split = g_ptr_array_new_with_free_func((GDestroyNotify)workload_rows_free);

	g_ptr_array_set_size(split, (int)n + 1);
	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		guint32 code = column_code(dataset->workload, row);
		gpointer *place = &split->pdata[code == DATASET_ABSENT ? none : code];
		struct workload_rows *workload = *place;

		if (!workload) {
			*place = workload = g_new(struct workload_rows, 1);
			workload->name = row_workload(dataset, row);
			workload->rows = g_array_new(FALSE, FALSE, sizeof(guint));
		}
		g_array_append_val(workload->rows, row);
	}
	return split;
}

GPtrArray *choose_workloads(const struct dataset *dataset, const GArray *rows, const struct analyse_options *options,
			    GError **error)
{
	g_autoptr(GPtrArray) split = split_by_workload(dataset, rows), known = g_ptr_array_new(), chosen = NULL;

	chosen = g_ptr_array_new_with_free_func((GDestroyNotify)workload_rows_free);
	for (guint i = 0; i < split->len; i++) {
		const struct workload_rows *workload = split->pdata[i];

		if (workload)
			g_ptr_array_add(known, shared(workload->name));
	}
	if (!check_metrics(dataset, options->metrics, error) || !check_workloads(known, options->workloads, error))
		return NULL;
	for (guint i = 0; i < split->len; i++) {
		const struct workload_rows *workload = split->pdata[i];

		if (workload && (!options->workloads || is_named(options->workloads, workload->name)))
			g_ptr_array_add(chosen, g_steal_pointer(&split->pdata[i]));
	}
	return g_steal_pointer(&chosen);
}

static gboolean is_measured(const struct values *values, const GArray *rows)
{
	for (guint i = 0; i < rows->len; i++)
		if (isfinite(values_get(values, g_array_index(rows, guint, i))))
			return TRUE;
	return FALSE;
}

static gboolean is_wanted(const struct dataset *dataset, const struct values *values, char *const *names)
{
	if (!names)
		return !values->only_by_name;
	if (is_named(names, "all"))
		return TRUE;
	for (; *names; names++)
		if (g_str_equal(*names, values->metric.name) || dataset_find_metric(dataset, *names) == values)
			return TRUE;
	return FALSE;
}

gboolean rows_have_ok_run(const struct dataset *dataset, const GArray *rows)
{
	for (guint i = 0; i < rows->len; i++)
		if (dataset_ok(dataset, g_array_index(rows, guint, i)))
			return TRUE;
	return FALSE;
}

GPtrArray *choose_metrics(const struct dataset *dataset, const GArray *rows, const char *workload,
			  const struct analyse_options *options, gboolean only_primary)
{
	GPtrArray *chosen = g_ptr_array_new();
	const char *primary = g_hash_table_lookup(dataset->primary, workload);
	struct values *first = NULL;

	/* a name may stand for several metrics of different units: the one that these runs have */
	for (guint i = 0; primary && i < dataset->metrics->len && !first; i++) {
		struct values *values = g_ptr_array_index(dataset->metrics, i);

		if (g_str_equal(values->metric.name, primary) && is_measured(values, rows))
			first = values;
	}
	if (!first && primary && !rows_have_ok_run(dataset, rows))
		first = dataset_find_metric(dataset, primary);

	for (guint i = 0; i < dataset->metrics->len && !first; i++)
		if (is_measured(g_ptr_array_index(dataset->metrics, i), rows))
			first = g_ptr_array_index(dataset->metrics, i);
	if (!first && dataset->metrics->len)
		first = g_ptr_array_index(dataset->metrics, 0);
	/* The primary metric stands even where every run failed: what was not measured is said, not left out. */
	if (first && is_wanted(dataset, first, options->metrics))
		g_ptr_array_add(chosen, first);
	if (!options->metrics && only_primary)
		return chosen;
	for (guint i = 0; i < dataset->metrics->len; i++) {
		struct values *values = g_ptr_array_index(dataset->metrics, i);

		if (values != first && is_wanted(dataset, values, options->metrics) && is_measured(values, rows))
			g_ptr_array_add(chosen, values);
	}
	return chosen;
}
