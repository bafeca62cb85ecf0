#include "sides.h"

#include "dataset.h"
#include "err.h"
#include "names.h"
#include "operand.h"
#include "selection.h"

static void selection_free(struct selection *selection)
{
	g_free(selection->name);
	g_array_unref(selection->levels);
	g_array_unref(selection->rows);
	g_free(selection);
}

static struct selection *selection_new(const char *name, const char *factor, GArray *rows)
{
	struct selection *selection = g_new(struct selection, 1);
	struct level level = {g_intern_string(factor), g_intern_string(name)};

	selection->name = g_strdup(name);
	selection->levels = g_array_new(FALSE, FALSE, sizeof(struct level));
	g_array_append_val(selection->levels, level);
	selection->rows = g_array_ref(rows);
	return selection;
}

GPtrArray *sides_factors(struct operands *operands)
{
	GPtrArray *names = g_ptr_array_new();

	for (guint i = 0; i < operands->dataset->factors->len; i++) {
		const struct column *column = g_ptr_array_index(operands->dataset->factors, i);
		g_autoptr(GPtrArray) levels = levels_among(column, operands_rows(operands));

		if (levels->len > 1)
			names_add(names, column->name);
	}
	return names;
}

GPtrArray *sides_by_name(struct operands *operands, GError **error)
{
	GPtrArray *sides;

	if (operands->names->len < 2) {
		g_autoptr(GPtrArray) factors = sides_factors(operands);
		g_autofree char *list = names_quoted(factors);

		err_usage(error, "compare needs a baseline and at least one other, or --by FACTOR%s%s",
			  factors->len ? ": these runs differ in " : "", list);
		return NULL;
	}
	sides = g_ptr_array_new_with_free_func((GDestroyNotify)selection_free);
	for (guint i = 0; i < operands->names->len; i++)
		g_ptr_array_add(sides, selection_new(g_ptr_array_index(operands->names, i), "label",
						     g_ptr_array_index(operands->groups, i)));
	return sides;
}

static GArray *rows_of_level(const struct column *column, const GArray *rows, const char *level)
{
	GArray *chosen = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);

		if (column_get(column, row) == level)
			g_array_append_val(chosen, row);
	}
	return chosen;
}

#define LEVELS_MAX 1000

/* Puts the baseline first. */
static gboolean order_levels(GPtrArray *levels, const char *factor, const char *baseline, GError **error)
{
	g_autofree char *list = names_quoted(levels);
	guint at = 0;

	if (baseline && !names_have(levels, baseline, &at))
		return err_usage(error, "no level '%s' of '%s' to be the baseline: there are %s", baseline, factor,
				 levels->len ? list : "none");
	if (levels->len < 2)
		return err_usage(error, "'%s' has no two levels to compare in these runs: there is %s", factor,
				 levels->len ? list : "none");
	if (levels->len > LEVELS_MAX)
		return err_usage(error, "'%s' has %u levels in these runs: at most %d can be compared", factor, levels->len,
				 LEVELS_MAX);
	g_ptr_array_insert(levels, 0, g_ptr_array_steal_index(levels, at));
	return TRUE;
}

GPtrArray *sides_by_factor(struct operands *operands, const char *factor, const char *baseline, GError **error)
{
	const struct column *column = operands_factor(operands, factor, error);
	g_autoptr(GPtrArray) levels = column ? levels_among(column, operands_rows(operands)) : NULL;
	GPtrArray *sides;

	if (!levels || !order_levels(levels, factor, baseline, error))
		return NULL;
	sides = g_ptr_array_new_with_free_func((GDestroyNotify)selection_free);
	for (guint i = 0; i < levels->len; i++) {
		const char *level = g_ptr_array_index(levels, i);
		g_autoptr(GArray) rows = rows_of_level(column, operands_rows(operands), level);

		g_ptr_array_add(sides, selection_new(level, factor, rows));
	}
	return sides;
}
