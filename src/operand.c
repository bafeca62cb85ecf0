#include "operand.h"

#include <string.h>

#include "dataset.h"
#include "dataset_rows.h"
#include "err.h"
#include "filter.h"
#include "import_ahead.h"
#include "names.h"
#include "store.h"
#include "shared.h"

struct load {
	struct operands *result;
	GHashTable *files; /* canonical path -> GArray of rows: a file named twice is read once */
	const char *store_path;
	gboolean whole;
	GArray *store_rows; /* NULL: the store was not read */
	struct import_ahead *ahead;
	GPtrArray *filters; /* char *: operands with '=' */
};

static int by_code(gconstpointer a, gconstpointer b, gpointer column)
{
	guint32 x = column_code_of(column, *(const char *const *)a), y = column_code_of(column, *(const char *const *)b);

	return (x > y) - (x < y);
}

GPtrArray *levels_among(const struct column *column, const GArray *rows)
{
	GPtrArray *levels = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < rows->len; i++) {
		const char *level = column_get(column, g_array_index(rows, guint, i));

		if (level && g_hash_table_add(seen, shared(level)))
			names_add(levels, level);
	}
	if (column)
		g_ptr_array_sort_with_data(levels, by_code, shared(column));
	return levels;
}

/* Takes part. */
static GArray *append(struct operands *operands, struct dataset *part)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
	guint first = operands->dataset->n_runs;

	g_array_set_size(rows, part->n_runs);
	for (guint i = 0; i < part->n_runs; i++)
		g_array_index(rows, guint, i) = first + i;
	operands->order_unknown = first > 0;
	if (first > 0) {
		dataset_append(operands->dataset, part);
		dataset_free(part);
	} else {
		dataset_free(operands->dataset);
		operands->dataset = part;
	}
	return rows;
}

static gboolean read_store(struct load *load, GError **error)
{
	g_autoptr(Store) store = store_open(load->store_path, STORE_READ, error);
	g_autoptr(Dataset) part = NULL;

	if (store)
		part = load->whole ? store_load_whole(store, error) : store_load(store, FALSE, error);
	if (!part)
		return FALSE;
	load->store_rows = append(load->result, g_steal_pointer(&part));
	return TRUE;
}

static GArray *add_file(struct load *load, const char *path, GError **error)
{
	g_autofree char *canonical = g_canonicalize_filename(path, NULL);
	GArray *rows = g_hash_table_lookup(load->files, canonical);
	g_autoptr(Dataset) part = NULL;

	if (rows)
		return g_array_ref(rows);
	part = import_ahead_take(load->ahead, path, error);
	if (!part)
		return NULL;
	if (!load->whole)
		dataset_keep_samples(part);
	rows = append(load->result, g_steal_pointer(&part));
	g_hash_table_insert(load->files, g_steal_pointer(&canonical), g_array_ref(rows));
	return rows;
}

static GArray *rows_of_level(const struct column *column, const GArray *rows, const char *level)
{
	GArray *chosen = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);

		if (g_strcmp0(column_get(column, row), level) == 0)
			g_array_append_val(chosen, row);
	}
	return chosen;
}

static GArray *add_label(struct load *load, const char *label, GError **error)
{
	const struct column *column;
	g_autoptr(GArray) rows = NULL;
	g_autoptr(GPtrArray) known = NULL;
	g_autofree char *list = NULL;

	if (!load->store_rows && !read_store(load, error)) {
		g_prefix_error(error, "'%s' is not a file, and cannot be looked up as a label: ", label);
		return NULL;
	}
	column = dataset_find_factor(load->result->dataset, "label");
	rows = rows_of_level(column, load->store_rows, label);
	if (rows->len)
		return g_steal_pointer(&rows);
	known = levels_among(column, load->store_rows);
	list = names_quoted(known);
	err_usage(error, "'%s' is neither a file nor a label in the store '%s'%s%s", label, load->store_path,
		  known->len ? ": its labels are " : ", which holds no runs", list);
	return NULL;
}

static gboolean is_file(const char *operand)
{
	return g_file_test(operand, G_FILE_TEST_EXISTS) && !g_file_test(operand, G_FILE_TEST_IS_DIR);
}

static gboolean add_operand(struct load *load, char *operand, GError **error)
{
	GArray *rows;

	if (!is_file(operand) && strchr(operand, '=')) {
		g_ptr_array_add(load->filters, operand);
		return TRUE;
	}
	rows = is_file(operand) ? add_file(load, operand, error) : add_label(load, operand, error);
	if (!rows)
		return FALSE;
	g_ptr_array_add(load->result->names, g_strdup(operand));
	g_ptr_array_add(load->result->groups, rows);
	return TRUE;
}

static GArray *rows_of_groups(const struct operands *operands)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
	guint n = 0;
	g_autofree guint8 *is_in = g_new0(guint8, operands->dataset->n_runs + 1);

	for (guint i = 0; i < operands->groups->len; i++) {
		const GArray *group = g_ptr_array_index(operands->groups, i);

		for (guint j = 0; j < group->len; j++)
			is_in[g_array_index(group, guint, j)] = TRUE;
	}
	g_array_set_size(rows, operands->dataset->n_runs);
	for (guint row = 0; row < operands->dataset->n_runs; row++)
		if (is_in[row])
			g_array_index(rows, guint, n++) = row;
	g_array_set_size(rows, n);
	return rows;
}

GArray *operands_rows(struct operands *operands)
{
	if (!operands->rows)
		operands->rows = rows_of_groups(operands);
	return operands->rows;
}

static gboolean load_all(struct load *load, char **operands, GError **error)
{
	struct operands *result = load->result;

	for (; *operands; operands++)
		if (!add_operand(load, *operands, error))
			return FALSE;
	if (!result->names->len) {
		if (!read_store(load, error))
			return FALSE;
		if (!load->store_rows->len)
			return err_usage(error, "the store '%s' holds no runs", load->store_path);
		result->rows = g_array_ref(load->store_rows);
	}
	return filters_apply(result, load->filters, error);
}

static struct operands *load_operands(char **operands, const char *store_path, gboolean whole, GError **error)
{
	g_autoptr(Operands) result = g_new0(struct operands, 1);
	struct load load = {.result = result, .store_path = store_path, .whole = whole};
	gboolean ok;

	result->dataset = dataset_new();
	result->names = g_ptr_array_new_with_free_func(g_free);
	result->groups = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	load.files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
	load.filters = g_ptr_array_new();
	load.ahead = import_ahead_new(operands);
	ok = load_all(&load, operands, error);
	import_ahead_free(load.ahead);
	g_hash_table_unref(load.files);
	g_ptr_array_unref(load.filters);
	if (load.store_rows)
		g_array_unref(load.store_rows);
	return ok ? g_steal_pointer(&result) : NULL;
}

struct operands *operands_load(char **operands, const char *store_path, GError **error)
{
	return load_operands(operands, store_path, FALSE, error);
}

struct operands *operands_load_whole(char **operands, const char *store_path, GError **error)
{
	return load_operands(operands, store_path, TRUE, error);
}

void operands_free(struct operands *operands)
{
	if (!operands)
		return;
	dataset_free(operands->dataset);
	g_ptr_array_unref(operands->names);
	g_ptr_array_unref(operands->groups);
	if (operands->rows)
		g_array_unref(operands->rows);
	g_free(operands);
}

const struct column *operands_factor(struct operands *operands, const char *name, GError **error)
{
	struct dataset *dataset = operands->dataset;
	const struct column *column = dataset_find_factor(dataset, name);
	g_autoptr(GPtrArray) known = NULL;
	g_autofree char *list = NULL;

	if (column)
		return column;
	if (dataset_metric_to_factor(dataset, name))
		return dataset_find_factor(dataset, name);
	known = g_ptr_array_new();
	for (guint i = 0; i < dataset->factors->len; i++)
		names_add(known, ((struct column *)g_ptr_array_index(dataset->factors, i))->name);
	list = names_quoted(known);
	err_usage(error, "no factor '%s': there are %s%sthe numeric columns", name, list, known->len ? " and " : "");
	return NULL;
}

gboolean label_check(const char *label, GError **error)
{
	if (!*label || !g_utf8_validate(label, -1, NULL))
		return err_usage(error, "the label '%s' must be UTF-8 text and not empty", label);
	if (*label == '-' || strchr(label, '='))
		return err_usage(error, "the label '%s' would be taken for an %s by show and compare: choose another", label,
				 *label == '-' ? "option" : "operand NAME=LEVEL");
	return TRUE;
}
