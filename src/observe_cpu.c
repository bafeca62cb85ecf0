#include "observe_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Process 2 is the parent of all threads of the kernel. */
#define KTHREADD 2

enum kind { KIND_UNKNOWN, KIND_PROCESS, KIND_KSWAPD, KIND_KWORKER, KIND_OTHER, KINDS };

struct thread {
	enum kind kind;
	guint64 used_ns; /* since it began */
	guint look;      /* number of the look at which it was seen last */
};

struct kernel_threads {
	int proc_fd;          /* /proc */
	int children_fd;      /* what lists the kernel's threads; -1 where the kernel has been made without that */
	gboolean is_coarse;   /* the kernel counts their time in clock ticks only */
	gboolean is_complete; /* no look failed in this run */
	gboolean is_counting; /* what was used since the last look; or that is where it begins */
	GHashTable *known;    /* number -> struct thread; where all of /proc must be looked through, processes too */
	guint look;
	guint64 start; /* of the run, clock ticks since boot */
	guint64 used_ns[KINDS];
};

/* A small file of a process into text; false where the process is gone. */
static gboolean read_process(const struct kernel_threads *threads, guint pid, const char *name, char *text, gsize size)
{
	char path[64];
	ssize_t n;
	int fd;

	g_snprintf(path, sizeof path, "%u/%s", pid, name);
	fd = openat(threads->proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return FALSE;
	n = read(fd, text, size - 1);
	close(fd);
	text[MAX(n, 0)] = '\0';
	return n > 0;
}

/* What /proc/PID/stat says. */
struct status {
	char text[512];
	const char *name; /* in text */
	guint parent;
	guint64 used_ns;
	guint64 start; /* clock ticks since boot */
};

/* False where the process is gone. The name stands in brackets and may hold any.   source: proc(5) */
static gboolean read_status(const struct kernel_threads *threads, guint pid, struct status *status)
{
	unsigned long long user, system, start;
	char *open, *close;

	if (!read_process(threads, pid, "stat", status->text, sizeof status->text))
		return FALSE;
	open = strchr(status->text, '(');
	close = strrchr(status->text, ')');
	if (!open || !close ||
	    sscanf(close + 1, " %*c %u %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d %*d %*d %*d %llu",
		   &status->parent, &user, &system, &start) != 4)
		return FALSE;
	*close = '\0';
	status->name = open + 1;
	status->used_ns = (user + system) * (1000000000 / (guint64)sysconf(_SC_CLK_TCK));
	status->start = start;
	return TRUE;
}

/* Write-back is done by workers of an unbound queue, as is much else; their names do not say which. Those bound to a
 * processor are named kworker/0:1.   source: Documentation/core-api/workqueue.rst of Linux */
static enum kind kind_of(const struct status *status)
{
	if (status->parent != KTHREADD)
		return KIND_PROCESS;
	if (g_str_has_prefix(status->name, "kswapd"))
		return KIND_KSWAPD;
	return g_str_has_prefix(status->name, "kworker/u") ? KIND_KWORKER : KIND_OTHER;
}

struct kernel_threads *kernel_threads_new(void)
{
	struct kernel_threads *threads = g_new0(struct kernel_threads, 1);
	struct status status;
	char text[512];

	threads->children_fd = -1;
	threads->known = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	threads->proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* in a container they are not to be seen, and 2 is any process */
	if (threads->proc_fd < 0 || !read_status(threads, KTHREADD, &status) || status.parent != 0 ||
	    !g_str_equal(status.name, "kthreadd")) {
		kernel_threads_free(threads);
		return NULL;
	}
	threads->children_fd = open("/proc/2/task/2/children", O_RDONLY | O_CLOEXEC);
	threads->is_coarse = !read_process(threads, (guint)getpid(), "schedstat", text, sizeof text) || *text == '0';
	return threads;
}

void kernel_threads_free(struct kernel_threads *threads)
{
	if (!threads)
		return;
	if (threads->proc_fd >= 0)
		close(threads->proc_fd);
	if (threads->children_fd >= 0)
		close(threads->children_fd);
	g_hash_table_unref(threads->known);
	g_free(threads);
}

static gboolean read_used(const struct kernel_threads *threads, guint pid, guint64 *used_ns)
{
	struct status status;
	char text[512];

	if (threads->is_coarse) {
		if (!read_status(threads, pid, &status))
			return FALSE;
		*used_ns = status.used_ns;
		return TRUE;
	}
	if (!read_process(threads, pid, "schedstat", text, sizeof text))
		return FALSE;
	*used_ns = g_ascii_strtoull(text, NULL, 10);
	return TRUE;
}

/* One that has not been seen before: it has used nothing yet where it began in this run. One that is older was only
 * missed, which happens where others end while the kernel lists them, and what it used before is not of this run. */
static struct thread *meet(struct kernel_threads *threads, guint pid, gboolean is_kernel)
{
	struct thread *thread = g_new0(struct thread, 1);
	struct status status;

	g_hash_table_insert(threads->known, GUINT_TO_POINTER(pid), thread);
	/* most of the kernel's do nothing in a run, and nobody asks for their names */
	if ((is_kernel && !threads->is_counting) || !read_status(threads, pid, &status))
		return thread;
	thread->kind = kind_of(&status);
	if (threads->is_counting && status.start < threads->start)
		read_used(threads, pid, &thread->used_ns);
	return thread;
}

static void look_at(struct kernel_threads *threads, guint pid, gboolean is_kernel)
{
	struct thread *thread = g_hash_table_lookup(threads->known, GUINT_TO_POINTER(pid));
	struct status status;
	guint64 used_ns;

	if (!thread)
		thread = meet(threads, pid, is_kernel);
	thread->look = threads->look;
	if (thread->kind == KIND_PROCESS || !read_used(threads, pid, &used_ns))
		return;
	if (threads->is_counting && used_ns > thread->used_ns) {
		if (thread->kind == KIND_UNKNOWN && read_status(threads, pid, &status))
			thread->kind = kind_of(&status);
		threads->used_ns[thread->kind] += used_ns - thread->used_ns;
	}
	thread->used_ns = used_ns;
}

static gboolean look_at_children(struct kernel_threads *threads)
{
	char text[4096 + 1];
	gsize kept = 0;
	off_t at = 0;
	ssize_t n;

	while ((n = pread(threads->children_fd, text + kept, sizeof text - 1 - kept, at)) > 0) {
		char *number = text, *end;

		text[kept + (gsize)n] = '\0';
		at += n;
		/* a number without a blank behind it goes on in the next part */
		for (; (end = strchr(number, ' ')); number = end + 1)
			look_at(threads, (guint)g_ascii_strtoull(number, NULL, 10), TRUE);
		kept = strlen(number);
		memmove(text, number, kept);
	}
	return n == 0;
}

static gboolean look_at_all(struct kernel_threads *threads)
{
	int fd = openat(threads->proc_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!stream) {
		if (fd >= 0)
			close(fd);
		return FALSE;
	}
	while ((entry = readdir(stream)))
		if (g_ascii_isdigit(*entry->d_name))
			look_at(threads, (guint)g_ascii_strtoull(entry->d_name, NULL, 10), FALSE);
	closedir(stream);
	return TRUE;
}

static gboolean is_gone(gpointer key, gpointer value, gpointer data)
{
	const struct kernel_threads *threads = data;
	const struct thread *thread = value;

	return thread->look != threads->look;
}

static void look(struct kernel_threads *threads, gboolean is_counting)
{
	threads->look++;
	threads->is_counting = is_counting;
	if (!(threads->children_fd >= 0 ? look_at_children(threads) : look_at_all(threads)))
		threads->is_complete = FALSE;
	/* its number may become that of another */
	g_hash_table_foreach_remove(threads->known, is_gone, threads);
}

void kernel_threads_begin(struct kernel_threads *threads)
{
	guint64 hz = (guint64)sysconf(_SC_CLK_TCK);
	struct timespec now = {0};

	if (!threads)
		return;
	threads->is_complete = clock_gettime(CLOCK_BOOTTIME, &now) == 0;
	threads->start = (guint64)now.tv_sec * hz + (guint64)now.tv_nsec * hz / 1000000000;
	memset(threads->used_ns, 0, sizeof threads->used_ns);
	look(threads, FALSE);
}

void kernel_threads_count(struct kernel_threads *threads)
{
	if (threads)
		look(threads, TRUE);
}

void cpu_end(const struct kernel_threads *threads, const struct snapshot *before, const struct snapshot *after,
	     double ours_s, double *values)
{
	double elapsed_s = after->at_s - before->at_s, tick_s = 1 / (double)sysconf(_SC_CLK_TCK);
	double idle = 0, total = 0, kernel_s = 0;

	for (enum counter i = COUNTER_USER; i <= COUNTER_STEAL; i++) {
		double grown = snapshot_grown(before, after, i);

		total += grown;
		if (i != COUNTER_USER && i != COUNTER_NICE && i != COUNTER_SYSTEM)
			idle += grown;
	}
	if (total > 0)
		values[OBSERVE_STEAL] = 100 * snapshot_grown(before, after, COUNTER_STEAL) / total;
	if (!threads || !threads->is_complete)
		return;
	values[OBSERVE_KSWAPD] = (double)threads->used_ns[KIND_KSWAPD] / 1e9;
	values[OBSERVE_KWORKERS] = (double)threads->used_ns[KIND_KWORKER] / 1e9;
	for (int i = 0; i < KINDS; i++)
		kernel_s += (double)threads->used_ns[i] / 1e9;
	/* Idle time is measured, busy times are samples at clock ticks, which a run of a second has few of: take what
	 * is not idle. Interrupts come mostly from the run's own input and output, and whom they are charged to depends
	 * on how the kernel was made: they are nobody's. */
	values[OBSERVE_OTHER_CPU] =
	    100 * fmax(0, elapsed_s * (double)before->value[COUNTER_CPUS] - idle * tick_s - kernel_s - ours_s) /
	    elapsed_s;
}
