#ifndef TEST_WORKLOAD_H
#define TEST_WORKLOAD_H

/* What the tests of workloads share: a config that must parse, and one run in a process and a directory of its own. */

#include "check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/scratch.h"
#include "../workloads/workload.h"

#define VALUES_MAX 16
#define NONCE G_GUINT64_CONSTANT(0x0123456789abcdef)

/* What the process that ran a workload left behind, in memory that both share. */
struct trial {
	gboolean ok;
	int child_status;
	char message[512];
	double values[VALUES_MAX];
};

static inline guint count_metrics(const struct workload *workload)
{
	guint n = 0;

	while (workload->metrics && workload->metrics[n].name)
		n++;
	return n;
}

static inline struct workload_config *parse_spec(const char *spec)
{
	g_autoptr(GError) error = NULL;
	struct workload_config *config = workload_config_parse(spec, &error);

	if (error)
		print_error("%s\n", error->message);
	assert_non_null(config);
	return config;
}

/* What else is to be done just before run() and just after it. */
struct trial_hooks {
	void (*before)(void *data), (*after)(void *data);
	void *data;
};

/* hooks: NULL: none. */
static inline void trial_body(const struct workload_config *config, int dirfd, struct trial *trial,
			      const struct trial_hooks *hooks)
{
	struct workload_env env = {.config = config, .dirfd = dirfd, .nonce = NONCE, .values = trial->values};
	const struct workload *workload = config->workload;
	g_autoptr(GError) error = NULL;

	trial->ok = !workload->set_up || workload->set_up(&env, &error);
	if (trial->ok) {
		if (hooks)
			hooks->before(hooks->data);
		trial->ok = workload->run(&env, &error);
		if (hooks)
			hooks->after(hooks->data);
	}
	trial->child_status = env.child_status;
	if (error)
		g_strlcpy(trial->message, error->message, sizeof trial->message);
}

/* Runs set_up and run in a new process, after prepare (NULL: nothing) in that process. Not inlined, so that what the
 * caller allocated is still reachable from the stack when that process ends and valgrind looks. */
static G_NO_INLINE G_GNUC_UNUSED struct trial try_workload(const struct workload_config *config, int dirfd,
							   void (*prepare)(void))
{
	struct trial *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct trial trial;
	int status;
	pid_t pid;

	assert_ptr_not_equal(shared, MAP_FAILED);
	for (int i = 0; i < VALUES_MAX; i++)
		shared->values[i] = NAN;
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (prepare)
			prepare();
		trial_body(config, dirfd, shared, NULL);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	trial = *shared;
	munmap(shared, sizeof *shared);
	return trial;
}

/* A run of spec that must succeed. */
static inline struct trial run_spec(const char *spec, int dirfd)
{
	struct workload_config *config = parse_spec(spec);
	struct trial trial = try_workload(config, dirfd, NULL);

	if (!trial.ok)
		print_error("%s: %s\n", spec, trial.message);
	assert_true(trial.ok);
	workload_config_free(config);
	return trial;
}

static inline void assert_text_contains(const char *text, const char *part)
{
	if (!strstr(text, part)) {
		print_error("'%s' does not contain '%s'\n", text, part);
		fail();
	}
}

static inline void assert_unsupported(const char *spec, int dirfd, const char *part)
{
	struct workload_config *config = parse_spec(spec);
	g_autofree char *reason = config->workload->unsupported(config, dirfd);

	if (!reason)
		print_error("%s is taken for supported\n", spec);
	assert_non_null(reason);
	assert_text_contains(reason, part);
	workload_config_free(config);
}

/* The contents of a file of the directory, which must have that size. */
static inline unsigned char *read_file(int dirfd, const char *name, gsize size)
{
	unsigned char *data = g_malloc(size + 1);
	int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;
	gsize done = 0;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &status), 0);
	assert_int_equal(status.st_size, size);
	while (done < size) {
		ssize_t n = read(fd, data + done, size - done);

		assert_true(n > 0);
		done += (gsize)n;
	}
	close(fd);
	return data;
}

static inline void write_file(int dirfd, const char *name, const void *data, gsize size)
{
	int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), size);
	close(fd);
}

static inline int open_scratch(void **state)
{
	struct scratch *scratch = g_new0(struct scratch, 1);
	g_autoptr(GError) error = NULL;

	*state = scratch;
	if (!scratch_open(".", scratch, &error))
		print_error("%s\n", error->message);
	return error ? -1 : 0;
}

static inline int remove_scratch(void **state)
{
	gboolean ok = scratch_remove(*state, NULL);

	g_free(*state);
	return ok ? 0 : -1;
}

#define workload_test(function) cmocka_unit_test_setup_teardown(function, open_scratch, remove_scratch)

#endif
