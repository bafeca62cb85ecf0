#include "workload_io.h"

#include <sys/prctl.h>

#include "../src/cgroup.h"
#include "../workloads/mtest.h"

#define MIB G_GUINT64_CONSTANT(1048576)

enum { RATE, FILLED };

/* Half of 600 free MiB; and to have half of 1000 + 500 MiB in use, 750, where 400 are: 350 more. */
static void test_percentages(void **state)
{
	const struct memory memory = {
	    .ram = 1000 * MIB, .ram_free = 600 * MIB, .swap = 500 * MIB, .swap_free = 500 * MIB};
	const struct memory full = {
	    .ram = 1000 * MIB, .ram_free = 100 * MIB, .swap = 1000 * MIB, .swap_free = 500 * MIB};
	const struct memory huge = {.ram = MIB << 40, .ram_free = MIB << 40};

	assert_in_range(mtest_bytes(&memory, 50, TRUE), 300 * MIB - 100, 300 * MIB);
	assert_in_range(mtest_bytes(&memory, 50, FALSE), 350 * MIB - 100, 350 * MIB);
	assert_in_range(mtest_bytes(&memory, 100, FALSE), 1100 * MIB - 100, 1100 * MIB);
	assert_int_equal(mtest_bytes(&full, 70, FALSE), 0);
	assert_in_range(mtest_bytes(&full, 80, FALSE), 200 * MIB - 100, 200 * MIB);
	assert_in_range(mtest_bytes(&huge, 100, TRUE), (MIB << 40) - 100, MIB << 40);
}

static guint64 meminfo(const char *name)
{
	g_autofree char *text = NULL;
	const char *line;

	assert_true(g_file_get_contents("/proc/meminfo", &text, NULL, NULL));
	line = strstr(text, name);
	assert_non_null(line);
	return g_ascii_strtoull(line + strlen(name), NULL, 10) * 1024;
}

/* What /proc/meminfo says; a memory cgroup may leave less. */
static void test_memory_of_the_machine(void **state)
{
	struct memory memory;

	assert_true(memory_read(&memory, NULL));
	assert_true(memory.ram > 0 && memory.ram <= meminfo("MemTotal:"));
	assert_true(memory.ram_free > 0 && memory.ram_free <= memory.ram);
	assert_true(memory.swap_free <= memory.swap);
}

static void use_small_pages(void)
{
	if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) < 0)
		_exit(1);
}

static void assert_faults(const struct io_counts *counts, double pages)
{
	/* a few hundred to live in; an eighth more is the address sanitizer's */
	assert_true((double)counts->child_faults >= pages && (double)counts->child_faults <= pages * 9 / 8 + 500);
}

/* Each page is a fault of the process that fills, whether a byte of it is written or all. A chunk may be odd, and is
 * rounded up to pages: 10000000 / 4097 = 2440.8 take two pages for each whole chunk and one for the rest. */
static void test_pages_are_touched(void **state)
{
	require_counts();

	const struct scratch *scratch = *state;
	double page = (double)sysconf(_SC_PAGESIZE);
	struct io_counts counts = count_spec("mtest:size=64M", scratch->fd, use_small_pages);

	assert_faults(&counts, 67108864 / page);
	assert_true(counts.trial.values[FILLED] == 67108864);
	assert_true(counts.trial.values[RATE] > 0);

	counts = count_spec("mtest:size=10000000:chunk=4097:source=zero", scratch->fd, use_small_pages);
	assert_true(counts.trial.values[FILLED] == 10000000);
	if (page == 4096)
		assert_faults(&counts, 2440 * 2 + 1);

	counts = count_spec("mtest:percent=1", scratch->fd, use_small_pages);
	assert_faults(&counts, counts.trial.values[FILLED] / page);
	/* others come and go meanwhile */
	assert_true(counts.trial.values[FILLED] < 0.02 * (double)meminfo("MemTotal:"));
}

/* More than there is is refused before the first run, and by the run itself. */
static void test_refused(void **state)
{
	const struct scratch *scratch = *state;
	struct workload_config *config = parse_spec("mtest:size=1024T");
	struct trial trial = try_workload(config, scratch->fd, NULL);

	assert_unsupported("mtest:size=1024T", scratch->fd, "it would fill 1024 TiB (1125899906842624 bytes), where ");
	assert_false(trial.ok);
	assert_text_contains(trial.message, "of RAM and swap are free: give a smaller size, or force=yes");
	assert_unsupported("mtest:size=1024T:free=no", scratch->fd, "it would fill 1024 TiB");
	assert_int_equal(trial.child_status, 0);
	workload_config_free(config);
}

static void limit_address_space(void)
{
	const struct rlimit limit = {200 * MIB, 200 * MIB};

	if (setrlimit(RLIMIT_AS, &limit) < 0)
		_exit(1);
}

/* An address space of 200 MiB is no room for 300: no signal, but a failed run that says how far it came. */
static void test_memory_that_cannot_be_had(void **state)
{
#ifdef __SANITIZE_ADDRESS__
	/* its shadow needs terabytes of address space */
	skip();
#endif
	const struct scratch *scratch = *state;
	struct workload_config *config = parse_spec("mtest:size=300M:chunk=1M:force=yes");
	struct trial trial = try_workload(config, scratch->fd, limit_address_space);

	workload_config_free(config);
	assert_false(trial.ok);
	assert_int_equal(trial.child_status, 0);
	assert_text_contains(trial.message, "cannot allocate memory after ");
}

static struct cgroup group;
static int procs_fd = -1;

static void enter_group(void)
{
	if (write(procs_fd, "0", 1) != 1)
		_exit(1);
}

/* A group of 64 MiB, and no swap for it. */
static gboolean make_small_group(const struct scratch *scratch)
{
	static const char *const swap_limits[] = {"memory.memsw.limit_in_bytes", "memory.swap.max"};
	static const char *const values[] = {"67108864", "0"};
	guint64 bytes = 64 * MIB;
	gboolean has_limit = meminfo("SwapTotal:") == 0;

	if (geteuid() != 0 || !cgroup_find(scratch->name, &group, NULL))
		return FALSE;
	if (!cgroup_make(&group, &bytes, &procs_fd, NULL)) {
		cgroup_clear(&group);
		return FALSE;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(values); i++) {
		g_autofree char *path = g_build_filename(group.path, swap_limits[i], NULL);
		int fd = open(path, O_WRONLY | O_CLOEXEC);

		has_limit = (fd >= 0 && write(fd, values[i], strlen(values[i])) > 0) || has_limit;
		if (fd >= 0)
			close(fd);
	}
	return has_limit;
}

static void remove_small_group(void)
{
	if (procs_fd >= 0) {
		close(procs_fd);
		assert_true(cgroup_remove(group.path, NULL));
	}
	procs_fd = -1;
	cgroup_clear(&group);
}

/* In a group of 64 MiB half of the free RAM is less than 32 MiB, and 30% of RAM and swap, without what is in use, less
 * than 19.2; 128 MiB are refused though the machine has them, and where forced the kernel's kill of the process shows.
 */
static void test_memory_cgroup(void **state)
{
	require_counts();

	const struct scratch *scratch = *state;
	struct workload_config *refused = parse_spec("mtest:size=128M"),
			       *forced = parse_spec("mtest:size=128M:force=yes");
	gboolean possible = make_small_group(scratch);
	struct trial too_much = {0}, killed = {0};
	struct io_counts half = {0}, part = {0};

	if (possible) {
		half = count_spec("mtest", scratch->fd, enter_group);
		part = count_spec("mtest:percent=30:free=no", scratch->fd, enter_group);
		too_much = try_workload(refused, scratch->fd, enter_group);
		killed = try_workload(forced, scratch->fd, enter_group);
	}
	workload_config_free(refused);
	workload_config_free(forced);
	remove_small_group();
	if (!possible)
		skip();
	assert_true(half.trial.values[FILLED] > 8.0 * MIB && half.trial.values[FILLED] <= 32.0 * MIB);
	assert_true(part.trial.values[FILLED] > 8.0 * MIB && part.trial.values[FILLED] < 19.2 * MIB);
	assert_false(too_much.ok);
	assert_int_equal(too_much.child_status, 0);
	assert_text_contains(too_much.message, "it would fill 128 MiB");
	assert_false(killed.ok);
	assert_true(WIFSIGNALED(killed.child_status));
	assert_int_equal(WTERMSIG(killed.child_status), SIGKILL);
	assert_text_contains(killed.message, "the process was ended by signal 9 (Killed) after ");
	assert_true(isnan(killed.values[RATE]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_percentages),
	    cmocka_unit_test(test_memory_of_the_machine),
	    workload_test(test_pages_are_touched),
	    workload_test(test_refused),
	    workload_test(test_memory_that_cannot_be_had),
	    workload_test(test_memory_cgroup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
