#include "import_column.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "import_line.h"
#include "import_stamp.h"
#include "shared.h"
#include "unit.h"

static const struct {
	const char *name;
	enum role role;
} special_names[] = {
    {"run", ROLE_RUN},
    {"session", ROLE_SESSION},
    {"block", ROLE_BLOCK},
    {"boot", ROLE_BOOT},
    {"outcome", ROLE_OUTCOME},
    {"workload", ROLE_WORKLOAD},
    /* Never quantities, even where all look like numbers: 6.1 and 6.10 are two kernels. */
    {"label", ROLE_FACTOR},
    {"kernel", ROLE_FACTOR},
};

/* A column with more distinct numbers than this is a metric for good: a text further down is a mistake then, not a
 * level. */
#define LEVELS_MAX 1000

void table_column_free(struct table_column *column)
{
	g_clear_pointer(&column->value, g_array_unref);
	g_clear_pointer(&column->started_us, g_array_unref);
	column_free(column->level);
	g_free(column->odd_message);
	g_free(column->missing_text);
	g_free(column);
}

struct table_column *table_column_new(const char *name)
{
	struct table_column *column = g_new0(struct table_column, 1);

	column->name = g_intern_string(name);
	column->role = ROLE_ANY;
	for (gsize i = 0; i < G_N_ELEMENTS(special_names); i++)
		if (g_str_equal(name, special_names[i].name))
			column->role = special_names[i].role;
	if (column->role != ROLE_RUN && column->role != ROLE_OUTCOME)
		column->level = column_new(column->role == ROLE_SESSION ? "sitting" : name);
	if (column->role == ROLE_ANY) {
		column->value = g_array_new(FALSE, FALSE, sizeof(double));
		column->started_us = g_array_new(FALSE, TRUE, sizeof(gint64));
	}
	return column;
}

gboolean table_missing(const char *text)
{
	switch (*text) {
	case '\0':
		return TRUE;
	case '-':
		return !text[1];
	case 'N':
		return text[1] == 'A' && !text[2];
	default:
		return FALSE;
	}
}

/* A number that no double can hold. */
static gboolean is_too_large(const char *text)
{
	const char *word = text + (*text == '+' || *text == '-');

	return g_ascii_isdigit(*word) && !word[strspn(word, "0123456789.eE+-")] && isinf(g_ascii_strtod(text, NULL));
}

static gboolean is_decimal_comma(const char *text)
{
	const char *at = text + (*text == '+' || *text == '-');
	gsize before = strspn(at, "0123456789");
	gsize after = at[before] == ',' ? strspn(at + before + 1, "0123456789") : 0;

	return before && after && !at[before + 1 + after];
}

/* Why a text in a column of numbers is a mistake. */
static char *odd_message(const struct table_column *column, const char *text)
{
	g_autofree char *shown = text_printable(text);

	if (is_too_large(text))
		return g_strdup_printf("column '%s': '%s' is not a finite number", column->name, shown);
	if (is_decimal_comma(text))
		return g_strdup_printf("column '%s': '%s' has a decimal comma; write a point", column->name, shown);
	return g_strdup_printf("column '%s': '%s' is not a number, as all values above it are", column->name, shown);
}

static void add_number(struct table_column *column, guint row, double value)
{
	const double none = NAN;

	while (column->value->len < row)
		g_array_append_val(column->value, none);
	g_array_append_val(column->value, value);
}

static void add_missing(struct table_column *column, guint row, const char *text, guint64 line)
{
	add_number(column, row, NAN);
	if (column->level)
		column_set(column->level, row, text);
	if (!column->n_missing++) {
		column->missing_line = line;
		column->missing_text = text_printable(text);
	}
}

/* A column of times stays one as long as all of its texts are times. */
static void add_time(struct table_column *column, guint row, const char *text)
{
	gint64 time_us;

	if (!stamp_parse(text, &time_us)) {
		g_clear_pointer(&column->started_us, g_array_unref);
		return;
	}
	g_array_set_size(column->started_us, row + 1);
	g_array_index(column->started_us, gint64, row) = time_us;
}

gboolean table_column_is_time(const struct table_column *column)
{
	return column->started_us && column->any;
}

gboolean table_column_add(struct table_column *column, guint row, const char *text, guint64 line)
{
	double value;

	if (column->value && import_missing(text)) {
		add_missing(column, row, text, line);
		return TRUE;
	}
	column->any = TRUE;
	if (column->started_us)
		add_time(column, row, text);
	if (column->value && number_parse(text, &value)) {
		add_number(column, row, value);
		if (column->level)
			column_set(column->level, row, text);
		if (column->level && column->level->level->len > LEVELS_MAX)
			g_clear_pointer(&column->level, column_free);
	} else if (column->value && (!column->level || is_too_large(text) || is_decimal_comma(text))) {
		if (!column->odd_line) {
			column->odd_line = line;
			column->odd_message = odd_message(column, text);
		}
		if (column->level)
			column_set(column->level, row, text);
	} else {
		g_clear_pointer(&column->value, g_array_unref);
		column_set(column->level, row, text);
	}
	return column->level || !column->odd_line;
}

static void count_name(GHashTable *uses, const char *name)
{
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(uses, name));

	g_hash_table_insert(uses, shared(name), GUINT_TO_POINTER(n + 1));
}

GHashTable *table_column_names(const GPtrArray *columns)
{
	GHashTable *uses = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < columns->len; i++) {
		const struct table_column *column = g_ptr_array_index(columns, i);
		const char *name = metric_of_column(column->name).name;

		if (!column->value)
			continue;
		count_name(uses, name);
		if (!g_str_equal(name, column->name))
			count_name(uses, column->name);
	}
	return uses;
}
