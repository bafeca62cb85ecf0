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

/* cyclictest measures how late threads wake up. A run is one invocation: its threads run at the same time and are no
 * repeats of each other, so that the run's maximum is that of the worst thread and its average that of all cycles.
 * Figures are microseconds, or with -N nanoseconds, which only a command line beside them tells.
 * source: cyclictest(8), and what cyclictest of rt-tests 2.4 prints */

static const struct metric metrics[] = {
    {"latency_max", "us", BETTER_LOWER, NULL},
    {"latency_avg", "us", BETTER_LOWER, NULL},
    {"latency_min", "us", BETTER_LOWER, NULL},
};

struct thread {
	double id, cycles, min, avg, max; /* id 0: it has not begun */
};

/* What the histogram's last lines say of each thread. */
enum summary { SUMMARY_TOTAL, SUMMARY_MIN, SUMMARY_AVG, SUMMARY_MAX, SUMMARY_OVERFLOWS, SUMMARIES };
static const char *const summary_names[SUMMARIES] = {
    "# Total:", "# Min Latencies:", "# Avg Latencies:", "# Max Latencies:", "# Histogram Overflows:"};

struct cyclictest {
	struct text_reader reader;
	struct dataset *dataset;
	struct notes notes;
	GArray *threads;            /* struct thread, by number */
	double priority, interval;  /* of the first thread */
	GArray *summary[SUMMARIES]; /* double a thread */
	double per_us;              /* what is printed: 1, or 1000 nanoseconds */
};

static double largest(const GArray *threads)
{
	double max = 0;

	for (guint i = 0; i < threads->len; i++)
		max = MAX(max, g_array_index(threads, struct thread, i).max);
	return max;
}

/* The threads that a histogram's lines tell of; with --histall the lines end with a number for all threads. */
static GArray *threads_of_summary(const struct cyclictest *cyclictest)
{
	GArray *threads = g_array_new(FALSE, TRUE, sizeof(struct thread));
	GArray *const *summary = cyclictest->summary;
	guint n = MIN(summary[SUMMARY_MIN]->len, MIN(summary[SUMMARY_AVG]->len, summary[SUMMARY_MAX]->len));
	gboolean is_counted = summary[SUMMARY_TOTAL]->len >= n && summary[SUMMARY_OVERFLOWS]->len >= n;

	for (guint i = 0; i < n; i++) {
		struct thread thread = {.cycles = 1,
					.min = g_array_index(summary[SUMMARY_MIN], double, i),
					.avg = g_array_index(summary[SUMMARY_AVG], double, i),
					.max = g_array_index(summary[SUMMARY_MAX], double, i)};

		if (is_counted)
			thread.cycles = g_array_index(summary[SUMMARY_TOTAL], double, i) +
					g_array_index(summary[SUMMARY_OVERFLOWS], double, i);
		g_array_append_val(threads, thread);
	}
	return threads;
}

static void note(struct cyclictest *cyclictest, guint row, const char *key, double number)
{
	g_autofree char *value = number_format_shortest(number);

	notes_set(&cyclictest->notes, row, 1, key, value, NOTE_ANY);
}

static guint add_run(struct cyclictest *cyclictest, const GArray *threads)
{
	struct dataset *dataset = cyclictest->dataset;
	guint row = import_run(dataset, "cyclictest");
	double cycles = 0, sum = 0, min = 0;

	note(cyclictest, row, "threads", threads->len);
	for (guint i = 0; i < threads->len; i++) {
		const struct thread *thread = &g_array_index(threads, struct thread, i);

		/* A thread that never woke up has no latencies. */
		if (!(thread->cycles > 0))
			continue;
		min = cycles > 0 ? MIN(min, thread->min) : thread->min;
		sum += thread->avg * thread->cycles;
		cycles += thread->cycles;
	}
	if (!(cycles > 0)) {
		import_warn(&cyclictest->reader, dataset, "the run above has no cycle");
		import_failed(dataset, row);
		return row;
	}
	import_value(dataset, row, &metrics[0], largest(threads) / cyclictest->per_us);
	import_value(dataset, row, &metrics[1], isfinite(sum) ? sum / cycles / cyclictest->per_us : NAN);
	import_value(dataset, row, &metrics[2], min / cyclictest->per_us);
	return row;
}

/* Ends the run that was being read. The threads' lines and a histogram behind them that agree are of one run. */
static void end_run(struct cyclictest *cyclictest)
{
	g_autoptr(GArray) summed = threads_of_summary(cyclictest);

	if (cyclictest->threads->len) {
		guint row = add_run(cyclictest, cyclictest->threads);

		note(cyclictest, row, "priority", cyclictest->priority);
		note(cyclictest, row, "interval", cyclictest->interval);
	}
	if (summed->len && (!cyclictest->threads->len || largest(summed) != largest(cyclictest->threads)))
		add_run(cyclictest, summed);
	g_array_set_size(cyclictest->threads, 0);
	for (int i = 0; i < SUMMARIES; i++)
		g_array_set_size(cyclictest->summary[i], 0);
}

/* Reads "NAME number" and moves *at behind it. */
static gboolean read_named(const char **at, const char *name, double *value)
{
	const char *text = import_behind(*at, name);

	*at = text ? import_number(text, value) : NULL;
	return *at != NULL;
}

/* "T: 0 ( 1234) P:80 I:1000 C:  10000 Min:   4 Act:   5 Avg:   6 Max:   39" */
static gboolean read_thread(const char *line, double *number, struct thread *thread, double *priority, double *interval)
{
	double act;

	return read_named(&line, "T:", number) && read_named(&line, "(", &thread->id) &&
	       read_named(&line, ") P:", priority) && read_named(&line, "I:", interval) &&
	       read_named(&line, "C:", &thread->cycles) && read_named(&line, "Min:", &thread->min) &&
	       read_named(&line, "Act:", &act) && read_named(&line, "Avg:", &thread->avg) &&
	       read_named(&line, "Max:", &thread->max);
}

/* Unless told to be quiet the program prints all threads again and again: the same thread with no fewer cycles. */
static gboolean is_newer(const struct thread *thread, const struct thread *older)
{
	return (older->id == 0 || thread->id == older->id) && thread->cycles >= older->cycles;
}

static gboolean add_thread(struct cyclictest *cyclictest, const char *line, GError **error)
{
	GArray *threads = cyclictest->threads;
	double number, priority, interval;
	struct thread thread;

	if (!read_thread(line, &number, &thread, &priority, &interval))
		return import_fail(&cyclictest->reader, error, "a thread's line is cut off");
	if (!(number >= 0 && number == rint(number)))
		return import_fail(&cyclictest->reader, error, "%g is no thread's number", number);
	if (cyclictest->summary[SUMMARY_MAX]->len ||
	    (number < threads->len && !is_newer(&thread, &g_array_index(threads, struct thread, (guint)number))))
		end_run(cyclictest);
	if (number > threads->len)
		return import_fail(&cyclictest->reader, error, "thread %g where thread %u should be", number,
				   threads->len);
	if (number == threads->len)
		g_array_append_val(threads, thread);
	else
		g_array_index(threads, struct thread, (guint)number) = thread;
	if (number == 0) {
		cyclictest->priority = priority;
		cyclictest->interval = interval;
	}
	return TRUE;
}

static gboolean add_summary(struct cyclictest *cyclictest, enum summary which, const char *text, GError **error)
{
	if (cyclictest->summary[which]->len)
		end_run(cyclictest);
	while (*text) {
		const char *end;
		double value;

		end = import_number(text, &value);
		if (!end)
			return import_fail(&cyclictest->reader, error, "numbers are missing behind '%s'",
					   summary_names[which]);
		g_array_append_val(cyclictest->summary[which], value);
		text = end + strspn(end, " \t");
	}
	return TRUE;
}

/* A command line beside the figures tells whether they are nanoseconds. */
static void look_at_options(struct cyclictest *cyclictest, const char *command)
{
	g_auto(GStrv) words = g_strsplit_set(command, " \t", -1);

	cyclictest->per_us = 1;
	for (char **word = words + 1; *word && words[0]; word++)
		if (g_str_equal(*word, "--nsecs") || (**word == '-' && (*word)[1] != '-' && strchr(*word, 'N')))
			cyclictest->per_us = 1000;
}

static gboolean read_line(gpointer data, char *line, GError **error)
{
	struct cyclictest *cyclictest = data;
	const char *command = strstr(line, "cyclictest -");

	if (import_behind(line, "T:"))
		return add_thread(cyclictest, line, error);
	for (int i = 0; i < SUMMARIES; i++) {
		const char *text = import_behind(line, summary_names[i]);

		if (text)
			return add_summary(cyclictest, (enum summary)i, text, error);
	}
	if (command || import_behind(line, "# /dev/cpu_dma_latency set to"))
		end_run(cyclictest);
	if (command)
		look_at_options(cyclictest, command);
	return TRUE;
}

static gboolean finish(struct cyclictest *cyclictest, GError **error)
{
	GArray *const *summary = cyclictest->summary;

	if (summary[SUMMARY_MIN]->len > MIN(summary[SUMMARY_AVG]->len, summary[SUMMARY_MAX]->len))
		return import_fail(&cyclictest->reader, error, "the histogram's summary is cut off");
	end_run(cyclictest);
	notes_finish(&cyclictest->notes, NOTES_ANYWHERE);
	return cyclictest->dataset->n_runs > 0 ||
	       err_usage(error, "%s: no results in it: neither threads' lines nor a histogram's summary",
			 cyclictest->reader.path);
}

static gboolean import_cyclictest_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct cyclictest cyclictest = {.dataset = dataset, .per_us = 1};
	gboolean ok;

	text_reader_init(&cyclictest.reader, path, stream);
	notes_init(&cyclictest.notes, path, dataset);
	cyclictest.threads = g_array_new(FALSE, FALSE, sizeof(struct thread));
	for (int i = 0; i < SUMMARIES; i++)
		cyclictest.summary[i] = g_array_new(FALSE, FALSE, sizeof(double));
	ok = import_lines(&cyclictest.reader, read_line, &cyclictest, error) && finish(&cyclictest, error);
	text_reader_clear(&cyclictest.reader);
	notes_clear(&cyclictest.notes);
	g_array_unref(cyclictest.threads);
	for (int i = 0; i < SUMMARIES; i++)
		g_array_unref(cyclictest.summary[i]);
	return ok;
}

static gboolean is_known(char *line)
{
	struct thread thread;
	double number, priority, interval;

	return import_behind(line, summary_names[SUMMARY_MAX]) ||
	       read_thread(line, &number, &thread, &priority, &interval);
}

static gboolean import_cyclictest_detect(const char *head, gsize length)
{
	return import_any_line(head, is_known);
}

const struct importer import_cyclictest = {
    .name = "cyclictest",
    .summary = "cyclictest's last line of each thread, or the summary of its histogram",
    .detect = import_cyclictest_detect,
    .read = import_cyclictest_read,
};
