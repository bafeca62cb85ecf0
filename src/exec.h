#ifndef EXEC_H
#define EXEC_H

#include <glib.h>
#include <sys/resource.h>

/* Processes: start one in its own group, wait for it with a deadline, and leave nothing of it behind. */

struct exec_watch {
	double timeout_s;       /* 0: none */
	void (*tick)(void *data); /* called about once a second while waiting; NULL: none */
	void *data;
	int procs_fd; /* the cgroup.procs of the cgroup that the process is put into; 0: it stays in ours */
};

struct exec_result {
	int status;             /* of wait4() */
	struct rusage usage;    /* of wait4() */
	double elapsed_s;       /* from just before the process was made to its end */
	gboolean timed_out, interrupted; /* it was killed because of the deadline, or of a signal to us */
};

/* Blocks SIGINT, SIGTERM and SIGHUP for this process and keeps them as a request to stop. Once is enough, more often does
 * no harm. */
void exec_init(void);
/* The signal that asked us to stop, or 0. Sees signals that came since the last call. */
int exec_stop_signal(void);
/* Sleeps; returns early on a request to stop. */
void exec_sleep(double seconds);

/* Runs body(data) in a forked process and exits it with what body returns. */
gboolean exec_fork(int (*body)(void *data), void *data, const struct exec_watch *watch, struct exec_result *result,
                   GError **error);

/* Runs argv (absolute path first) in the directory behind dirfd (AT_FDCWD: the present one), standard input from /dev/null.
 * keep_output: both streams are appended to output, their last 16 MiB. Else standard output goes nowhere, and standard
 * error is appended to output where the command did not exit with 0. */
gboolean exec_command(char *const *argv, int dirfd, gboolean keep_output, GString *output, const struct exec_watch *watch,
                      struct exec_result *result, GError **error);

#endif
