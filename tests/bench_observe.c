/* usage: bench_observe observers|bare SECONDS   CPU seconds of the observers of a run so long, looking once a second;
 * of a loop that does no more than read four files of /proc bench_observe vmstat SECONDS           of vmstat 1
 *        bench_observe run N                    median microseconds before and after a run, of N */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/observe.h"

static int here(void)
{
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		exit(3);
	return fd;
}

static void observe(long seconds)
{
	struct observer *observer = observer_new();
	struct observation observation;
	int dirfd = here();

	observer_begin(observer, dirfd, FALSE);
	for (long i = 0; i < seconds; i++) {
		sleep(1);
		observer_tick(observer);
	}
	observer_end(observer, 0, &observation);
	if (observation.series.at_s->len != (guint)seconds)
		exit(3);
	observation_clear(&observation);
	observer_free(observer);
}

static void read_files(long seconds)
{
	static const char *const paths[] = {"/proc/stat", "/proc/meminfo", "/proc/vmstat", "/proc/diskstats"};
	static char text[1 << 20];
	int fds[G_N_ELEMENTS(paths)];

	for (gsize i = 0; i < G_N_ELEMENTS(paths); i++)
		if ((fds[i] = open(paths[i], O_RDONLY | O_CLOEXEC)) < 0)
			exit(3);
	for (long i = 0; i <= seconds; i++) {
		for (gsize k = 0; k < G_N_ELEMENTS(paths); k++)
			if (pread(fds[k], text, sizeof text, 0) <= 0)
				exit(3);
		if (i < seconds)
			sleep(1);
	}
}

static void run_vmstat(long seconds)
{
	char count[32];

	g_snprintf(count, sizeof count, "%ld", seconds + 1);
	if (freopen("/dev/null", "w", stdout))
		execlp("vmstat", "vmstat", "1", count, NULL);
	_exit(3);
}

static double used_s(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* The observers work in the process of the runner: what it takes to make one is not theirs. */
static int measure(void (*body)(long seconds), long seconds)
{
	struct rusage before, after;

	if (getrusage(RUSAGE_SELF, &before) < 0)
		return 3;
	body(seconds);
	if (getrusage(RUSAGE_SELF, &after) < 0)
		return 3;
	printf("%.4f\n", used_s(&after) - used_s(&before));
	return 0;
}

static int measure_vmstat(long seconds)
{
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0)
		run_vmstat(seconds);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status != 0)
		return 3;
	printf("%.4f\n", used_s(&usage));
	return 0;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int measure_runs(long n)
{
	struct observer *observer = observer_new();
	double *before_us = g_new(double, n), *after_us = g_new(double, n);
	int dirfd = here();

	for (long i = 0; i < n; i++) {
		struct observation observation;
		double start_s = clock_monotonic_s();

		observer_begin(observer, dirfd, FALSE);
		before_us[i] = 1e6 * (clock_monotonic_s() - start_s);
		start_s = clock_monotonic_s();
		observer_end(observer, 0, &observation);
		after_us[i] = 1e6 * (clock_monotonic_s() - start_s);
		observation_clear(&observation);
	}
	qsort(before_us, (size_t)n, sizeof *before_us, compare);
	qsort(after_us, (size_t)n, sizeof *after_us, compare);
	printf("%.0f %.0f\n", before_us[n / 2], after_us[n / 2]);
	g_free(before_us);
	g_free(after_us);
	close(dirfd);
	observer_free(observer);
	return 0;
}

int main(int argc, char **argv)
{
	long n = argc == 3 ? strtol(argv[2], NULL, 10) : 0;

	if (n > 0 && strcmp(argv[1], "observers") == 0)
		return measure(observe, n);
	if (n > 0 && strcmp(argv[1], "bare") == 0)
		return measure(read_files, n);
	if (n > 0 && strcmp(argv[1], "vmstat") == 0)
		return measure_vmstat(n);
	if (n > 0 && strcmp(argv[1], "run") == 0)
		return measure_runs(n);
	fprintf(stderr, "usage: bench_observe observers|bare|vmstat SECONDS | run N\n");
	return 2;
}
