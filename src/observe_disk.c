#include "observe_internal.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "device.h"

#define SECTOR 512 /* of the counters, whatever the disk's own are */
#define REACHED_MIN 0.98

/* libproc2 knows all of these but the flushes.
 * source: Documentation/block/stat.rst and Documentation/admin-guide/iostats.rst of Linux */
struct disk_counters {
	guint64 sectors_read, sectors_written;
	guint32 busy_ms, queue_ms; /* wrap */
	guint64 flushes;
	gboolean has_flushes; /* not before Linux 5.5 */
};

struct disks {
	int io_fd; /* what this process and its children that ended have read and written; -1 where it is not counted */
	double written_before;
	int dirfd;
	gboolean anywhere;
	char **all;     /* disks of the machine; looked for once */
	char **names;   /* watched in this run */
	GArray *before; /* struct disk_counters, one for each name */
};

struct disks *disks_new(void)
{
	struct disks *disks = g_new0(struct disks, 1);

	disks->io_fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
	disks->before = g_array_new(FALSE, TRUE, sizeof(struct disk_counters));
	return disks;
}

void disks_free(struct disks *disks)
{
	if (!disks)
		return;
	if (disks->io_fd >= 0)
		close(disks->io_fd);
	g_strfreev(disks->all);
	if (disks->names != disks->all)
		g_strfreev(disks->names);
	g_array_unref(disks->before);
	g_free(disks);
}

/* What the processes dirtied or wrote directly, without what they then removed before it was written.
 * source: Documentation/filesystems/proc.rst of Linux, /proc/<pid>/io */
static double read_written(int io_fd)
{
	unsigned long long written, cancelled;
	char text[512];
	ssize_t n = io_fd < 0 ? -1 : pread(io_fd, text, sizeof text - 1, 0);

	text[MAX(n, 0)] = '\0';
	if (sscanf(text,
		   "rchar: %*u wchar: %*u syscr: %*u syscw: %*u read_bytes: %*u write_bytes: %llu "
		   "cancelled_write_bytes: %llu",
		   &written, &cancelled) != 2)
		return NAN;
	return (double)written - (double)cancelled;
}

static gssize read_attribute(const char *disk, const char *attribute, char *text, gsize size)
{
	char path[512];
	ssize_t n;
	int fd;

	g_snprintf(path, sizeof path, "/sys/block/%s/%s", disk, attribute);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, size - 1);
	if (fd >= 0)
		close(fd);
	text[MAX(n, 0)] = '\0';
	return n;
}

static gboolean read_counters(const char *disk, struct disk_counters *counters)
{
	unsigned long long read, written, busy, queue, flushes = 0;
	char text[512];
	int n;

	if (read_attribute(disk, "queue/iostats", text, sizeof text) > 0 && *text == '0')
		return FALSE;
	read_attribute(disk, "stat", text, sizeof text);
	n = sscanf(text, "%*u %*u %llu %*u %*u %*u %llu %*u %*u %llu %llu %*u %*u %*u %*u %llu", &read, &written, &busy,
		   &queue, &flushes);
	if (n < 4)
		return FALSE;
	*counters = (struct disk_counters){read, written, (guint32)busy, (guint32)queue, flushes, n == 5};
	return TRUE;
}

/* Without all of the counters a sum would be too small: then there is none. */
static gboolean read_all(char **names, GArray *counters)
{
	g_array_set_size(counters, g_strv_length(names));
	for (guint i = 0; i < counters->len; i++)
		if (!read_counters(names[i], &g_array_index(counters, struct disk_counters, i)))
			return FALSE;
	return counters->len > 0;
}

void disks_begin(struct disks *disks, int dirfd, gboolean anywhere)
{
	if (disks->names != disks->all)
		g_strfreev(disks->names);
	if (anywhere && !disks->all)
		disks->all = device_disks();
	disks->names = anywhere ? disks->all : device_bottoms(device_of_directory(dirfd));
	disks->dirfd = dirfd;
	disks->anywhere = anywhere;
	if (!read_all(disks->names, disks->before))
		g_array_set_size(disks->before, 0);
	disks->written_before = read_written(disks->io_fd);
}

static gboolean is_write_back(const char *disk)
{
	char text[64];

	return read_attribute(disk, "queue/write_cache", text, sizeof text) > 0 && g_str_has_prefix(text, "write back");
}

/* What the disks took, all together. */
struct taken {
	double written, read;         /* bytes */
	double flushes;               /* NaN where they are not counted */
	double cached, cache_flushes; /* the same of disks with a cache that is lost with the power */
	double busiest_ms, queue_ms;
};

static struct taken sum_up(char **names, const GArray *before, const GArray *after)
{
	struct taken taken = {0};

	for (guint i = 0; i < before->len; i++) {
		const struct disk_counters *old = &g_array_index(before, struct disk_counters, i);
		const struct disk_counters *now = &g_array_index(after, struct disk_counters, i);
		double written = (double)(now->sectors_written - old->sectors_written) * SECTOR;
		double flushes = now->has_flushes ? (double)(now->flushes - old->flushes) : NAN;

		taken.written += written;
		taken.read += (double)(now->sectors_read - old->sectors_read) * SECTOR;
		taken.flushes += flushes;
		taken.busiest_ms = fmax(taken.busiest_ms, (double)(guint32)(now->busy_ms - old->busy_ms));
		taken.queue_ms += (double)(guint32)(now->queue_ms - old->queue_ms);
		if (written > 0 && is_write_back(names[i])) {
			taken.cached += written;
			taken.cache_flushes += flushes;
		}
	}
	return taken;
}

double disks_end(struct disks *disks, double elapsed_s, double *values, flag_set *flags)
{
	g_autoptr(GArray) after = g_array_new(FALSE, TRUE, sizeof(struct disk_counters));
	double written = read_written(disks->io_fd) - disks->written_before;
	struct taken taken;

	if (disks->before->len == 0 || !read_all(disks->names, after))
		return written;
	taken = sum_up(disks->names, disks->before, after);
	values[OBSERVE_DEVICE_WRITTEN] = taken.written;
	values[OBSERVE_DEVICE_READ] = taken.read;
	values[OBSERVE_FLUSHES] = taken.flushes;
	values[OBSERVE_DEVICE_BUSY] = fmin(100, taken.busiest_ms / 10 / elapsed_s);
	values[OBSERVE_DEVICE_QUEUE] = taken.queue_ms / 1000 / elapsed_s;
	if (!(written >= WRITTEN_MIN))
		return written;
	values[OBSERVE_WRITTEN_RATIO] = taken.written / written;
	if (taken.written < REACHED_MIN * written && !device_is_compressed(disks->anywhere ? -1 : disks->dirfd))
		*flags |= FLAG_NOT_ON_DEVICE;
	if (taken.cached >= WRITTEN_MIN && taken.cache_flushes == 0)
		*flags |= FLAG_NO_FLUSH;
	return written;
}
