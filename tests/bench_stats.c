/* usage: bench_stats numbers N SEED    N numbers, a line each
 *        bench_stats run COMMAND...    runs it with its output thrown away; prints seconds and peak MiB
 *        bench_stats bca N THREADS     seconds of a BCa interval of a mean of N values, 10,000 resamples */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../src/bootstrap.h"
#include "../stats/stream.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double draw(struct stream *stream)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += (double)(stream_bits(stream) >> 11) * 0x1p-53;
	return 100 + 5 * (sum - 6);
}

static int numbers(unsigned long n, unsigned long seed)
{
	struct stream stream = stream_init(seed, 0);

	while (n-- > 0)
		printf("%.6f\n", draw(&stream));
	return fflush(stdout) ? 3 : 0;
}

static int run(char **command)
{
	double start = now();
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (freopen("/dev/null", "w", stdout))
			execvp(command[0], command);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 3;
	printf("%.4f %.1f\n", now() - start, (double)usage.ru_maxrss / 1024);
	return status == 0 ? 0 : 3;
}

static int bca(unsigned long n, unsigned threads)
{
	struct stream stream = stream_init(1, 1);
	double *x = malloc(n * sizeof *x), start, before;
	struct estimate e;

	if (!x)
		return 3;
	for (unsigned long i = 0; i < n; i++)
		x[i] = draw(&stream);
	/* a process of a millisecond's age has no second processor yet, and the peer's is seconds old when it is timed */
	start = now();
	do {
		before = now();
		e = bootstrap_bca(BCA_MEAN, x, n, NULL, 0, BCA_REPLICATES, 0.95, 1, threads);
	} while (before - start < 0.1);
	start = before;
	printf("%.6f\n", now() - start);
	free(x);
	return isfinite(e.low) && isfinite(e.high) ? 0 : 3;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "numbers"))
		return numbers(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
	if (argc > 2 && !strcmp(argv[1], "run"))
		return run(argv + 2);
	if (argc == 4 && !strcmp(argv[1], "bca"))
		return bca(strtoul(argv[2], NULL, 10), (unsigned)strtoul(argv[3], NULL, 10));
	fprintf(stderr, "usage: bench_stats numbers N SEED | run COMMAND... | bca N THREADS\n");
	return 2;
}
