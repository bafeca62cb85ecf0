#ifndef PROBE_CASE_H
#define PROBE_CASE_H

/* What the tests of running probes share. Other work on the machine may delay a probe for any time: only what such a
 * delay cannot change is asserted. */

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/probe_internal.h"
#include "../src/scratch.h"

#define SECOND_NS (1000 * PROBE_MS)

/* Parses specs, separated by blanks, and makes their files. */
static inline struct probes *prepare_probes(const char *list, int dirfd)
{
	g_auto(GStrv) specs = g_strsplit(list, " ", -1);
	g_autoptr(GError) error = NULL;
	struct probes *probes = probes_parse(specs, &error);

	if (!probes || !probes_prepare(probes, dirfd, &error))
		fail_msg("%s", error->message);
	return probes;
}

static inline void start_probes(struct probes *probes, int dirfd)
{
	g_autoptr(GError) error = NULL;

	if (!probes_start(probes, dirfd, &error))
		fail_msg("%s", error->message);
}

/* Stops them; the values in the order of probes_metrics(), and *warning. */
static inline double *stop_probes(struct probes *probes, char **warning)
{
	g_autoptr(GArray) measurements = g_array_new(FALSE, FALSE, sizeof(struct measurement));
	const GArray *metrics = probes_metrics(probes);
	double *values = g_new(double, metrics->len);

	probes_stop(probes, measurements, warning);
	assert_int_equal(measurements->len, metrics->len);
	for (guint i = 0; i < metrics->len; i++) {
		const struct measurement *measurement = &g_array_index(measurements, struct measurement, i);

		assert_string_equal(measurement->metric->name, g_array_index(metrics, struct metric, i).name);
		values[i] = measurement->value;
	}
	return values;
}

/* As above, where all must have gone well. */
static inline double *stop_well(struct probes *probes)
{
	g_autofree char *warning = NULL;
	double *values = stop_probes(probes, &warning);

	if (warning)
		fail_msg("%s", warning);
	return values;
}

/* Nothing that a latency is can be otherwise. */
static inline void assert_latencies(const double *values)
{
	assert_true(isfinite(values[LATENCY_P50]) && values[LATENCY_P50] > 0);
	assert_true(values[LATENCY_P50] <= values[LATENCY_P95]);
	assert_true(values[LATENCY_P95] <= values[LATENCY_P99]);
	assert_true(values[LATENCY_P99] <= values[LATENCY_MAX] && isfinite(values[LATENCY_MAX]));
	assert_true(values[LATENCY_MISSED] >= 0 && values[LATENCY_MISSED] <= 100);
}

static inline void assert_no_latencies(const double *values)
{
	for (int i = 0; i < LATENCY_METRICS_N; i++)
		assert_close(values[i], NAN, 0);
}

/* Whether the process is there, as more than a zombie. */
static inline gboolean process_runs(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", pid);
	g_autofree char *stat = NULL;

	return g_file_get_contents(path, &stat, NULL, NULL) && !strstr(stat, ") Z ");
}

/* Waits until it is not, for at most 10 s. */
static inline gboolean process_goes(pid_t pid)
{
	for (int i = 0; i < 1000 && process_runs(pid); i++)
		usleep(10000);
	return !process_runs(pid);
}

static inline int open_scratch(void **state)
{
	struct scratch *scratch = g_new0(struct scratch, 1);

	*state = scratch;
	return scratch_open(".", scratch, NULL) ? 0 : -1;
}

static inline int remove_scratch(void **state)
{
	gboolean ok = scratch_remove(*state, NULL);

	g_free(*state);
	return ok ? 0 : -1;
}

#define probe_test(function) cmocka_unit_test_setup_teardown(function, open_scratch, remove_scratch)

#endif
