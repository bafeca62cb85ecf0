#include "analyse_treatment.h"

#include "dataset.h"
#include "selection.h"
#include "unit.h"

static void treatment_group_free(struct treatment_group *group)
{
	g_array_unref(group->rows);
	g_array_unref(group->levels);
	g_free(group->name);
	g_free(group);
}

static const struct column *factor_at(const struct naming *naming, guint i)
{
	return g_ptr_array_index(naming->dataset->factors, i);
}

static GArray *levels_of_row(const struct naming *naming, guint row)
{
	GArray *levels = g_array_new(FALSE, FALSE, sizeof(struct level));

	for (guint i = 0; i < naming->dataset->factors->len; i++) {
		const struct column *column = factor_at(naming, i);
		struct level level = {column->name, column_get(column, row)};

		if (level.level && column != naming->except)
			g_array_append_val(levels, level);
	}
	return levels;
}

static char *key_of_row(const struct naming *naming, guint row)
{
	GString *key = g_string_new(NULL);

	for (guint i = 0; i < naming->dataset->factors->len; i++) {
		const struct column *column = factor_at(naming, i);

		if (column != naming->except)
			g_string_append_printf(key, "%x ", column_code(column, row));
	}
	return g_string_free(key, FALSE);
}

static gboolean is_varied(const struct column *column, const GArray *rows)
{
	for (guint i = 1; i < rows->len; i++)
		if (column_code(column, g_array_index(rows, guint, i)) !=
		    column_code(column, g_array_index(rows, guint, 0)))
			return TRUE;
	return FALSE;
}

static gboolean is_plain(const struct column *column)
{
	if (g_str_equal(column->name, "label"))
		return TRUE;
	for (guint i = 0; i < column->level->len; i++) {
		const char *level = column->level->pdata[i];
		guint64 bytes;
		double number;

		if (number_parse(level, &number) || size_parse(level, &bytes, NULL))
			return FALSE;
	}
	return TRUE;
}

void naming_init(struct naming *naming, const struct dataset *dataset, const GArray *rows, const struct column *except)
{
	guint n = dataset->factors->len;

	*naming = (struct naming){dataset, except, g_new(gboolean, n), g_new(gboolean, n)};
	for (guint i = 0; i < n; i++) {
		const struct column *column = factor_at(naming, i);

		naming->is_varied[i] = column != except && is_varied(column, rows);
		naming->is_plain[i] = is_plain(column);
	}
}

void naming_clear(struct naming *naming)
{
	g_free(naming->is_varied);
	g_free(naming->is_plain);
}

/* "6.1" or "6.1 swap=200": the first level that differs between the rows stands alone where that can be understood. */
static char *name_of_row(const struct naming *naming, guint row)
{
	GString *name = g_string_new(NULL);
	guint n = naming->dataset->factors->len;

	for (guint i = 0; i < n; i++) {
		const struct column *column = factor_at(naming, i);
		const char *level = column_get(column, row);

		if (!level || !naming->is_varied[i])
			continue;
		if (name->len || !naming->is_plain[i])
			g_string_append_printf(name, "%s%s=%s", name->len ? " " : "", column->name, level);
		else
			g_string_append(name, level);
	}
	if (!name->len && n && !naming->except) {
		const char *level = column_get(factor_at(naming, 0), row);

		g_string_append(name, level ? level : "");
	}
	return g_string_free(name, FALSE);
}

/* By the levels of the first factor, then of the next, each in the order in which the data names them: a random order of
 * runs is none for a table. */
static int by_levels(gconstpointer a, gconstpointer b, gpointer factors)
{
	const struct treatment_group *const *x = a, *const *y = b;

	for (guint i = 0; i < ((const GPtrArray *)factors)->len; i++) {
		const struct column *column = g_ptr_array_index((const GPtrArray *)factors, i);
		guint32 left = column_code(column, g_array_index((*x)->rows, guint, 0));
		guint32 right = column_code(column, g_array_index((*y)->rows, guint, 0));

		if (left != right)
			return left < right ? -1 : 1;
	}
	return 0;
}

GPtrArray *treatments_of(const struct naming *naming, const GArray *rows)
{
	GPtrArray *groups = g_ptr_array_new_with_free_func((GDestroyNotify)treatment_group_free);
	g_autoptr(GHashTable) index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < rows->len; i++) {
		guint row = g_array_index(rows, guint, i);
		g_autofree char *key = key_of_row(naming, row);
		struct treatment_group *group = g_hash_table_lookup(index, key);

		if (!group) {
			group = g_new0(struct treatment_group, 1);
			group->rows = g_array_new(FALSE, FALSE, sizeof(guint));
			group->levels = levels_of_row(naming, row);
			group->name = name_of_row(naming, row);
			g_ptr_array_add(groups, group);
			g_hash_table_insert(index, g_steal_pointer(&key), group);
		}
		g_array_append_val(group->rows, row);
	}
	g_ptr_array_sort_with_data(groups, by_levels, naming->dataset->factors);
	return groups;
}
