#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"
#include "import_line.h"
#include "import_notes.h"
#include "text_reader.h"
#include "unit.h"

/* ioping times single requests. Each request is a run, and one invocation a sitting: requests of one invocation
 * resemble each other, and where there are several the analysis takes these for what is independent. Where single
 * requests were not printed (-q, -R, -B, -p) the statistics are a run, of a workload of its own: an average is no
 * request.
 * source: ioping(1) of 0.7 and 1.3, and what they print; raw statistics are microseconds in eight columns until 0.9 and
 * nanoseconds in ten since 1.0 */

#define STATISTICS "ioping-statistics"
#define TITLE_END " ioping statistics ---"
#define RAW_OLD 8
#define RAW_NEW 10
#define NANOSECONDS 1e9

static const struct metric request_time = {"latency", "s", BETTER_LOWER, NULL};
static const struct metric latencies[] = {{"latency_min", "s", BETTER_LOWER, NULL},
					  {"latency_avg", "s", BETTER_LOWER, NULL},
					  {"latency_max", "s", BETTER_LOWER, NULL},
					  {"latency_mdev", "s", BETTER_LOWER, NULL}};
static const struct metric iops = {"iops", "/s", BETTER_HIGHER, NULL};
static const struct metric throughput = {"throughput", "MiB/s", BETTER_HIGHER, NULL};

static const struct import_unit counts[] = {{"iops", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {NULL, 0}};

struct ioping {
	struct text_reader reader;
	struct dataset *dataset;
	struct notes notes;
	guint invocation;
	double request;    /* number of the last one of this invocation; 0: none */
	char *settings[3]; /* of the last request: target, operation, size; NULL: none */
	char *target;      /* of the statistics that follow; NULL: not named */
	guint statistics;  /* row that waits for its line of latencies, and 1; 0: none */
	guint n_raw;       /* raw lines in a row, and their sums */
	double raw_count, raw_time;
};

/* What a line says about a request: "4.0 KiB from . (ext4 /dev/sda1): request=1 time=296 us" until 1.1, "4 KiB <<< d
 * (ext4 /dev/sda1 252.0 GiB): request=1 time=125.0 us (warmup)" since. */
struct request {
	double number, nanoseconds, size;
	gboolean is_write, is_warmup;
	const char *target;
	gsize target_length;
};

/* Where " from ", " to ", " <<< " or " >>> " stands; the target follows. */
static const char *find_direction(const char *line, struct request *request)
{
	static const struct {
		const char *word;
		gboolean is_write;
	} words[] = {{" <<< ", FALSE}, {" >>> ", TRUE}, {" from ", FALSE}, {" to ", TRUE}};
	const char *first = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
		const char *at = strstr(line, words[i].word);

		/* What follows is a path, and may hold the other words. */
		if (!at || (first && first < at))
			continue;
		first = at;
		request->is_write = words[i].is_write;
		request->target = at + strlen(words[i].word);
	}
	return first;
}

/* The number and unit that end at *end; -I prints a time before them. */
static gboolean read_size_before(const char *line, const char *end, double *bytes)
{
	const char *unit = g_strrstr_len(line, end - line, " ");
	const char *number = unit ? g_strrstr_len(line, unit - line, " ") : NULL;

	return unit && import_quantity(number ? number : line, import_sizes, bytes) == end;
}

static gboolean read_request(const char *line, struct request *request)
{
	const char *at = find_direction(line, request), *number = strstr(line, "): request="), *device, *end;

	if (!at || !number || number < request->target || !read_size_before(line, at, &request->size))
		return FALSE;
	device = g_strrstr_len(request->target, number - request->target, " (");
	end = import_number(number + strlen("): request="), &request->number);
	if (!device || !end)
		return FALSE;
	request->target_length = (gsize)(device - request->target);
	end = import_behind(end, "time=");
	end = end ? import_quantity(end, import_times, &request->nanoseconds) : NULL;
	request->is_warmup = end && strstr(end, "(warmup)");
	return end && (!*end || *end == ' ');
}

static void forget_settings(struct ioping *ioping)
{
	for (gsize i = 0; i < G_N_ELEMENTS(ioping->settings); i++)
		g_clear_pointer(&ioping->settings[i], g_free);
}

static void keep_settings(struct ioping *ioping, const struct request *request)
{
	forget_settings(ioping);
	ioping->settings[0] = g_strndup(request->target, request->target_length);
	ioping->settings[1] = g_strdup(request->is_write ? "write" : "read");
	ioping->settings[2] = number_format_shortest(request->size);
}

/* Adds a run for a request of the last one's settings. */
static guint add_run(struct ioping *ioping)
{
	static const char *const keys[] = {"target", "operation", "size"};
	struct dataset *dataset = ioping->dataset;
	guint row = import_run(dataset, "ioping");
	g_autofree char *sitting = g_strdup_printf("%u", ioping->invocation);

	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		if (ioping->settings[i])
			notes_set(&ioping->notes, row, 1, keys[i], ioping->settings[i], NOTE_ANY);
	if (!dataset->sitting)
		dataset->sitting = column_new("sitting");
	column_set(dataset->sitting, row, sitting);
	return row;
}

static void add_request(struct ioping *ioping, const struct request *request)
{
	if (ioping->request == 0 || request->number <= ioping->request)
		ioping->invocation++;
	ioping->request = request->number;
	keep_settings(ioping, request);
	/* The first request wakes the device up; ioping itself counts it no more since 1.0. */
	if (!request->is_warmup)
		import_value(ioping->dataset, add_run(ioping), &request_time, request->nanoseconds / NANOSECONDS);
}

static guint add_statistics_run(struct ioping *ioping)
{
	import_primary(ioping->dataset, STATISTICS, latencies[1].name);
	return import_run(ioping->dataset, STATISTICS);
}

/* "--- . (ext4 /dev/sda1 252.0 GiB) ioping statistics ---" */
static void name_target(struct ioping *ioping, const char *text)
{
	const char *device = strstr(text, " (");

	g_free(ioping->target);
	ioping->target = device ? g_strndup(text, (gsize)(device - text)) : NULL;
}

/* "10 requests completed in 9.0 s, 1.8 k iops, 7.1 MiB/s"; 1.0 and later say how many bytes were read, too. */
static gboolean begin_statistics(struct ioping *ioping, const char *line, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(line, ", ", -1);
	guint row;

	/* The requests themselves are in the file. */
	if (ioping->request > 0)
		return TRUE;
	row = add_statistics_run(ioping);
	ioping->statistics = row + 1;
	if (ioping->target)
		notes_set(&ioping->notes, row, 1, "target", ioping->target, NOTE_ANY);
	for (char **part = parts + 1; parts[0] && *part; part++) {
		double value;
		const char *end = import_quantity(*part, counts, &value);

		if (end && (!*end || g_str_equal(end, " iops"))) {
			import_value(ioping->dataset, row, &iops, value);
			continue;
		}
		end = import_quantity(*part, import_sizes, &value);
		if (end && g_str_equal(end, "/s"))
			import_value(ioping->dataset, row, &throughput, value / (1 << 20));
		else if (!end)
			return import_fail(&ioping->reader, error, "statistics that cannot be read");
	}
	return TRUE;
}

/* "min/avg/max/mdev = 415 us / 553 us / 831 us / 149 us", or one unit at the end for all. */
static gboolean end_statistics(struct ioping *ioping, const char *text, GError **error)
{
	g_auto(GStrv) parts = g_strsplit(text, "/", -1);
	guint row = ioping->statistics - 1, n = g_strv_length(parts);
	double value;
	const char *unit = n ? import_number(parts[n - 1], &value) : NULL;

	if (ioping->statistics == 0)
		return TRUE;
	ioping->statistics = 0;
	if (!unit || n != G_N_ELEMENTS(latencies))
		return import_fail(&ioping->reader, error, "not the four times of ioping's statistics");
	for (guint i = 0; i < n; i++) {
		g_autofree char *with_unit = g_strconcat(parts[i], unit, NULL);
		const char *end = import_quantity(parts[i], import_times, &value);

		if (!end && !import_quantity(with_unit, import_times, &value)) {
			g_autofree char *shown = import_quote(parts[i], strlen(parts[i]));

			return import_fail(&ioping->reader, error, "'%s' is no time", shown);
		}
		import_value(ioping->dataset, row, &latencies[i], value / NANOSECONDS);
	}
	return TRUE;
}

/* Raw statistics: count, time, requests a second, bytes a second, the four latencies, and since 1.0 the count and time
 * of all requests. Numbers alone say nothing: these must agree with each other. Returns how many there are, 0 where
 * the line is none of raw statistics. */
static guint read_raw(const char *line, double *values)
{
	guint n = 0;
	double unit;

	for (; *line && n < RAW_NEW; n++) {
		line = g_ascii_isdigit(*line) ? import_number(line, &values[n]) : NULL;
		if (!line || (*line && *line++ != ' ') || values[n] != rint(values[n]))
			return 0;
	}
	if (*line || (n != RAW_OLD && n != RAW_NEW))
		return 0;
	if (values[0] == 0 || (n == RAW_NEW && (values[8] < values[0] || values[9] < values[1])))
		return 0;
	/* Rate and average are rounded to whole numbers. */
	unit = n == RAW_OLD ? 1e6 : NANOSECONDS;
	if (fabs(values[2] * values[1] - values[0] * unit) > values[1] ||
	    fabs(values[5] * values[0] - values[1]) > values[0])
		return 0;
	return values[4] <= values[5] && values[5] <= values[6] ? n : 0;
}

static void add_raw(struct ioping *ioping, const double *values, guint n)
{
	struct dataset *dataset = ioping->dataset;
	guint row;

	/* With -p and -B the last line is the total of those above. */
	if (ioping->n_raw > 1 && values[0] == ioping->raw_count && values[1] == ioping->raw_time) {
		import_warn(&ioping->reader, dataset, "the total of the %u lines above is passed over", ioping->n_raw);
		ioping->n_raw = 0;
		return;
	}
	if (ioping->n_raw++ == 0)
		ioping->raw_count = ioping->raw_time = 0;
	ioping->raw_count += values[0];
	ioping->raw_time += values[1];
	row = add_statistics_run(ioping);
	import_value(dataset, row, &iops, values[2]);
	import_value(dataset, row, &throughput, values[3] / (1 << 20));
	for (guint i = 0; i < G_N_ELEMENTS(latencies); i++)
		import_value(dataset, row, &latencies[i], values[4 + i] / (n == RAW_OLD ? 1e6 : NANOSECONDS));
}

/* The beginning of what would be a request or raw statistics. */
static gboolean is_cut_off(const struct ioping *ioping, const char *line)
{
	struct request request;
	const char *at = find_direction(line, &request);

	return strstr(line, "): request=") ||
	       (at && g_ascii_isdigit(*line) && read_size_before(line, at, &request.size)) ||
	       (ioping->n_raw && *line && !line[strspn(line, "0123456789 ")]);
}

static gboolean read_line(gpointer data, char *line, GError **error)
{
	struct ioping *ioping = data;
	struct request request;
	double raw[RAW_NEW];
	const char *text;
	guint n = read_raw(line, raw);

	if (n) {
		add_raw(ioping, raw, n);
		return TRUE;
	}
	if (read_request(line, &request)) {
		add_request(ioping, &request);
	} else if (is_cut_off(ioping, line)) {
		return import_fail(&ioping->reader, error, "the line is cut off");
	} else if (import_behind(line, "ioping: request failed")) {
		import_failed(ioping->dataset, add_run(ioping));
	} else if (g_str_has_suffix(line, TITLE_END) && (text = import_behind(line, "--- "))) {
		name_target(ioping, text);
	} else if (strstr(line, " requests completed in ")) {
		return begin_statistics(ioping, line, error);
	} else if ((text = import_behind(line, "min/avg/max/mdev ="))) {
		ioping->request = 0;
		return end_statistics(ioping, text, error);
	}
	ioping->n_raw = 0;
	return TRUE;
}

static gboolean finish(const struct ioping *ioping, GError **error)
{
	if (ioping->statistics)
		return import_fail(&ioping->reader, error, "the statistics end before their latencies");
	if (ioping->dataset->n_runs == 0)
		return err_usage(error, "%s: no results in it: neither requests nor statistics", ioping->reader.path);
	return TRUE;
}

static gboolean import_ioping_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct ioping ioping = {.dataset = dataset};
	gboolean ok;

	text_reader_init(&ioping.reader, path, stream);
	notes_init(&ioping.notes, path, dataset);
	ok = import_lines(&ioping.reader, read_line, &ioping, error) && finish(&ioping, error);
	if (ok)
		notes_finish(&ioping.notes, NOTES_IN_WORKLOAD);
	text_reader_clear(&ioping.reader);
	notes_clear(&ioping.notes);
	forget_settings(&ioping);
	g_free(ioping.target);
	return ok;
}

static gboolean is_known(char *line)
{
	struct request request;
	double raw[RAW_NEW];

	return read_request(line, &request) || g_str_has_suffix(line, TITLE_END) || read_raw(line, raw);
}

static gboolean import_ioping_detect(const char *head, gsize length)
{
	return import_any_line(head, is_known);
}

const struct importer import_ioping = {
    .name = "ioping",
    .summary = "ioping's requests, or its statistics for people and of -B",
    .detect = import_ioping_detect,
    .read = import_ioping_read,
};
