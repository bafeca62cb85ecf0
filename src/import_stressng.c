#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"
#include "import_line.h"
#include "import_notes.h"
#include "text_reader.h"

/* The table that stress-ng prints for --metrics or --metrics-brief, a stressor a line: each is a run of a workload of
 * its own, since a bogo operation is something else for each. Its lines have "stress-ng: metrc: [PID] " before them,
 * "info:" in versions before 0.14, nothing with --log-brief, and what a log puts before that.
 * source: stress-ng(1) of 0.15.06 and what it prints; tables of older and newer versions in public mails. Its MB are
 * 2^20 bytes, its KB 2^10 */

#define PROGRAM "stress-ng: "
#define TITLE "stressor "
#define MISCELLANEOUS "miscellaneous metrics:"

enum { RATE, CPU_RATE, REAL, USER, SYSTEM, CPU, RSS, COLUMNS };

static const struct metric metrics[] = {
    [RATE] = {"bogo_ops", "/s", BETTER_HIGHER, NULL}, [CPU_RATE] = {"bogo_ops_cpu", "/s", BETTER_HIGHER, NULL},
    [REAL] = {"elapsed", "s", BETTER_LOWER, NULL},    [USER] = {"user", "s", BETTER_LOWER, NULL},
    [SYSTEM] = {"system", "s", BETTER_LOWER, NULL},   [CPU] = {"cpu_instance", "%", BETTER_NONE, NULL},
    [RSS] = {"rss_max", "KiB", BETTER_NONE, NULL},
};

/* In the order of the table; the count of operations is not kept. */
static const int order[] = {REAL, USER, SYSTEM, RATE, CPU_RATE};

enum part { OUTSIDE, IN_TABLE, IN_MISCELLANEOUS };

struct stressng {
	struct text_reader reader;
	struct dataset *dataset;
	struct notes notes;
	enum part part;
	gboolean is_tagged;        /* its lines have the program's name before them: others are not of it */
	gboolean has_cpu, has_rss; /* columns of the table */
	GHashTable *rows;          /* of the last table: stressor -> row + 1 */
	GHashTable *workers;       /* of the run under way: stressor -> text */
	gboolean is_named;         /* which stressors failed was told */
};

/* What a line of the program says: it ends where the blanks at its beginning do. */
static const char *message_of(const char *line)
{
	const char *text = strstr(line, PROGRAM), *bracket = text ? strchr(text, ']') : NULL;

	text = bracket ? bracket + 1 : text ? text + strlen(PROGRAM) : line;
	return text + strspn(text, " \t");
}

static gboolean is_title(const char *message)
{
	return g_str_has_prefix(message, TITLE) && strstr(message, " bogo ops ") && strstr(message, " real time ");
}

/* The word at the beginning and the number behind it; NULL where there are none, else where the number ends. */
static const char *read_name(const char *message, char **name, double *value)
{
	gsize length = strcspn(message, " \t");
	const char *end = message[length] ? import_number(message + length, value) : NULL;

	*name = NULL;
	if (!length || !end || (*end && *end != ' ' && *end != '\t'))
		return NULL;
	*name = g_strndup(message, length);
	return end;
}

static guint add_row(struct stressng *stressng, const char *stressor)
{
	g_autofree char *workload = g_strconcat("stress-ng ", stressor, NULL);
	guint row = import_run(stressng->dataset, workload);
	const char *workers = g_hash_table_lookup(stressng->workers, stressor);

	if (workers)
		notes_set(&stressng->notes, row, 1, "workers", workers, NOTE_ANY);
	g_hash_table_insert(stressng->rows, g_strdup(stressor), GUINT_TO_POINTER(row + 1));
	import_primary(stressng->dataset, workload, metrics[RATE].name);
	return row;
}

/* A line of the table: name, operations, times and rates. A rate per no CPU time is none. */
static gboolean add_stressor(struct stressng *stressng, const char *name, const char *text, GError **error)
{
	guint n = G_N_ELEMENTS(order) + stressng->has_cpu + stressng->has_rss, row;
	double values[COLUMNS];

	for (guint i = 0; i < COLUMNS; i++)
		values[i] = NAN;
	for (guint i = 0; i < n; i++) {
		int column = i < G_N_ELEMENTS(order)                         ? order[i]
			     : i == G_N_ELEMENTS(order) && stressng->has_cpu ? CPU
									     : RSS;

		text = import_number(text, &values[column]);
		if (!text || (*text && *text != ' ' && *text != '\t'))
			return import_fail(&stressng->reader, error,
					   "the line of '%s' has no %u numbers behind its operations", name, n);
	}
	if (values[USER] + values[SYSTEM] == 0)
		values[CPU_RATE] = NAN;
	row = add_row(stressng, name);
	for (guint i = 0; i < COLUMNS; i++)
		import_value(stressng->dataset, row, &metrics[i], values[i]);
	return TRUE;
}

/* "MB/sec write rate" is write_rate in MiB/s; what is told per second has more of it, what is told in nanoseconds less.
 */
static void add_miscellaneous(struct stressng *stressng, guint row, const char *text, double value)
{
	static const struct {
		const char *prefix, *suffix, *unit;
	} units[] = {{"MB/sec ", "", "MiB/s"},   {"MB per sec ", "", "MiB/s"}, {"nanosecs ", "", "ns"},
		     {"nanoseconds ", "", "ns"}, {"", " per sec", "/s"},       {"", " per second", "/s"}};
	const char *bracket = strstr(text, " ("), *unit = "";
	g_autofree char *name = bracket ? g_strndup(text, (gsize)(bracket - text)) : g_strdup(text);
	gsize begin = 0, end = 0;

	g_strstrip(name);
	for (gsize i = 0; i < G_N_ELEMENTS(units) && !*unit; i++)
		if (g_str_has_prefix(name, units[i].prefix) && g_str_has_suffix(name, units[i].suffix)) {
			unit = units[i].unit;
			begin = strlen(units[i].prefix);
			name[strlen(name) - strlen(units[i].suffix)] = '\0';
		}
	for (gsize i = begin; name[i]; i++)
		if (g_ascii_isalnum(name[i]))
			name[end++] = g_ascii_tolower(name[i]);
		else if (end && name[end - 1] != '_')
			name[end++] = '_';
	while (end && name[end - 1] == '_')
		end--;
	name[end] = '\0';
	if (end)
		import_value(stressng->dataset, row, &(struct metric){name, unit, better_of_unit(unit), NULL}, value);
}

static void fail_row(struct stressng *stressng, guint row)
{
	import_failed(stressng->dataset, row);
	for (guint i = 0; i < stressng->dataset->metrics->len; i++)
		values_set(g_ptr_array_index(stressng->dataset->metrics, i), row, NAN);
}

/* "2: hdd (1) fork (1)": stressors of the last table whose figures do not count. */
static void fail_named(struct stressng *stressng, const char *list)
{
	g_auto(GStrv) words = g_strsplit(list, " ", -1);

	for (char **word = words; *word; word++) {
		guint row = GPOINTER_TO_UINT(g_hash_table_lookup(stressng->rows, *word));

		if (row) {
			fail_row(stressng, row - 1);
			stressng->is_named = TRUE;
		}
	}
}

static void fail_all(struct stressng *stressng)
{
	GHashTableIter iter;
	gpointer row;

	g_hash_table_iter_init(&iter, stressng->rows);
	while (!stressng->is_named && g_hash_table_iter_next(&iter, NULL, &row))
		fail_row(stressng, GPOINTER_TO_UINT(row) - 1);
}

/* "2 hdd, 1 fork" */
static void read_workers(struct stressng *stressng, const char *list)
{
	g_auto(GStrv) parts = g_strsplit(list, ", ", -1);

	g_hash_table_remove_all(stressng->workers);
	for (char **part = parts; *part; part++) {
		char *blank = strchr(*part, ' ');

		if (!blank || !g_ascii_isdigit(**part))
			continue;
		*blank = '\0';
		g_hash_table_insert(stressng->workers, g_strdup(blank + 1), g_strdup(*part));
	}
}

/* What the program says beside its figures. */
static void read_message(struct stressng *stressng, const char *message)
{
	const char *text;

	if ((text = import_behind(message, "dispatching hogs: "))) {
		read_workers(stressng, text);
		/* the run before is over, and may have printed no table */
		g_hash_table_remove_all(stressng->rows);
	} else if ((text = import_behind(message, "failed: ")) ||
		   (text = import_behind(message, "metrics untrustworthy: "))) {
		fail_named(stressng, text);
	} else if (import_behind(message, "unsuccessful run completed")) {
		fail_all(stressng);
	}
}

static void begin_table(struct stressng *stressng, const char *title)
{
	stressng->part = IN_TABLE;
	stressng->has_cpu = strstr(title, "CPU used per") != NULL;
	stressng->has_rss = strstr(title, "RSS Max") != NULL;
	stressng->is_named = FALSE;
	g_hash_table_remove_all(stressng->rows);
}

static gboolean read_line(gpointer data, char *line, GError **error)
{
	struct stressng *stressng = data;
	const char *message = message_of(line), *behind;
	g_autofree char *name = NULL;
	double value;

	if (is_title(message)) {
		begin_table(stressng, message);
		stressng->is_tagged = strstr(line, PROGRAM) != NULL;
		return TRUE;
	}
	if (stressng->is_tagged && !strstr(line, PROGRAM))
		return TRUE;
	if (stressng->part != OUTSIDE && g_str_has_prefix(message, MISCELLANEOUS)) {
		stressng->part = IN_MISCELLANEOUS;
		return TRUE;
	}
	if (stressng->part == OUTSIDE || g_str_has_prefix(message, "(secs)")) {
		read_message(stressng, message);
		return TRUE;
	}
	behind = read_name(message, &name, &value);
	if (behind && stressng->part == IN_TABLE)
		return add_stressor(stressng, name, behind, error);
	if (behind) {
		guint row = GPOINTER_TO_UINT(g_hash_table_lookup(stressng->rows, name));

		if (row)
			add_miscellaneous(stressng, row - 1, behind, value);
		return TRUE;
	}
	stressng->part = OUTSIDE;
	read_message(stressng, message);
	return TRUE;
}

static gboolean import_stressng_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct stressng stressng = {.dataset = dataset,
				    .rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
				    .workers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)};
	gboolean ok;

	text_reader_init(&stressng.reader, path, stream);
	notes_init(&stressng.notes, path, dataset);
	ok = import_lines(&stressng.reader, read_line, &stressng, error) &&
	     (dataset->n_runs > 0 ||
	      err_usage(error, "%s: no results in it: the table of --metrics has no lines, or is not there", path));
	if (ok)
		notes_finish(&stressng.notes, NOTES_IN_WORKLOAD);
	text_reader_clear(&stressng.reader);
	notes_clear(&stressng.notes);
	g_hash_table_unref(stressng.rows);
	g_hash_table_unref(stressng.workers);
	return ok;
}

static gboolean is_known(char *line)
{
	return is_title(message_of(line));
}

static gboolean import_stressng_detect(const char *head, gsize length)
{
	return import_any_line(head, is_known);
}

const struct importer import_stressng = {
    .name = "stressng",
    .summary = "tables of stress-ng's --metrics, several in one file",
    .detect = import_stressng_detect,
    .read = import_stressng_read,
};
