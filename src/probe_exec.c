#include "probe_internal.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include "err.h"

#define PROGRAM "true"

static gboolean exec_parse(struct probe *probe, const char *argument, GError **error)
{
	probe->config = g_find_program_in_path(PROGRAM);
	return probe->config || err_runtime(error, "there is no program '" PROGRAM "' in PATH");
}

/* With signals as a program expects them, and in this process's group, which the runner ends as a whole. */
static int spawn(char *program, pid_t *pid)
{
	extern char **environ;
	char *argv[] = {program, NULL};
	posix_spawnattr_t attributes;
	sigset_t all, none;
	int failure = posix_spawnattr_init(&attributes);

	if (failure)
		return failure;
	sigfillset(&all);
	sigemptyset(&none);
	failure = posix_spawnattr_setsigdefault(&attributes, &all);
	if (!failure)
		failure = posix_spawnattr_setsigmask(&attributes, &none);
	if (!failure)
		failure = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	if (!failure)
		failure = posix_spawn(pid, program, NULL, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	return failure;
}

static gboolean exec_request(struct probe *probe, GError **error)
{
	char *program = probe->config;
	pid_t pid;
	int status, failure = spawn(program, &pid);

	if (failure)
		return err_errno(error, failure, "cannot execute '%s'", program);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_errno(error, errno, "cannot wait for '%s'", program);
	return status == 0 || err_runtime(error, "'%s' did not end with success", program);
}

static const struct metric exec_metrics[] = LATENCY_METRICS("exec", "fork and exec of '" PROGRAM "' until its end");

const struct probe_kind probe_exec = {
    .name = "exec",
    .summary = "executes the program '" PROGRAM "' every 100 ms",
    .metrics = exec_metrics,
    .period_ns = 100 * PROBE_MS,
    .parse = exec_parse,
    .request = exec_request,
};
