#include "filter.h"

#include <string.h>

#include "dataset.h"
#include "err.h"
#include "names.h"
#include "operand.h"
#include "unit.h"

/* All filters of one name: a run passes with any of the levels. */
struct filter {
	char *name;
	GPtrArray *levels; /* char * */
	const struct column *column;
	gboolean is_number; /* the column was numeric */
	gboolean is_scoped; /* its levels carry what makes them distinct in front: "3/17" */
};

static void filter_free(struct filter *filter)
{
	g_free(filter->name);
	g_ptr_array_unref(filter->levels);
	g_free(filter);
}

static gboolean level_matches(const struct filter *filter, const char *wanted, const char *level)
{
	double x, y;
	g_autofree char *scoped = NULL;

	if (!level)
		return FALSE;
	if (g_str_equal(wanted, level))
		return TRUE;
	if (filter->is_number)
		return number_parse(wanted, &x) && number_parse(level, &y) && x == y;
	scoped = g_strconcat("/", wanted, NULL);
	return filter->is_scoped && g_str_has_suffix(level, scoped);
}

static gboolean row_passes(const struct filter *filter, guint row)
{
	const char *level = column_get(filter->column, row);

	for (guint i = 0; i < filter->levels->len; i++)
		if (level_matches(filter, g_ptr_array_index(filter->levels, i), level))
			return TRUE;
	return FALSE;
}

/* Runs that came without an outcome are ok: a filter must find them by that word. */
static void fill_outcomes(struct dataset *dataset)
{
	if (!dataset->outcome)
		dataset->outcome = column_new("outcome");
	for (guint row = 0; row < dataset->n_runs; row++)
		if (!column_get(dataset->outcome, row))
			column_set(dataset->outcome, row, "ok");
}

static const struct column *fixed_column(struct dataset *dataset, const char *name)
{
	if (g_str_equal(name, "session") || g_str_equal(name, "sitting"))
		return dataset->sitting;
	if (g_str_equal(name, "block"))
		return dataset->block;
	if (g_str_equal(name, "boot"))
		return dataset->boot;
	if (g_str_equal(name, "workload"))
		return dataset->workload;
	if (!g_str_equal(name, "outcome"))
		return NULL;
	fill_outcomes(dataset);
	return dataset->outcome;
}

static gboolean filter_resolve(struct filter *filter, struct operands *operands, GError **error)
{
	struct dataset *dataset = operands->dataset;

	filter->column = dataset_find_factor(dataset, filter->name);
	if (!filter->column) {
		filter->column = fixed_column(dataset, filter->name);
		filter->is_scoped =
		    filter->column && filter->column != dataset->workload && filter->column != dataset->outcome;
	}
	if (!filter->column) {
		filter->is_number = dataset_find_metric(dataset, filter->name) != NULL;
		filter->column = operands_factor(operands, filter->name, error);
	}
	return filter->column != NULL;
}

/* A level that no run has is a slip of the pen. */
static gboolean filter_check(const struct filter *filter, const GArray *rows, GError **error)
{
	g_autoptr(GPtrArray) known = levels_among(filter->column, rows);
	g_autofree char *list = names_quoted(known);

	for (guint i = 0; i < filter->levels->len; i++) {
		const char *wanted = g_ptr_array_index(filter->levels, i);
		gboolean is_known = FALSE;

		for (guint j = 0; j < known->len && !is_known; j++)
			is_known = level_matches(filter, wanted, g_ptr_array_index(known, j));
		if (!is_known)
			return err_usage(error, "no run has '%s=%s'%s%s", filter->name, wanted,
					 known->len ? ": there are " : "", list);
	}
	return TRUE;
}

static GPtrArray *filters_parse(const GPtrArray *texts, GError **error)
{
	g_autoptr(GPtrArray) filters = g_ptr_array_new_with_free_func((GDestroyNotify)filter_free);

	for (guint i = 0; i < texts->len; i++) {
		const char *text = g_ptr_array_index(texts, i), *sign = strchr(text, '=');
		g_autofree char *name = g_strndup(text, (gsize)(sign - text));
		struct filter *filter = NULL;

		if (!*name) {
			err_usage(error, "filter '%s' has no name before '='", text);
			return NULL;
		}
		for (guint j = 0; j < filters->len && !filter; j++)
			if (g_str_equal(((struct filter *)g_ptr_array_index(filters, j))->name, name))
				filter = g_ptr_array_index(filters, j);
		if (!filter) {
			filter = g_new0(struct filter, 1);
			filter->name = g_steal_pointer(&name);
			filter->levels = g_ptr_array_new_with_free_func(g_free);
			g_ptr_array_add(filters, filter);
		}
		g_ptr_array_add(filter->levels, g_strdup(sign + 1));
	}
	return g_steal_pointer(&filters);
}

static GArray *filter_rows(const GPtrArray *filters, const GArray *rows)
{
	GArray *kept = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		gboolean passes = TRUE;

		for (guint j = 0; j < filters->len && passes; j++)
			passes = row_passes(g_ptr_array_index(filters, j), row);
		if (passes)
			g_array_append_val(kept, row);
	}
	return kept;
}

gboolean filters_apply(struct operands *operands, const GPtrArray *texts, GError **error)
{
	g_autoptr(GPtrArray) filters = filters_parse(texts, error);
	GArray *kept;

	if (!filters)
		return FALSE;
	if (!filters->len)
		return TRUE;
	for (guint i = 0; i < filters->len; i++) {
		struct filter *filter = g_ptr_array_index(filters, i);

		if (!filter_resolve(filter, operands, error) || !filter_check(filter, operands_rows(operands), error))
			return FALSE;
	}
	for (guint i = 0; i < operands->groups->len; i++) {
		kept = filter_rows(filters, g_ptr_array_index(operands->groups, i));
		g_array_unref(g_ptr_array_index(operands->groups, i));
		g_ptr_array_index(operands->groups, i) = kept;
	}
	kept = filter_rows(filters, operands_rows(operands));
	g_array_unref(operands->rows);
	operands->rows = kept;
	return kept->len || err_usage(error, "no run passes all of the filters");
}
