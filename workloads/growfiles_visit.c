#include "growfiles.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../src/err.h"

/* A whole file is read in pieces of this. */
#define PIECE 196608
#define SEEK_MARK 'w'

struct visit {
	struct growfiles *growfiles;
	guint64 number;
	char name[32];
	int fd;
	guint64 size;         /* of the file */
	guint64 offset, grow; /* of what was appended */
};

static gboolean due(guint64 visits, guint64 every)
{
	return every && visits % every == 0;
}

static gboolean lock_file(const struct visit *visit, short type, GError **error)
{
	struct flock range = {.l_type = type, .l_whence = SEEK_SET};

	if (!visit->growfiles->lock)
		return TRUE;
	while (fcntl(visit->fd, F_SETLKW, &range) < 0) {
		if (errno != EINTR)
			return err_errno(error, errno, "cannot lock '%s'", visit->name);
	}
	return TRUE;
}

static enum growfiles_call choose_call(struct growfiles *growfiles)
{
	return growfiles->call == CALL_RANDOM ? random_next(&growfiles->random) % CALLS : growfiles->call;
}

/* The position of fd is offset. */
static ssize_t write_some(int fd, enum growfiles_call call, unsigned char *data, gsize size, guint64 offset)
{
	const struct iovec vector = {data, size};

	switch (call) {
	case CALL_VECTOR:
		return writev(fd, &vector, 1);
	case CALL_POSITIONED:
		return pwrite(fd, data, size, (off_t)offset);
	default:
		return write(fd, data, size);
	}
}

static ssize_t read_some(int fd, enum growfiles_call call, unsigned char *data, gsize size, guint64 offset)
{
	const struct iovec vector = {data, size};

	switch (call) {
	case CALL_VECTOR:
		return readv(fd, &vector, 1);
	case CALL_POSITIONED:
		return pread(fd, data, size, (off_t)offset);
	default:
		return read(fd, data, size);
	}
}

static gboolean transfer(const struct visit *visit,
			 ssize_t (*some)(int fd, enum growfiles_call call, unsigned char *data, gsize size,
					 guint64 offset),
			 unsigned char *data, gsize size, guint64 offset, GError **error)
{
	enum growfiles_call call = choose_call(visit->growfiles);

	while (size > 0) {
		ssize_t n = some(visit->fd, call, data, size, offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_errno(error, n < 0 ? errno : ENODATA, "cannot %s '%s' at %" G_GUINT64_FORMAT,
					 some == write_some ? "write" : "read", visit->name, offset);
		data += n;
		size -= (gsize)n;
		offset += (guint64)n;
	}
	return TRUE;
}

/* Makes what that part of the file holds, if nothing went wrong. */
static void make_data(const struct visit *visit, guint64 offset, gsize size)
{
	const struct growfiles *growfiles = visit->growfiles;

	if (growfiles->seek) {
		memset(growfiles->data, 0, size - 1);
		growfiles->data[size - 1] = SEEK_MARK;
		return;
	}
	for (gsize done = 0; done < size;) {
		gsize at = (offset + done) % POOL_MIN, n = MIN(size - done, POOL_MIN - at);

		memcpy(growfiles->data + done, growfiles->pattern + at, n);
		done += n;
	}
	if (!growfiles->zero)
		pool_stamp(growfiles->data, size, offset, growfiles->nonce, visit->number);
}

static gboolean grow(struct visit *visit, GError **error)
{
	struct growfiles *growfiles = visit->growfiles;
	guint64 range = growfiles->grow_max - growfiles->grow_min + 1;
	guint64 written;
	off_t end;

	visit->grow = growfiles->grow_min + (range > 1 ? random_next(&growfiles->random) % range : 0);
	written = growfiles->seek ? 1 : visit->grow;
	end = lseek(visit->fd, (off_t)(visit->grow - written), SEEK_END);
	if (end < 0)
		return err_errno(error, errno, "cannot find the end of '%s'", visit->name);
	visit->offset = (guint64)end - (visit->grow - written);
	visit->size = visit->offset + visit->grow;
	make_data(visit, visit->offset, visit->grow);
	if (!lock_file(visit, F_WRLCK, error) ||
	    !transfer(visit, write_some, growfiles->data + visit->grow - written, written, (guint64)end, error) ||
	    !lock_file(visit, F_UNLCK, error))
		return FALSE;
	growfiles->total += visit->grow;
	return TRUE;
}

/* Whether the file holds there what is in data. */
static gboolean compare(const struct visit *visit, guint64 offset, gsize size, GError **error)
{
	const unsigned char *want = visit->growfiles->data;
	unsigned char *got = visit->growfiles->got;
	gsize at = 0;

	if (!transfer(visit, read_some, got, size, offset, error))
		return FALSE;
	if (memcmp(got, want, size) == 0)
		return TRUE;
	while (got[at] == want[at])
		at++;
	return err_runtime(error,
			   "'%s' does not hold at %" G_GUINT64_FORMAT
			   " what was written: memory, filesystem or device at fault",
			   visit->name, offset + at);
}

static gboolean go_to(const struct visit *visit, guint64 offset, GError **error)
{
	return lseek(visit->fd, (off_t)offset, SEEK_SET) >= 0 ||
	       err_errno(error, errno, "cannot seek in '%s'", visit->name);
}

static gboolean check_write(const struct visit *visit, GError **error)
{
	return lock_file(visit, F_RDLCK, error) && go_to(visit, visit->offset, error) &&
	       compare(visit, visit->offset, visit->grow, error) && lock_file(visit, F_UNLCK, error);
}

static gboolean check_all(const struct visit *visit, GError **error)
{
	gboolean ok = lock_file(visit, F_RDLCK, error) && go_to(visit, 0, error);

	for (guint64 at = 0; ok && at < visit->size; at += PIECE) {
		gsize size = MIN(PIECE, visit->size - at);

		make_data(visit, at, size);
		ok = compare(visit, at, size, error);
	}
	return ok && lock_file(visit, F_UNLCK, error);
}

static gboolean shrink(const struct visit *visit, GError **error)
{
	guint64 cut = MIN(visit->growfiles->shrink, visit->size);

	if (!lock_file(visit, F_WRLCK, error))
		return FALSE;
	if (ftruncate(visit->fd, (off_t)(visit->size - cut)) < 0)
		return err_errno(error, errno, "cannot truncate '%s'", visit->name);
	visit->growfiles->total -= cut;
	return lock_file(visit, F_UNLCK, error);
}

gboolean growfiles_visit(struct growfiles *growfiles, guint64 number, GError **error)
{
	struct visit visit = {.growfiles = growfiles, .number = number};
	guint64 visits = ++growfiles->visits;
	gboolean ok;

	g_snprintf(visit.name, sizeof visit.name, "gf.%" G_GUINT64_FORMAT, number);
	visit.fd = openat(growfiles->dirfd, visit.name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (visit.fd < 0)
		return err_errno(error, errno, "cannot open '%s'", visit.name);
	ok = grow(&visit, error);
	if (ok && due(visits, growfiles->check_write_every))
		ok = check_write(&visit, error);
	/* where holes are is not known any more after a truncation */
	if (ok && !growfiles->seek && due(visits, growfiles->check_every))
		ok = check_all(&visit, error);
	if (ok && due(visits, growfiles->shrink_every))
		ok = shrink(&visit, error);
	if (close(visit.fd) < 0 && ok)
		ok = err_errno(error, errno, "cannot write '%s'", visit.name);
	return ok;
}
