#include "probe_internal.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "err.h"

/* Kills a probe's process while it sleeps. */
#define STOP_SIGNAL SIGUSR1
#define GRACE_NS (5000 * PROBE_MS)
/* So far are the first deadlines of two probes apart. Their periods are 10, 100 and 1000 ms: no two requests are ever
 * due at the same time, and none waits for another probe's. */
#define STAGGER_NS (13 * PROBE_MS)

static void mask_stop_signal(int how)
{
	sigset_t stop;

	sigemptyset(&stop);
	sigaddset(&stop, STOP_SIGNAL);
	sigprocmask(how, &stop, NULL);
}

void probe_sleep_until(gint64 due_ns)
{
	const struct timespec due = {.tv_sec = due_ns / 1000000000, .tv_nsec = due_ns % 1000000000};
	int failure;

	mask_stop_signal(SIG_UNBLOCK);
	while ((failure = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL)) == EINTR)
		;
	if (failure)
		g_error("clock_nanosleep: %s", g_strerror(failure));
	mask_stop_signal(SIG_BLOCK);
}

/* In the new process: dead when the runner dies, in a group of its own and deaf to what a terminal sends. */
static void become_probe(pid_t runner)
{
	const int ignored[] = {SIGINT, SIGTERM, SIGHUP};

	setpgid(0, 0);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != runner)
		_exit(EXIT_FAILURE);
	for (gsize i = 0; i < G_N_ELEMENTS(ignored); i++)
		signal(ignored[i], SIG_IGN);
	signal(STOP_SIGNAL, SIG_DFL);
	mask_stop_signal(SIG_SETMASK);
	/* the kernel's delay is measured, not the 50 us by which it may put wake-ups off to save power */
	prctl(PR_SET_TIMERSLACK, 1UL);
}

/* All up to the first request, which warms up what later ones use. */
static gboolean warm_up(struct probe *probe, int dirfd, GError **error)
{
	void *block = NULL;

	if (posix_memalign(&block, PROBE_BLOCK, PROBE_BLOCK) != 0 || getrandom(block, PROBE_BLOCK, 0) != PROBE_BLOCK)
		return err_runtime(error, "cannot get %d random bytes", PROBE_BLOCK);
	probe->block = block;
	return (!probe->kind->open || probe->kind->open(probe, dirfd, error)) && probe->kind->request(probe, error);
}

/* What a probe with a period does in place of begin, run and measure. */
static void begin_requests(struct probe *probe, gint64 start_ns)
{
	latencies_begin(&probe->shared->latencies, start_ns, probe->kind->period_ns);
}

static gboolean run_requests(struct probe *probe, GError **error)
{
	struct latencies *latencies = &probe->shared->latencies;

	for (;;) {
		probe_sleep_until(latencies->due_ns);
		if (!probe->kind->request(probe, error))
			return FALSE;
		latencies_done(latencies, probe_now_ns());
	}
}

static void measure_requests(struct probe *probe, gint64 stop_ns, gint64 end_ns, double *values)
{
	struct latencies *latencies = &probe->shared->latencies;

	latencies_end(latencies, stop_ns, MAX(end_ns, latencies->done_ns));
	values[LATENCY_P50] = latencies_quantile_ns(latencies, 0.5) / PROBE_MS;
	values[LATENCY_P95] = latencies_quantile_ns(latencies, 0.95) / PROBE_MS;
	values[LATENCY_P99] = latencies_quantile_ns(latencies, 0.99) / PROBE_MS;
	values[LATENCY_MAX] = latencies_quantile_ns(latencies, 1) / PROBE_MS;
	values[LATENCY_MISSED] = 100 * (double)latencies->n_missed / (double)latencies->n;
}

static G_NORETURN void probe_body(struct probe *probe, int dirfd)
{
	g_autoptr(GError) error = NULL;
	char go;

	if (warm_up(probe, dirfd, &error)) {
		if (send(probe->link_fd, "", 1, MSG_NOSIGNAL) != 1 || recv(probe->link_fd, &go, 1, 0) != 1)
			_exit(EXIT_FAILURE);
		(probe->kind->run ? probe->kind->run : run_requests)(probe, &error);
	}
	g_strlcpy(probe->shared->failure, error->message, sizeof probe->shared->failure);
	_exit(EXIT_FAILURE);
}

/* Once for all starts: its pages are there before anything is measured. */
static gboolean share_memory(struct probe *probe, GError **error)
{
	void *memory;

	if (probe->shared) {
		probe->shared->stop_ns = 0;
		*probe->shared->failure = '\0';
		return TRUE;
	}
	memory = mmap(NULL, sizeof *probe->shared, PROT_READ | PROT_WRITE,
	              MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (memory == MAP_FAILED)
		return err_errno(error, errno, "cannot map memory");
	probe->shared = memory;
	return TRUE;
}

static gboolean start_process(struct probe *probe, int dirfd, GError **error)
{
	pid_t runner = getpid(), pid;
	int ends[2];

	if (!share_memory(probe, error))
		return FALSE;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return err_errno(error, errno, "cannot make a socket");
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		probe->link_fd = ends[1];
		become_probe(runner);
		probe_body(probe, dirfd);
	}
	if (pid < 0)
		err_errno(error, errno, "cannot make a process");
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return FALSE;
	}
	setpgid(pid, pid);
	probe->pid = pid;
	probe->link_fd = ends[0];
	return TRUE;
}

/* Whether the process has ended, once it has or the deadline has come. */
static gboolean has_ended(const struct probe *probe, gint64 deadline_ns)
{
	struct pollfd hung_up = {.fd = probe->link_fd};

	for (;;) {
		gint64 left_ns = MAX(deadline_ns - probe_now_ns(), 0);
		const struct timespec left = {.tv_sec = left_ns / 1000000000, .tv_nsec = left_ns % 1000000000};
		int n = ppoll(&hung_up, 1, &left, NULL);

		if (n >= 0)
			return n > 0;
		if (errno != EINTR)
			g_error("ppoll: %s", g_strerror(errno));
	}
}

/* Ends what is left of its process and group; the wait status. */
static int reap(struct probe *probe)
{
	int status;

	/* before the leader is reaped, so that its group's number cannot yet be another's */
	kill(-probe->pid, SIGKILL);
	while (waitpid(probe->pid, &status, 0) < 0)
		if (errno != EINTR)
			g_error("waitpid: %s", g_strerror(errno));
	close(probe->link_fd);
	probe->pid = 0;
	return status;
}

/* Newly allocated. */
static char *reason(const struct probe *probe, int status)
{
	if (*probe->shared->failure)
		return g_strdup(probe->shared->failure);
	if (WIFSIGNALED(status))
		return g_strdup_printf("killed by signal %d (%s)", WTERMSIG(status), g_strsignal(WTERMSIG(status)));
	return g_strdup_printf("exit status %d", WEXITSTATUS(status));
}

/* It is ready when it has made a request. */
static gboolean await_request(struct probe *probe, GError **error)
{
	g_autofree char *why = NULL;
	char ready;
	ssize_t n;

	do
		n = recv(probe->link_fd, &ready, 1, 0);
	while (n < 0 && errno == EINTR);
	if (n == 1)
		return TRUE;
	why = reason(probe, reap(probe));
	return err_runtime(error, "%s", why);
}

static gboolean cannot_start(const struct probe *probe, GError **error)
{
	g_prefix_error(error, "cannot start probe '%s': ", probe->kind->name);
	return FALSE;
}

static gboolean start_all(struct probes *probes, int dirfd, GError **error)
{
	for (guint i = 0; i < probes->n; i++)
		if (!start_process(&probes->all[i], dirfd, error))
			return cannot_start(&probes->all[i], error);
	for (guint i = 0; i < probes->n; i++)
		if (!await_request(&probes->all[i], error))
			return cannot_start(&probes->all[i], error);
	return TRUE;
}

gboolean probes_start(struct probes *probes, int dirfd, GError **error)
{
	gint64 start_ns;

	if (!start_all(probes, dirfd, error)) {
		for (guint i = 0; i < probes->n; i++)
			if (probes->all[i].pid)
				reap(&probes->all[i]);
		return FALSE;
	}
	start_ns = probe_now_ns();
	for (guint i = 0; i < probes->n; i++) {
		struct probe *probe = &probes->all[i];

		start_ns += STAGGER_NS;
		(probe->kind->begin ? probe->kind->begin : begin_requests)(probe, start_ns);
	}
	/* one that has died meanwhile is found out at the end */
	for (guint i = 0; i < probes->n; i++)
		send(probes->all[i].link_fd, "", 1, MSG_NOSIGNAL);
	return TRUE;
}

/* Waits for a probe that was asked to end and ends it at the deadline. NULL and the values of its metrics; or, newly
 * allocated, why it had ended by itself. */
static char *conclude(struct probe *probe, gboolean asked, gint64 stop_ns, double *values)
{
	gboolean ended = has_ended(probe, stop_ns + GRACE_NS);
	int status = reap(probe);
	/* the kernel may have let it go later than it was killed: not before the end of its request */
	gint64 end_ns = ended ? stop_ns : probe_now_ns();
	gboolean is_ours =
	    WIFSIGNALED(status) && (WTERMSIG(status) == STOP_SIGNAL || (!ended && WTERMSIG(status) == SIGKILL));

	if (!asked || !is_ours)
		return reason(probe, status);
	(probe->kind->measure ? probe->kind->measure : measure_requests)(probe, stop_ns, end_ns, values);
	return NULL;
}

/* Appends the probe's measurements; values: of its metrics. */
static void append_values(const struct probe *probe, const double *values, GArray *measurements)
{
	for (guint i = 0; probe->kind->metrics[i].name; i++) {
		const struct measurement measurement = {&probe->kind->metrics[i], values[i]};

		g_array_append_val(measurements, measurement);
	}
}

/* Those that are still there are asked to end; asked[n] says which. */
static gint64 ask_to_end(struct probes *probes, gboolean *asked)
{
	gint64 stop_ns = probe_now_ns();

	for (guint i = 0; i < probes->n; i++) {
		struct probe *probe = &probes->all[i];

		asked[i] = probe->pid && !has_ended(probe, 0);
		if (!asked[i])
			continue;
		__atomic_store_n(&probe->shared->stop_ns, stop_ns, __ATOMIC_RELEASE);
		kill(probe->pid, STOP_SIGNAL);
	}
	return stop_ns;
}

void probes_stop(struct probes *probes, GArray *measurements, char **warning)
{
	g_autofree gboolean *asked = g_new0(gboolean, probes->n);
	g_autoptr(GString) warnings = g_string_new(NULL);
	gint64 stop_ns = ask_to_end(probes, asked);

	for (guint i = 0; i < probes->n; i++) {
		struct probe *probe = &probes->all[i];
		double values[PROBE_METRICS_MAX] = {NAN, NAN, NAN, NAN, NAN};
		g_autofree char *why = probe->pid ? conclude(probe, asked[i], stop_ns, values) : NULL;

		if (why)
			g_string_append_printf(warnings, "%sprobe '%s' ended: %s", warnings->len ? "; " : "",
			                       probe->kind->name, why);
		append_values(probe, values, measurements);
	}
	*warning = warnings->len ? g_string_free(g_steal_pointer(&warnings), FALSE) : NULL;
}
