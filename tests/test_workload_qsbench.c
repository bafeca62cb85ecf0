#include "test_workload.h"

#include <signal.h>
#include <sys/resource.h>

#include "../workloads/qsbench.h"

static int compare_ints(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static void assert_sorts(const int *values, size_t n)
{
	g_autofree int *ours = g_memdup2(values, n * sizeof *values), *theirs = g_memdup2(values, n * sizeof *values);

	qsbench_sort(ours, n);
	if (n == 0)
		return;
	qsort(theirs, n, sizeof *theirs, compare_ints);
	assert_memory_equal(ours, theirs, n * sizeof *values);
}

/* Libc's qsort() gives the same for every length up to 200 of few and of many distinct values. */
static void test_sort_agrees_with_qsort(void **state)
{
	int values[200];

	srand(1);
	for (size_t n = 0; n <= G_N_ELEMENTS(values); n++) {
		for (int distinct = 1; distinct <= 1000; distinct *= 10) {
			for (size_t i = 0; i < n; i++)
				values[i] = rand() % distinct - distinct / 2;
			assert_sorts(values, n);
		}
	}
	assert_sorts((const int[]){G_MAXINT, G_MININT, 0, G_MAXINT, G_MININT}, 5);
}

/* Sorted, reversed, equal and sawtooth input, a trap for the choice of a pivot, is sorted too. */
static void test_sort_of_patterns(void **state)
{
	enum { N = 100000 };
	g_autofree int *values = g_new(int, N);

	for (int pattern = 0; pattern < 5; pattern++) {
		for (int i = 0; i < N; i++)
			values[i] = (const int[]){i, N - i, 7, i % 1000, i < N / 2 ? i : N - i}[pattern];
		assert_sorts(values, N);
	}
}

static void limit_stack(void)
{
	const struct rlimit limit = {65536, 65536};

	if (setrlimit(RLIMIT_STACK, &limit) < 0)
		_exit(1);
}

/* Two processes sort a million numbers each, on a stack of 64 KiB. */
static void test_processes_sort(void **state)
{
	struct workload_config *config = parse_spec("qsbench:size=4M:procs=2");
	struct trial trial = try_workload(config, AT_FDCWD, limit_stack);

	assert_true(trial.ok);
	assert_int_equal(trial.child_status, 0);
	workload_config_free(config);
}

static void limit_cpu(void)
{
	const struct rlimit limit = {1, 1};

	if (setrlimit(RLIMIT_CPU, &limit) < 0)
		_exit(1);
}

/* The kernel kills a process that has used its second of CPU time, as it does for lack of memory: with SIGKILL
. */
static void test_a_killed_process_is_seen(void **state)
{
	struct workload_config *config = parse_spec("qsbench:size=1G:procs=2");
	struct trial trial = try_workload(config, AT_FDCWD, limit_cpu);

	assert_false(trial.ok);
	assert_true(WIFSIGNALED(trial.child_status));
	assert_int_equal(WTERMSIG(trial.child_status), SIGKILL);
	assert_text_contains(trial.message, "ended by signal 9 (Killed)");
	workload_config_free(config);
}

/* 1024 TiB are more than the address space: no signal, but a failed run that says so. */
static void test_memory_that_cannot_be_had(void **state)
{
	struct workload_config *config = parse_spec("qsbench:size=1024T");
	struct trial trial = try_workload(config, AT_FDCWD, NULL);

	assert_false(trial.ok);
	assert_int_equal(trial.child_status, 0);
	assert_string_equal(trial.message, "a sorting process cannot allocate 1125899906842624 bytes");
	workload_config_free(config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sort_agrees_with_qsort),
	    cmocka_unit_test(test_sort_of_patterns),
	    cmocka_unit_test(test_processes_sort),
	    cmocka_unit_test(test_a_killed_process_is_seen),
	    cmocka_unit_test(test_memory_that_cannot_be_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
