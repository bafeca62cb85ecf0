/* The bare figure: median microseconds of vfork + execve + wait4 over N runs. usage: bench_exec PROGRAM N */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/clock.h"

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	extern char **environ;
	char *command[] = {argv[1], NULL};
	int n = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;
	double *us = calloc((size_t)n + 1, sizeof *us);

	if (n < 1 || !us)
		return 2;
	for (int i = 0; i < n; i++) {
		struct rusage usage;
		int status;
		double start = clock_monotonic_s();
		pid_t pid = vfork();

		if (pid == 0) {
			execve(command[0], command, environ);
			_exit(127);
		}
		if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status != 0)
			return 3;
		us[i] = 1e6 * (clock_monotonic_s() - start);
	}
	qsort(us, (size_t)n, sizeof *us, compare);
	printf("%.2f\n", us[n / 2]);
	free(us);
	return 0;
}
