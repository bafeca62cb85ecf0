#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"
#include "import_iozone_excel.h"
#include "import_line.h"
#include "text_reader.h"
#include "unit.h"

/* iozone prints a row for each file size and record size, or with -t some lines for each number of processes: both are
 * runs. Its kB is 1024 bytes.
 * source: what iozone 3.327 and 3.4xx print, and iozone.c of 3.471 */

#define TITLE "Iozone: Performance Test of File I/O"
#define CHILDREN "Children see throughput for"
#define EXCEL "Excel output is below"
#define COLUMNS_MAX 40

static const struct metric rate = {"", "KiB/s", BETTER_HIGHER, NULL};
static const struct metric operations = {"", "/s", BETTER_HIGHER, NULL};
static const struct metric duration = {"", "us", BETTER_LOWER, NULL};

/* Columns in their order: the word below, which is there several times, and the metric, named by the word above, too.
 */
static const char *const columns[][2] = {
    {"write", "write"},       {"rewrite", "rewrite"},    {"read", "read"},           {"reread", "reread"},
    {"read", "random_read"},  {"write", "random_write"}, {"read", "bkwd_read"},      {"rewrite", "record_rewrite"},
    {"read", "stride_read"},  {"fwrite", "fwrite"},      {"frewrite", "frewrite"},   {"fread", "fread"},
    {"freread", "freread"},   {"pwrite", "pwrite"},      {"repwrite", "repwrite"},   {"pread", "pread"},
    {"repread", "repread"},   {"pwritev", "pwritev"},    {"repwritev", "repwritev"}, {"preadv", "preadv"},
    {"repreadv", "repreadv"},
};

/* What the processes of a throughput test are called. */
static const char *const children[][2] = {
    {"initial writers", "write"},
    {"rewriters", "rewrite"},
    {"readers", "read"},
    {"re-readers", "reread"},
    {"random readers", "random_read"},
    {"random writers", "random_write"},
    {"reverse readers", "bkwd_read"},
    {"stride readers", "stride_read"},
    {"mixed workload", "mixed"},
    {"pwrite writers", "pwrite"},
    {"pread readers", "pread"},
    {"fwriters", "fwrite"},
    {"freaders", "fread"},
};

struct word {
	const char *text;
	gsize length, end; /* end: characters from the line's beginning */
};

struct iozone {
	struct text_reader reader;
	struct dataset *dataset;
	const struct metric *unit;      /* and direction, of all that follows */
	const char *names[COLUMNS_MAX]; /* NULL: not known */
	gsize ends[COLUMNS_MAX];
	guint n_columns;   /* 0: outside of a table */
	guint64 used;      /* bit i: the table's rows have column i; 0: before its first row */
	gsize last_end;    /* where its first row ends; 0: it does not stand below the names */
	guint n_in_report; /* runs since the title */
	gboolean is_cut;   /* a title, and not yet the line that ends the report */
	gboolean is_excel;
	struct iozone_excel excel;
	char *file, *record; /* sizes of the throughput test, in kB; NULL: not told */
	gboolean is_open;    /* a throughput test's run is being read: */
	guint row;
	double procs;
};

/* Returns how many words the line has; at most max are stored. */
static guint split(const char *line, struct word *words, guint max)
{
	guint n = 0;

	for (const char *at = line + strspn(line, " \t"); *at; at += strspn(at, " \t"), n++) {
		gsize length = strcspn(at, " \t");

		if (n < max)
			words[n] = (struct word){at, length, (gsize)(at - line) + length};
		at += length;
	}
	return n;
}

static gboolean is_word(const struct word *word, const char *text)
{
	return word->length == strlen(text) && !g_ascii_strncasecmp(word->text, text, word->length);
}

static gboolean is_digits(const struct word *word)
{
	return strspn(word->text, "0123456789") >= word->length;
}

/* The metric of a column: that of the nth column with this word below. */
static const char *name_of_column(const struct word *words, guint column)
{
	guint nth = 0;

	for (guint i = 2; i < column; i++)
		nth += words[i].length == words[column].length &&
		       !strncmp(words[i].text, words[column].text, words[column].length);
	for (gsize i = 0; i < G_N_ELEMENTS(columns); i++)
		if (is_word(&words[column], columns[i][0]) && nth-- == 0)
			return columns[i][1];
	return NULL;
}

/* "kB  reclen    write  rewrite    read ...", in small or large letters. */
static gboolean is_header(const struct word *words, guint n)
{
	return n > 2 && n <= COLUMNS_MAX && is_word(&words[0], "kB") && is_word(&words[1], "reclen") &&
	       is_word(&words[2], "write");
}

/* Columns that are not known are left out: each name is a metric, and a file may hold as many as it likes. */
static void begin_table(struct iozone *iozone, const struct word *words, guint n)
{
	iozone->n_columns = n - 2;
	iozone->used = 0;
	for (guint i = 0; i < iozone->n_columns; i++) {
		const struct word *word = &words[i + 2];

		iozone->names[i] = name_of_column(words, i + 2);
		iozone->ends[i] = word->end;
		if (!iozone->names[i]) {
			g_autofree char *shown = import_quote(word->text, word->length);

			import_warn(&iozone->reader, iozone->dataset, "no known test: '%s'", shown);
		}
	}
}

static gboolean is_below(const struct iozone *iozone, guint column, const struct word *word)
{
	return word->end + 1 >= iozone->ends[column] && word->end <= iozone->ends[column] + 1;
}

/* The columns of the values: one after the other, or those that they stand below where tests were left out (-i).
 * Returns n, or the first value that has no column. */
static guint find_columns(const struct iozone *iozone, const struct word *values, guint n, guint *found)
{
	guint column = 0;

	for (guint i = 0; i < n; i++, column++) {
		if (n < iozone->n_columns)
			while (column < iozone->n_columns && !is_below(iozone, column, &values[i]))
				column++;
		if (column >= iozone->n_columns)
			return i;
		found[i] = column;
	}
	return n;
}

/* All rows of a table have the same columns, and numbers end where those above end: or the file was cut off there. */
static gboolean check_columns(struct iozone *iozone, const struct word *values, guint n, guint *found, GError **error)
{
	guint64 used = 0;
	gboolean is_aligned = TRUE;

	if (n == 0 || find_columns(iozone, values, n, found) < n)
		return import_fail(&iozone->reader, error, "%u of the %u columns' values, not below their names", n,
				   iozone->n_columns);
	for (guint i = 0; i < n; i++) {
		used |= G_GUINT64_CONSTANT(1) << found[i];
		is_aligned = is_aligned && is_below(iozone, found[i], &values[i]);
	}
	if (!iozone->used) {
		iozone->used = used;
		iozone->last_end = is_aligned ? values[n - 1].end : 0;
	}
	return (used == iozone->used && values[n - 1].end >= iozone->last_end) ||
	       import_fail(&iozone->reader, error, "the row is cut off, or is none of the table");
}

static void set_value(struct iozone *iozone, guint row, const char *name, double value)
{
	struct metric metric = *iozone->unit;

	metric.name = name;
	/* Tests that were not repeated (-+n) are 0. */
	if (value > 0)
		import_value(iozone->dataset, row, &metric, value);
}

static void set_level(struct iozone *iozone, guint row, const char *factor, const char *text, gsize length)
{
	g_autofree char *level = g_strndup(text, length);

	column_set(dataset_factor(iozone->dataset, factor), row, level);
}

static gboolean add_row(struct iozone *iozone, const struct word *words, guint n, GError **error)
{
	guint found[COLUMNS_MAX] = {0}, row;
	double values[COLUMNS_MAX];

	if (n < 3)
		return import_fail(&iozone->reader, error, "the row is cut off");
	if (n - 2 > iozone->n_columns)
		return import_fail(&iozone->reader, error, "%u values where the table has %u columns", n - 2,
				   iozone->n_columns);
	if (!check_columns(iozone, words + 2, n - 2, found, error))
		return FALSE;
	for (guint i = 2; i < n; i++) {
		const char *end = import_number(words[i].text, &values[i - 2]);

		if (end != words[i].text + words[i].length) {
			g_autofree char *shown = import_quote(words[i].text, words[i].length);

			return import_fail(&iozone->reader, error, "'%s' is no number", shown);
		}
	}
	row = import_run(iozone->dataset, "iozone");
	iozone->n_in_report++;
	set_level(iozone, row, "kB", words[0].text, words[0].length);
	set_level(iozone, row, "reclen", words[1].text, words[1].length);
	for (guint i = 0; i < n - 2; i++)
		if (iozone->names[found[i]])
			set_value(iozone, row, iozone->names[found[i]], values[i]);
	return TRUE;
}

static gboolean has_value(const struct iozone *iozone, const char *name)
{
	const struct values *values = dataset_find_metric(iozone->dataset, name);

	return values && !isnan(values_get(values, iozone->row));
}

static void begin_throughput(struct iozone *iozone, double procs)
{
	g_autofree char *level = number_format_shortest(procs);

	iozone->is_open = TRUE;
	iozone->procs = procs;
	iozone->row = import_run(iozone->dataset, "iozone-throughput");
	iozone->n_in_report++;
	column_set(dataset_factor(iozone->dataset, "procs"), iozone->row, level);
	if (iozone->file)
		column_set(dataset_factor(iozone->dataset, "kB"), iozone->row, iozone->file);
	if (iozone->record)
		column_set(dataset_factor(iozone->dataset, "reclen"), iozone->row, iozone->record);
}

/* "Children see throughput for  1 initial writers  =  302980.50 kB/sec": the sum of what each of them measured. */
static gboolean add_children(struct iozone *iozone, const char *text, GError **error)
{
	const char *equals = strchr(text, '='), *name = NULL, *end, *what;
	double procs, value;

	what = import_number(text, &procs);
	end = equals ? import_number(equals + 1, &value) : NULL;
	if (!what || what > equals || !end || !strstr(end, "/sec"))
		return import_fail(&iozone->reader, error, "a line of throughput is cut off");
	what += strspn(what, " \t");
	for (gsize i = 0; i < G_N_ELEMENTS(children); i++)
		if (g_str_has_prefix(what, children[i][0]))
			name = children[i][1];
	if (!name) {
		g_autofree char *shown = import_quote(what, (gsize)(equals - what));

		import_warn(&iozone->reader, iozone->dataset, "no known test: '%s'", g_strchomp(shown));
		return TRUE;
	}
	if (import_behind(end, "ops/sec"))
		iozone->unit = &operations;
	if (!iozone->is_open || procs != iozone->procs || has_value(iozone, name))
		begin_throughput(iozone, procs);
	set_value(iozone, iozone->row, name, value);
	return TRUE;
}

/* Sizes of the files and records of a throughput test: "Each process writes a 1024 kByte file in 4 kByte records". */
static void read_sizes(struct iozone *iozone, const char *text)
{
	const char *file = strstr(text, "writes a "), *record = strstr(text, "file in ");

	if (!file || !record)
		return;
	g_free(iozone->file);
	g_free(iozone->record);
	iozone->file = g_strndup(file + strlen("writes a "), strspn(file + strlen("writes a "), "0123456789"));
	iozone->record = g_strndup(record + strlen("file in "), strspn(record + strlen("file in "), "0123456789"));
	iozone->is_open = FALSE;
}

static void begin_report(struct iozone *iozone)
{
	iozone->n_columns = iozone->n_in_report = 0;
	iozone->is_open = iozone->is_excel = FALSE;
	iozone->is_cut = TRUE;
	iozone->unit = &rate;
	iozone_excel_begin(&iozone->excel);
}

/* Lines that say what those below are; false where the line is none of these. */
static gboolean read_words(struct iozone *iozone, const char *line)
{
	if (strstr(line, TITLE)) {
		begin_report(iozone);
	} else if (import_behind(line, "iozone test complete")) {
		iozone->n_columns = 0;
		iozone->is_cut = FALSE;
	} else if (strstr(line, "Output is in operations per second")) {
		iozone->unit = &operations;
	} else if (strstr(line, "Output is in microseconds per operation")) {
		iozone->unit = &duration;
	} else if (import_behind(line, EXCEL)) {
		/* The same figures once more, unless only these were kept. */
		iozone->is_excel = iozone->n_in_report == 0;
	} else if (import_behind(line, "Each ")) {
		read_sizes(iozone, line);
	} else {
		return FALSE;
	}
	return TRUE;
}

static gboolean read_line(gpointer data, char *line, GError **error)
{
	struct iozone *iozone = data;
	struct word words[COLUMNS_MAX];
	const char *text = strstr(line, CHILDREN);
	guint n;

	if (read_words(iozone, line))
		return TRUE;
	if (text)
		return add_children(iozone, text + strlen(CHILDREN), error);
	if (iozone->is_excel)
		return iozone_excel_line(&iozone->excel, &iozone->reader, iozone->dataset, iozone->unit, line, error);
	n = split(line, words, COLUMNS_MAX);
	if (is_header(words, n))
		begin_table(iozone, words, n);
	else if (iozone->n_columns && n >= 1 && n <= COLUMNS_MAX && is_digits(&words[0]) &&
		 (n == 1 || is_digits(&words[1])))
		return add_row(iozone, words, n, error);
	return TRUE;
}

static gboolean import_iozone_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct iozone iozone = {.dataset = dataset, .unit = &rate};
	gboolean ok;

	text_reader_init(&iozone.reader, path, stream);
	iozone_excel_init(&iozone.excel);
	ok = import_lines(&iozone.reader, read_line, &iozone, error);
	if (ok && dataset->n_runs == 0)
		ok = err_usage(error, "%s: no results in it: no row of a table and no throughput", path);
	if (ok && iozone.is_cut)
		import_warn(&iozone.reader, dataset, "the report does not end with 'iozone test complete'");
	text_reader_clear(&iozone.reader);
	iozone_excel_clear(&iozone.excel);
	g_free(iozone.file);
	g_free(iozone.record);
	return ok;
}

static gboolean is_known(char *line)
{
	struct word words[COLUMNS_MAX];

	return strstr(line, TITLE) || strstr(line, CHILDREN) || import_behind(line, EXCEL) ||
	       is_header(words, split(line, words, COLUMNS_MAX));
}

static gboolean import_iozone_detect(const char *head, gsize length)
{
	return import_any_line(head, is_known);
}

const struct importer import_iozone = {
    .name = "iozone",
    .summary = "iozone's table, throughput or Excel output",
    .detect = import_iozone_detect,
    .read = import_iozone_read,
};
