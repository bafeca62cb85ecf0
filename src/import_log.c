#include "import_log.h"

#include <math.h>
#include <string.h>

#include "err.h"
#include "import_formats.h"
#include "text_reader.h"

/* What is longer is no line that one of these programs prints. */
#define LINE_MAX_BYTES 4096
#define NO_BREAK_SPACE "\xc2\xa0"
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* The first that takes a line has it: that of the commands, which may look like anything, is the last. */
static const struct recogniser *const tables[] = {log_time, log_dbench, log_growfiles, log_tiobench,
						  log_dd,   log_vmstat, log_command,   NULL};

/* Blanks for what looks like one, none at the end; the quote marks of mail in front are taken away and kept. Returns
 * what is left. */
static char *unquote(struct log *log, char *line)
{
	g_autoptr(GString) marks = g_string_new(NULL);

	for (char *nbsp = line; (nbsp = strstr(nbsp, NO_BREAK_SPACE));)
		memset(nbsp, ' ', strlen(NO_BREAK_SPACE));
	g_strdelimit(line, "\t", ' ');
	g_strchomp(line);
	for (; *line == ' ' || *line == '>'; line++)
		if (*line == '>')
			g_string_append_c(marks, '>');
	if (!g_str_equal(marks->str, log->runs.quote)) {
		g_free(log->runs.quote);
		log->runs.quote = g_string_free(g_steal_pointer(&marks), FALSE);
	}
	return line;
}

static gboolean take(struct log *log, const struct recogniser *as, const struct scanned *found)
{
	if (as->take && !as->take(log, found))
		return FALSE;
	if (as->kind == LINE_PART) {
		log->part = log->nth;
		log->part_line = log->runs.reader->line;
		return FALSE;
	}
	if (as->metric)
		log_run_time(&log->runs, as->metric, found->number[0]);
	log->is_proof |= as->kind == LINE_PROOF;
	return TRUE;
}

static gboolean is_known(struct log *log, char *line)
{
	/* finding texts in a line puts an end to them: a recogniser that then declines must not cut it for the next */
	g_autofree char *copy = g_strdup(line);
	struct scanned found;

	for (gsize i = 0; tables[i]; i++)
		for (const struct recogniser *as = tables[i]; as->format; as++) {
			if (!scan_line(copy, as->format, &found))
				continue;
			if (take(log, as, &found))
				return TRUE;
			memcpy(copy, line, strlen(line) + 1);
		}
	return FALSE;
}

static void read_line(struct log *log, char *text)
{
	char *line;

	if (strlen(text) > LINE_MAX_BYTES)
		return;
	line = unquote(log, text);
	if (!*line)
		return;
	log->nth++;
	if (is_known(log, line)) {
		log->part = 0;
		g_string_truncate(log->before, 0);
	} else {
		g_string_assign(log->before, line);
	}
}

static void log_init(struct log *log, struct dataset *dataset, const struct text_reader *reader)
{
	*log = (struct log){.before = g_string_new(NULL)};
	log_runs_init(&log->runs, dataset, reader);
	log->tiobench = log_tiobench_new();
	log->vmstat = log_vmstat_new();
}

static void log_clear(struct log *log)
{
	log_runs_clear(&log->runs);
	log_tiobench_free(log->tiobench);
	log_vmstat_free(log->vmstat);
	g_string_free(log->before, TRUE);
}

static gboolean finish(struct log *log, GError **error)
{
	const struct log_run *run = &log->runs.run;
	const char *path = log->runs.reader->path;

	if (log->nth && (log->part == log->nth || log->shell == log->nth))
		return err_usage(error, "%s:%" G_GUINT64_FORMAT ": the file ends here, within what is told of a run",
				 path, log->part_line);
	if (log->report_line)
		return err_usage(
		    error, "%s:%" G_GUINT64_FORMAT ": the file ends within the report of time -v that begins here",
		    path, log->report_line);
	if ((run->stage == STAGE_COMMAND || run->stage == STAGE_STARTED) && run->outcome == OUTCOME_OK)
		return err_usage(
		    error, "%s:%" G_GUINT64_FORMAT ": the file ends before the result of the run that begins here",
		    path, run->line);
	log_run_close(&log->runs);
	if (!log->runs.dataset->n_runs)
		dataset_append(log->runs.dataset, log_vmstat_rows(log->vmstat));
	return log->runs.dataset->n_runs || err_usage(error, "%s: no results in it", path);
}

static gboolean read_lines(struct log *log, struct text_reader *reader, GError **error)
{
	char *line;

	for (;;) {
		if (!text_reader_next(reader, &line, error))
			return FALSE;
		if (!line)
			return finish(log, error);
		read_line(log, line);
	}
}

static gboolean import_log_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct text_reader reader;
	struct log log;
	gboolean ok;

	text_reader_init(&reader, path, stream);
	log_init(&log, dataset, &reader);
	ok = read_lines(&log, &reader, error);
	log_clear(&log);
	text_reader_clear(&reader);
	return ok;
}

/* A line that only a log has: what the lines before it tell matters, so that they are read. */
static gboolean import_log_detect(const char *head, gsize length)
{
	g_autoptr(Dataset) dataset = dataset_new();
	const struct text_reader reader = {.path = ""};
	struct log log;

	if (g_str_has_prefix(head, BYTE_ORDER_MARK))
		head += strlen(BYTE_ORDER_MARK);
	log_init(&log, dataset, &reader);
	while (*head && !log.is_proof) {
		const char *end = strchrnul(head, '\n');
		g_autofree char *line = g_strndup(head, (gsize)(end - head));

		read_line(&log, line);
		head = *end ? end + 1 : end;
	}
	log_clear(&log);
	return log.is_proof;
}

const struct importer import_log = {
    .name = "log",
    .summary = "output of dbench, tiobench, growfiles, time, vmstat and free",
    .detect = import_log_detect,
    .read = import_log_read,
};
