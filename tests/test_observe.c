#include "observe_case.h"

#include <sys/random.h>

static struct observation observe_nothing(void)
{
	struct observation observation;

	observer_begin(observer, proc_fd, FALSE);
	observer_end(observer, 0, &observation);
	return observation;
}

/* Each metric is measured once, in the table's order, has a name of its own and one line of help; none is better the
 * higher it is. */
static void test_metrics(void **state)
{
	struct observation observation = observe_nothing();
	guint n = 0;

	for (const struct metric *metric = observe_metrics; metric->name; metric++, n++) {
		const struct measurement *measurement = &g_array_index(observation.measurements, struct measurement, n);

		assert_true(n < observation.measurements->len);
		assert_ptr_equal(measurement->metric, metric);
		assert_non_null(metric->help);
		assert_null(strchr(metric->help, '\n'));
		assert_int_not_equal(metric->better, BETTER_HIGHER);
		for (const struct metric *run = run_metrics; run->name; run++)
			assert_string_not_equal(run->name, metric->name);
		for (const struct metric *other = observe_metrics; other < metric; other++)
			assert_string_not_equal(other->name, metric->name);
	}
	assert_int_equal(observation.measurements->len, n);
	assert_int_equal(observation.series.at_s->len, 0);
	observation_clear(&observation);
	assert_null(observation.measurements);
}

/* The columns are those of vmstat -w as it is installed here. */
static void test_columns(void **state)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL, words = NULL;
	struct observation observation;
	guint n = 0;

	need("vmstat");
	observation = observe_nothing();
	SPAWN(&text, ARG("vmstat"), ARG("-w"));
	lines = g_strsplit(text, "\n", -1);
	words = g_regex_split_simple(" +", g_strstrip(lines[1]), 0, 0);
	for (; words[n]; n++) {
		assert_true(n < observation.series.n_columns);
		assert_string_equal(observation.series.columns[n].name, words[n]);
		assert_non_null(observation.series.columns[n].help);
	}
	assert_int_equal(observation.series.n_columns, n);
	assert_null(observation.series.columns[n].name);
	observation_clear(&observation);
}

static double cell(const struct series *series, guint row, const char *column)
{
	for (guint i = 0; i < series->n_columns; i++)
		if (g_str_equal(series->columns[i].name, column))
			return g_array_index(series->values, double, row * series->n_columns + i);
	fail_msg("no column %s", column);
	return NAN;
}

/* What the kernel shows: counters that only rise, of which a row makes rates, and amounts of memory. */
enum { SHOWN_RATES = 4 };
static const struct {
	const char *column, *path, *word;
} shown[] = {{"cs", "/proc/stat", "ctxt"},          {"in", "/proc/stat", "intr"},
	     {"bi", "/proc/vmstat", "pgpgin"},      {"bo", "/proc/vmstat", "pgpgout"},
	     {"free", "/proc/meminfo", "MemFree:"}, {"buff", "/proc/meminfo", "Buffers:"}};

/* Just before and just after somebody else read them. */
struct bracket {
	double before[G_N_ELEMENTS(shown)], after[G_N_ELEMENTS(shown)], before_s, after_s;
	double cpu[10]; /* the first line of /proc/stat */
};

/* What a column counts of that line: user nice system idle iowait irq softirq steal guest guest_nice; of these the last
 * two are in the first two as well.   source: proc(5), vmstat(8) */
static const struct {
	const char *column;
	int counts[10];
} times[] = {{"us", {1, 1, 0, 0, 0, 0, 0, 0, -1, -1}},
	     {"sy", {0, 0, 1, 0, 0, 1, 1}},
	     {"id", {0, 0, 0, 1}},
	     {"wa", {0, 0, 0, 0, 1}},
	     {"st", {0, 0, 0, 0, 0, 0, 0, 1}},
	     {"gu", {0, 0, 0, 0, 0, 0, 0, 0, 1, 1}}};

static void read_cpu(double *cpu)
{
	g_autofree char *text = NULL;
	char *at;

	assert_true(g_file_get_contents("/proc/stat", &text, NULL, NULL) && g_str_has_prefix(text, "cpu "));
	at = text + strlen("cpu ");
	for (int i = 0; i < 10; i++)
		cpu[i] = g_ascii_strtod(at, &at);
}

/* The readings are some time apart, for which all may have been otherwise. */
static void check_times(const struct series *series, guint row, const struct bracket *from, const struct bracket *to)
{
	double apart_s = from->after_s - from->before_s + to->after_s - to->before_s, all = 0;

	for (int i = 0; i < 8; i++)
		all += to->cpu[i] - from->cpu[i];
	for (gsize i = 0; i < G_N_ELEMENTS(times); i++) {
		double want = 0;

		for (int k = 0; k < 10; k++)
			want += times[i].counts[k] * (to->cpu[k] - from->cpu[k]);
		assert_true(fabs(cell(series, row, times[i].column) - 100 * want / all) <=
			    3 + 100 * apart_s / (to->before_s - from->after_s));
	}
}

static void read_shown(double *values)
{
	for (gsize i = 0; i < G_N_ELEMENTS(shown); i++)
		values[i] = proc_number(shown[i].path, shown[i].word);
}

static void look_between(gboolean begins, struct bracket *bracket)
{
	bracket->before_s = clock_monotonic_s();
	read_shown(bracket->before);
	read_cpu(bracket->cpu);
	if (begins)
		observer_begin(observer, proc_fd, FALSE);
	else
		observer_tick(observer);
	read_shown(bracket->after);
	bracket->after_s = clock_monotonic_s();
}

static void burn_in_kernel(double seconds)
{
	double end_s = clock_monotonic_s() + seconds;
	static char block[1 << 20];

	while (clock_monotonic_s() < end_s)
		assert_int_equal(getrandom(block, sizeof block, 0), sizeof block);
}

static void check_row(const struct series *series, guint row, const struct bracket *from, const struct bracket *to)
{
	double sum = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(shown); i++) {
		double value = cell(series, row, shown[i].column);

		if (i < SHOWN_RATES)
			assert_true(value >= (to->before[i] - from->after[i]) / (to->after_s - from->before_s) &&
				    value <= (to->after[i] - from->before[i]) / (to->before_s - from->after_s));
		else
			assert_between(value, to->before[i], to->after[i]);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(times); i++)
		sum += cell(series, row, times[i].column);
	assert_close(sum, 100, 1e-6);
	check_times(series, row, from, to);
	assert_true(cell(series, row, "r") >= 1);
}

/* Rows are what happened since the row before, also the first: rates lie between what was read around them, CPU times
 * sum up to all, and memory is that of /proc/meminfo. */
static void test_rows(void **state)
{
	struct bracket brackets[3];
	struct observation observation;
	const struct series *series = &observation.series;

	look_between(TRUE, &brackets[0]);
	for (int i = 1; i < 3; i++) {
		burn(0.3);
		burn_in_kernel(0.3);
		look_between(FALSE, &brackets[i]);
	}
	observer_end(observer, 0, &observation);
	assert_int_equal(series->at_s->len, 2);
	assert_int_equal(series->values->len, 2 * series->n_columns);
	for (guint row = 0; row < 2; row++) {
		const struct bracket *from = &brackets[row], *to = &brackets[row + 1];
		double at_s = g_array_index(series->at_s, double, row);

		assert_true(at_s >= to->before_s - brackets[0].after_s && at_s <= to->after_s - brackets[0].before_s);
		check_row(series, row, from, to);
	}
	observation_clear(&observation);
}

/* A run that was begun and never ended leaves nothing to the next. */
static void test_begun_again(void **state)
{
	struct observation observation;
	double start_s;

	observer_begin(observer, proc_fd, FALSE);
	g_usleep(100000);
	observer_tick(observer);
	start_s = clock_monotonic_s();
	observer_begin(observer, proc_fd, TRUE);
	g_usleep(100000);
	observer_tick(observer);
	start_s = clock_monotonic_s() - start_s;
	observer_end(observer, 0, &observation);
	assert_int_equal(observation.series.at_s->len, 1);
	assert_true(g_array_index(observation.series.at_s, double, 0) <= start_s);
	observation_clear(&observation);
}

/* Free memory and the thresholds are in bytes what /proc says in KiB and in pages. */
static void test_memory(void **state)
{
	static const struct {
		const char *name, *path, *word;
		gboolean pages;
	} amounts[] = {{"free_before", "/proc/meminfo", "MemFree:", FALSE},
		       {"free_after", "/proc/meminfo", "MemFree:", FALSE},
		       {"dirty_threshold", "/proc/vmstat", "nr_dirty_threshold", TRUE},
		       {"dirty_background_threshold", "/proc/vmstat", "nr_dirty_background_threshold", TRUE}};
	double before[G_N_ELEMENTS(amounts)];
	struct observation observation;

	for (gsize i = 0; i < G_N_ELEMENTS(amounts); i++)
		before[i] = proc_number(amounts[i].path, amounts[i].word);
	observation = observe_nothing();
	for (gsize i = 0; i < G_N_ELEMENTS(amounts); i++) {
		double unit = amounts[i].pages ? (double)sysconf(_SC_PAGESIZE) : 1024;
		double after = proc_number(amounts[i].path, amounts[i].word);

		assert_between(measured(&observation, amounts[i].name), unit * before[i], unit * after);
	}
	observation_clear(&observation);
}

/* Microseconds in total= of the line of a file in /proc/pressure; NaN where there is none. */
static double stalled_us(const char *file, const char *line)
{
	g_autofree char *path = g_build_filename("/proc/pressure", file, NULL), *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NAN;
	lines = g_strsplit(text, "\n", -1);
	for (char **at = lines; *at; at++)
		if (g_str_has_prefix(*at, line))
			return g_ascii_strtod(strstr(*at, "total=") + strlen("total="), NULL);
	return NAN;
}

/* Pressures are the growth of total= per time, here of twice as many burners as there are processors. */
static void test_pressure(void **state)
{
	static const struct {
		const char *name, *file, *line;
	} pressures[] = {{"cpu_pressure", "cpu", "some "},
			 {"memory_pressure", "memory", "some "},
			 {"memory_pressure_full", "memory", "full "},
			 {"io_pressure", "io", "some "},
			 {"io_pressure_full", "io", "full "}};
	double outer[G_N_ELEMENTS(pressures)], inner[G_N_ELEMENTS(pressures)], outer_s, inner_s;
	struct observation observation;

	for (gsize i = 0; i < G_N_ELEMENTS(pressures); i++)
		outer[i] = stalled_us(pressures[i].file, pressures[i].line);
	outer_s = clock_monotonic_s();
	observer_begin(observer, proc_fd, FALSE);
	inner_s = clock_monotonic_s();
	for (gsize i = 0; i < G_N_ELEMENTS(pressures); i++)
		inner[i] = stalled_us(pressures[i].file, pressures[i].line);
	burn_with(2 * sysconf(_SC_NPROCESSORS_ONLN), 0.3, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(pressures); i++)
		inner[i] = stalled_us(pressures[i].file, pressures[i].line) - inner[i];
	inner_s = clock_monotonic_s() - inner_s;
	observer_end(observer, 0, &observation);
	outer_s = clock_monotonic_s() - outer_s;
	for (gsize i = 0; i < G_N_ELEMENTS(pressures); i++) {
		double value = measured(&observation, pressures[i].name);

		outer[i] = stalled_us(pressures[i].file, pressures[i].line) - outer[i];
		if (isnan(outer[i]))
			assert_true(isnan(value));
		else
			assert_true(value >= 100 * inner[i] / 1e6 / outer_s && value <= 100 * outer[i] / 1e6 / inner_s);
	}
	if (!isnan(inner[0]))
		assert_true(measured(&observation, "cpu_pressure") > 20);
	observation_clear(&observation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    observe_test(test_metrics),     observe_test(test_columns), observe_test(test_rows),
	    observe_test(test_begun_again), observe_test(test_memory),  observe_test(test_pressure),
	};

	return cmocka_run_group_tests_name("observe", tests, NULL, NULL);
}
