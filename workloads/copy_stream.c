#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "../src/clock.h"
#include "block.h"
#include "target.h"

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

static gboolean write_all(struct copy_stream *stream, int fd, const unsigned char *data, gsize size, guint64 offset,
			  const char *name)
{
	gsize written = block_write(fd, data, size, offset);

	stream->bytes += written;
	if (written < size)
		fail(stream, errno, "write", name);
	return written == size;
}

/* Opens the file that holds that offset of all files; NULL after an error. Offsets only grow. */
static const struct copy_file *find_file(struct copy_stream *stream, guint64 offset)
{
	const struct copy_source *source = stream->source;
	const struct copy_file *file = source->files->pdata[stream->file];

	if (stream->file_fd >= 0 && offset < file->start + file->size)
		return file;
	while (offset >= file->start + file->size)
		file = source->files->pdata[++stream->file];
	if (stream->file_fd >= 0)
		close(stream->file_fd);
	stream->file_fd = copy_source_open_file(source, file);
	if (stream->file_fd >= 0)
		return file;
	fail(stream, errno, "open", file->path);
	return NULL;
}

/* Up to size bytes that lie together at that offset of the source; 0 after an error. */
static gsize read_some(struct copy_stream *stream, unsigned char *data, gsize size, guint64 offset)
{
	const struct copy_source *source = stream->source;
	const char *path = source->path;
	int fd = source->fd;
	gint64 at = -1;
	gssize n;

	if (source->kind == SOURCE_FILE) {
		at = (gint64)(offset % source->size);
		size = MIN(size, source->size - (guint64)at);
	} else if (source->kind == SOURCE_FILES) {
		const struct copy_file *file = find_file(stream, offset);

		if (!file)
			return 0;
		path = file->path;
		fd = stream->file_fd;
		at = (gint64)(offset - file->start);
		size = MIN(size, file->size - (guint64)at);
	}
	n = block_read(fd, data, size, at);
	if (n <= 0)
		fail(stream, n < 0 ? errno : ENODATA, "read source", path);
	return n > 0 ? (gsize)n : 0;
}

static gboolean read_all(struct copy_stream *stream, unsigned char *data, gsize size, guint64 offset)
{
	for (gsize done = 0; done < size;) {
		gsize n = read_some(stream, data + done, size - done, offset + done);

		if (n == 0)
			return FALSE;
		done += n;
	}
	return TRUE;
}

/* The data for the next size bytes of the target, which are at offset; NULL after an error. */
static const unsigned char *next_block(struct copy_stream *stream, guint64 offset, gsize size)
{
	const struct copy *copy = stream->copy;
	gsize at = offset % copy->pool_size;

	if (stream->source->kind != SOURCE_POOL)
		return read_all(stream, stream->pool, size, stream->first + offset) ? stream->pool : NULL;
	if (at == 0 && !stream->source->zero)
		pool_stamp(stream->pool, copy->pool_size, offset, copy->nonce, stream->number);
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
		n = block_read(in, stream->pool, block, (gint64)offset);
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
	in = copy_source_open_file(stream->source, file);
	if (in < 0) {
		fail(stream, errno, "open", file->path);
		return FALSE;
	}
	out = target_create(stream->copy->dirfd, name, O_WRONLY | (stream->copy->direct ? O_DIRECT : 0));
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

void copy_stream_run(void *data)
{
	struct copy_stream *stream = data;

	if (stream->files)
		copy_files(stream);
	else
		write_share(stream);
}
