#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"
#include "import_line.h"
#include "import_notes.h"
#include "import_sysbench_value.h"
#include "text_reader.h"
#include "unit.h"

/* sysbench's reports, of 0.4 to 1.1: a run is what follows "Running the test with following options:".
 * source: what sysbench 0.4.5, 1.0.20 and its master of 2020 print; their Mb, MB and MiB are all 2^20 bytes */

#define BEGIN "Running the test with following options:"
#define FATAL "FATAL:"
#define LAST_LINE "execution time (avg/stddev):"
#define PERCENTILE_MAX 100

/* Lines with a setting. */
static const struct {
	const char *text, *key;
	gboolean is_size;
} settings[] = {
    {"Number of threads:", "threads", FALSE},
    {"Extra file open flags:", "flags", FALSE},
    {"Block size", "block_size", TRUE},
    {"block size:", "block_size", TRUE},
    {"Memory block size:", "block_size", TRUE},
    {"operation:", "mode", FALSE},
    {"Memory operations type:", "mode", FALSE},
    {"Prime numbers limit:", "prime_limit", FALSE},
    {"Maximum prime number checked in CPU test:", "prime_limit", FALSE},
};

/* Lines that only one test prints. */
static const struct {
	const char *text, *workload;
} tests[] = {
    {"Extra file open flags:", "fileio"},
    {"Prime numbers limit:", "cpu"},
    {"Maximum prime number checked in CPU test:", "cpu"},
    {"Running memory speed test", "memory"},
    {"Doing memory operations speed test", "memory"},
    {"Doing thread subsystem performance test", "threads"},
    {"Doing mutex performance test", "mutex"},
    {"Doing OLTP test", "oltp"},
};

/* What says most of a test, as far as it was measured. */
static const char *const primaries[] = {"transactions", "throughput", "events", "operations", "elapsed"};

struct sysbench {
	struct text_reader reader;
	struct dataset *dataset;
	struct notes notes;
	char *asked_for;  /* the test of the last command line; NULL: none was seen */
	gboolean is_open; /* within a run: */
	guint row;
	guint64 line;         /* where it begins */
	gboolean is_excerpt;  /* without its BEGIN */
	const char *workload; /* NULL: not known */
	double n_events;      /* NaN: not known */
};

static double value_of(const struct sysbench *sysbench, const char *metric)
{
	const struct values *values = dataset_find_metric(sysbench->dataset, metric);

	return values ? values_get(values, sysbench->row) : NAN;
}

static void set_value(struct sysbench *sysbench, const struct metric *metric, double value)
{
	values_set(dataset_metric(sysbench->dataset, metric), sysbench->row, value);
}

static void begin_run(struct sysbench *sysbench, gboolean is_excerpt)
{
	sysbench->is_open = TRUE;
	sysbench->row = dataset_add_run(sysbench->dataset);
	sysbench->line = sysbench->reader.line;
	sysbench->is_excerpt = is_excerpt;
	sysbench->workload = NULL;
	sysbench->n_events = NAN;
}

/* What a version leaves to its reader: the sum of what was read and written, events a second. */
static void add_sums(struct sysbench *sysbench)
{
	static const char *const same[] = {"events", "operations", "transactions", "requests", "reads"};
	double throughput = value_of(sysbench, "read") + value_of(sysbench, "written");
	double events = sysbench->n_events / value_of(sysbench, "elapsed");
	gboolean is_told = FALSE;

	if (isnan(value_of(sysbench, "throughput")) && isfinite(throughput))
		set_value(sysbench, &(struct metric){"throughput", "MiB/s", BETTER_HIGHER, NULL}, throughput);
	for (gsize i = 0; i < G_N_ELEMENTS(same); i++)
		is_told = is_told || !isnan(value_of(sysbench, same[i]));
	if (!is_told && isfinite(events))
		set_value(sysbench, &(struct metric){"events", "/s", BETTER_HIGHER, NULL}, events);
}

static void forget_values(struct sysbench *sysbench)
{
	for (guint i = 0; i < sysbench->dataset->metrics->len; i++)
		values_set(g_ptr_array_index(sysbench->dataset->metrics, i), sysbench->row, NAN);
}

static void name_primary(struct sysbench *sysbench, const char *workload)
{
	for (gsize i = 0; i < G_N_ELEMENTS(primaries); i++) {
		if (isnan(value_of(sysbench, primaries[i])))
			continue;
		import_primary(sysbench->dataset, workload, primaries[i]);
		return;
	}
}

static void end_run(struct sysbench *sysbench, gboolean is_failed)
{
	g_autofree char *asked_for = NULL;
	const char *workload;

	if (!sysbench->is_open)
		return;
	asked_for = g_steal_pointer(&sysbench->asked_for);
	workload = sysbench->workload ? sysbench->workload : asked_for ? asked_for : "sysbench";
	sysbench->is_open = FALSE;
	import_workload(sysbench->dataset, sysbench->row, workload);
	if (is_failed) {
		import_failed(sysbench->dataset, sysbench->row);
		forget_values(sysbench);
	} else {
		add_sums(sysbench);
		name_primary(sysbench, workload);
	}
}

static void note(struct sysbench *sysbench, const char *key, const char *value)
{
	notes_set(&sysbench->notes, sysbench->row, 1, key, value, NOTE_ANY);
}

/* "4Kb", "16KiB" and "1K" are one way of saying it in each version: "4KiB". */
static void add_size(struct sysbench *sysbench, const char *key, const char *text, const char *number_end)
{
	gboolean has_prefix = *number_end && strchr("KMGT", *number_end);
	g_autofree char *level = g_strdup_printf("%.*s%.*s", (int)(number_end - text), text, has_prefix, number_end);
	g_autofree char *unit = g_strconcat(level, has_prefix ? "iB" : "B", NULL);

	note(sysbench, key, unit);
}

/* "Doing random r/w test" says how files are used. */
static void read_mode(struct sysbench *sysbench, const char *text)
{
	const char *end = strstr(text, " test");

	if (end && sysbench->workload && g_str_equal(sysbench->workload, "fileio")) {
		g_autofree char *mode = g_strndup(text, (gsize)(end - text));

		note(sysbench, "mode", mode);
	}
}

static void read_settings(struct sysbench *sysbench, const char *line)
{
	const char *text;
	double number;

	for (gsize i = 0; i < G_N_ELEMENTS(tests); i++)
		if (import_behind(line, tests[i].text))
			sysbench->workload = tests[i].workload;
	for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
		const char *end;

		text = import_behind(line, settings[i].text);
		end = text && settings[i].is_size ? import_number(text, &number) : NULL;
		if (end)
			add_size(sysbench, settings[i].key, text, end);
		else if (text && *text)
			note(sysbench, settings[i].key, text);
	}
	text = import_number(line, &number);
	if (text && strstr(text, "b total file size"))
		add_size(sysbench, "file_size", line, text);
	else if (text && strstr(text, "B total file size"))
		add_size(sysbench, "file_size", line, text);
	text = import_behind(line, "Doing ");
	if (text)
		read_mode(sysbench, text);
}

static gboolean add_value(struct sysbench *sysbench, const char *line, const char *text, enum sysbench_kind kind,
			  const struct metric *metric, GError **error)
{
	double value = NAN;
	gboolean is_there;
	const char *end = sysbench_read(kind, line, text, &value, &is_there);

	if (!is_there)
		return TRUE;
	if (!end || *end == ',') {
		g_autofree char *shown = import_quote(line, strlen(line));

		if (import_missing(text)) {
			import_warn(&sysbench->reader, sysbench->dataset, "%s has no value", metric->name);
			return TRUE;
		}
		return import_fail(&sysbench->reader, error, "%s cannot be read from '%s'", metric->name, shown);
	}
	/* An excerpt of a report is a run, too; the next one begins where it has all that it can have. */
	if (!sysbench->is_open || (sysbench->is_excerpt && !isnan(value_of(sysbench, metric->name)))) {
		if (kind == SYSBENCH_LATENCY || kind == SYSBENCH_SECONDS)
			return TRUE;
		end_run(sysbench, FALSE);
		begin_run(sysbench, TRUE);
	}
	set_value(sysbench, metric, value);
	return TRUE;
}

/* "95th percentile:  0.15", "approx.  95 percentile:  0.12ms" */
static gboolean read_percentile(struct sysbench *sysbench, const char *line, GError **error)
{
	const char *text = import_behind(line, "approx.");
	double percentile;

	text = import_number(text ? text : line, &percentile);
	if (text && g_str_has_prefix(text, "th"))
		text += 2;
	text = text ? import_behind(text, "percentile:") : NULL;
	if (!text || !(percentile > 0 && percentile <= PERCENTILE_MAX && percentile == rint(percentile)))
		return TRUE;

	g_autofree char *name = g_strdup_printf("latency_p%d", (int)percentile);
	return add_value(sysbench, line, text, SYSBENCH_LATENCY, &(struct metric){name, "ms", BETTER_LOWER, NULL},
			 error);
}

static gboolean read_values(struct sysbench *sysbench, const char *line, GError **error)
{
	const char *text = import_behind(line, "total number of events:"), *behind_number;
	double number;

	if (text && sysbench->is_open && import_number(text, &number))
		sysbench->n_events = number;
	behind_number = import_number(line, &number);
	for (const struct sysbench_value *known = sysbench_values; known->text; known++) {
		text = import_behind(behind_number ? behind_number : line, known->text);
		if (text && !add_value(sysbench, line, text, known->kind, &known->metric, error))
			return FALSE;
	}
	return read_percentile(sysbench, line, error);
}

static gboolean is_unfinished(const struct sysbench *sysbench)
{
	return sysbench->is_open && !sysbench->is_excerpt && isnan(value_of(sysbench, "elapsed"));
}

/* Another run begins, or is asked for: the one before it has ended, maybe without a report. */
static void end_any(struct sysbench *sysbench)
{
	gboolean is_failed = is_unfinished(sysbench);

	if (is_failed)
		dataset_warn(sysbench->dataset, "%s:%" G_GUINT64_FORMAT ": the run that begins here has no results",
			     sysbench->reader.path, sysbench->line);
	end_run(sysbench, is_failed);
}

/* "sysbench --test=cpu run", "sysbench oltp_read_write.lua --tables=4 run" behind a prompt: not every report says what
 * it is of. */
static void look_at_command(struct sysbench *sysbench, const char *line)
{
	const char *command = strstr(line, "sysbench ");
	g_auto(GStrv) words = command ? g_strsplit(command, " ", -1) : NULL;
	guint n = command ? g_strv_length(words) : 0;

	if (n < 3 || !g_str_equal(words[n - 1], "run"))
		return;
	end_any(sysbench);
	for (guint i = 1; i < n - 1; i++) {
		const char *test = g_str_has_prefix(words[i], "--test=") ? words[i] + strlen("--test=") : words[i];

		if (*test == '-' || !*test)
			continue;
		g_free(sysbench->asked_for);
		sysbench->asked_for = g_path_get_basename(test);
		if (g_str_has_suffix(sysbench->asked_for, ".lua"))
			sysbench->asked_for[strlen(sysbench->asked_for) - strlen(".lua")] = '\0';
		return;
	}
}

static gboolean read_line(gpointer data, char *line, GError **error)
{
	struct sysbench *sysbench = data;

	if (import_behind(line, BEGIN)) {
		end_any(sysbench);
		begin_run(sysbench, FALSE);
		return TRUE;
	}
	if (import_behind(line, FATAL)) {
		end_run(sysbench, TRUE);
		return TRUE;
	}
	look_at_command(sysbench, line);
	/* Reports within a run, once a second. */
	if (*line == '[')
		return TRUE;
	if (!read_values(sysbench, line, error))
		return FALSE;
	if (sysbench->is_open)
		read_settings(sysbench, line);
	if (import_behind(line, LAST_LINE))
		end_run(sysbench, FALSE);
	return TRUE;
}

static gboolean finish(struct sysbench *sysbench, GError **error)
{
	if (is_unfinished(sysbench))
		return err_usage(error, "%s:%" G_GUINT64_FORMAT ": the file ends before the results of this run",
				 sysbench->reader.path, sysbench->line);
	if (sysbench->is_open && !sysbench->is_excerpt)
		import_warn(&sysbench->reader, sysbench->dataset, "the report of the last run is not complete");
	end_run(sysbench, FALSE);
	return sysbench->dataset->n_runs > 0 ||
	       err_usage(error, "%s: no results in it: no test was run", sysbench->reader.path);
}

static gboolean import_sysbench_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct sysbench sysbench = {.dataset = dataset};
	gboolean ok;

	text_reader_init(&sysbench.reader, path, stream);
	notes_init(&sysbench.notes, path, dataset);
	ok = import_lines(&sysbench.reader, read_line, &sysbench, error) && finish(&sysbench, error);
	if (ok)
		notes_finish(&sysbench.notes, NOTES_IN_WORKLOAD);
	notes_clear(&sysbench.notes);
	text_reader_clear(&sysbench.reader);
	g_free(sysbench.asked_for);
	return ok;
}

static gboolean is_known(char *line)
{
	const char *version = import_behind(line, "sysbench ");

	return (version && g_ascii_isdigit(version[*version == 'v'])) || import_behind(line, BEGIN) ||
	       import_behind(line, "read, MiB/s:");
}

static gboolean import_sysbench_detect(const char *head, gsize length)
{
	return import_any_line(head, is_known);
}

const struct importer import_sysbench = {
    .name = "sysbench",
    .summary = "reports of sysbench's tests, several in one file",
    .detect = import_sysbench_detect,
    .read = import_sysbench_read,
};
