#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../src/clock.h"
#include "../src/err.h"
#include "gate.h"
#include "pool.h"
#include "workload.h"

/* Threads, each with a file of its own, that write it, write to random places of it, read it and read random places,
 * one phase after the other; what a phase's time holds is what tiotest's holds: opening, growing to the full length,
 * all calls, fsync() and close().
 * source: tiotest.c of tiobench 0.4.2 (behaviour only), whose megabytes are 2^20 bytes; here they are 10^6 */

#define THREADS_MAX 256
#define BLOCK_MAX (G_GUINT64_CONSTANT(1) << 30)

enum phase { SEQ_WRITE, RAND_WRITE, SEQ_READ, RAND_READ, PHASES };
enum figure { RATE, CPU, LATENCY, MAX_LATENCY, FIGURES };

struct worker {
	struct tiobench *tiobench;
	guint number;
	GThread *thread;
	unsigned char *pool; /* tiobench->pool_size bytes */
	guint64 calls;       /* of the phase */
	double latency_s, latency_max_s;
	char *message; /* what went wrong, complete; NULL: nothing */
};

struct tiobench {
	int dirfd;
	guint64 nonce;
	guint n_threads;
	guint64 blocks, block, random_calls; /* of each thread; bytes of a block */
	gboolean zero, cold;
	gsize pool_size;
	struct pool pool;
	struct worker *workers;
	enum phase phase;
	struct gate gate;
	gint failed; /* atomic: a thread failed, the others may stop */
};

static guint64 number(const struct workload_config *config, const char *option)
{
	return workload_option_value(config, option)->number;
}

static void file_name(char *name, gsize size, guint number)
{
	g_snprintf(name, size, "tio.%u", number);
}

static void fail(struct worker *worker, int errno_value, const char *doing)
{
	char name[32];

	file_name(name, sizeof name, worker->number);
	worker->message = g_strdup_printf("cannot %s '%s': %s", doing, name, g_strerror(errno_value));
	g_atomic_int_set(&worker->tiobench->failed, 1);
}

static gboolean is_random(enum phase phase)
{
	return phase == RAND_WRITE || phase == RAND_READ;
}

static gboolean is_write(enum phase phase)
{
	return phase == SEQ_WRITE || phase == RAND_WRITE;
}

/* One block, whole. */
static gboolean transfer(struct worker *worker, int fd, unsigned char *data, guint64 offset)
{
	gboolean writes = is_write(worker->tiobench->phase);
	gsize size = worker->tiobench->block;

	while (size > 0) {
		ssize_t n = writes ? pwrite(fd, data, size, (off_t)offset) : pread(fd, data, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			fail(worker, n < 0 ? errno : ENODATA, writes ? "write" : "read");
			return FALSE;
		}
		data += n;
		size -= (gsize)n;
		offset += (guint64)n;
	}
	return TRUE;
}

static gboolean do_calls(struct worker *worker, int fd)
{
	struct tiobench *tiobench = worker->tiobench;
	guint64 calls = is_random(tiobench->phase) ? tiobench->random_calls : tiobench->blocks;
	/* the same places in every run, others in each phase and thread */
	guint64 random = (guint64)tiobench->phase << 32 | worker->number;

	for (guint64 i = 0; i < calls && !g_atomic_int_get(&tiobench->failed); i++) {
		guint64 block = is_random(tiobench->phase) ? random_next(&random) % tiobench->blocks : i;
		guint64 offset = block * tiobench->block;
		unsigned char *data = worker->pool + (is_write(tiobench->phase) ? offset % tiobench->pool_size : 0);
		double start_s, latency_s;

		if (is_write(tiobench->phase) && !tiobench->zero)
			pool_stamp(data, tiobench->block, offset, tiobench->nonce, worker->number);
		start_s = clock_monotonic_s();
		if (!transfer(worker, fd, data, offset))
			return FALSE;
		latency_s = clock_monotonic_s() - start_s;
		worker->calls++;
		worker->latency_s += latency_s;
		worker->latency_max_s = MAX(worker->latency_max_s, latency_s);
	}
	return TRUE;
}

static int open_file(const struct worker *worker)
{
	int flags = worker->tiobench->phase == SEQ_WRITE ? O_CREAT | O_EXCL : 0;
	char name[32];

	file_name(name, sizeof name, worker->number);
	return openat(worker->tiobench->dirfd, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
}

static gpointer run_worker(gpointer data)
{
	struct worker *worker = data;
	struct tiobench *tiobench = worker->tiobench;
	int fd;

	if (!gate_pass(&tiobench->gate))
		return NULL;
	fd = open_file(worker);
	if (fd < 0) {
		fail(worker, errno, "open");
		return NULL;
	}
	if (ftruncate(fd, (off_t)(tiobench->blocks * tiobench->block)) < 0)
		fail(worker, errno, "set the length of");
	else if (do_calls(worker, fd) && fsync(fd) < 0)
		fail(worker, errno, "sync");
	if (close(fd) < 0 && !worker->message)
		fail(worker, errno, "write");
	return NULL;
}

/* Takes the files, which are clean, out of the page cache. */
static gboolean forget_files(const struct tiobench *tiobench, GError **error)
{
	for (guint i = 0; i < tiobench->n_threads; i++) {
		int fd = open_file(&tiobench->workers[i]);
		int failure = fd < 0 ? errno : posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);

		if (fd >= 0)
			close(fd);
		if (failure)
			return err_errno(error, failure, "cannot drop 'tio.%u' from the page cache", i);
	}
	return TRUE;
}

static gboolean start_workers(struct tiobench *tiobench, GError **error)
{
	for (guint i = 0; i < tiobench->n_threads; i++) {
		struct worker *worker = &tiobench->workers[i];
		g_autoptr(GError) why = NULL;

		worker->calls = 0;
		worker->latency_s = worker->latency_max_s = 0;
		worker->thread = g_thread_try_new("tiobench", run_worker, worker, &why);
		if (!worker->thread)
			return err_runtime(error, "cannot start thread %u of %u: %s", i + 1, tiobench->n_threads,
					   why->message);
	}
	gate_await(&tiobench->gate, tiobench->n_threads);
	return TRUE;
}

static void join_workers(struct tiobench *tiobench)
{
	for (guint i = 0; i < tiobench->n_threads; i++)
		g_clear_pointer(&tiobench->workers[i].thread, g_thread_join);
}

static double cpu_s(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void measure(const struct tiobench *tiobench, double elapsed_s, double used_s, double *values)
{
	double latency_s = 0, latency_max_s = 0;
	guint64 calls = 0;

	for (guint i = 0; i < tiobench->n_threads; i++) {
		const struct worker *worker = &tiobench->workers[i];

		calls += worker->calls;
		latency_s += worker->latency_s;
		latency_max_s = MAX(latency_max_s, worker->latency_max_s);
	}
	values[RATE] = (double)(calls * tiobench->block) / 1e6 / elapsed_s;
	values[CPU] = 100 * used_s / elapsed_s;
	values[LATENCY] = 1e3 * latency_s / (double)calls;
	values[MAX_LATENCY] = 1e3 * latency_max_s;
}

static gboolean run_phase(struct tiobench *tiobench, double *values, GError **error)
{
	double start_s, used_s, elapsed_s;
	gboolean ok;

	gate_init(&tiobench->gate);
	ok = start_workers(tiobench, error);
	if (!ok)
		gate_cancel(&tiobench->gate);
	used_s = cpu_s();
	start_s = ok ? gate_open(&tiobench->gate) : 0;
	join_workers(tiobench);
	elapsed_s = clock_monotonic_s() - start_s;
	used_s = cpu_s() - used_s;
	gate_clear(&tiobench->gate);
	for (guint i = 0; ok && i < tiobench->n_threads; i++) {
		if (tiobench->workers[i].message)
			ok = err_runtime(error, "%s", tiobench->workers[i].message);
	}
	if (ok)
		measure(tiobench, elapsed_s, used_s, values);
	return ok;
}

static void tiobench_free(struct tiobench *tiobench)
{
	for (guint i = 0; i < tiobench->n_threads; i++)
		g_free(tiobench->workers[i].message);
	pool_close(&tiobench->pool);
	g_free(tiobench->workers);
	g_free(tiobench);
}

static gboolean tiobench_run(struct workload_env *env, GError **error)
{
	struct tiobench *tiobench = env->state;
	gboolean ok = TRUE;

	for (guint phase = 0; ok && phase < PHASES; phase++) {
		tiobench->phase = phase;
		ok = (!tiobench->cold || phase == 0 || forget_files(tiobench, error)) &&
		     run_phase(tiobench, env->values + (gsize)phase * FIGURES, error);
	}
	tiobench_free(tiobench);
	env->state = NULL;
	return ok;
}

static gboolean tiobench_set_up(struct workload_env *env, GError **error)
{
	const struct workload_config *config = env->config;
	struct tiobench *tiobench = g_new0(struct tiobench, 1);

	tiobench->dirfd = env->dirfd;
	tiobench->nonce = env->nonce;
	tiobench->n_threads = (guint)number(config, "threads");
	tiobench->block = number(config, "bs");
	tiobench->blocks = number(config, "size") / tiobench->n_threads / tiobench->block;
	tiobench->random_calls = MAX(number(config, "random") / tiobench->n_threads, 1);
	tiobench->cold = workload_option_value(config, "cold")->flag;
	tiobench->pool_size =
	    (MAX(tiobench->block, POOL_MIN) + tiobench->block - 1) / tiobench->block * tiobench->block;
	tiobench->workers = g_new0(struct worker, tiobench->n_threads);
	if (!pool_source(config, &tiobench->zero, error) ||
	    !pool_open(&tiobench->pool, tiobench->n_threads, tiobench->pool_size, tiobench->zero, error)) {
		tiobench_free(tiobench);
		return FALSE;
	}
	for (guint i = 0; i < tiobench->n_threads; i++) {
		tiobench->workers[i].tiobench = tiobench;
		tiobench->workers[i].number = i;
		tiobench->workers[i].pool = pool_part(&tiobench->pool, i);
	}
	env->state = tiobench;
	return TRUE;
}

static gboolean tiobench_resolve(struct workload_config *config, GError **error)
{
	guint64 threads = number(config, "threads"), bs = number(config, "bs");
	gboolean zero;

	if (threads > THREADS_MAX)
		return err_usage(error, "option 'threads': %" G_GUINT64_FORMAT " is above %d", threads, THREADS_MAX);
	if (bs > BLOCK_MAX)
		return err_usage(error, "option 'bs': %" G_GUINT64_FORMAT " bytes are more than 1 GiB", bs);
	return pool_source(config, &zero, error);
}

static char *tiobench_unsupported(const struct workload_config *config, int dirfd)
{
	guint64 size = number(config, "size"), threads = number(config, "threads"), bs = number(config, "bs");

	if (size / threads >= bs)
		return NULL;
	return g_strdup_printf("%" G_GUINT64_FORMAT " bytes of 'size' are too few for %" G_GUINT64_FORMAT
			       " threads with a block of %" G_GUINT64_FORMAT " bytes each",
			       size, threads, bs);
}

static guint64 tiobench_space(const struct workload_config *config)
{
	return number(config, "size");
}

static const struct workload_option tiobench_options[] = {
    {"threads", OPTION_COUNT, "1", "threads, each with a file of its own"},
    {"size", OPTION_SIZE, "1G", "bytes of all files together; less than the memory is read from the page cache"},
    {"bs", OPTION_SIZE, "4K", "bytes written or read by one call"},
    {"random", OPTION_COUNT, "4000", "calls of a random phase, by all threads together"},
    {"cold", OPTION_BOOL, "no", "drop the files from the page cache before each phase but the first"},
    {"source", OPTION_TEXT, "random", "random (stamped, incompressible) or zero"},
    {.name = NULL}};

#define PHASE_METRICS(phase, name, about)                                                                              \
	[phase * FIGURES +                                                                                             \
	    RATE] = {name, "MB/s", BETTER_HIGHER, about ": bytes per time, fsync and close included"},                 \
	    [phase * FIGURES + CPU] = {name "_cpu", "%", BETTER_NONE, about ": CPU time of all threads per time"},     \
	    [phase * FIGURES + LATENCY] = {name "_latency", "ms", BETTER_LOWER, about ": mean time of a call"},        \
	    [phase * FIGURES +                                                                                         \
		MAX_LATENCY] = {name "_max_latency", "ms", BETTER_LOWER, about ": longest time of a call"}

static const struct metric tiobench_metrics[] = {PHASE_METRICS(SEQ_WRITE, "seq_write", "writing the files"),
						 PHASE_METRICS(RAND_WRITE, "rand_write", "writing at random places"),
						 PHASE_METRICS(SEQ_READ, "seq_read", "reading the files"),
						 PHASE_METRICS(RAND_READ, "rand_read", "reading at random places"),
						 {.name = NULL}};

const struct workload workload_tiobench = {
    .name = "tiobench",
    .summary = "threads that write and read a file each, in sequence and at random: rates and latencies",
    .options = tiobench_options,
    .metrics = tiobench_metrics,
    .primary = "seq_write",
    .resolve = tiobench_resolve,
    .unsupported = tiobench_unsupported,
    .space = tiobench_space,
    .set_up = tiobench_set_up,
    .run = tiobench_run,
};
