#include "observe_case.h"

#include "../src/flag.h"

/* Seconds for which the processors are watched: from one on they are judged. */
#define WATCHED_S 1.1

/* Percentages of one CPU that the clocks of the kernel may be apart. */
#define TOLERANCE 6.0

static long n_cpus(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

/* As above where two readings were some time apart, for which all processors may have worked for others. */
static double tolerance(double apart_s, double elapsed_s)
{
	return TOLERANCE + 100 * (double)n_cpus() * apart_s / elapsed_s;
}

static double own_cpu_s(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* In a container the kernel's threads are not to be seen, and others cannot be told from them. */
static void need_kernel_threads(void)
{
	struct observation observation;
	gboolean found;

	observer_begin(observer, proc_fd, FALSE);
	observer_end(observer, 0, &observation);
	found = !isnan(measured(&observation, "other_cpu"));
	observation_clear(&observation);
	if (!found)
		skip();
}

/* A burner that is not of the run is seen with all the CPU time that it got. */
static void test_others(void **state)
{
	need_kernel_threads();

	struct observation observation;
	double start_s = clock_monotonic_s(), burnt_s;
	pid_t pid;

	observer_begin(observer, proc_fd, FALSE);
	pid = fork_burner(WATCHED_S);
	burnt_s = wait_for(pid);
	observer_end(observer, 0, &observation);
	start_s = clock_monotonic_s() - start_s;
	assert_true(measured(&observation, "other_cpu") >= 100 * burnt_s / start_s - TOLERANCE);
	assert_true(measured(&observation, "other_cpu") <= 100.0 * (double)n_cpus() + TOLERANCE);
	assert_true(observation.flags & FLAG_OTHER_CPU);
	observation_clear(&observation);
}

/* What the run used is not of others: two who watch the same differ by as much as one is told of. */
static void test_run_is_not_others(void **state)
{
	static struct observer *told;
	struct observation observations[2];
	double outer_s, inner_s, burnt_s, difference;

	need_kernel_threads();
	told = observer_new();
	outer_s = clock_monotonic_s();
	observer_begin(told, proc_fd, FALSE);
	observer_begin(observer, proc_fd, FALSE);
	inner_s = clock_monotonic_s();
	burnt_s = wait_for(fork_burner(WATCHED_S));
	inner_s = clock_monotonic_s() - inner_s;
	observer_end(observer, 0, &observations[1]);
	observer_end(told, burnt_s, &observations[0]);
	outer_s = clock_monotonic_s() - outer_s;
	difference = measured(&observations[1], "other_cpu") - measured(&observations[0], "other_cpu");
	assert_true(fabs(difference - 100 * burnt_s / inner_s) <= tolerance(outer_s - inner_s, inner_s));
	for (int i = 0; i < 2; i++)
		observation_clear(&observations[i]);
	observer_free(told);
}

static double own_share; /* of the time that was watched */
static struct observation own_observation;

static void burn_watched(void)
{
	double start_s = clock_monotonic_s(), own_s;

	observer_begin(observer, proc_fd, FALSE);
	own_s = own_cpu_s();
	burn(WATCHED_S);
	own_s = own_cpu_s() - own_s;
	observer_end(observer, 0, &own_observation);
	own_share = own_s / (clock_monotonic_s() - start_s);
}

/* What this process uses is not of others: with all processors busy, others have what is left. */
static void test_we_are_not_others(void **state)
{
	need_kernel_threads();
	burn_with(n_cpus(), WATCHED_S + 0.2, burn_watched);
	assert_true(own_share > 0.1);
	assert_true(measured(&own_observation, "other_cpu") <= 100 * ((double)n_cpus() - own_share) + TOLERANCE);
	observation_clear(&own_observation);
}

/* In less than a second a clock tick is too much to judge by. */
static void test_short_runs_are_not_judged(void **state)
{
	struct observation observation;

	observer_begin(observer, proc_fd, FALSE);
	wait_for(fork_burner(0.3));
	observer_end(observer, 0, &observation);
	assert_int_equal(observation.flags & (FLAG_OTHER_CPU | FLAG_STEAL), 0);
	observation_clear(&observation);
}

/* Nanoseconds that each thread of the kernel whose name begins so has run, by its number. */
static GHashTable *read_times(const char *prefix)
{
	GHashTable *times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_autofree char *listing = NULL;
	g_auto(GStrv) pids = NULL;

	SPAWN(&listing, ARG("ps"), ARG("--ppid"), ARG("2"), ARG("-o"), ARG("pid="));
	pids = g_strsplit_set(listing, " \n", -1);
	for (char **pid = pids; *pid; pid++) {
		g_autofree char *name_path = g_build_filename("/proc", *pid, "comm", NULL), *name = NULL;
		g_autofree char *time_path = g_build_filename("/proc", *pid, "schedstat", NULL), *text = NULL;

		if (!**pid || !g_file_get_contents(name_path, &name, NULL, NULL) || !g_str_has_prefix(name, prefix) ||
		    !g_file_get_contents(time_path, &text, NULL, NULL))
			continue;
		g_hash_table_insert(times, g_strdup(*pid),
				    g_memdup2(&(double){g_ascii_strtod(text, NULL)}, sizeof(double)));
	}
	return times;
}

/* Seconds by which those that are there now grew; one that is new grew from 0. */
static double grown_s(GHashTable *before, const char *prefix)
{
	g_autoptr(GHashTable) after = read_times(prefix);
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

/* Seconds that all tasks of the machine have run, as the root of the cgroups counts them; NaN where it does not. */
static double all_tasks_s(void)
{
	double ns = NAN, us = proc_number("/sys/fs/cgroup/cpu.stat", "usage_usec");
	g_autofree char *text = NULL;

	if (isnan(us) && g_file_get_contents("/sys/fs/cgroup/cpuacct/cpuacct.usage", &text, NULL, NULL))
		ns = g_ascii_strtod(text, NULL);
	return isnan(us) ? ns / 1e9 : us / 1e6;
}

/* Has the kernel's workers busy for some time: they do the work of a loop device, here on a file in memory. */
static void write_to_loop(const char *directory, double seconds)
{
	double end_s = clock_monotonic_s() + seconds;
	g_autofree char *image = make_image(directory, "image"), *device = NULL;
	void *block = aligned_alloc(4096, MIB);
	int fd;

	SPAWN(&device, ARG("losetup"), ARG("-f"), ARG("--show"), image);
	fd = open(g_strchomp(device), O_WRONLY | O_DIRECT | O_CLOEXEC);
	assert_true(fd >= 0 && block);
	memset(block, 1, MIB);
	for (off_t at = 0; clock_monotonic_s() < end_s; at = (at + (off_t)MIB) % (off_t)(64 * MIB))
		assert_int_equal(pwrite(fd, block, MIB, at), MIB);
	close(fd);
	SPAWN(NULL, ARG("losetup"), ARG("-d"), device);
	free(block);
}

/* The CPU time of the threads that write back and reclaim lies between what was read around it, by so many seconds, and
 * what all tasks of the machine used is ours, theirs, or that of others. */
static void check_kernel_threads(const char *directory, double tolerance_s)
{
	static const struct {
		const char *name, *prefix;
	} kinds[] = {{"kworkers", "kworker/u"}, {"kswapd", "kswapd"}};
	GHashTable *outer[2], *inner[2], *all;
	double least_s[2], others_s, own_s, outer_s, inner_s;
	struct observation observation;

	g_clear_pointer(&observer, observer_free);
	observer = observer_new();
	assert_int_equal(mount("test", directory, "tmpfs", 0, "mode=700"), 0);
	all = read_times("");
	for (int i = 0; i < 2; i++)
		outer[i] = read_times(kinds[i].prefix);
	others_s = all_tasks_s();
	own_s = own_cpu_s();
	outer_s = clock_monotonic_s();
	observer_begin(observer, proc_fd, FALSE);
	inner_s = clock_monotonic_s();
	for (int i = 0; i < 2; i++)
		inner[i] = read_times(kinds[i].prefix);
	write_to_loop(directory, WATCHED_S);
	for (int i = 0; i < 2; i++)
		least_s[i] = grown_s(inner[i], kinds[i].prefix);
	inner_s = clock_monotonic_s() - inner_s;
	observer_end(observer, 0, &observation);
	outer_s = clock_monotonic_s() - outer_s;
	others_s = all_tasks_s() - others_s - (own_cpu_s() - own_s) - grown_s(all, "");
	for (int i = 0; i < 2; i++) {
		double value = measured(&observation, kinds[i].name);

		assert_true(value >= least_s[i] - tolerance_s &&
			    value <= grown_s(outer[i], kinds[i].prefix) + tolerance_s);
		g_hash_table_unref(inner[i]);
		g_hash_table_unref(outer[i]);
	}
	assert_true(measured(&observation, "kworkers") > 0.05);
	g_hash_table_unref(all);
	assert_int_equal(umount(directory), 0);
	if (!isnan(others_s)) /* 0 is as little as can be seen */
		assert_true(fabs(measured(&observation, "other_cpu") - 100 * fmax(0, others_s) / outer_s) <=
			    tolerance(outer_s - inner_s, inner_s));
	observation_clear(&observation);
}

/* As the kernel lists and counts them here. */
static void test_kernel_threads(void **state)
{
	if (!may_mount())
		skip();
	need_kernel_threads();
	check_kernel_threads(*state, 1e-6);
}

/* As on kernels that do not list the children of a process. */
static void test_kernel_threads_unlisted(void **state)
{
	if (!may_mount())
		skip();
	need_kernel_threads();
	assert_int_equal(mount("test", "/proc/2/task/2", "tmpfs", 0, NULL), 0);
	check_kernel_threads(*state, 1e-6);
	assert_int_equal(umount("/proc/2/task/2"), 0);
}

/* The kernel's list may miss some: what those that turn up later have used before the run is not of it. */
static void test_kernel_threads_missed(void **state)
{
	g_autofree char *real = NULL, *list = NULL;
	struct observation observation;
	double elapsed_s;
	int fd;

	if (!may_mount())
		skip();
	need_kernel_threads();
	SPAWN(&real, ARG("ps"), ARG("--ppid"), ARG("2"), ARG("-o"), ARG("pid="));
	g_strdelimit(real, "\n", ' ');
	list = g_build_filename(*state, "list", NULL);
	assert_true(g_file_set_contents(list, "", -1, NULL));
	assert_int_equal(mount(list, "/proc/2/task/2/children", "none", MS_BIND, NULL), 0);
	g_clear_pointer(&observer, observer_free);
	observer = observer_new();
	elapsed_s = clock_monotonic_s();
	observer_begin(observer, proc_fd, FALSE);
	fd = open(list, O_WRONLY | O_CLOEXEC);
	assert_int_equal(write(fd, real, strlen(real)), strlen(real));
	close(fd);
	observer_end(observer, 0, &observation);
	elapsed_s = clock_monotonic_s() - elapsed_s;
	g_clear_pointer(&observer, observer_free); /* holds it open */
	assert_int_equal(umount("/proc/2/task/2/children"), 0);
	assert_true(measured(&observation, "kworkers") <= elapsed_s);
	observation_clear(&observation);
}

/* As on kernels that count CPU time in clock ticks: some threads are a tick off. */
static void test_kernel_threads_by_ticks(void **state)
{
	g_autofree char *path = NULL, *zeros = NULL;

	if (!may_mount())
		skip();
	need_kernel_threads();
	path = g_strdup_printf("/proc/%d/schedstat", getpid());
	zeros = g_build_filename(*state, "zeros", NULL);
	assert_true(g_file_set_contents(zeros, "0 0 0\n", -1, NULL));
	assert_int_equal(mount(zeros, path, "none", MS_BIND, NULL), 0);
	check_kernel_threads(*state, 0.05);
	assert_int_equal(umount(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    observe_test(test_others),
	    observe_test(test_run_is_not_others),
	    observe_test(test_we_are_not_others),
	    observe_test(test_short_runs_are_not_judged),
	    observe_test(test_kernel_threads),
	    observe_test(test_kernel_threads_unlisted),
	    observe_test(test_kernel_threads_missed),
	    observe_test(test_kernel_threads_by_ticks),
	};

	return cmocka_run_group_tests_name("observe cpu", tests, NULL, NULL);
}
