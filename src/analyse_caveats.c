#include "comparison.h"
#include "analyse_design.h"

#include <string.h>

#include "analyse.h"
#include "facts.h"
#include "names.h"

static void add_order(struct comparison *comparison, const struct sample *baseline, const struct sample *other,
		      gboolean order_unknown)
{
	const GArray *x = baseline->rows, *y = other->rows;
	gboolean x_first, y_first;

	if (!x->len || !y->len)
		return;
	x_first = g_array_index(x, guint, x->len - 1) < g_array_index(y, guint, 0);
	y_first = g_array_index(y, guint, y->len - 1) < g_array_index(x, guint, 0);
	if (!x_first && !y_first)
		return;
	comparison->flags |= FLAG_ORDER_CONFOUNDED;
	if (!order_unknown)
		comparison->ran_first = x_first ? comparison->baseline.name : comparison->other.name;
}

/* key -> GPtrArray of the values that it had during the sample's runs. */
static GHashTable *facts_of(const struct dataset *dataset, const struct sample *sample)
{
	GHashTable *facts = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

	for (guint i = 0; dataset->facts && i < sample->rows->len; i++) {
		const char *name = column_get(dataset->facts, g_array_index(sample->rows, guint, i));
		GHashTable *set = name ? g_hash_table_lookup(dataset->fact_sets, name) : NULL;
		GHashTableIter iter;
		gpointer key, value;

		if (!set || !g_hash_table_add(seen, set))
			continue;
		g_hash_table_iter_init(&iter, set);
		while (g_hash_table_iter_next(&iter, &key, &value)) {
			GPtrArray *values = g_hash_table_lookup(facts, key);

			if (!values) {
				values = g_ptr_array_new();
				g_hash_table_insert(facts, key, values);
			}
			names_add_once(values, value);
		}
	}
	return facts;
}

static gboolean are_same(const GPtrArray *x, const GPtrArray *y)
{
	if (x->len != y->len)
		return FALSE;
	for (guint i = 0; i < x->len; i++)
		if (!names_have(y, g_ptr_array_index(x, i), NULL))
			return FALSE;
	return TRUE;
}

static gboolean is_compared(const struct selection *side, const char *key)
{
	/* it says when and how the kernel was built, and is another for every kernel */
	if (g_str_equal(key, "kernel_version"))
		key = "kernel";
	for (guint i = 0; side->levels && i < side->levels->len; i++)
		if (g_str_equal(g_array_index(side->levels, struct level, i).factor, key))
			return TRUE;
	return FALSE;
}

/* Whether a difference in this fact is one that nobody asked for: not what is compared (side NULL: nothing is), nor the
 * options of another workload. */
static gboolean matters(const char *key, const char *workload, const struct selection *side)
{
	if (g_str_has_prefix(key, OPTIONS_OF) && !g_str_equal(key + strlen(OPTIONS_OF), workload))
		return FALSE;
	return !side || !is_compared(side, key);
}

gboolean facts_are_mixed(const struct dataset *dataset, const struct sample *sample, const char *workload)
{
	g_autoptr(GHashTable) facts = facts_of(dataset, sample);
	GHashTableIter iter;
	gpointer key, values;

	g_hash_table_iter_init(&iter, facts);
	while (g_hash_table_iter_next(&iter, &key, &values))
		if (((const GPtrArray *)values)->len > 1 && matters(key, workload, NULL))
			return TRUE;
	return FALSE;
}

static void add_facts(struct comparison *comparison, const struct dataset *dataset, const struct sample *baseline,
		      const struct sample *other, const struct selection *side)
{
	g_autoptr(GHashTable) of_baseline = facts_of(dataset, baseline), of_other = facts_of(dataset, other);
	g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(of_baseline), (GCompareFunc)strcmp);

	for (const GList *at = keys; at; at = at->next) {
		GPtrArray *x = g_hash_table_lookup(of_baseline, at->data), *y = g_hash_table_lookup(of_other, at->data);
		struct fact_difference *difference;

		if (!y || !matters(at->data, comparison->workload, side) || (are_same(x, y) && x->len == 1))
			continue;
		difference = g_new(struct fact_difference, 1);
		*difference = (struct fact_difference){at->data, g_ptr_array_ref(x), g_ptr_array_ref(y)};
		g_ptr_array_add(comparison->facts_differ, difference);
		comparison->flags |= are_same(x, y) ? 0 : FLAG_FACTS_DIFFER;
		comparison->flags |= x->len > 1 || y->len > 1 ? FLAG_MIXED_FACTS : 0;
	}
}

static void add_mixed(struct comparison *comparison, const struct dataset *dataset, const struct sample *sample)
{
	for (guint i = 0; i < dataset->factors->len; i++) {
		const struct column *column = g_ptr_array_index(dataset->factors, i);
		const char *first = NULL;

		for (guint j = 0; j < sample->rows->len; j++) {
			const char *level = column_get(column, g_array_index(sample->rows, guint, j));

			if (first && level && level != first) {
				names_add_once(comparison->mixed, column->name);
				comparison->flags |= FLAG_MIXED_LEVELS;
				break;
			}
			first = first ? first : level;
		}
	}
}

void caveats_add(struct comparison *comparison, const struct dataset *dataset, const struct sample *baseline,
		 const struct sample *other, const struct selection *side, gboolean order_unknown)
{
	add_order(comparison, baseline, other, order_unknown);
	add_facts(comparison, dataset, baseline, other, side);
	add_mixed(comparison, dataset, baseline);
	add_mixed(comparison, dataset, other);
}
