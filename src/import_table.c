#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_column.h"
#include "outcome.h"
#include "shared.h"
#include "text_reader.h"
#include "unit.h"

struct table {
	struct text_reader reader;
	struct dataset *dataset;
	GPtrArray *columns; /* struct table_column * */
	GString *scratch;
};

static gboolean fail_at(const struct table *table, guint64 line, const char *message, GError **error)
{
	return err_usage(error, "%s:%" G_GUINT64_FORMAT ": %s", table->reader.path, line, message);
}

static gboolean add_outcome(struct table *table, guint row, const char *text, GError **error)
{
	enum outcome outcome;
	g_autoptr(GString) known = NULL;

	if (outcome_parse(text, &outcome)) {
		if (outcome != OUTCOME_OK && !table->dataset->outcome)
			table->dataset->outcome = column_new("outcome");
		if (outcome != OUTCOME_OK)
			column_set(table->dataset->outcome, row, outcome_name(outcome));
		return TRUE;
	}
	known = g_string_new(NULL);
	for (int i = 0; i < OUTCOMES; i++)
		g_string_append_printf(known, "%s%s", i ? ", " : "", outcome_name((enum outcome)i));
	g_autofree char *shown = text_printable(text);
	g_autofree char *message = g_strdup_printf("outcome '%s' is none of %s", shown, known->str);
	return fail_at(table, table->reader.line, message, error);
}

/* Blocks count from 1 in each session. */
static void add_block(struct table *table, struct table_column *column, guint row, const char *text,
		      const char *session)
{
	g_string_assign(table->scratch, session ? session : "");
	if (session)
		g_string_append_c(table->scratch, '/');
	g_string_append(table->scratch, text);
	column->any = TRUE;
	column_set(column->level, row, table->scratch->str);
}

static gboolean add_row(struct table *table, char **fields, GError **error)
{
	guint row = dataset_add_run(table->dataset);
	const char *session = NULL;

	for (guint i = 0; i < table->columns->len; i++) {
		const struct table_column *column = g_ptr_array_index(table->columns, i);

		if (column->role == ROLE_SESSION && !table_missing(fields[i]))
			session = fields[i];
	}
	for (guint i = 0; i < table->columns->len; i++) {
		struct table_column *column = g_ptr_array_index(table->columns, i);

		if (table_missing(fields[i]) || column->role == ROLE_RUN)
			continue;
		if (column->role == ROLE_OUTCOME) {
			if (!add_outcome(table, row, fields[i], error))
				return FALSE;
		} else if (column->role == ROLE_BLOCK) {
			add_block(table, column, row, fields[i], session);
		} else if (!table_column_add(column, row, fields[i], table->reader.line)) {
			return fail_at(table, column->odd_line, column->odd_message, error);
		}
	}
	return TRUE;
}

/* A tab is a delimiter where no other is known. */
static gboolean is_blank(const char *record, gboolean has_delimiter)
{
	while (*record == ' ' || (*record == '\t' && !has_delimiter))
		record++;
	return !*record;
}

/* The next line that is neither blank nor a comment; NULL at the end. */
static gboolean next_row(struct table *table, char **record, GError **error)
{
	do {
		if (!text_reader_next(&table->reader, record, error))
			return FALSE;
	} while (*record && (**record == '#' || is_blank(*record, table->reader.delimiter != '\0')));
	return TRUE;
}

static char delimiter_of(const char *header)
{
	gboolean inside = FALSE, comma = FALSE, semicolon = FALSE;
	const char *tab = strchr(header, '\t');

	/* one behind the only field is a blank */
	if (tab && tab[strspn(tab, "\t ")])
		return '\t';
	for (; *header; header++) {
		inside ^= *header == '"';
		comma |= *header == ',' && !inside;
		semicolon |= *header == ';' && !inside;
	}
	return comma ? ',' : semicolon ? ';' : '\0';
}

static gboolean add_columns(struct table *table, char **names, guint n, GError **error)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < n; i++) {
		g_autofree char *shown = text_printable(names[i]);
		g_autofree char *message = NULL;

		if (!*names[i])
			message = g_strdup_printf("column %u has no name", i + 1);
		else if (!g_hash_table_add(seen, names[i]))
			message = g_strdup_printf("two columns are named '%s'", shown);
		if (message)
			return fail_at(table, table->reader.line, message, error);
		g_ptr_array_add(table->columns, table_column_new(names[i]));
	}
	return TRUE;
}

/* The header; a lone column of numbers needs none. *quoting: whether fields may be quoted from here on. */
static gboolean read_header(struct table *table, char *delimiter, gboolean *quoting, GError **error)
{
	char *record;
	double number;
	guint n, n_numbers = 0;

	if (!next_row(table, &record, error))
		return FALSE;
	if (!record)
		return fail_at(table, table->reader.line, "nothing but comments and blank lines", error);
	*delimiter = delimiter_of(record);
	*quoting = *delimiter != '\t';

	gsize max = strlen(record) + 1;
	g_autofree char **names = g_new(char *, max);

	n = text_split(record, *delimiter, *quoting, names, (guint)max);
	if (n == 0)
		return fail_at(table, table->reader.line, "a quote is not closed, or text follows it", error);
	for (guint i = 0; i < n; i++)
		n_numbers += number_parse(names[i], &number);
	if (n_numbers == n && n > 1)
		return fail_at(table, table->reader.line, "the first line must name the columns, not hold numbers",
			       error);
	if (n_numbers == 1 && n == 1) {
		g_ptr_array_add(table->columns, table_column_new("value"));
		return add_row(table, names, error);
	}
	return add_columns(table, names, n, error);
}

static gboolean all_empty(char **fields, guint n)
{
	for (guint i = 0; i < n; i++)
		if (*fields[i])
			return FALSE;
	return TRUE;
}

/* What most long files hold: rows of a lone column that is known to be a metric. */
static void read_numbers(struct table *table)
{
	const struct table_column *column = g_ptr_array_index(table->columns, 0);

	if (table->columns->len > 1 || column->level || !column->value || column->value->len != table->dataset->n_runs)
		return;
	text_reader_numbers(&table->reader, column->value);
	table->dataset->n_runs = column->value->len;
}

static gboolean read_rows(struct table *table, GError **error)
{
	char delimiter = '\0', *record;
	gboolean quoting = FALSE;

	if (!read_header(table, &delimiter, &quoting, error))
		return FALSE;
	table->reader.delimiter = quoting ? delimiter : '\0';

	guint n_columns = table->columns->len;
	g_autofree char **fields = g_new(char *, n_columns);

	for (;;) {
		read_numbers(table);
		if (!next_row(table, &record, error))
			return FALSE;
		if (!record)
			break;
		guint n = text_split(record, delimiter, quoting, fields, n_columns);

		if (n == 0)
			return fail_at(table, table->reader.line, "a quote is not closed, or text follows it", error);
		if (n != n_columns) {
			g_autofree char *message =
			    g_strdup_printf("%u field%s where the header has %u", n, n == 1 ? "" : "s", n_columns);
			return fail_at(table, table->reader.line, message, error);
		}
		if (!all_empty(fields, n) && !add_row(table, fields, error))
			return FALSE;
	}
	return table->dataset->n_runs > 0 || fail_at(table, table->reader.line - 1, "a header and no rows", error);
}

/* The metric goes by its name without a unit where that tells the column from all others. */
static void add_metric(GHashTable *uses, struct dataset *dataset, const struct table_column *column)
{
	struct metric metric = metric_of_column(column->name);
	struct values *values;

	if (GPOINTER_TO_UINT(g_hash_table_lookup(uses, metric.name)) > 1)
		metric.name = column->name;
	values = dataset_add_metric(dataset, &metric);
	g_array_unref(values->value);
	values->value = g_array_ref(column->value);
}

/* The first metric that the run has a value of: of those that have a direction, if any do, since a setting such as
 * swap_MB has none. */
static const char *primary_of_run(const struct dataset *dataset, guint row)
{
	const char *primary = NULL;

	for (guint i = 0; i < dataset->metrics->len; i++) {
		const struct values *values = g_ptr_array_index(dataset->metrics, i);

		if (isnan(values_get(values, row)))
			continue;
		if (values->metric.better != BETTER_NONE)
			return values->metric.name;
		if (!primary)
			primary = values->metric.name;
	}
	return primary;
}

static void add_primaries(struct dataset *dataset)
{
	for (guint row = 0; row < dataset->n_runs; row++) {
		const char *workload = column_get(dataset->workload, row), *primary;

		if (!dataset->workload && g_hash_table_size(dataset->primary))
			break;
		if (g_hash_table_contains(dataset->primary, workload ? workload : ""))
			continue;
		primary = primary_of_run(dataset, row);
		if (primary)
			g_hash_table_insert(dataset->primary, text_kept(workload ? workload : ""), shared(primary));
	}
}

/* Gives a column of levels to the dataset. When a run began is no level of its treatment: of several such columns the
 * first one counts. */
static void add_levels(struct dataset *dataset, struct table_column *column)
{
	struct column *level;

	if (table_column_is_time(column)) {
		if (!dataset->started_us)
			dataset->started_us = g_array_ref(column->started_us);
		return;
	}
	level = g_steal_pointer(&column->level);
	switch (column->role) {
	case ROLE_SESSION:
		dataset->sitting = level;
		break;
	case ROLE_BLOCK:
		dataset->block = level;
		break;
	case ROLE_BOOT:
		dataset->boot = level;
		break;
	case ROLE_WORKLOAD:
		dataset->workload = level;
		break;
	case ROLE_FACTOR:
	case ROLE_ANY:
		g_ptr_array_add(dataset->factors, level);
		break;
	default:
		column_free(level);
	}
}

/* Among numbers some words stand for a missing one. */
static void warn_of_missing(const struct table *table, const struct table_column *column)
{
	g_autofree char *more = column->n_missing > 1 ? g_strdup_printf(" (and %u more)", column->n_missing - 1) : NULL;

	if (column->n_missing)
		dataset_warn(
		    table->dataset, "%s:%" G_GUINT64_FORMAT ": column '%s': '%s' is taken for a missing value%s",
		    table->reader.path, column->missing_line, column->name, column->missing_text, more ? more : "");
}

/* Makes the columns those of the dataset. */
static gboolean finish(struct table *table, struct dataset *dataset, GError **error)
{
	g_autoptr(GHashTable) uses = NULL;

	for (guint i = 0; i < table->columns->len; i++) {
		struct table_column *column = g_ptr_array_index(table->columns, i);

		if (column->value && column->odd_line)
			return fail_at(table, column->odd_line, column->odd_message, error);
		if (column->value && !column->any)
			g_clear_pointer(&column->value, g_array_unref);
		if (!column->value && column->any)
			add_levels(dataset, column);
	}
	uses = table_column_names(table->columns);
	for (guint i = 0; i < table->columns->len; i++) {
		struct table_column *column = g_ptr_array_index(table->columns, i);

		if (column->value) {
			add_metric(uses, dataset, column);
			warn_of_missing(table, column);
		}
	}
	if (dataset->metrics->len == 0)
		return err_usage(error,
				 "%s: no column holds numbers; columns are told apart by tabs, commas or semicolons",
				 table->reader.path);
	add_primaries(dataset);
	return TRUE;
}

static gboolean import_table_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct table table = {.dataset = dataset};
	gboolean ok;

	text_reader_init(&table.reader, path, stream);
	table.columns = g_ptr_array_new_with_free_func((GDestroyNotify)table_column_free);
	table.scratch = g_string_new(NULL);
	ok = read_rows(&table, error) && finish(&table, dataset, error);
	text_reader_clear(&table.reader);
	g_ptr_array_unref(table.columns);
	g_string_free(table.scratch, TRUE);
	return ok;
}

/* A line, after comments, that has fields or is a number. */
static gboolean import_table_detect(const char *head, gsize length)
{
	g_auto(GStrv) lines = g_strsplit(head, "\n", -1);
	double number;

	if (g_str_has_prefix(head, "\xef\xbb\xbf") && lines[0])
		memmove(lines[0], lines[0] + 3, strlen(lines[0]) - 2);
	for (char **line = lines; *line; line++) {
		g_strstrip(*line);
		if (!**line || **line == '#')
			continue;
		if (strchr("{[<", **line))
			return FALSE;
		if (strpbrk(*line, "\t,;") || number_parse(*line, &number))
			return TRUE;
	}
	return FALSE;
}

const struct importer import_table = {
    .name = "table",
    .summary = "TSV or CSV with a header, or a column of numbers",
    .detect = import_table_detect,
    .read = import_table_read,
};
