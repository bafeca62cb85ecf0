#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "../src/clock.h"

#define PAGE 4096

static void fail(struct copy_stream *stream, int errno_value, const char *doing, const char *name)
{
	stream->message = g_strdup_printf("cannot %s '%s' after %" G_GUINT64_FORMAT " bytes: %s", doing, name,
					  stream->bytes, g_strerror(errno_value));
	g_atomic_int_set(&stream->copy->failed, 1);
}

static void target_name(char *name, gsize size, guint number)
{
	g_snprintf(name, size, "dd.%u", number);
}

int copy_create(int dirfd, const char *name, gboolean direct)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | (direct ? O_DIRECT : 0);

	return openat(dirfd, name, flags, 0600);
}

static gboolean write_all(struct copy_stream *stream, int fd, const unsigned char *data, gsize size, guint64 offset,
			  const char *name)
{
	while (size > 0) {
		ssize_t n = pwrite(fd, data, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			fail(stream, n < 0 ? errno : EIO, "write", name);
			return FALSE;
		}
		data += n;
		size -= (gsize)n;
		offset += (guint64)n;
		stream->bytes += (guint64)n;
	}
	return TRUE;
}

/* Reads size bytes, fewer at the end of the file only: at offset, or from where fd is if that is negative. -1 with
 * errno. */
static gssize read_all(int fd, unsigned char *data, gsize size, gint64 offset)
{
	gsize done = 0;

	while (done < size) {
		ssize_t n = offset < 0 ? read(fd, data + done, size - done)
				       : pread(fd, data + done, size - done, (off_t)(offset + (gint64)done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		done += (gsize)n;
	}
	return (gssize)done;
}

/* The next size bytes of a file that starts again at its end. */
static gboolean read_round(struct copy_stream *stream, unsigned char *data, gsize size, guint64 offset)
{
	const struct copy_source *source = &stream->copy->source;

	while (size > 0) {
		guint64 at = source->kind == SOURCE_FILE ? offset % source->size : 0;
		gsize want = source->kind == SOURCE_FILE ? MIN(size, source->size - at) : size;
		gssize n = read_all(source->fd, data, want, source->kind == SOURCE_FILE ? (gint64)at : -1);

		if (n <= 0) {
			fail(stream, n < 0 ? errno : ENODATA, "read source", source->path);
			return FALSE;
		}
		data += n;
		size -= (gsize)n;
		offset += (guint64)n;
	}
	return TRUE;
}

/* The data for the next size bytes of the target, which are at offset; NULL after an error. */
static const unsigned char *next_block(struct copy_stream *stream, guint64 offset, gsize size)
{
	const struct copy_source *source = &stream->copy->source;
	gsize at = offset % stream->copy->pool_size;

	if (source->kind != SOURCE_POOL) {
		guint64 first = stream->copy->streams[0].share * stream->number;

		return read_round(stream, stream->pool, size, first + offset) ? stream->pool : NULL;
	}
	if (at == 0 && !source->zero)
		pool_stamp(stream->pool, stream->copy->pool_size, offset, stream->copy->nonce, stream->number);
	return stream->pool + at;
}

static void write_share(struct copy_stream *stream)
{
	guint64 offset = 0;
	char name[32];

	target_name(name, sizeof name, stream->number);
	while (offset < stream->share) {
		gsize size = MIN(stream->copy->block, stream->share - offset);
		const unsigned char *data = next_block(stream, offset, size);

		if (!data || g_atomic_int_get(&stream->copy->failed) ||
		    !write_all(stream, stream->fd, data, size, offset, name))
			return;
		offset += size;
	}
	stream->written_s = clock_monotonic_s();
	if (fdatasync(stream->fd) < 0)
		fail(stream, errno, "sync", name);
	stream->finished_s = clock_monotonic_s();
}

static gboolean copy_blocks(struct copy_stream *stream, int in, int out, const char *path, const char *name)
{
	gsize block = stream->copy->block;
	guint64 offset = 0;
	gssize n;

	do {
		n = read_all(in, stream->pool, block, (gint64)offset);
		if (n < 0) {
			fail(stream, errno, "read", path);
			return FALSE;
		}
		/* the last bytes of a file are seldom a multiple of what O_DIRECT takes */
		if (stream->copy->direct && n % PAGE && fcntl(out, F_SETFL, 0) < 0) {
			fail(stream, errno, "write", name);
			return FALSE;
		}
		if (!write_all(stream, out, stream->pool, (gsize)n, offset, name))
			return FALSE;
		offset += (guint64)n;
	} while ((gsize)n == block && !g_atomic_int_get(&stream->copy->failed));
	return TRUE;
}

static gboolean copy_file(struct copy_stream *stream, const struct copy_file *file)
{
	char name[32];
	int in, out;
	gboolean ok;

	target_name(name, sizeof name, file->number);
	in = open(file->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (in < 0) {
		fail(stream, errno, "open", file->path);
		return FALSE;
	}
	out = copy_create(stream->copy->dirfd, name, stream->copy->direct);
	if (out < 0) {
		fail(stream, errno, "create", name);
		close(in);
		return FALSE;
	}
	ok = copy_blocks(stream, in, out, file->path, name);
	close(in);
	/* network filesystems may report a failed write only here */
	if (close(out) < 0 && ok) {
		fail(stream, errno, "write", name);
		ok = FALSE;
	}
	return ok;
}

static void copy_files(struct copy_stream *stream)
{
	for (guint i = 0; i < stream->files->len && !g_atomic_int_get(&stream->copy->failed); i++) {
		if (!copy_file(stream, stream->files->pdata[i]))
			return;
	}
	stream->written_s = stream->finished_s = clock_monotonic_s();
}

gpointer copy_stream_run(gpointer data)
{
	struct copy_stream *stream = data;

	if (!gate_pass(&stream->copy->gate))
		return NULL;
	if (stream->files)
		copy_files(stream);
	else
		write_share(stream);
	return NULL;
}
