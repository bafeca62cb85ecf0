#include "column.h"

#include <string.h>

struct column *column_new(const char *name)
{
	struct column *column = g_new0(struct column, 1);

	column->name = g_intern_string(name);
	column->codes = g_array_new(FALSE, FALSE, 1);
	column->level = g_ptr_array_new();
	column->index = g_hash_table_new(g_str_hash, g_str_equal);
	return column;
}

void column_free(struct column *column)
{
	if (!column)
		return;
	g_array_unref(column->codes);
	g_ptr_array_unref(column->level);
	g_hash_table_unref(column->index);
	g_free(column);
}

gpointer text_kept(const char *text)
{
	static GStringChunk *texts;
	char *kept;
	G_LOCK_DEFINE_STATIC(texts);

	G_LOCK(texts);
	if (!texts)
		texts = g_string_chunk_new(1u << 16);
	kept = g_string_chunk_insert_const(texts, text);
	G_UNLOCK(texts);
	return kept;
}

/* Absent is the largest number of the width. */
static guint width_of(const struct column *column)
{
	return column->level->len < G_MAXUINT8 ? 1 : column->level->len < G_MAXUINT16 ? 2 : 4;
}

guint32 column_code_of(const struct column *column, const char *level)
{
	guint32 next = GPOINTER_TO_UINT(g_hash_table_lookup(column->index, level));

	return next ? next - 1 : DATASET_ABSENT;
}

guint32 column_code(const struct column *column, guint row)
{
	if (!column || row >= column->codes->len)
		return DATASET_ABSENT;
	switch (width_of(column)) {
	case 1: {
		guint8 code = g_array_index(column->codes, guint8, row);

		return code == G_MAXUINT8 ? DATASET_ABSENT : code;
	}
	case 2: {
		guint16 code = g_array_index(column->codes, guint16, row);

		return code == G_MAXUINT16 ? DATASET_ABSENT : code;
	}
	default:
		return g_array_index(column->codes, guint32, row);
	}
}

static void set_code(struct column *column, guint row, guint32 code)
{
	switch (width_of(column)) {
	case 1:
		g_array_index(column->codes, guint8, row) = (guint8)code;
		break;
	case 2:
		g_array_index(column->codes, guint16, row) = (guint16)code;
		break;
	default:
		g_array_index(column->codes, guint32, row) = code;
	}
}

/* All codes, before the number of levels changes what they are kept in. */
static guint32 *codes_of(const struct column *column)
{
	guint32 *codes = g_new(guint32, column->codes->len);

	for (guint row = 0; row < column->codes->len; row++)
		codes[row] = column_code(column, row);
	return codes;
}

static void add_level(struct column *column, gpointer level)
{
	guint n = column->codes->len, n_levels = column->level->len + 1;
	g_autofree guint32 *codes = n_levels == G_MAXUINT8 || n_levels == G_MAXUINT16 ? codes_of(column) : NULL;

	g_ptr_array_add(column->level, level);
	g_hash_table_insert(column->index, level, GUINT_TO_POINTER(n_levels));
	if (!codes)
		return;
	g_array_unref(column->codes);
	column->codes = g_array_sized_new(FALSE, FALSE, width_of(column), n);
	g_array_set_size(column->codes, n);
	for (guint row = 0; row < n; row++)
		set_code(column, row, codes[row]);
}

static guint32 code_of_level(struct column *column, const char *level)
{
	guint32 code = GPOINTER_TO_UINT(g_hash_table_lookup(column->index, level));

	if (code)
		return code - 1;
	add_level(column, text_kept(level));
	return column->level->len - 1;
}

void column_add_level(struct column *column, const char *level)
{
	code_of_level(column, level);
}

static void pad(struct column *column, guint length)
{
	guint old = column->codes->len, width = width_of(column);

	if (old >= length)
		return;
	g_array_set_size(column->codes, length);
	memset(column->codes->data + (gsize)old * width, 0xff, (gsize)(length - old) * width);
}

void column_set(struct column *column, guint row, const char *level)
{
	if (level) {
		guint32 code = code_of_level(column, level);

		pad(column, row + 1);
		set_code(column, row, code);
	} else if (row < column->codes->len) {
		set_code(column, row, DATASET_ABSENT);
	}
}

void column_fill(struct column *column, guint row, guint n, const char *level)
{
	guint32 code = code_of_level(column, level);

	pad(column, row + n);
	for (guint end = row + n; row < end; row++)
		set_code(column, row, code);
}

const char *column_get(const struct column *column, guint row)
{
	guint32 code = column_code(column, row);

	return code == DATASET_ABSENT ? NULL : g_ptr_array_index(column->level, code);
}

void column_prefix(struct column *column, const char *prefix)
{
	g_hash_table_remove_all(column->index);
	for (guint i = 0; i < column->level->len; i++) {
		const char *old = g_ptr_array_index(column->level, i);
		g_autofree char *level = g_uuid_string_is_valid(old) ? g_strdup(old) : g_strconcat(prefix, old, NULL);

		g_ptr_array_index(column->level, i) = text_kept(level);
		g_hash_table_insert(column->index, g_ptr_array_index(column->level, i), GUINT_TO_POINTER(i + 1));
	}
}

void column_append(struct column *column, const struct column *other, guint first)
{
	g_autofree guint32 *code = g_new(guint32, other->level->len + 1);
	guint n = other->codes->len;

	for (guint i = 0; i < other->level->len; i++)
		code[i] = code_of_level(column, g_ptr_array_index(other->level, i));
	pad(column, first + n);
	for (guint i = 0; i < n; i++) {
		guint32 old = column_code(other, i);

		set_code(column, first + i, old == DATASET_ABSENT ? old : code[old]);
	}
}
