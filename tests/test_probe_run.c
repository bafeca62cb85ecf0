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

/* How many of the first n pages of a file are in the cache. valgrind brings some there: it looks at the beginning of
 * what is mapped. */
static guint count_cached(int dirfd, const char *name, gsize n)
{
	g_autofree unsigned char *is_cached = g_malloc(n);
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
	void *map = mmap(NULL, n * 4096, PROT_READ, MAP_SHARED, fd, 0);
	guint n_cached = 0;

	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(mincore(map, n * 4096, is_cached), 0);
	for (gsize i = 0; i < n; i++)
		n_cached += is_cached[i] & 1;
	munmap(map, n * 4096);
	close(fd);
	return n_cached;
}

/* The files that probes need: of their size, on the device and out of the cache, and left
 * alone by a second call; one that is not whole, and a link in its place, are made anew. */
static void test_files(void **state)
{
	const struct scratch *scratch = *state;
	struct probes *probes = prepare_probes(ALL, scratch->fd);
	struct stat first, second;
	int fd;

	assert_int_equal(fstatat(scratch->fd, "probe.read", &first, 0), 0);
	assert_int_equal(first.st_size, 64 << 20);
	assert_true(first.st_blocks * 512 >= 64 << 20);
	assert_int_equal(fstatat(scratch->fd, "probe.timer", &second, 0), -1);
	assert_true(count_cached(scratch->fd, "probe.read", 16384) <= 64);
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

/* Brings all of a file into the cache. */
static void read_all(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
	g_autofree char *buffer = g_malloc(1 << 20);

	assert_true(fd >= 0);
	while (read(fd, buffer, 1 << 20) > 0)
		;
	close(fd);
}

/* Reads come from the device, even where the whole file is in the cache: the kernel counts 4096 bytes of input, or
 * more, for each. Where the filesystem has no device (tmpfs) it counts none. */
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

	read_all(scratch->fd, "probe.read");
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

/* A player drops behind it what it has read, so that each round through its file is as cold as the first. At 100
 * Mbit/s the file of 4096 chunks lasts 1.3 s. */
static void test_a_player_leaves_nothing_in_the_cache(void **state)
{
	const struct scratch *scratch = *state;
	struct probes *probes = prepare_probes("audio:100M/2s", scratch->fd);
	const struct player *player;
	gint64 n_chunks;

	start_probes(probes, scratch->fd);
	player = &probes->all[0].shared->player;
	usleep(700000);
	g_free(stop_well(probes));
	n_chunks = (player->dry_ns - player->start_ns - player->silent_ns - player->buffer_ns) / player->chunk_ns;
	probes_free(probes);
	/* a busy machine may have hindered the player, or this process */
	if (n_chunks < 1000 || n_chunks > 4000)
		skip();
	assert_true(count_cached(scratch->fd, "probe.audio", (gsize)n_chunks) < n_chunks / 2);
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
	    probe_test(test_a_player_leaves_nothing_in_the_cache),
	};

	return cmocka_run_group_tests_name("probe run", tests, NULL, NULL);
}
