#include "import_log.h"

#include <math.h>
#include <string.h>

#include "import_common.h"
#include "import_line.h"
#include "shared.h"
#include "unit.h"

/* Tables of vmstat(8), by the names over their columns, and free(1). In a log of runs they tell of the memory before
 * and after these; where there are no runs their rows are the runs.
 *
 * vmstat's first row holds averages since the machine was booted: its rates are not read, as those of any call that
 * prints but one row. How much memory there is, and how many processes wait, is of the moment in that row too. */

#define SCREEN_MIN 10 /* rows: with fewer under the last one another head is another call's */
#define COLUMNS_MAX 24
#define KIB 1024.0
#define TOTAL_MIN 4096 /* KiB: no machine has less; a smaller total is in MiB, of free -m */

struct column_kind {
	struct metric metric;
	gboolean is_rate;
	int memory; /* enum log_memory + 1; 0: none */
};

static const struct column_kind vmstat_kinds[] = {
    {{"r", "", BETTER_NONE, NULL}, FALSE, 0},
    {{"b", "", BETTER_NONE, NULL}, FALSE, 0},
    {{"w", "", BETTER_NONE, NULL}, FALSE, 0},
    {{"swpd", "KiB", BETTER_NONE, NULL}, FALSE, MEMORY_SWAP + 1},
    {{"free", "KiB", BETTER_NONE, NULL}, FALSE, MEMORY_FREE + 1},
    {{"buff", "KiB", BETTER_NONE, NULL}, FALSE, MEMORY_BUFFERS + 1},
    {{"cache", "KiB", BETTER_NONE, NULL}, FALSE, MEMORY_CACHE + 1},
    {{"inact", "KiB", BETTER_NONE, NULL}, FALSE, 0},
    {{"active", "KiB", BETTER_NONE, NULL}, FALSE, 0},
    {{"si", "KiB/s", BETTER_NONE, NULL}, TRUE, 0},
    {{"so", "KiB/s", BETTER_NONE, NULL}, TRUE, 0},
    {{"bi", "KiB/s", BETTER_NONE, NULL}, TRUE, 0},
    {{"bo", "KiB/s", BETTER_NONE, NULL}, TRUE, 0},
    {{"in", "/s", BETTER_NONE, NULL}, TRUE, 0},
    {{"cs", "/s", BETTER_NONE, NULL}, TRUE, 0},
    {{"us", "%", BETTER_NONE, NULL}, TRUE, 0},
    {{"sy", "%", BETTER_NONE, NULL}, TRUE, 0},
    {{"id", "%", BETTER_NONE, NULL}, TRUE, 0},
    {{"wa", "%", BETTER_NONE, NULL}, TRUE, 0},
    {{"st", "%", BETTER_NONE, NULL}, TRUE, 0},
    {{"gu", "%", BETTER_NONE, NULL}, TRUE, 0},
    {{NULL}, FALSE, 0},
};

/* The newer free counts buffers and cache together, and with what else can be had back. */
static const struct column_kind free_kinds[] = {
    {{"total", "KiB", BETTER_NONE, NULL}, FALSE, 0},
    {{"used", "KiB", BETTER_NONE, NULL}, FALSE, 0},
    {{"free", "KiB", BETTER_NONE, NULL}, FALSE, MEMORY_FREE + 1},
    {{"shared", "KiB", BETTER_NONE, NULL}, FALSE, 0},
    {{"buffers", "KiB", BETTER_NONE, NULL}, FALSE, MEMORY_BUFFERS + 1},
    {{"cached", "KiB", BETTER_NONE, NULL}, FALSE, MEMORY_CACHE + 1},
    {{"buff/cache", "KiB", BETTER_NONE, NULL}, FALSE, 0},
    {{"cache", "KiB", BETTER_NONE, NULL}, FALSE, MEMORY_CACHE + 1},
    {{"available", "KiB", BETTER_NONE, NULL}, FALSE, 0},
    {{NULL}, FALSE, 0},
};

/* The columns of a table, in its order. */
struct head {
	guint64 nth; /* of its last line, or of the last row under it */
	const struct column_kind *column[COLUMNS_MAX];
	guint n;
};

struct log_vmstat {
	struct dataset *rows;
	struct head vmstat, free;
	gboolean has_stamp; /* vmstat -t: the last column is a time, of any number of words */
	gboolean is_first;  /* the next row is the first one of its call */
	guint n_rows;       /* under vmstat's head */
	guint free_row;     /* of the last "Mem:" line */
	double free_unit;   /* KiB */
};

struct log_vmstat *log_vmstat_new(void)
{
	struct log_vmstat *vmstat = g_new0(struct log_vmstat, 1);

	vmstat->rows = dataset_new();
	return vmstat;
}

const struct dataset *log_vmstat_rows(const struct log_vmstat *vmstat)
{
	return vmstat->rows;
}

void log_vmstat_free(struct log_vmstat *vmstat)
{
	dataset_free(vmstat->rows);
	g_free(vmstat);
}

/* The next word of the line, which goes on behind it; NULL at its end. */
static char *next_word(char **line)
{
	char *word = *line + strspn(*line, " ");
	gsize length = strcspn(word, " ");

	if (!length)
		return NULL;
	*line = word + length;
	if (**line)
		*(*line)++ = '\0';
	return word;
}

static const struct column_kind *find_kind(const struct column_kind *kinds, const char *name)
{
	while (kinds->metric.name && !g_str_equal(kinds->metric.name, name))
		kinds++;
	return kinds->metric.name ? kinds : NULL;
}

/* The columns that the line names. FALSE where there are others than at most a last one that is not known. */
static gboolean read_head(struct head *head, const char *text, const struct column_kind *kinds, gboolean *has_stamp)
{
	g_autofree char *line = g_strdup(text);
	char *at = line, *word;

	*head = (struct head){.nth = head->nth};
	*has_stamp = FALSE;
	while ((word = next_word(&at))) {
		const struct column_kind *kind = find_kind(kinds, word);

		if (*has_stamp || head->n == COLUMNS_MAX)
			return FALSE;
		if (kind)
			head->column[head->n++] = kind;
		else
			*has_stamp = TRUE;
	}
	return TRUE;
}

static gboolean take_title(struct log *log, const struct scanned *found)
{
	struct log_vmstat *vmstat = log->vmstat;

	if (!strstr(found->text[0], "memory"))
		return FALSE;
	if (vmstat->vmstat.nth + 1 != log->nth)
		vmstat->n_rows = 0;
	vmstat->vmstat.nth = log->nth;
	return TRUE;
}

/* vmstat repeats its head after a screenful of rows, which is no new beginning. */
static gboolean take_head(struct log *log, const struct scanned *found)
{
	struct log_vmstat *vmstat = log->vmstat;
	g_autofree char *names = g_strconcat("r b ", found->text[0], NULL);
	struct head head = {0};
	gboolean has_stamp, goes_on;

	if (!read_head(&head, names, vmstat_kinds, &has_stamp) || head.n < 14)
		return FALSE;
	goes_on = vmstat->vmstat.nth + 1 == log->nth && vmstat->n_rows >= SCREEN_MIN && head.n == vmstat->vmstat.n &&
		  memcmp(head.column, vmstat->vmstat.column, sizeof head.column) == 0;
	head.nth = log->nth;
	vmstat->vmstat = head;
	vmstat->has_stamp = has_stamp;
	vmstat->is_first = !goes_on;
	vmstat->n_rows = 0;
	return TRUE;
}

static guint add_row(struct log *log, const char *workload, const char *primary)
{
	guint row;

	log_memory_look(&log->runs);
	/* they are not asked for once there are runs */
	if (log->runs.dataset->n_runs)
		return 0;
	row = import_run(log->vmstat->rows, workload);
	import_primary(log->vmstat->rows, workload, primary);
	return row;
}

static void set_value(struct log *log, guint row, const struct column_kind *kind, double value)
{
	if (kind->memory)
		log_memory_set(&log->runs, (enum log_memory)(kind->memory - 1), value * KIB);
	if (!log->runs.dataset->n_runs && isfinite(value))
		values_set(dataset_metric(log->vmstat->rows, &kind->metric), row, value);
}

static gboolean take_row(struct log *log, const struct scanned *found)
{
	struct log_vmstat *vmstat = log->vmstat;
	g_autofree char *line = g_strdup(found->text[0]);
	double value[COLUMNS_MAX];
	char *at = line, *word;
	guint row;

	if (!vmstat->vmstat.n || vmstat->vmstat.nth + 1 != log->nth)
		return FALSE;
	for (guint i = 0; i < vmstat->vmstat.n; i++) {
		word = next_word(&at);
		if (!word || !g_ascii_isdigit(*word) || !number_parse(word, &value[i]))
			return FALSE;
	}
	if (next_word(&at) && !vmstat->has_stamp)
		return FALSE;
	row = add_row(log, "vmstat", "id");
	for (guint i = 0; i < vmstat->vmstat.n; i++)
		if (!vmstat->is_first || !vmstat->vmstat.column[i]->is_rate)
			set_value(log, row, vmstat->vmstat.column[i], value[i]);
	vmstat->is_first = FALSE;
	vmstat->n_rows++;
	vmstat->vmstat.nth = log->nth;
	return TRUE;
}

static gboolean is_under_head(struct log *log, const struct scanned *found)
{
	return log->vmstat->vmstat.n && log->vmstat->vmstat.nth + 1 == log->nth;
}

static gboolean take_free_head(struct log *log, const struct scanned *found)
{
	g_autofree char *names = g_strconcat("total used free ", found->text[0], NULL);
	gboolean has_other;

	if (!read_head(&log->vmstat->free, names, free_kinds, &has_other) || has_other) {
		log->vmstat->free.n = 0;
		return FALSE;
	}
	log->vmstat->free.nth = log->nth;
	return TRUE;
}

/* A number of free, in KiB unless a letter of free -h says otherwise: powers of 1024 in all its versions. */
static gboolean read_size(const char *word, double unit, double *kib)
{
	static const char letters[] = "BKMGTP";
	gsize digits = strspn(word, "0123456789.");
	g_autofree char *number = g_strndup(word, digits);
	const char *letter = word[digits] ? strchr(letters, word[digits]) : NULL;

	if (!number_parse(number, kib) || (word[digits] && !letter) ||
	    (letter && word[digits + 1] && !g_str_equal(word + digits + 1, "i")))
		return FALSE;
	if (!letter)
		*kib *= unit;
	else
		for (*kib /= KIB; letter > letters; letter--)
			*kib *= KIB;
	return TRUE;
}

static gboolean take_mem(struct log *log, const struct scanned *found)
{
	struct log_vmstat *vmstat = log->vmstat;
	g_autofree char *line = g_strdup(found->text[0]);
	double kib[COLUMNS_MAX];
	char *at = line, *word;

	if (!vmstat->free.n || vmstat->free.nth + 1 != log->nth)
		return FALSE;
	vmstat->free_unit = 1;
	for (guint i = 0; i < vmstat->free.n; i++) {
		word = next_word(&at);
		if (!word || !read_size(word, vmstat->free_unit, &kib[i]))
			return FALSE;
		if (i == 0 && kib[0] < TOTAL_MIN && !word[strspn(word, "0123456789")]) {
			vmstat->free_unit = KIB;
			kib[0] *= KIB;
		}
	}
	vmstat->free_row = add_row(log, "free", "free");
	for (guint i = 0; i < vmstat->free.n; i++)
		set_value(log, vmstat->free_row, vmstat->free.column[i], kib[i]);
	vmstat->free.nth = log->nth;
	return TRUE;
}

static gboolean take_without_buffers(struct log *log, const struct scanned *found)
{
	if (!log->vmstat->free.n || log->vmstat->free.nth + 1 != log->nth)
		return FALSE;
	log->vmstat->free.nth = log->nth;
	return TRUE;
}

static gboolean take_swap(struct log *log, const struct scanned *found)
{
	static const struct column_kind used = {{"swpd", "KiB", BETTER_NONE, NULL}, FALSE, MEMORY_SWAP + 1};
	g_autofree char *line = g_strdup(found->text[0]);
	char *at = line, *word;
	double kib;

	if (!log->vmstat->free.n || log->vmstat->free.nth + 1 != log->nth || !next_word(&at))
		return FALSE;
	word = next_word(&at);
	if (!word || !read_size(word, log->vmstat->free_unit, &kib))
		return FALSE;
	set_value(log, log->vmstat->free_row, &used, kib);
	return TRUE;
}

const struct recogniser log_vmstat[] = {
    {"procs %r", .take = take_title},
    {"-%r", .take = take_title},
    {"r b %r", .take = take_head, .kind = LINE_PROOF},
    {"%r", .take = take_row},
    {"%n %n%r", .take = is_under_head, .kind = LINE_PART},
    {"total used free %r", .take = take_free_head},
    {"Mem: %r", .take = take_mem, .kind = LINE_PROOF},
    {"-/+ buffers/cache: %r", .take = take_without_buffers},
    {"Swap: %r", .take = take_swap},
    {NULL},
};
