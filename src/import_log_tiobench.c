#include "import_log.h"

#include <math.h>
#include <string.h>

#include "shared.h"
#include "unit.h"

/* tiobench, in three forms: the table of 2002 with all four phases of a run in a row, the later four tables, one for
 * each phase, and the terse lines of tiotest -T. One run is what was done with one number of threads, file size and
 * block size.
 *
 * Its megabytes are 2^20 bytes, whatever the reports say.   source: constants.h of tiobench 0.3.3 */

enum phase { SEQ_READ, RAND_READ, SEQ_WRITE, RAND_WRITE, PHASES };
enum figure { RATE, CPU, LATENCY, MAX_LATENCY, OVER_2_S, OVER_10_S, FIGURES };

#define PHASE_METRICS(phase)                                                                                           \
	{                                                                                                              \
		[RATE] = {phase, "MiB/s", BETTER_HIGHER, NULL}, [CPU] = {phase "_cpu", "%", BETTER_NONE, NULL},        \
		[LATENCY] = {phase "_latency", "ms", BETTER_LOWER, NULL},                                              \
		[MAX_LATENCY] = {phase "_max_latency", "ms", BETTER_LOWER, NULL},                                      \
		[OVER_2_S] = {phase "_over_2s", "%", BETTER_LOWER, NULL},                                              \
		[OVER_10_S] = {phase "_over_10s", "%", BETTER_LOWER, NULL},                                            \
	}

static const struct metric metrics[PHASES][FIGURES] = {
    [SEQ_READ] = PHASE_METRICS("seq_read"),
    [RAND_READ] = PHASE_METRICS("rand_read"),
    [SEQ_WRITE] = PHASE_METRICS("seq_write"),
    [RAND_WRITE] = PHASE_METRICS("rand_write"),
};

struct log_tiobench {
	guint64 nth; /* of the last line of a table */
	enum { TABLE_NONE, TABLE_COMBINED, TABLE_DIRECTORIES, TABLE_PHASE, TABLE_TERSE } table;
	enum phase phase;
	/* Of the four tables: "phase, label, size, block, threads" -> how many rows of it there were, and "label, ...,
	 * which one of these" -> row of the dataset + 1. */
	GHashTable *counts, *rows;
	guint terse_row, terse_phases; /* of the run that lines are being read of; a bit a phase */
};

struct log_tiobench *log_tiobench_new(void)
{
	struct log_tiobench *tiobench = g_new0(struct log_tiobench, 1);

	tiobench->counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	tiobench->rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return tiobench;
}

void log_tiobench_free(struct log_tiobench *tiobench)
{
	g_hash_table_unref(tiobench->counts);
	g_hash_table_unref(tiobench->rows);
	g_free(tiobench);
}

static guint add_row(struct log *log, const char *label)
{
	guint row = log_add_row(&log->runs, "tiobench", label);

	g_hash_table_insert(log->runs.dataset->primary, shared(column_get(log->runs.dataset->workload, row)),
			    shared(metrics[SEQ_READ][RATE].name));
	return row;
}

static void set_factor(struct log *log, guint row, const char *name, double value)
{
	g_autofree char *level = number_format_shortest(value);

	column_set(dataset_factor(log->runs.dataset, name), row, level);
}

static void set_figures(struct log *log, guint row, enum phase phase, const double *figures, guint n)
{
	for (guint i = 0; i < n; i++)
		if (isfinite(figures[i]))
			values_set(dataset_metric(log->runs.dataset, &metrics[phase][i]), row, figures[i]);
}

static void begin(struct log *log, guint table)
{
	log_run_close(&log->runs);
	log->tiobench->table = table;
	log->tiobench->nth = log->nth;
}

/* Whether the line follows one of the table. */
static gboolean is_in(const struct log *log, guint table)
{
	return log->tiobench->table == table && log->tiobench->nth + 1 == log->nth;
}

static gboolean take_combined_head(struct log *log, const struct scanned *found)
{
	begin(log, strstr(found->text[0], "Size") ? TABLE_DIRECTORIES : TABLE_COMBINED);
	return TRUE;
}

/* The line under a head. */
static gboolean take_rule(struct log *log, const struct scanned *found)
{
	const char *text = found->text[0];

	if (text[strspn(text, "-= ")] || log->tiobench->nth + 1 != log->nth)
		return FALSE;
	log->tiobench->nth = log->nth;
	return TRUE;
}

static void add_combined(struct log *log, guint row, const double *figures)
{
	for (guint phase = 0; phase < PHASES; phase++)
		set_figures(log, row, phase, figures + 2 * (gsize)phase, 2);
	log->tiobench->nth = log->nth;
}

static gboolean take_combined(struct log *log, const struct scanned *found)
{
	guint row;

	if (!is_in(log, TABLE_COMBINED))
		return FALSE;
	row = add_row(log, *found->text[0] ? found->text[0] : NULL);
	set_factor(log, row, "threads", found->number[0]);
	add_combined(log, row, found->number + 1);
	return TRUE;
}

static gboolean take_directories(struct log *log, const struct scanned *found)
{
	guint row;

	if (!is_in(log, TABLE_DIRECTORIES))
		return FALSE;
	row = add_row(log, NULL);
	column_set(dataset_factor(log->runs.dataset, "directory"), row, found->text[0]);
	set_factor(log, row, "size_MiB", found->number[0]);
	set_factor(log, row, "block_B", found->number[1]);
	set_factor(log, row, "threads", found->number[2]);
	add_combined(log, row, found->number + 3);
	return TRUE;
}

static const struct {
	const char *title, *terse; /* over its table, before its line */
} phase_names[PHASES] = {
    [SEQ_READ] = {"Sequential Reads", "read:"},
    [RAND_READ] = {"Random Reads", "rread:"},
    [SEQ_WRITE] = {"Sequential Writes", "write:"},
    [RAND_WRITE] = {"Random Writes", "rwrite:"},
};

static gboolean take_title(struct log *log, const struct scanned *found)
{
	guint phase = 0;

	while (phase < PHASES && !g_str_equal(found->text[0], phase_names[phase].title))
		phase++;
	if (phase == PHASES)
		return FALSE;
	begin(log, TABLE_PHASE);
	log->tiobench->phase = phase;
	return TRUE;
}

static gboolean take_phase_head(struct log *log, const struct scanned *found)
{
	if (!is_in(log, TABLE_PHASE))
		return FALSE;
	log->tiobench->nth = log->nth;
	return TRUE;
}

/* The run that a row of one of the four tables belongs to: the n-th of its kind is the n-th in all four. */
static guint row_of(struct log *log, const char *label, const double *number)
{
	struct log_tiobench *tiobench = log->tiobench;
	g_autofree char *kind =
	    g_strdup_printf("%s\n%s\n%.17g %.17g %.17g", log->runs.quote, label, number[0], number[1], number[2]);
	char *counted = g_strdup_printf("%u %s", tiobench->phase, kind);
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(tiobench->counts, counted)), row;
	char *key = g_strdup_printf("%u %s", n, kind);

	g_hash_table_replace(tiobench->counts, counted, GUINT_TO_POINTER(n + 1));
	row = GPOINTER_TO_UINT(g_hash_table_lookup(tiobench->rows, key));
	if (row) {
		g_free(key);
		return row - 1;
	}
	row = add_row(log, *label ? label : NULL);
	set_factor(log, row, "size_MiB", number[0]);
	set_factor(log, row, "block_B", number[1]);
	set_factor(log, row, "threads", number[2]);
	g_hash_table_insert(tiobench->rows, key, GUINT_TO_POINTER(row + 1));
	return row;
}

static gboolean take_phase(struct log *log, const struct scanned *found)
{
	if (!is_in(log, TABLE_PHASE))
		return FALSE;
	set_figures(log, row_of(log, found->text[0], found->number), log->tiobench->phase, found->number + 3, FIGURES);
	log->tiobench->nth = log->nth;
	return TRUE;
}

static gboolean is_in_table(struct log *log, const struct scanned *found)
{
	return is_in(log, TABLE_COMBINED) || is_in(log, TABLE_DIRECTORIES) || is_in(log, TABLE_PHASE);
}

static gboolean is_in_terse(struct log *log, const struct scanned *found)
{
	return is_in(log, TABLE_TERSE) && strchr(found->text[0], ',');
}

/* MB, s, user s, system s, average and longest latency in ms, % over 2 s and over 10 s. The phases of a run follow each
 * other. */
static void add_terse(struct log *log, enum phase phase, const double *number)
{
	struct log_tiobench *tiobench = log->tiobench;
	double figures[FIGURES];

	if (!is_in(log, TABLE_TERSE) || tiobench->terse_phases & 1u << phase) {
		begin(log, TABLE_TERSE);
		tiobench->terse_row = add_row(log, NULL);
		tiobench->terse_phases = 0;
	}
	tiobench->terse_phases |= 1u << phase;
	tiobench->nth = log->nth;
	/* a phase that was left out took no time */
	if (number[1] <= 0)
		return;
	figures[RATE] = number[0] / number[1];
	figures[CPU] = 100 * (number[2] + number[3]) / number[1];
	memcpy(figures + LATENCY, number + 4, (FIGURES - LATENCY) * sizeof(double));
	set_figures(log, tiobench->terse_row, phase, figures, FIGURES);
}

static gboolean take_terse(struct log *log, const struct scanned *found)
{
	struct scanned numbers;
	guint phase = 0;

	while (phase < PHASES && !g_str_has_prefix(found->text[0], phase_names[phase].terse))
		phase++;
	if (phase == PHASES)
		return FALSE;

	g_autofree char *line = g_strdup(found->text[0] + strlen(phase_names[phase].terse));

	if (!scan_line(line, "%n,%n,%n,%n,%n,%n,%n,%n", &numbers))
		return FALSE;
	add_terse(log, phase, numbers.number);
	return TRUE;
}

#define PAIRS "%n %n%% %n %n%% %n %n%% %n %n%%"

const struct recogniser log_tiobench[] = {
    {"%*Thr Rate (CPU%%) Rate (CPU%%) Rate (CPU%%) Rate (CPU%%)", .take = take_combined_head, .kind = LINE_PROOF},
    {"%r", .take = take_title},
    {"File Blk Num Avg Maximum Lat%% Lat%% CPU", .take = take_phase_head},
    {"Identifier Size Size Thr Rate (CPU%%) Latency Latency >2s >10s Eff", .take = take_phase_head, .kind = LINE_PROOF},
    {"%r", .take = take_rule},
    {"%*%n " PAIRS, .take = take_combined},
    {"%w %n %n %n " PAIRS, .take = take_directories},
    {"%*%n %n %n %n %n%% %n %n %n %n %r", .take = take_phase},
    {"%*%n %n%r", .take = is_in_table, .kind = LINE_PART},
    {"%r", .take = take_terse, .kind = LINE_PROOF},
    {"total:%n,%n,%n,%n", .kind = LINE_PLAIN},
    {"%w", .take = is_in_terse, .kind = LINE_PART},
    {NULL},
};
