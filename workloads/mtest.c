#include "mtest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/err.h"
#include "../src/unit.h"
#include "pool.h"
#include "workload.h"

/* One process that fills memory, chunk by chunk.
 * source: testcases/kernel/mem/mtest01 of the Linux Test Project (behaviour only): in its first form a percentage is of
 * RAM and swap in use, in its later form of free RAM, of which a byte a page is written. */

#define CHUNK_MAX (G_GUINT64_CONSTANT(1) << 30)

enum mtest_metric { RATE, FILLED };

/* Exit statuses of the process that fills. */
enum filler_status { FILLED_ALL, NO_MEMORY, NO_VOLUNTEER };

/* What the process that fills tells, in memory that both share. */
struct report {
	guint64 bytes;
	double seconds;
};

struct mtest {
	guint64 nonce;
	guint64 bytes, chunk;
	gboolean touch; /* a byte a page */
	gboolean zero;
	struct pool pool; /* a chunk */
	struct report *report;
};

static guint64 number(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->number;
}

static gboolean flag(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->flag;
}

guint64 mtest_bytes(const struct memory *memory, guint64 percent, gboolean of_free)
{
	guint64 all = memory->ram + memory->swap, used = all - MIN(all, memory->ram_free + memory->swap_free);
	/* divided first: a product could overflow */
	guint64 goal = (of_free ? memory->ram_free : all) / 100 * percent;

	return of_free ? goal : goal - MIN(goal, used);
}

/* What there is to fill, in bytes: false where that is nothing or cannot be had. */
static gboolean find_bytes(const struct workload_config *config, guint64 *bytes, GError **error)
{
	guint64 percent = number(config, "percent"), size = number(config, "size"), room;
	struct memory memory;

	if (!memory_read(&memory, error))
		return FALSE;
	*bytes = size ? size : mtest_bytes(&memory, percent, flag(config, "free"));
	if (*bytes == 0)
		return err_runtime(error, "%" G_GUINT64_FORMAT "%% of RAM and swap are in use already", percent);
	room = memory.ram_free + memory.swap_free;
	if (*bytes > room && !flag(config, "force")) {
		g_autofree char *asked = size_format(*bytes), *have = size_format(room);

		return err_runtime(
		    error, "it would fill %s, where %s of RAM and swap are free: give a smaller size, or force=yes",
		    asked, have);
	}
	return TRUE;
}

static void fill_chunk(const struct mtest *mtest, unsigned char *chunk, gsize size, guint64 offset)
{
	gsize page = (gsize)sysconf(_SC_PAGESIZE);

	if (mtest->touch) {
		for (gsize at = 0; at < size; at += page)
			*(volatile unsigned char *)(chunk + at) = 1;
		return;
	}
	memcpy(chunk, mtest->pool.data, size);
	if (!mtest->zero)
		pool_stamp(chunk, size, offset, mtest->nonce, 0);
}

static enum filler_status fill(const struct mtest *mtest)
{
	double start_s = clock_monotonic_s();

	while (mtest->report->bytes < mtest->bytes) {
		guint64 offset = mtest->report->bytes;
		gsize size = MIN(mtest->chunk, mtest->bytes - offset);
		unsigned char *chunk = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (chunk == MAP_FAILED)
			return NO_MEMORY;
		fill_chunk(mtest, chunk, size, offset);
		mtest->report->bytes += size;
	}
	mtest->report->seconds = clock_monotonic_s() - start_s;
	return FILLED_ALL;
}

/* If the kernel is to kill a process for lack of memory, it is to be the one that takes it. */
static gboolean volunteer(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	gboolean ok = fd >= 0 && write(fd, "1000", 4) == 4;

	if (fd >= 0)
		close(fd);
	return ok;
}

static pid_t start_filler(const struct mtest *mtest)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* the parent may have died before the request above */
	if (getppid() != parent)
		_exit(NO_MEMORY);
	_exit((int)(volunteer() ? fill(mtest) : NO_VOLUNTEER));
}

static gboolean judge(struct workload_env *env, const struct report *report, int status, GError **error)
{
	if (WIFSIGNALED(status)) {
		env->child_status = status;
		return err_runtime(error, "the process was ended by signal %d (%s) after %" G_GUINT64_FORMAT " bytes",
				   WTERMSIG(status), g_strsignal(WTERMSIG(status)), report->bytes);
	}
	if (WEXITSTATUS(status) == NO_VOLUNTEER)
		return err_runtime(error, "cannot write '/proc/self/oom_score_adj'");
	if (WEXITSTATUS(status) != FILLED_ALL)
		return err_runtime(error, "cannot allocate memory after %" G_GUINT64_FORMAT " bytes", report->bytes);
	env->values[RATE] = (double)report->bytes / 1e6 / report->seconds;
	env->values[FILLED] = (double)report->bytes;
	return TRUE;
}

static void mtest_free(struct mtest *mtest)
{
	pool_close(&mtest->pool);
	if (mtest->report)
		munmap(mtest->report, sizeof *mtest->report);
	g_free(mtest);
}

static gboolean mtest_run(struct workload_env *env, GError **error)
{
	struct mtest *mtest = env->state;
	pid_t pid = start_filler(mtest), got = -1;
	int status, failure = errno;
	gboolean ok;

	while (pid >= 0 && (got = waitpid(pid, &status, 0)) < 0 && (failure = errno) == EINTR)
		;
	ok = got < 0 ? err_errno(error, failure, "cannot start the process that fills memory, or wait for it")
		     : judge(env, mtest->report, status, error);
	mtest_free(mtest);
	env->state = NULL;
	return ok;
}

static gboolean prepare(struct mtest *mtest, const struct workload_config *config, GError **error)
{
	void *shared;

	if (!find_bytes(config, &mtest->bytes, error) || !pool_source(config, &mtest->zero, error) ||
	    !pool_open(&mtest->pool, 1, mtest->chunk, mtest->zero, error))
		return FALSE;
	shared = mmap(NULL, sizeof *mtest->report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return err_errno(error, errno, "cannot map memory for a report");
	mtest->report = shared;
	return TRUE;
}

static gboolean mtest_set_up(struct workload_env *env, GError **error)
{
	struct mtest *mtest = g_new0(struct mtest, 1);

	mtest->nonce = env->nonce;
	mtest->chunk = number(env->config, "chunk");
	mtest->touch = flag(env->config, "free") && number(env->config, "size") == 0;
	if (!prepare(mtest, env->config, error)) {
		mtest_free(mtest);
		return FALSE;
	}
	env->state = mtest;
	return TRUE;
}

static gboolean mtest_resolve(struct workload_config *config, GError **error)
{
	guint64 percent = number(config, "percent"), chunk = number(config, "chunk");
	gboolean zero;

	if (percent > 100)
		return err_usage(error, "option 'percent': %" G_GUINT64_FORMAT " is above 100", percent);
	if (chunk > CHUNK_MAX)
		return err_usage(error, "option 'chunk': %" G_GUINT64_FORMAT " bytes are more than 1 GiB", chunk);
	return pool_source(config, &zero, error);
}

/* Of the machine: what a memory cgroup of the run's own leaves is only known when it has begun. */
static char *mtest_unsupported(const struct workload_config *config, int dirfd)
{
	g_autoptr(GError) error = NULL;
	guint64 bytes;

	return find_bytes(config, &bytes, &error) ? NULL : g_strdup(error->message);
}

static const struct workload_option mtest_options[] = {
    {"percent", OPTION_COUNT, "50", "of what 'free' says"},
    {"free", OPTION_BOOL, "yes",
     "fill that much of the free RAM, a byte a page; no: until that much of RAM and swap is in use, each byte"},
    {"size", OPTION_SIZE, NULL, "bytes to fill, each of them, instead of a percentage"},
    {"chunk", OPTION_SIZE, "1M", "bytes allocated at a time"},
    {"force", OPTION_BOOL, "no", "also fill more than is free: the kernel may kill it, or others, for lack of memory"},
    {"source", OPTION_TEXT, "random", "random (stamped, incompressible) or zero"},
    {.name = NULL}};

static const struct metric mtest_metrics[] = {[RATE] = {"rate", "MB/s", BETTER_HIGHER, "memory filled per time"},
					      [FILLED] = {"filled", "B", BETTER_NONE, "memory that was filled"},
					      {.name = NULL}};

const struct workload workload_mtest = {
    .name = "mtest",
    .summary = "one process that fills part of the memory: reclaim, and swap where told to",
    .options = mtest_options,
    .metrics = mtest_metrics,
    .primary = "rate",
    .resolve = mtest_resolve,
    .unsupported = mtest_unsupported,
    .set_up = mtest_set_up,
    .run = mtest_run,
};
