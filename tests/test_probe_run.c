#include "probe_case.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#define ALL "timer read fsync mmap exec ls:/ audio"

static guint count_descriptors(void)
{
	GDir *dir = g_dir_open("/proc/self/fd", 0, NULL);
	guint n = 0;

	assert_non_null(dir);
	while (g_dir_read_name(dir))
		n++;
	g_dir_close(dir);
	return n;
}

/* The files that probes need: of their size, on the device and out of the cache, and left
 * alone by a second call; one that is not whole, and a link in its place, are made anew. */
static void test_files(void **state)
{
	const struct scratch *scratch = *state;
	struct probes *probes = prepare_probes(ALL, scratch->fd);
	struct stat first, second;
	unsigned char resident[16384];
	guint n_resident = 0;
	void *map;
	int fd;

	assert_int_equal(fstatat(scratch->fd, "probe.read", &first, 0), 0);
	assert_int_equal(first.st_size, 64 << 20);
	assert_true(first.st_blocks * 512 >= 64 << 20);
	assert_int_equal(fstatat(scratch->fd, "probe.timer", &second, 0), -1);
	fd = openat(scratch->fd, "probe.read", O_RDONLY | O_CLOEXEC);
	map = mmap(NULL, 64 << 20, PROT_READ, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(mincore(map, 64 << 20, resident), 0);
	for (gsize i = 0; i < G_N_ELEMENTS(resident); i++)
		n_resident += resident[i] & 1;
	/* valgrind looks at the beginning of what is mapped, and reads ahead with it */
	assert_true(n_resident <= 64);
	munmap(map, 64 << 20);
	close(fd);
	assert_true(probes_prepare(probes, scratch->fd, NULL));
	assert_int_equal(fstatat(scratch->fd, "probe.read", &second, 0), 0);
	assert_int_equal(first.st_ino, second.st_ino);

	fd = openat(scratch->fd, "precious", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	close(fd);
	assert_int_equal(unlinkat(scratch->fd, "probe.fsync", 0), 0);
	assert_int_equal(symlinkat("precious", scratch->fd, "probe.fsync"), 0);
	assert_true(probes_prepare(probes, scratch->fd, NULL));
	assert_int_equal(fstatat(scratch->fd, "probe.fsync", &second, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISREG(second.st_mode) && second.st_size == 4096);
	assert_int_equal(fstatat(scratch->fd, "precious", &second, 0), 0);
	assert_int_equal(second.st_size, 0);
	probes_free(probes);
}

/* All of them at once for more than a second: each has a request for each period between its first and the stop,
 * however late these were; of 1.2 s a buffer of 2 s cannot run empty. Then no process and no descriptor is left, and
 * they can be started again. */
static void test_all_probes_run(void **state)
{
	const struct scratch *scratch = *state;
	struct probes *probes = prepare_probes(ALL, scratch->fd);
	guint n_descriptors = count_descriptors();

	for (int round = 0; round < 2; round++) {
		gint64 before_ns = probe_now_ns(), started_ns;
		const struct probe_shared *audio;
		g_autofree double *values = NULL;

		start_probes(probes, scratch->fd);
		started_ns = probe_now_ns();
		usleep(1200000);
		values = stop_well(probes);
		for (guint i = 0; i < probes->n - 1; i++) {
			const struct latencies *seen = &probes->all[i].shared->latencies;
			gint64 period_ns = probes->all[i].kind->period_ns;
			gint64 first_ns = seen->due_ns - (gint64)seen->n * period_ns;
			guint64 n_due = (guint64)((probes->all[i].shared->stop_ns - first_ns) / period_ns) + 1;

			assert_in_range(first_ns, before_ns, started_ns + 100 * PROBE_MS);
			assert_in_range(seen->n, n_due, n_due + 1);
			assert_true(n_due >= (guint64)(1100 * PROBE_MS / period_ns));
			assert_latencies(&values[i * LATENCY_METRICS_N]);
		}
		audio = probes->all[6].shared;
		if (audio->stop_ns - audio->player.start_ns < 2 * SECOND_NS) {
			assert_close(values[6 * LATENCY_METRICS_N], 100, 0);
			assert_close(values[6 * LATENCY_METRICS_N + 1], 0, 0);
		}
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
		assert_int_equal(errno, ECHILD);
		assert_int_equal(count_descriptors(), n_descriptors);
	}
	probes_free(probes);
}

/* Stopped at once, before the first deadline: where no request was due there are no values, and that is no failure. */
static void test_stopped_at_once(void **state)
{
	struct probes *probes = prepare_probes("timer mmap", -1);
	g_autofree double *values = NULL;

	start_probes(probes, -1);
	values = stop_well(probes);
	for (guint i = 0; i < probes->n; i++) {
		if (probes->all[i].shared->latencies.n == 0)
			assert_no_latencies(&values[i * LATENCY_METRICS_N]);
		else
			assert_latencies(&values[i * LATENCY_METRICS_N]);
	}
	probes_free(probes);
}

/* Reads come from the device, not from the cache: the kernel counts 4096 bytes of input, or more, for each. Where the
 * filesystem has no device (tmpfs) it counts none. */
static void test_reads_are_cold(void **state)
{
	const struct scratch *scratch = *state;
	struct probes *probes = prepare_probes("read", scratch->fd);
	g_autofree char *path = NULL, *io = NULL;
	g_autofree double *values = NULL;
	const struct probe_shared *view;
	const char *line;
	struct stat status;
	guint64 bytes, n;

	start_probes(probes, scratch->fd);
	view = probes->all[0].shared;
	usleep(1000000);
	n = view->latencies.n;
	path = g_strdup_printf("/proc/%d/io", probes->all[0].pid);
	assert_true(g_file_get_contents(path, &io, NULL, NULL));
	line = strstr(io, "\nread_bytes: ");
	assert_non_null(line);
	bytes = g_ascii_strtoull(line + strlen("\nread_bytes: "), NULL, 10);
	values = stop_well(probes);
	probes_free(probes);
	assert_int_equal(fstat(scratch->fd, &status), 0);
	if (major(status.st_dev) == 0)
		skip();
	assert_true(bytes >= n * 4096);
}

/* The process of a probe stands still for 300 ms: 30 deadlines of the timer pass, of which the k-th waits 300 - 10 k
 * ms or more. 28 are missed for certain, and the longest wait is 290 ms at least. */
static void test_a_stopped_process_is_a_stall(void **state)
{
	struct probes *probes = prepare_probes("timer", -1);
	g_autofree double *values = NULL;
	const struct probe_shared *view;
	double n;

	start_probes(probes, -1);
	view = probes->all[0].shared;
	usleep(200000);
	assert_int_equal(kill(probes->all[0].pid, SIGSTOP), 0);
	usleep(300000);
	assert_int_equal(kill(probes->all[0].pid, SIGCONT), 0);
	usleep(500000);
	values = stop_well(probes);
	assert_true(values[LATENCY_MAX] >= 290);
	assert_true(view->latencies.n_missed >= 28);
	n = (double)view->latencies.n;
	assert_close(values[LATENCY_MISSED], 100 * (double)view->latencies.n_missed / n, 1e-12);
	probes_free(probes);
}

/* A player with a buffer of 2 s whose process stands still for 3 s after less than a chunk (102.4 ms) was played: the
 * music stands still for 1 s at least. */
static void test_a_stopped_player_is_an_underrun(void **state)
{
	const struct scratch *scratch = *state;
	struct probes *probes = prepare_probes("audio:320k/2s", scratch->fd);
	g_autofree double *values = NULL;
	const struct probe_shared *view;
	double all_ns;

	start_probes(probes, scratch->fd);
	view = probes->all[0].shared;
	assert_int_equal(kill(probes->all[0].pid, SIGSTOP), 0);
	usleep(3200000);
	assert_int_equal(kill(probes->all[0].pid, SIGCONT), 0);
	usleep(800000);
	values = stop_well(probes);
	all_ns = (double)(view->stop_ns - view->player.start_ns);
	assert_true(values[0] >= 100 * 2 * SECOND_NS / all_ns);
	assert_true(values[0] <= 100 * (1 - (double)SECOND_NS / all_ns));
	assert_true(values[1] >= 1);
	probes_free(probes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    probe_test(test_files),
	    probe_test(test_all_probes_run),
	    cmocka_unit_test(test_stopped_at_once),
	    probe_test(test_reads_are_cold),
	    cmocka_unit_test(test_a_stopped_process_is_a_stall),
	    probe_test(test_a_stopped_player_is_an_underrun),
	};

	return cmocka_run_group_tests_name("probe run", tests, NULL, NULL);
}
