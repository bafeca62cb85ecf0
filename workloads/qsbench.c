#include "qsbench.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/err.h"
#include "workload.h"

#define PROCS_MAX 1024

/* Exit statuses of a sorting process. */
enum sorter_status { SORTED, UNSORTED, NO_MEMORY };

/* Processes that have not been waited for. */
struct sorters {
	pid_t pids[PROCS_MAX];
	guint n;
};

static int median_of_three(int a, int b, int c)
{
	return a < b ? (b < c ? b : MAX(a, c)) : (a < c ? a : MAX(b, c));
}

void qsbench_sort(int *values, size_t n)
{
	while (n > 1) {
		int pivot = median_of_three(values[0], values[n / 2], values[n - 1]);
		int *low = values, *high = values + n - 1;
		size_t n_low, n_high;

		while (low <= high) {
			while (*low < pivot)
				low++;
			while (*high > pivot)
				high--;
			if (low <= high) {
				int swapped = *low;

				*low++ = *high;
				*high-- = swapped;
			}
		}
		n_low = (size_t)(high + 1 - values);
		n_high = (size_t)(values + n - low);
		/* recursion into the smaller part only, so that no input can overflow the stack */
		if (n_low < n_high) {
			qsbench_sort(values, n_low);
			values = low;
			n = n_high;
		} else {
			qsbench_sort(low, n_high);
			n = n_low;
		}
	}
}

static enum sorter_status sort_random(guint64 size, unsigned int seed)
{
	size_t n = size / sizeof(int);
	int *values = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (values == MAP_FAILED)
		return NO_MEMORY;
	srand(seed);
	for (size_t i = 0; i < n; i++)
		values[i] = rand();
	qsbench_sort(values, n);
	for (size_t i = 1; i < n; i++) {
		if (values[i - 1] > values[i])
			return UNSORTED;
	}
	return SORTED;
}

static pid_t start_sorter(guint64 size, unsigned int seed)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* the parent may have died before the request above */
	if (getppid() != parent)
		_exit(NO_MEMORY);
	_exit((int)sort_random(size, seed));
}

static void kill_all(const struct sorters *sorters)
{
	for (guint i = 0; i < sorters->n; i++)
		kill(sorters->pids[i], SIGKILL);
}

/* Takes a process that has ended off the list; false where it is not on it. */
static gboolean remove_sorter(struct sorters *sorters, pid_t pid)
{
	for (guint i = 0; i < sorters->n; i++) {
		if (sorters->pids[i] == pid) {
			sorters->pids[i] = sorters->pids[--sorters->n];
			return TRUE;
		}
	}
	return FALSE;
}

static gboolean judge_sorter(struct workload_env *env, int status, GError **error)
{
	guint64 size = workload_option_value(env->config, "size")->number;

	if (WIFSIGNALED(status)) {
		env->child_status = status;
		return err_runtime(error, "a sorting process was ended by signal %d (%s)", WTERMSIG(status),
				   g_strsignal(WTERMSIG(status)));
	}
	switch (WEXITSTATUS(status)) {
	case SORTED:
		return TRUE;
	case UNSORTED:
		return err_runtime(
		    error, "a sorting process found its numbers not sorted: memory, compiler or kernel at fault");
	case NO_MEMORY:
		return err_runtime(error, "a sorting process cannot allocate %" G_GUINT64_FORMAT " bytes", size);
	default:
		return err_runtime(error, "a sorting process ended with exit status %d", WEXITSTATUS(status));
	}
}

/* Waits for every process; after the first that went wrong the others are killed. */
static gboolean wait_for_sorters(struct workload_env *env, struct sorters *sorters, gboolean ok, GError **error)
{
	if (!ok)
		kill_all(sorters);
	while (sorters->n > 0) {
		int status;
		pid_t pid = waitpid(-1, &status, 0);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return ok && err_errno(error, errno, "cannot wait for a sorting process");
		if (remove_sorter(sorters, pid) && ok && !judge_sorter(env, status, error)) {
			ok = FALSE;
			kill_all(sorters);
		}
	}
	return ok;
}

static gboolean qsbench_run(struct workload_env *env, GError **error)
{
	guint64 size = workload_option_value(env->config, "size")->number;
	guint64 procs = workload_option_value(env->config, "procs")->number;
	guint64 seed = workload_option_value(env->config, "seed")->number;
	struct sorters sorters = {.n = 0};
	gboolean ok = TRUE;

	while (ok && sorters.n < procs) {
		pid_t pid = start_sorter(size, (unsigned int)seed);

		if (pid < 0)
			ok = err_errno(error, errno, "cannot start sorting process %u", sorters.n + 1);
		else
			sorters.pids[sorters.n++] = pid;
	}
	return wait_for_sorters(env, &sorters, ok, error);
}

static gboolean qsbench_resolve(struct workload_config *config, GError **error)
{
	guint64 size = workload_option_value(config, "size")->number;
	guint64 procs = workload_option_value(config, "procs")->number;
	guint64 seed = workload_option_value(config, "seed")->number;

	if (size < sizeof(int))
		return err_usage(error, "option 'size': %" G_GUINT64_FORMAT " is less than one number of %zu bytes",
				 size, sizeof(int));
	if (procs > PROCS_MAX)
		return err_usage(error, "option 'procs': %" G_GUINT64_FORMAT " is above %d", procs, PROCS_MAX);
	if (seed > G_MAXUINT32)
		return err_usage(error, "option 'seed': %" G_GUINT64_FORMAT " is above %u", seed, G_MAXUINT32);
	return TRUE;
}

static const struct workload_option qsbench_options[] = {
    {"size", OPTION_SIZE, "192M", "memory of each process, 4 bytes a number"},
    {"procs", OPTION_COUNT, "1", "processes that sort at the same time, each its own numbers"},
    {"seed", OPTION_COUNT, "140175100", "of the random numbers"},
    {.name = NULL}};

const struct workload workload_qsbench = {
    .name = "qsbench",
    .summary = "processes that each sort random integers in memory: swap and memory pressure",
    .options = qsbench_options,
    .primary = "elapsed",
    .resolve = qsbench_resolve,
    .run = qsbench_run,
};
