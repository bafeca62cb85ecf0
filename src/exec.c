#include "exec.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "err.h"

#define OUTPUT_KEPT (16u << 20)
#define GRACE_S 2.0 /* between SIGTERM and SIGKILL for a command that is stopped */

static sigset_t stop_signals; /* blocked, except while waiting */
static sigset_t old_mask;     /* what a new process gets back */
static volatile sig_atomic_t stop_signal;

static void on_stop_signal(int number)
{
	stop_signal = number;
}

void exec_init(void)
{
	struct sigaction action = {.sa_handler = on_stop_signal};
	struct sigaction old;
	const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	static gboolean is_done;

	if (is_done)
		return;
	is_done = TRUE;
	sigemptyset(&stop_signals);
	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
		/* nohup and a shell's background jobs have asked us to ignore it: keep to that */
		if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
			continue;
		sigaddset(&stop_signals, numbers[i]);
		sigaction(numbers[i], &action, NULL);
	}
	sigprocmask(SIG_BLOCK, &stop_signals, &old_mask);
	signal(SIGPIPE, SIG_IGN);
}

/* poll() during which the stop signals may arrive; their arrival is -1 with EINTR. */
static int poll_stoppable(struct pollfd *fds, nfds_t n, double seconds)
{
	struct timespec wait = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - floor(seconds)) * 1e9)};

	return ppoll(fds, n, isinf(seconds) ? NULL : &wait, &old_mask);
}

int exec_stop_signal(void)
{
	poll_stoppable(NULL, 0, 0);
	return stop_signal;
}

void exec_sleep(double seconds)
{
	double end = clock_monotonic_s() + seconds;

	while (!stop_signal) {
		double left = end - clock_monotonic_s();

		if (left <= 0 || poll_stoppable(NULL, 0, left) == 0)
			return;
	}
}

/* In a new process, before it becomes the workload: its own group and cgroup, the signals as they were, dead when we die.
 * Safe after vfork(): system calls only. False where it cannot enter the cgroup. */
static gboolean become_child(pid_t parent, const struct exec_watch *watch)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &old_mask, NULL);
	/* "0" is the writer */
	return !watch->procs_fd || write(watch->procs_fd, "0", 1) == 1;
}

/* Appends what the pipe holds now, keeping the last OUTPUT_KEPT bytes. False at its end. */
static gboolean drain(int fd, GString *output)
{
	char buffer[65536];
	ssize_t n;

	while ((n = read(fd, buffer, sizeof buffer)) != 0) {
		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		g_string_append_len(output, buffer, n);
		/* erasing from the front costs a move: do it seldom */
		if (output->len > 2 * (gsize)OUTPUT_KEPT)
			g_string_erase(output, 0, (gssize)(output->len - OUTPUT_KEPT));
	}
	return FALSE;
}

/* A file in memory that takes a command's standard error: for most commands it stays empty, and costs less than a pipe.
 * -1 where the kernel has none. */
static int error_file(void)
{
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("standard error of a command", MFD_CLOEXEC);
		if (fd >= 0)
			fcntl(fd, F_SETFL, O_APPEND);
	}
	return fd;
}

/* Empties the file in memory, into text where that is not NULL. */
static void take_errors(int fd, GString *text)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size == 0)
		return;
	if (text) {
		gsize length = MIN((gsize)st.st_size, OUTPUT_KEPT), old = text->len;
		ssize_t n;

		g_string_set_size(text, old + length);
		n = pread(fd, text->str + old, length, st.st_size - (off_t)length);
		g_string_set_size(text, old + (n > 0 ? (gsize)n : 0));
	}
	if (ftruncate(fd, 0) < 0)
		g_warning("cannot empty the file of a command's standard error: %s", g_strerror(errno));
}

/* A command that never stops complaining must not fill the memory. */
static void bound_errors(void)
{
	struct stat st;

	if (fstat(error_file(), &st) == 0 && st.st_size > OUTPUT_KEPT)
		take_errors(error_file(), NULL);
}

/* What a wait is at: when to kill, when to tick. */
struct wait_state {
	pid_t pid;
	const struct exec_watch *watch;
	struct exec_result *result;
	double deadline, next_tick;
	int next_kill;
};

/* Kills the group when its time or ours is up: first SIGTERM, after GRACE_S SIGKILL. */
static void wait_check(struct wait_state *state, double now)
{
	if (stop_signal && !state->result->interrupted && !state->result->timed_out) {
		state->result->interrupted = TRUE;
		state->deadline = now;
	}
	if (now >= state->deadline) {
		if (!state->result->interrupted)
			state->result->timed_out = TRUE;
		kill(-state->pid, state->next_kill);
		state->deadline = state->next_kill == SIGTERM ? now + GRACE_S : INFINITY;
		state->next_kill = SIGKILL;
	}
	if (now >= state->next_tick) {
		bound_errors();
		if (state->watch->tick)
			state->watch->tick(state->watch->data);
		state->next_tick = clock_monotonic_s() + 1;
	}
}

static gboolean has_ended(pid_t pid)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/* Waits for the process to end, keeping its deadline and the stop signals, then ends what is left of its group. */
static void wait_for(pid_t pid, double start, int output_fd, GString *output, const struct exec_watch *watch,
                     struct exec_result *result)
{
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd fds[] = {{.fd = pidfd, .events = POLLIN}, {.fd = output_fd, .events = POLLIN}};
	struct wait_state state = {.pid = pid, .watch = watch, .result = result, .next_kill = SIGTERM};
	gboolean ended = FALSE;

	state.deadline = watch->timeout_s > 0 ? start + watch->timeout_s : INFINITY;
	state.next_tick = start + 1;
	while (!ended) {
		double until = fmin(state.deadline, state.next_tick) - clock_monotonic_s();
		/* without a pidfd (kernels before 5.3) the end is found by asking */
		double longest = pidfd < 0 ? 0.001 : INFINITY;

		if (poll_stoppable(fds, 2, fmin(longest, fmax(until, 0))) < 0 && errno != EINTR)
			g_error("ppoll: %s", g_strerror(errno));
		ended = fds[0].revents || (pidfd < 0 && has_ended(pid));
		if (ended)
			result->elapsed_s = clock_monotonic_s() - start;
		if (fds[1].revents && !drain(output_fd, output))
			fds[1].fd = -1;
		if (!ended)
			wait_check(&state, clock_monotonic_s());
	}
	/* before the leader is reaped, so that its group's number cannot yet be another's */
	kill(-pid, SIGKILL);
	while (wait4(pid, &result->status, 0, &result->usage) < 0)
		if (errno != EINTR)
			g_error("wait4: %s", g_strerror(errno));
	if (output_fd >= 0)
		drain(output_fd, output);
	if (pidfd >= 0)
		close(pidfd);
}

gboolean exec_fork(int (*body)(void *data), void *data, const struct exec_watch *watch, struct exec_result *result,
                   GError **error)
{
	double start = clock_monotonic_s();
	pid_t parent = getpid(), pid;

	*result = (struct exec_result){0};
	pid = fork();
	if (pid < 0)
		return err_errno(error, errno, "cannot make a process for the run");
	if (pid == 0) {
		const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

		for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
			if (sigismember(&stop_signals, numbers[i]))
				signal(numbers[i], SIG_DFL);
		_exit(become_child(parent, watch) ? body(data) : 127);
	}
	setpgid(pid, pid);
	wait_for(pid, start, -1, NULL, watch, result);
	return TRUE;
}

/* Where a child that cannot execute its program leaves the reason. Shared memory: where vfork() is a fork(), as under
 * valgrind, the child has no other way to tell. NULL where there is none. */
static int *exec_failure(void)
{
	static int *failure = MAP_FAILED;

	if (failure == MAP_FAILED)
		failure = mmap(NULL, sizeof *failure, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return failure == MAP_FAILED ? NULL : failure;
}

/* Where a command's streams go; kept: the end of a pipe that we read them from, -1 where output is not kept. */
struct streams {
	int in, out, err, kept;
	int *failure; /* exec_failure() */
};

/* The child's half of exec_command(). It shares our memory until it has called execve(). */
static G_NORETURN void exec_child(char *const *argv, int dirfd, const struct streams *streams, pid_t parent,
                                  const struct exec_watch *watch)
{
	extern char **environ;

	if (become_child(parent, watch) && dup2(streams->in, 0) >= 0 && dup2(streams->out, 1) >= 0 && dup2(streams->err, 2) >= 0 &&
	    (dirfd == AT_FDCWD || fchdir(dirfd) == 0))
		execve(argv[0], argv, environ);
	*streams->failure = errno;
	_exit(127);
}

static gboolean open_streams(gboolean keep_output, struct streams *streams, GError **error)
{
	static int null_fd = -1;
	int fds[2];

	if (null_fd < 0)
		null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null_fd < 0)
		return err_errno(error, errno, "cannot open '/dev/null'");
	*streams = (struct streams){null_fd, null_fd, error_file() < 0 ? null_fd : error_file(), -1, exec_failure()};
	if (!streams->failure)
		return err_errno(error, errno, "cannot map memory for a run");
	if (!keep_output)
		return TRUE;
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return err_errno(error, errno, "cannot make a pipe for a command's output");
	/* what the command writes must block it when we are slow, as any pipe does */
	fcntl(fds[1], F_SETFL, 0);
	streams->kept = fds[0];
	streams->out = streams->err = fds[1];
	return TRUE;
}

gboolean exec_command(char *const *argv, int dirfd, gboolean keep_output, GString *output, const struct exec_watch *watch,
                      struct exec_result *result, GError **error)
{
	struct streams streams = {-1, -1, -1, -1, NULL};
	pid_t parent = getpid(), pid;
	double start;

	*result = (struct exec_result){0};
	if (!open_streams(keep_output, &streams, error))
		return FALSE;
	g_assert(streams.failure);
	*streams.failure = 0;
	start = clock_monotonic_s();
	pid = vfork();
	if (pid == 0)
		exec_child(argv, dirfd, &streams, parent, watch);
	if (pid < 0)
		err_errno(error, errno, "cannot make a process for '%s'", argv[0]);
	if (keep_output)
		close(streams.out);
	if (pid > 0)
		wait_for(pid, start, streams.kept, output, watch, result);
	if (keep_output)
		close(streams.kept);
	else if (pid > 0)
		take_errors(error_file(), result->status != 0 ? output : NULL);
	if (pid > 0 && *streams.failure)
		return err_errno(error, *streams.failure, "cannot execute '%s'", argv[0]);
	return pid > 0;
}
