#include "import_notes.h"

#include "dataset.h"
#include "shared.h"

#define KEYS_MAX 200 /* each takes a byte or more a run */

struct note_key {
	struct column *column;
	enum note_kind kind;
};

static void note_key_free(struct note_key *key)
{
	column_free(key->column);
	g_free(key);
}

void notes_init(struct notes *notes, const char *path, struct dataset *dataset)
{
	*notes = (struct notes){.path = path, .dataset = dataset};
	notes->keys = g_ptr_array_new_with_free_func((GDestroyNotify)note_key_free);
	notes->index = g_hash_table_new(g_str_hash, g_str_equal);
}

void notes_clear(struct notes *notes)
{
	g_ptr_array_unref(notes->keys);
	g_hash_table_unref(notes->index);
}

void notes_set(struct notes *notes, guint row, guint n, const char *name, const char *value, enum note_kind kind)
{
	struct note_key *key = g_hash_table_lookup(notes->index, name);

	if (n == 0)
		return;
	if (!key && notes->keys->len == KEYS_MAX) {
		if (!notes->has_told_of_keys)
			dataset_warn(notes->dataset, "%s: more than %d keys: the rest of them is left out",
				     notes->path, KEYS_MAX);
		notes->has_told_of_keys = TRUE;
		return;
	}
	if (!key) {
		key = g_new(struct note_key, 1);
		*key = (struct note_key){column_new(name), kind};
		g_ptr_array_add(notes->keys, key);
		g_hash_table_insert(notes->index, shared(key->column->name), key);
	}
	column_fill(key->column, row, n, value);
}

/* A run without a value is unlike one that has some. */
static gboolean differs(const struct dataset *dataset, const struct column *column, enum notes_differ differ)
{
	g_autoptr(GHashTable) first = g_hash_table_new(NULL, NULL); /* code of workload -> code + 1 */

	for (guint row = 0; row < dataset->n_runs; row++) {
		guint32 workload = differ == NOTES_IN_WORKLOAD ? column_code(dataset->workload, row) : 0;
		gpointer key = GUINT_TO_POINTER(workload), code = GSIZE_TO_POINTER((gsize)column_code(column, row) + 1);
		gpointer known = g_hash_table_lookup(first, key);

		if (known && known != code)
			return TRUE;
		if (!known)
			g_hash_table_insert(first, key, code);
	}
	return FALSE;
}

static gboolean is_factor(const struct dataset *dataset, const struct note_key *key, enum notes_differ differ)
{
	return g_str_equal(key->column->name, "label") ||
	       (key->kind == NOTE_ANY && differs(dataset, key->column, differ));
}

static gboolean has_same_facts(const GPtrArray *facts, guint row, guint other)
{
	for (guint i = 0; i < facts->len; i++)
		if (column_code(g_ptr_array_index(facts, i), row) != column_code(g_ptr_array_index(facts, i), other))
			return FALSE;
	return TRUE;
}

/* A set is named by all that it holds, so that runs with the same facts share one. */
static const char *add_fact_set(struct dataset *dataset, const GPtrArray *facts, guint row)
{
	g_autoptr(GHashTable) set = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GString) text = g_string_new(NULL);
	const char *name;

	for (guint i = 0; i < facts->len; i++) {
		const struct column *column = g_ptr_array_index(facts, i);
		const char *value = column_get(column, row);

		if (value) {
			g_hash_table_insert(set, shared(column->name), shared(value));
			g_string_append_printf(text, "%s=%s\n", column->name, value);
		}
	}
	if (!text->len)
		return NULL;
	name = text_kept(text->str);
	if (!g_hash_table_contains(dataset->fact_sets, name))
		g_hash_table_insert(dataset->fact_sets, shared(name), g_steal_pointer(&set));
	return name;
}

static void add_facts(struct dataset *dataset, const GPtrArray *facts)
{
	const char *name = NULL;

	if (!facts->len)
		return;
	dataset->facts = column_new("facts");
	for (guint row = 0; row < dataset->n_runs; row++) {
		if (row == 0 || !has_same_facts(facts, row, row - 1))
			name = add_fact_set(dataset, facts, row);
		if (name)
			column_set(dataset->facts, row, name);
	}
}

void notes_finish(struct notes *notes, enum notes_differ differ)
{
	struct dataset *dataset = notes->dataset;
	g_autoptr(GPtrArray) facts = g_ptr_array_new();

	for (guint i = 0; i < notes->keys->len; i++) {
		struct note_key *key = g_ptr_array_index(notes->keys, i);

		if (is_factor(dataset, key, differ))
			g_ptr_array_add(dataset->factors, g_steal_pointer(&key->column));
		else
			g_ptr_array_add(facts, key->column);
	}
	add_facts(dataset, facts);
	g_hash_table_remove_all(notes->index);
	g_ptr_array_set_size(notes->keys, 0);
}
