#ifndef WORKLOAD_IO_H
#define WORKLOAD_IO_H

/* What the kernel counts while a workload runs, to be compared with what its options imply. */

#include "test_workload.h"

#include <linux/magic.h>
#include <sys/resource.h>
#include <sys/statfs.h>

struct io_counts {
	struct trial trial;
	guint64 reads, writes;                /* calls, of whichever kind */
	guint64 read, written, fetched, sent; /* bytes; fetched: from the device; sent: dirtied, for the device */
	guint64 faults;                       /* page faults */
	guint64 child_faults;                 /* minor ones of the workload's own children */
};

/* One read(), which the next look sees: its bytes are returned in size. */
static inline gboolean look_at_io(struct io_counts *counts, gsize *size)
{
	char text[1024];
	int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return FALSE;
	text[n] = '\0';
	*size = (gsize)n;
	return sscanf(text,
		      "rchar: %" G_GUINT64_FORMAT "\nwchar: %" G_GUINT64_FORMAT "\nsyscr: %" G_GUINT64_FORMAT
		      "\nsyscw: %" G_GUINT64_FORMAT "\nread_bytes: %" G_GUINT64_FORMAT
		      "\nwrite_bytes: %" G_GUINT64_FORMAT,
		      &counts->read, &counts->written, &counts->reads, &counts->writes, &counts->fetched,
		      &counts->sent) == 6;
}

static inline guint64 count_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (guint64)(usage.ru_minflt + usage.ru_majflt);
}

/* Looks before and after the run. */
struct look {
	struct io_counts *counts, before;
	gsize size;
	int dirfd;
	void (*between)(int dirfd);
};

static inline void look_before(void *data)
{
	struct look *look = data;

	if (look->between)
		look->between(look->dirfd);
	if (!look_at_io(&look->before, &look->size))
		_exit(1);
	look->before.faults = count_faults();
}

static inline void look_after(void *data)
{
	const struct look *look = data;
	const struct io_counts *before = &look->before;
	struct io_counts *counts = look->counts, after;
	struct rusage children;
	gsize rest;

	counts->faults = count_faults() - before->faults;
	if (!look_at_io(&after, &rest) || getrusage(RUSAGE_CHILDREN, &children) < 0)
		_exit(1);
	counts->reads = after.reads - before->reads - 1;
	counts->read = after.read - before->read - look->size;
	counts->writes = after.writes - before->writes;
	counts->written = after.written - before->written;
	counts->fetched = after.fetched - before->fetched;
	counts->sent = after.sent - before->sent;
	counts->child_faults = (guint64)children.ru_minflt;
}

/* As try_workload(); between (NULL: nothing) is called after set_up. */
static G_NO_INLINE G_GNUC_UNUSED struct io_counts count_workload(const struct workload_config *config, int dirfd,
								 void (*prepare)(void), void (*between)(int dirfd))
{
	struct io_counts *shared =
	    mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct io_counts counts;
	int status;
	pid_t pid;

	assert_ptr_not_equal(shared, MAP_FAILED);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct look look = {.counts = shared, .dirfd = dirfd, .between = between};
		const struct trial_hooks hooks = {look_before, look_after, &look};

		if (prepare)
			prepare();
		trial_body(config, dirfd, &shared->trial, &hooks);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	counts = *shared;
	munmap(shared, sizeof *shared);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	return counts;
}

/* Skips the test where the kernel does not count, or counts what valgrind does, too. */
static inline void require_counts(void)
{
	if (getenv("VALGRIND") || access("/proc/self/io", R_OK) < 0)
		skip();
}

/* A run of spec that must succeed, without its set-up, after prepare (NULL: nothing) in the run's own process. */
static inline struct io_counts count_spec(const char *spec, int dirfd, void (*prepare)(void))
{
	struct workload_config *config = parse_spec(spec);
	struct io_counts counts = count_workload(config, dirfd, prepare, NULL);

	if (!counts.trial.ok)
		print_error("%s: %s\n", spec, counts.trial.message);
	assert_true(counts.trial.ok);
	workload_config_free(config);
	return counts;
}

/* A run of spec that must fail with that message, after set_up and between. */
static inline void assert_fails_after(const char *spec, int dirfd, void (*between)(int dirfd), const char *message)
{
	struct workload_config *config = parse_spec(spec);
	struct io_counts counts = count_workload(config, dirfd, NULL, between);

	workload_config_free(config);
	if (counts.trial.ok)
		print_error("%s did not fail\n", spec);
	assert_false(counts.trial.ok);
	assert_string_equal(counts.trial.message, message);
}

/* Whether the kernel counts the bytes that go from and to this filesystem's device. */
static inline gboolean device_is_counted(int dirfd)
{
	struct statfs status;

	assert_int_equal(fstatfs(dirfd, &status), 0);
	return status.f_type == EXT4_SUPER_MAGIC || status.f_type == XFS_SUPER_MAGIC ||
	       status.f_type == BTRFS_SUPER_MAGIC;
}

static inline guint64 file_length(int dirfd, const char *name)
{
	struct stat status;

	assert_int_equal(fstatat(dirfd, name, &status, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISREG(status.st_mode));
	return (guint64)status.st_size;
}

#endif
