#include "observe_case.h"

#include "../src/flag.h"

/* Seconds for which the processors are watched: from one on they are judged. */
#define WATCHED_S 1.1

/* Percentages of one CPU that the clocks of the kernel may be apart. */
#define TOLERANCE 6

static long n_cpus(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

/* A burner that is not of the run is seen with all the CPU time that it got. */
static void test_others(void **state)
{
	struct observer *observer = observer_new();
	int dirfd = open_directory("/proc");
	struct observation observation;
	double start_s = clock_monotonic_s(), burnt_s;
	pid_t pid;

	observer_begin(observer, dirfd, FALSE);
	pid = fork_burner(WATCHED_S);
	burnt_s = wait_for(pid);
	observer_end(observer, 0, &observation);
	start_s = clock_monotonic_s() - start_s;
	if (isnan(measured(&observation, "other_cpu")))
		skip();
	assert_true(measured(&observation, "other_cpu") >= 100 * burnt_s / start_s - TOLERANCE);
	assert_true(measured(&observation, "other_cpu") <= 100.0 * (double)n_cpus() + TOLERANCE);
	assert_true(observation.flags & FLAG_OTHER_CPU);
	observation_clear(&observation);
	observer_free(observer);
	close(dirfd);
}

/* What the run used is not of others: two who watch the same differ by as much as one is told of. */
static void test_run_is_not_others(void **state)
{
	struct observer *told = observer_new(), *untold = observer_new();
	struct observation observations[2];
	int dirfd = open_directory("/proc");
	double elapsed_s, burnt_s;

	observer_begin(told, dirfd, FALSE);
	observer_begin(untold, dirfd, FALSE);
	elapsed_s = clock_monotonic_s();
	burnt_s = wait_for(fork_burner(WATCHED_S));
	elapsed_s = clock_monotonic_s() - elapsed_s;
	observer_end(untold, 0, &observations[1]);
	observer_end(told, burnt_s, &observations[0]);
	if (isnan(measured(&observations[0], "other_cpu")))
		skip();
	assert_close(measured(&observations[1], "other_cpu") - measured(&observations[0], "other_cpu"),
		     100 * burnt_s / elapsed_s, 0.05);
	for (int i = 0; i < 2; i++)
		observation_clear(&observations[i]);
	observer_free(told);
	observer_free(untold);
	close(dirfd);
}

/* What this process uses is not of others: with all processors busy, others have what is left. */
static void test_we_are_not_others(void **state)
{
	struct observer *observer = observer_new();
	g_autofree pid_t *burners = g_new(pid_t, n_cpus());
	int dirfd = open_directory("/proc");
	struct observation observation;
	double start_s = clock_monotonic_s(), own_s;
	struct timespec used;

	for (long i = 0; i < n_cpus(); i++)
		burners[i] = fork_burner(WATCHED_S + 0.2);
	observer_begin(observer, dirfd, FALSE);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	own_s = (double)used.tv_sec + (double)used.tv_nsec / 1e9;
	burn(WATCHED_S);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	own_s = (double)used.tv_sec + (double)used.tv_nsec / 1e9 - own_s;
	observer_end(observer, 0, &observation);
	start_s = clock_monotonic_s() - start_s;
	for (long i = 0; i < n_cpus(); i++)
		wait_for(burners[i]);
	if (isnan(measured(&observation, "other_cpu")))
		skip();
	assert_true(own_s > 0.1);
	assert_true(measured(&observation, "other_cpu") <= 100 * ((double)n_cpus() - own_s / start_s) + TOLERANCE);
	observation_clear(&observation);
	observer_free(observer);
	close(dirfd);
}

/* In less than a second a clock tick is too much to judge by. */
static void test_short_runs_are_not_judged(void **state)
{
	struct observer *observer = observer_new();
	int dirfd = open_directory("/proc");
	struct observation observation;

	observer_begin(observer, dirfd, FALSE);
	wait_for(fork_burner(0.3));
	observer_end(observer, 0, &observation);
	assert_int_equal(observation.flags & (FLAG_OTHER_CPU | FLAG_STEAL), 0);
	observation_clear(&observation);
	observer_free(observer);
	close(dirfd);
}

/* Nanoseconds that each process whose name begins so has run, by its number. */
static GHashTable *read_times(const char *prefix)
{
	GHashTable *times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_autoptr(GDir) dir = g_dir_open("/proc", 0, NULL);
	const char *pid;

	while ((pid = g_dir_read_name(dir))) {
		g_autofree char *name_path = g_build_filename("/proc", pid, "comm", NULL), *name = NULL;
		g_autofree char *time_path = g_build_filename("/proc", pid, "schedstat", NULL), *text = NULL;

		if (!g_ascii_isdigit(*pid) || !g_file_get_contents(name_path, &name, NULL, NULL) ||
		    !g_str_has_prefix(name, prefix) || !g_file_get_contents(time_path, &text, NULL, NULL))
			continue;
		g_hash_table_insert(times, g_strdup(pid), g_memdup2(&(double){g_ascii_strtod(text, NULL)}, sizeof(double)));
	}
	return times;
}

/* Seconds by which those grew that are in both; one that is new grew from 0. */
static double grown_s(GHashTable *before, GHashTable *after)
{
	GHashTableIter iter;
	gpointer pid, time;
	double sum = 0;

	g_hash_table_iter_init(&iter, after);
	while (g_hash_table_iter_next(&iter, &pid, &time)) {
		const double *old = g_hash_table_lookup(before, pid);

		sum += *(double *)time - (old ? *old : 0);
	}
	return sum / 1e9;
}

/* The CPU time of the threads that write back lies between what was read around it: much was written back meanwhile. */
static void test_kernel_threads(void **state)
{
	static const struct {
		const char *name, *prefix;
	} kinds[] = {{"kworkers", "kworker/u"}, {"kswapd", "kswapd"}};
	GHashTable *outer[2], *inner[2];
	double least_s[2];
	struct observer *observer = observer_new();
	int dirfd = open_directory(*state), fd;
	g_autofree char *block = g_malloc0(MIB);
	struct observation observation;

	for (int i = 0; i < 2; i++)
		outer[i] = read_times(kinds[i].prefix);
	observer_begin(observer, dirfd, FALSE);
	for (int i = 0; i < 2; i++)
		inner[i] = read_times(kinds[i].prefix);
	fd = openat(dirfd, "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	for (int i = 0; i < 64; i++)
		assert_int_equal(write(fd, block, MIB), MIB);
	sync(); /* wakes the flushers, fdatasync() would do their work itself */
	close(fd);
	for (int i = 0; i < 2; i++) {
		g_autoptr(GHashTable) now = read_times(kinds[i].prefix);

		least_s[i] = grown_s(inner[i], now);
		g_hash_table_unref(inner[i]);
	}
	observer_end(observer, 0, &observation);
	for (int i = 0; i < 2; i++) {
		g_autoptr(GHashTable) now = read_times(kinds[i].prefix);
		double value = measured(&observation, kinds[i].name);

		assert_true(value >= least_s[i] - 1e-6 && value <= grown_s(outer[i], now) + 1e-6);
		g_hash_table_unref(outer[i]);
	}
	observation_clear(&observation);
	observer_free(observer);
	close(dirfd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_others),
	    cmocka_unit_test(test_run_is_not_others),
	    cmocka_unit_test(test_we_are_not_others),
	    cmocka_unit_test(test_short_runs_are_not_judged),
	    cmocka_unit_test_setup_teardown(test_kernel_threads, make_directory, remove_directory),
	};

	return cmocka_run_group_tests_name("observe cpu", tests, NULL, NULL);
}
