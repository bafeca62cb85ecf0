#include "report_conditions.h"

#include <string.h>

#include "dataset.h"
#include "names.h"
#include "report_page.h"
#include "selection.h"
#include "shared.h"

static void conditions_free(gpointer data)
{
	struct conditions *conditions = data;

	g_free(conditions->name);
	g_ptr_array_unref(conditions->sets);
	g_free(conditions);
}

/* Takes the name over. */
static struct conditions *conditions_add(GPtrArray *columns, char *name)
{
	struct conditions *conditions = g_new(struct conditions, 1);

	*conditions = (struct conditions){name, g_ptr_array_new()};
	g_ptr_array_add(columns, conditions);
	return conditions;
}

/* The names of the sets of facts among the rows, in order of appearance. */
static GPtrArray *sets_among(const struct dataset *dataset, const GArray *rows)
{
	GPtrArray *sets = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < rows->len; i++) {
		const char *name = column_get(dataset->facts, g_array_index(rows, guint, i));

		if (name && g_hash_table_lookup(dataset->fact_sets, name) && g_hash_table_add(seen, shared(name)))
			names_add(sets, name);
	}
	return sets;
}

static void add_set(struct conditions *conditions, const struct dataset *dataset, const char *set)
{
	g_ptr_array_add(conditions->sets, g_hash_table_lookup(dataset->fact_sets, set));
}

GPtrArray *conditions_of(const struct report_page *page)
{
	GPtrArray *columns = g_ptr_array_new_with_free_func(conditions_free);
	g_autoptr(GPtrArray) all = sets_among(page->dataset, page->rows);

	for (guint i = 0; page->sides && all->len && i < page->sides->len; i++) {
		const struct selection *side = g_ptr_array_index(page->sides, i);
		g_autoptr(GPtrArray) sets = sets_among(page->dataset, side->rows);
		struct conditions *conditions = conditions_add(columns, g_strdup(side->name));

		for (guint j = 0; j < sets->len; j++)
			add_set(conditions, page->dataset, g_ptr_array_index(sets, j));
	}
	for (guint i = 0; !page->sides && i < all->len; i++)
		add_set(conditions_add(columns,
				       all->len == 1 ? g_strdup("all runs") : g_strdup_printf("conditions %u", i + 1)),
			page->dataset, g_ptr_array_index(all, i));
	return columns;
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *conditions_keys(const GPtrArray *columns)
{
	GPtrArray *keys = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < columns->len; i++) {
		const struct conditions *conditions = g_ptr_array_index(columns, i);

		for (guint j = 0; j < conditions->sets->len; j++) {
			GHashTableIter iter;
			gpointer key;

			g_hash_table_iter_init(&iter, g_ptr_array_index(conditions->sets, j));
			while (g_hash_table_iter_next(&iter, &key, NULL))
				if (g_hash_table_add(seen, key))
					g_ptr_array_add(keys, key);
		}
	}
	g_ptr_array_sort(keys, by_name);
	return keys;
}

/* All values of a fact in a column. */
static char *value_of(const struct conditions *conditions, const char *key)
{
	g_autoptr(GPtrArray) values = g_ptr_array_new();

	for (guint i = 0; i < conditions->sets->len; i++) {
		const char *value = g_hash_table_lookup(g_ptr_array_index(conditions->sets, i), key);

		names_add_once(values, value ? value : "not known");
	}
	return values->len ? names_join(values, "; ") : g_strdup("not known");
}

GPtrArray *conditions_values(const GPtrArray *columns, const char *key)
{
	GPtrArray *values = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < columns->len; i++)
		g_ptr_array_add(values, value_of(g_ptr_array_index(columns, i), key));
	return values;
}

gboolean conditions_differ(const GPtrArray *values)
{
	for (guint i = 1; i < values->len; i++)
		if (!g_str_equal(values->pdata[i], values->pdata[0]))
			return TRUE;
	return FALSE;
}
