#include "probe_case.h"

#include <sys/mount.h>

/* The descriptor of a tmpfs of 16 KiB that is in nobody's way and goes when that is closed; a skipped test where only root
 * may mount. */
static int open_tiny(void)
{
	g_autofree char *path = g_dir_make_tmp("probe-XXXXXX", NULL);
	gboolean is_mounted = mount("none", path, "tmpfs", MS_NOSUID | MS_NODEV, "size=16k") == 0;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (is_mounted)
		assert_int_equal(umount2(path, MNT_DETACH), 0);
	assert_int_equal(rmdir(path), 0);
	assert_true(fd >= 0);
	if (!is_mounted) {
		close(fd);
		g_free(g_steal_pointer(&path));
		skip();
	}
	return fd;
}

/* Fills the filesystem behind dirfd. */
static void fill(int dirfd)
{
	int fd = openat(dirfd, "ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	const char block[4096] = {0};

	assert_true(fd >= 0);
	while (write(fd, block, sizeof block) > 0)
		;
	assert_int_equal(errno, ENOSPC);
	close(fd);
}

/* The filesystem is full when the probe's block has to be found anew: it ends, has no values, and says why. The other
 * one goes on. */
static void test_full_filesystem(void **state)
{
	g_autofree char *warning = NULL;
	g_autofree double *values = NULL;
	struct probes *probes;
	int dirfd = open_tiny(), fd;

	probes = prepare_probes("fsync timer", dirfd);
	start_probes(probes, dirfd);
	fd = openat(dirfd, "probe.fsync", O_WRONLY | O_CLOEXEC);
	/* until the probe has not taken back at once what was given up */
	for (int i = 0; i < 1000 && process_runs(probes->all[0].pid); i++) {
		assert_int_equal(ftruncate(fd, 0), 0);
		fill(dirfd);
		usleep(10000);
	}
	close(fd);
	usleep(300000);
	values = stop_probes(probes, &warning);
	assert_string_equal(warning, "probe 'fsync' ended: cannot write 4 KiB: No space left on device");
	assert_no_latencies(values);
	assert_latencies(&values[LATENCY_METRICS_N]);
	probes_free(probes);
	close(dirfd);
}

/* A file that does not fit is an error of the preparation, and nothing of it is left. */
static void test_no_space_for_a_file(void **state)
{
	char *specs[] = {(char[]){"read"}, NULL};
	g_autoptr(GError) error = NULL;
	struct probes *probes = probes_parse(specs, NULL);
	int dirfd = open_tiny();

	assert_false(probes_prepare(probes, dirfd, &error));
	assert_string_equal(error->message, "probe 'read': cannot write 'probe.read': No space left on device");
	assert_int_equal(faccessat(dirfd, "probe.read", F_OK, 0), -1);
	probes_free(probes);
	close(dirfd);
}

/* Where one cannot start, here for lack of its file, none runs, and a stop finds nothing and does not complain. */
static void test_failed_start(void **state)
{
	const struct scratch *scratch = *state;
	struct probes *probes = prepare_probes("timer fsync mmap", scratch->fd);
	g_autoptr(GError) error = NULL;
	g_autofree double *values = NULL;

	assert_int_equal(unlinkat(scratch->fd, "probe.fsync", 0), 0);
	assert_false(probes_start(probes, scratch->fd, &error));
	assert_string_equal(error->message,
	                    "cannot start probe 'fsync': cannot open 'probe.fsync': No such file or directory");
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	values = stop_well(probes);
	for (int i = 0; i < 3; i++)
		assert_no_latencies(&values[i * LATENCY_METRICS_N]);
	probes_free(probes);
}

/* A directory that goes away while it is listed. */
static void test_a_directory_is_removed(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("probe-XXXXXX", NULL);
	g_autofree char *spec = g_strconcat("ls:", dir, NULL);
	g_autofree char *want = g_strdup_printf("probe 'ls' ended: cannot list '%s': No such file or directory", dir);
	struct probes *probes = prepare_probes(spec, -1);
	g_autofree char *warning = NULL;
	g_autofree double *values = NULL;

	start_probes(probes, -1);
	assert_int_equal(rmdir(dir), 0);
	assert_true(process_goes(probes->all[0].pid));
	values = stop_probes(probes, &warning);
	assert_string_equal(warning, want);
	assert_no_latencies(values);
	probes_free(probes);
}

/* A probe that somebody else kills is no measurement, with whatever signal, its own for the end among them. */
static void test_killed_probes(void **state)
{
	struct probes *probes = prepare_probes("timer mmap", -1);
	g_autofree char *warning = NULL;
	g_autofree double *values = NULL;

	start_probes(probes, -1);
	usleep(200000);
	assert_int_equal(kill(probes->all[0].pid, SIGKILL), 0);
	assert_int_equal(kill(probes->all[1].pid, SIGUSR1), 0);
	assert_true(process_goes(probes->all[0].pid) && process_goes(probes->all[1].pid));
	values = stop_probes(probes, &warning);
	assert_string_equal(warning, "probe 'timer' ended: killed by signal 9 (Killed); "
	                             "probe 'mmap' ended: killed by signal 10 (User defined signal 1)");
	assert_no_latencies(values);
	assert_no_latencies(&values[LATENCY_METRICS_N]);
	probes_free(probes);
}

/* A terminal's signals reach the runner alone: the probes are in groups of their own and do not heed them. */
static void test_terminal_signals(void **state)
{
	const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct probes *probes = prepare_probes("timer exec", -1);
	g_autofree double *values = NULL;

	start_probes(probes, -1);
	for (guint i = 0; i < probes->n; i++) {
		pid_t pid = probes->all[i].pid;

		assert_int_equal(getpgid(pid), pid);
		for (gsize k = 0; k < G_N_ELEMENTS(numbers); k++)
			assert_int_equal(kill(i == 0 ? -pid : pid, numbers[k]), 0);
	}
	usleep(300000);
	values = stop_well(probes);
	assert_latencies(values);
	assert_latencies(&values[LATENCY_METRICS_N]);
	probes_free(probes);
}

/* When the runner is killed the probes die with it. */
static void test_probes_die_with_the_runner(void **state)
{
	const struct scratch *scratch = *state;
	struct probes *probes = prepare_probes("timer read exec audio", scratch->fd);
	pid_t *pids = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t runner;
	int status;

	assert_ptr_not_equal(pids, MAP_FAILED);
	runner = fork();
	assert_true(runner >= 0);
	if (runner == 0) {
		if (probes_start(probes, scratch->fd, NULL))
			for (guint i = 0; i < probes->n; i++)
				pids[i] = probes->all[i].pid;
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(runner, &status, 0), runner);
	for (guint i = 0; i < probes->n; i++) {
		assert_true(pids[i] > 0);
		assert_true(process_goes(pids[i]));
	}
	munmap(pids, 4096);
	probes_free(probes);
}

/* How the requests of the synthetic probe below behave. */
static guint request_number, stall_number;
static useconds_t stall_us;

static gboolean stall_request(struct probe *probe, GError **error)
{
	if (request_number++ == stall_number)
		usleep(stall_us);
	return TRUE;
}

static const struct metric stall_metrics[] = LATENCY_METRICS("stall", "stalls once");
static const struct probe_kind stall_kind = {
    .name = "stall", .metrics = stall_metrics, .period_ns = 10 * PROBE_MS, .request = stall_request};

/* Runs a probe whose n-th request (0 is the one to warm up) takes stall_s, for run_s; its values, all that it shared,
 * and how long the stop took. */
static double *run_stall(guint n, double stall_s, double run_s, struct probe_shared **view, gint64 *stop_took_ns)
{
	struct probe probe = {.kind = &stall_kind};
	struct probes probes = {.all = &probe, .n = 1, .metrics = g_array_new(FALSE, FALSE, sizeof(struct metric))};
	gint64 stop_ns;
	double *values;

	g_array_append_vals(probes.metrics, stall_metrics, LATENCY_METRICS_N);
	stall_number = n;
	stall_us = (useconds_t)(stall_s * 1e6);
	start_probes(&probes, -1);
	*view = probe.shared;
	usleep((useconds_t)(run_s * 1e6));
	stop_ns = probe_now_ns();
	values = stop_well(&probes);
	*stop_took_ns = probe_now_ns() - stop_ns;
	g_array_unref(probes.metrics);
	return values;
}

/* The k-th largest latency, k from 0, in ms. */
static double from_top_ms(const struct probe_shared *view, guint k)
{
	double n = (double)view->latencies.n;

	return latencies_quantile_ns(&view->latencies, (n - 1 - k) / (n - 1)) / PROBE_MS;
}

/* How many were due up to the stop. */
static guint64 count_due(const struct probe_shared *view)
{
	const struct latencies *latencies = &view->latencies;
	gint64 first_ns = latencies->due_ns - (gint64)latencies->n * latencies->period_ns;

	return (guint64)((view->stop_ns - first_ns) / latencies->period_ns) + 1;
}

/* One request of 105 ms among those of a period of 10 ms delays the ten behind it, by 95, 85 ... 5 ms or more. */
static void test_one_slow_request_delays_those_behind_it(void **state)
{
	struct probe_shared *view;
	gint64 stop_took_ns;
	g_autofree double *values = run_stall(20, 0.105, 0.8, &view, &stop_took_ns);

	for (guint k = 0; k < 11; k++)
		assert_true(from_top_ms(view, k) >= (105 - 10.0 * k) * 0.996);
	assert_true(values[LATENCY_MAX] >= 105);
	assert_true(view->latencies.n_missed >= 10);
	munmap(view, sizeof *view);
}

/* A request of 1.5 s is under way when the stop comes at 0.6 s: it is waited for, and those due behind it count with
 * their delay up to its end, the least of them from the stop to there. */
static void test_a_request_under_way_is_waited_for(void **state)
{
	struct probe_shared *view;
	gint64 stop_took_ns, behind_ns;
	g_autofree double *values = run_stall(1, 1.5, 0.6, &view, &stop_took_ns);

	behind_ns = view->latencies.done_ns - view->stop_ns;
	if (behind_ns < 0)
		skip(); /* this process was not awake in time to stop it */
	assert_true(values[LATENCY_MAX] >= 1500);
	assert_true(view->latencies.n >= 58);
	assert_int_equal(view->latencies.n, count_due(view));
	assert_true((double)view->latencies.min_ns >= (double)behind_ns);
	assert_true(view->latencies.min_ns < behind_ns + view->latencies.period_ns);
	assert_true(stop_took_ns >= behind_ns);
	munmap(view, sizeof *view);
}

/* One that does not end is not waited for longer than 5 s: the process is killed, and what was due up to the stop
 * counts with its delay up to there. */
static void test_a_request_without_end_is_given_up(void **state)
{
	struct probe_shared *view;
	gint64 stop_took_ns;
	g_autofree double *values = run_stall(1, 600, 0.2, &view, &stop_took_ns);

	assert_true(stop_took_ns >= 5 * SECOND_NS && stop_took_ns < 60 * SECOND_NS);
	assert_true(view->latencies.n >= 18);
	assert_int_equal(view->latencies.n, count_due(view));
	assert_true(view->latencies.min_ns >= 5 * SECOND_NS);
	assert_true(values[LATENCY_MAX] >= 5180);
	assert_close(values[LATENCY_MISSED], 100, 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	munmap(view, sizeof *view);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_full_filesystem),
	    cmocka_unit_test(test_no_space_for_a_file),
	    probe_test(test_failed_start),
	    cmocka_unit_test(test_a_directory_is_removed),
	    cmocka_unit_test(test_killed_probes),
	    cmocka_unit_test(test_terminal_signals),
	    probe_test(test_probes_die_with_the_runner),
	    cmocka_unit_test(test_one_slow_request_delays_those_behind_it),
	    cmocka_unit_test(test_a_request_under_way_is_waited_for),
	    cmocka_unit_test(test_a_request_without_end_is_given_up),
	};

	return cmocka_run_group_tests_name("probe faults", tests, NULL, NULL);
}
