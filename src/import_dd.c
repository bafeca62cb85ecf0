#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"
#include "import_line.h"
#include "text_reader.h"
#include "unit.h"

/* What dd says at its end, in any language: "268435456 bytes (268 MB, 256 MiB) copied, 0.412267 s, 651 MB/s", or on BSD
 * "268435456 bytes transferred in 0.412267 secs (...)". Only bytes and seconds are used, for the rate is rounded. */

#define WORKLOAD "dd"
#define LINE_MAX_BYTES 300 /* longer ones are not dd's */
#define COUNTS 2           /* lines of records that dd writes before its last line: in and out */

static const struct metric bandwidth_metric = {.name = "bandwidth", .unit = "MB/s", .better = BETTER_HIGHER};
static const struct metric bytes_metric = {.name = "bytes", .unit = "B", .better = BETTER_NONE};

struct patterns {
	GRegex *end;     /* 1: bytes, 2: seconds */
	GRegex *records; /* "256+0 records in", and out */
};

struct copy {
	double bytes, seconds;
};

struct dd {
	struct text_reader reader;
	struct dataset *dataset;
	guint counts;       /* lines of records whose last line has not come yet */
	gboolean has_error; /* dd complained, and has not said yet how far it came */
	/* A last line without counts before it is that of a log without them, or progress (status=progress) if they
	 * come now. */
	gboolean has_pending;
	struct copy pending;
};

/* Compiled when first asked for. */
static const struct patterns *patterns_get(void)
{
	static struct patterns patterns;
	static gsize is_ready;

	if (g_once_init_enter(&is_ready)) {
		/* the words behind the numbers are of many languages; one of coreutils' translations begins with one */
		patterns.end =
		    g_regex_new("^(?:скопійовано )?(\\d+) [^\\d(]*(?:\\([^()]*\\)[^\\d(]*)?(?:, |，| in )"
				"(\\d+(?:[.,]\\d+)?(?:e[-+]?\\d+)?) (?:s|secs?|seconds?)(?:, |，| \\().+/s(?:ec)?\\)?$",
				0, 0, NULL);
		patterns.records = g_regex_new("^\\d+\\+\\d+ [^\\d\\s]", 0, 0, NULL);
		g_once_init_leave(&is_ready, 1);
	}
	return &patterns;
}

/* A terminal shows of a line only what follows the last carriage return. */
static char *shown_part(char *line)
{
	char *end = line + strlen(line), *start;

	while (end > line && g_ascii_isspace(end[-1]))
		end--;
	*end = '\0';
	start = strrchr(line, '\r');
	return start ? start + 1 : line;
}

static gboolean parse_end(const char *line, struct copy *copy)
{
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *bytes = NULL, *seconds = NULL;

	if (strlen(line) > LINE_MAX_BYTES || !g_regex_match(patterns_get()->end, line, 0, &match))
		return FALSE;
	bytes = g_match_info_fetch(match, 1);
	seconds = g_match_info_fetch(match, 2);
	g_strdelimit(seconds, ",", '.');
	return number_parse(bytes, &copy->bytes) && number_parse(seconds, &copy->seconds);
}

static void add_failed(struct dd *dd)
{
	guint row = import_run(dd->dataset, WORKLOAD);

	import_metric(dd->dataset, row, &bandwidth_metric);
	import_failed(dd->dataset, row);
	dd->has_error = FALSE;
}

static void add_run(struct dd *dd, const struct copy *copy)
{
	guint row = import_run(dd->dataset, WORKLOAD);

	if (copy->bytes > 0 && copy->seconds > 0)
		import_value(dd->dataset, row, &bandwidth_metric, copy->bytes / copy->seconds / 1e6);
	else
		import_warn(&dd->reader, dd->dataset, "dd copied nothing, or in no time: no bandwidth");
	import_value(dd->dataset, row, &run_metrics[RUN_ELAPSED], copy->seconds);
	import_value(dd->dataset, row, &bytes_metric, copy->bytes);
}

static void add_pending(struct dd *dd)
{
	if (dd->has_pending)
		add_run(dd, &dd->pending);
	dd->has_pending = FALSE;
}

static void take_end(struct dd *dd, const struct copy *copy)
{
	add_pending(dd);
	if (dd->has_error) {
		add_failed(dd);
	} else if (dd->counts) {
		add_run(dd, copy);
	} else {
		dd->pending = *copy;
		dd->has_pending = TRUE;
	}
	dd->counts -= MIN(dd->counts, COUNTS);
}

static gboolean take_line(gpointer data, char *line, GError **error)
{
	struct dd *dd = data;
	struct copy copy;

	line = shown_part(line);
	if (parse_end(line, &copy)) {
		take_end(dd, &copy);
	} else if (strlen(line) <= LINE_MAX_BYTES && g_regex_match(patterns_get()->records, line, 0, NULL)) {
		dd->has_pending = FALSE;
		dd->counts++;
	} else if (g_str_has_prefix(line, "dd: ") && !g_str_has_prefix(line, "dd: warning: ")) {
		dd->has_error = TRUE;
	} else if (*line) {
		add_pending(dd);
		if (dd->has_error)
			add_failed(dd);
		dd->counts = 0;
	}
	return TRUE;
}

static gboolean finish(struct dd *dd, GError **error)
{
	add_pending(dd);
	if (dd->has_error)
		add_failed(dd);
	return dd->dataset->n_runs > 0 || err_usage(error, "%s: no results in it", dd->reader.path);
}

static gboolean import_dd_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct dd dd = {.dataset = dataset};
	gboolean ok;

	text_reader_init(&dd.reader, path, stream);
	ok = import_lines(&dd.reader, take_line, &dd, error) && finish(&dd, error);
	text_reader_clear(&dd.reader);
	return ok;
}

static gboolean is_end(char *line)
{
	struct copy copy;

	return g_utf8_validate(line, -1, NULL) && parse_end(shown_part(line), &copy);
}

static gboolean import_dd_detect(const char *head, gsize length)
{
	return import_any_line(head, is_end);
}

const struct importer import_dd = {
    .name = "dd",
    .summary = "what dd writes at its end",
    .detect = import_dd_detect,
    .read = import_dd_read,
};
