#include "dataset_rows.h"

#include <math.h>
#include <string.h>

#include "dataset.h"

static gboolean is_primary(const struct dataset *dataset, const char *metric)
{
	GHashTableIter iter;
	gpointer primary;

	g_hash_table_iter_init(&iter, dataset->primary);
	while (g_hash_table_iter_next(&iter, NULL, &primary))
		if (g_str_equal(primary, metric))
			return TRUE;
	return FALSE;
}

static gboolean any_value(const struct values *values)
{
	for (guint row = 0; row < values->value->len; row++)
		if (!isnan(values_get(values, row)))
			return TRUE;
	return FALSE;
}

static gboolean any_level(const struct column *column)
{
	for (guint row = 0; row < column->codes->len; row++)
		if (column_code(column, row) != DATASET_ABSENT)
			return TRUE;
	return FALSE;
}

void dataset_drop_unused(struct dataset *dataset)
{
	for (guint i = dataset->metrics->len; i-- > 0;) {
		const struct values *values = g_ptr_array_index(dataset->metrics, i);

		if (!any_value(values) && !is_primary(dataset, values->metric.name))
			g_ptr_array_remove_index(dataset->metrics, i);
	}
	for (guint i = dataset->factors->len; i-- > 0;)
		if (!any_level(dataset->factors->pdata[i]))
			g_ptr_array_remove_index(dataset->factors, i);
}

/* The rows (guint) of an array with an element a run, or fewer, move up. */
static void keep(GArray *array, const GArray *rows)
{
	guint size, n = 0;

	if (!array)
		return;
	size = g_array_get_element_size(array);
	for (; n < rows->len && g_array_index(rows, guint, n) < array->len; n++)
		memmove(array->data + (gsize)n * size, array->data + (gsize)g_array_index(rows, guint, n) * size, size);
	g_array_set_size(array, n);
}

static void keep_details(struct dataset *dataset, const GArray *rows)
{
	GPtrArray *kept = g_ptr_array_new_with_free_func((GDestroyNotify)run_detail_unref);

	for (guint i = 0; i < rows->len; i++) {
		struct run_detail *detail = dataset_find_detail(dataset, g_array_index(rows, guint, i));

		g_ptr_array_add(kept, detail ? run_detail_ref(detail) : NULL);
	}
	g_ptr_array_unref(dataset->details);
	dataset->details = kept;
}

static void keep_rows(struct dataset *dataset, const GArray *rows)
{
	struct column *columns[] = {dataset->workload, dataset->sitting, dataset->block, dataset->boot,
				    dataset->outcome,  dataset->facts,   dataset->message};

	if (rows->len == dataset->n_runs)
		return;
	for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
		if (columns[i])
			keep(columns[i]->codes, rows);
	for (guint i = 0; i < dataset->factors->len; i++)
		keep(((struct column *)dataset->factors->pdata[i])->codes, rows);
	for (guint i = 0; i < dataset->metrics->len; i++)
		keep(((struct values *)dataset->metrics->pdata[i])->value, rows);
	keep(dataset->flags, rows);
	keep(dataset->started_us, rows);
	keep(dataset->store_run, rows);
	keep_details(dataset, rows);
	dataset->n_runs = rows->len;
	dataset_drop_unused(dataset);
}

void dataset_keep_samples(struct dataset *dataset)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint row = 0; row < dataset->n_runs; row++)
		if (dataset_in_sample(dataset, row))
			g_array_append_val(rows, row);
	keep_rows(dataset, rows);
}

void dataset_keep_calibration(struct dataset *dataset)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint row = 0; row < dataset->n_runs; row++) {
		const struct run_detail *detail = dataset_find_detail(dataset, row);

		if (detail && detail->is_calibration && !detail->is_warmup)
			g_array_append_val(rows, row);
	}
	if (rows->len)
		keep_rows(dataset, rows);
	else
		dataset_keep_samples(dataset);
}
