#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"
#include "import_line.h"
#include "text_reader.h"

/* interbench measures how long a simulated task waits for a CPU beside a simulated load: a section a task, a row a
 * load. Benchmarks of real-time tasks print microseconds, and a game has no deadlines.
 * source: interbench's readme and source, 0.31 */

#define SECTION "--- Benchmarking "
#define SIMULATED "simulated cpu of "
#define BESIDE " in the presence of"
#define COLUMNS_MAX 5

static const struct metric columns[COLUMNS_MAX] = {
    {"latency", "ms", BETTER_LOWER, NULL},       {"latency_sd", "ms", BETTER_LOWER, NULL},
    {"latency_max", "ms", BETTER_LOWER, NULL},   {"desired_cpu", "%", BETTER_HIGHER, NULL},
    {"deadlines_met", "%", BETTER_HIGHER, NULL},
};
#define LATENCIES 3 /* the first ones */

struct interbench {
	struct text_reader reader;
	struct dataset *dataset;
	char *kernel, *sitting; /* NULL: none was named */
	char *task;             /* the section's; NULL: outside of one */
	char *load_nice;        /* "nice 5" or "" */
	guint n_columns;        /* 0: before the section's header */
	double latency_unit;    /* in ms */
	gboolean warned_of_marks;
};

/* "Benchmarking kernel 2.6.16-ck1 at datestamp 200603250244": one invocation. */
static void begin_kernel(struct interbench *interbench, const char *text)
{
	const char *at = strstr(text, " at datestamp ");

	g_free(interbench->kernel);
	g_free(interbench->sitting);
	interbench->kernel = at ? g_strndup(text, (gsize)(at - text)) : g_strdup(text);
	interbench->sitting = g_strdup(text);
	g_clear_pointer(&interbench->task, g_free);
}

/* "Audio in the presence of simulated ---", "X nice -10 in the presence of simulated nice 5 ---"; "Audio real time in
 * the presence of loads ---" until 0.22. Mail breaks such lines. */
static gboolean begin_section(struct interbench *interbench, const char *text, GError **error)
{
	const char *beside = strstr(text, BESIDE), *load, *simulated;

	if (!beside)
		return import_fail(&interbench->reader, error, "a section's title is cut off");
	g_free(interbench->task);
	g_free(interbench->load_nice);
	interbench->task = g_strndup(text, (gsize)(beside - text));
	load = beside + strlen(BESIDE);
	simulated = import_behind(load, "simulated");
	load = simulated ? simulated : "";
	interbench->load_nice = g_strstrip(g_strndup(load, strcspn(load, "-")));
	interbench->n_columns = 0;
	return TRUE;
}

static void read_header(struct interbench *interbench, const char *line)
{
	interbench->n_columns = strstr(line, "% Deadlines Met") ? COLUMNS_MAX : COLUMNS_MAX - 1;
	interbench->latency_unit = strstr(line, "(us)") ? 1e-3 : 1;
}

/* Authors mark figures with asterisks: worse than elsewhere, mostly. */
static void remove_marks(struct interbench *interbench, char *line)
{
	if (!strchr(line, '*'))
		return;
	if (!interbench->warned_of_marks)
		import_warn(&interbench->reader, interbench->dataset, "marks (*) behind numbers are passed over");
	interbench->warned_of_marks = TRUE;
	g_strdelimit(line, "*", ' ');
}

/* The row's numbers; false where they are not as many as the header has names. */
static gboolean read_numbers(const struct interbench *interbench, char *text, double *values, GError **error)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t", -1);
	guint n = 0;

	for (char **word = words; *word; word++) {
		const char *end;

		if (!**word || g_str_equal(*word, "+/-"))
			continue;
		if (n == interbench->n_columns)
			return import_fail(&interbench->reader, error, "more than the %u numbers of the header", n);
		values[n] = NAN;
		end = import_number(*word, &values[n]);
		if ((!end || *end) && !import_missing(*word)) {
			g_autofree char *shown = import_quote(*word, strlen(*word));

			return import_fail(&interbench->reader, error, "'%s' is no number", shown);
		}
		n++;
	}
	return n == interbench->n_columns ||
	       import_fail(&interbench->reader, error, "%u numbers where the header names %u", n,
			   interbench->n_columns);
}

static gboolean add_row(struct interbench *interbench, const char *load, char *text, GError **error)
{
	struct dataset *dataset = interbench->dataset;
	g_autofree char *level = g_strconcat(load, *interbench->load_nice ? " " : "", interbench->load_nice, NULL);
	double values[COLUMNS_MAX] = {0};
	guint row;

	if (!read_numbers(interbench, text, values, error))
		return FALSE;
	row = import_run(dataset, interbench->task);
	if (interbench->kernel) {
		if (!dataset->sitting)
			dataset->sitting = column_new("sitting");
		column_set(dataset->sitting, row, interbench->sitting);
		column_set(dataset_factor(dataset, "label"), row, interbench->kernel);
	}
	column_set(dataset_factor(dataset, "load"), row, level);
	for (guint i = 0; i < interbench->n_columns; i++) {
		if (isnan(values[i]))
			import_warn(&interbench->reader, dataset, "%s has no value", columns[i].name);
		else
			import_value(dataset, row, &columns[i],
				     i < LATENCIES ? values[i] * interbench->latency_unit : values[i]);
	}
	return TRUE;
}

/* A line below a section's header: a load and its numbers, or what the program says while it runs. */
static gboolean read_row(struct interbench *interbench, char *line, GError **error)
{
	gsize length = strcspn(line, " \t");
	g_autofree char *load = g_strndup(line, length);

	if (strstr(line, "+/-")) {
		remove_marks(interbench, line + length);
		return add_row(interbench, load, line + length, error);
	}
	if (length && !line[length + strspn(line + length, " \t")]) {
		g_autofree char *shown = import_quote(load, strlen(load));

		import_warn(&interbench->reader, interbench->dataset, "load '%s' has no numbers", shown);
	}
	return TRUE;
}

static gboolean read_line(gpointer data, char *line, GError **error)
{
	struct interbench *interbench = data;
	const char *text = import_behind(line, "Benchmarking kernel ");

	if (text) {
		begin_kernel(interbench, text);
		return TRUE;
	}
	text = import_behind(line, SECTION);
	if (text) {
		const char *simulated = import_behind(text, SIMULATED);

		return begin_section(interbench, simulated ? simulated : text, error);
	}
	if (!interbench->task)
		return TRUE;
	if (!line[strspn(line, " \t")])
		interbench->n_columns = 0;
	else if (strstr(line, "Latency +/- SD"))
		read_header(interbench, line);
	else if (interbench->n_columns)
		return read_row(interbench, line, error);
	return TRUE;
}

static gboolean import_interbench_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct interbench interbench = {.dataset = dataset};
	gboolean ok;

	text_reader_init(&interbench.reader, path, stream);
	ok = import_lines(&interbench.reader, read_line, &interbench, error);
	if (ok && dataset->n_runs == 0)
		ok = err_usage(error, "%s: no results in it: sections without rows", path);
	text_reader_clear(&interbench.reader);
	g_free(interbench.kernel);
	g_free(interbench.sitting);
	g_free(interbench.task);
	g_free(interbench.load_nice);
	return ok;
}

static gboolean is_known(char *line)
{
	const char *text = import_behind(line, SECTION);

	return text && strstr(text, BESIDE);
}

static gboolean import_interbench_detect(const char *head, gsize length)
{
	return import_any_line(head, is_known);
}

const struct importer import_interbench = {
    .name = "interbench",
    .summary = "interbench's sections, with the kernel as label",
    .detect = import_interbench_detect,
    .read = import_interbench_read,
};
