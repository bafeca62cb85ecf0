#include <string.h>

#include "doctor.h"
#include "doctor_checks.h"
#include "doctor_file.h"

#define FULL 0.9 /* of a filesystem: what is written then is scattered */

void check_space(const struct doctor *doctor, struct finding *finding)
{
	const struct volume *volume = &doctor->volume;
	guint64 usable = volume->used_bytes + volume->free_bytes;
	g_autofree char *left = text_size(volume->free_bytes), *all = text_size(usable),
			*size = text_size(doctor->size_bytes);
	double used = usable ? (double)volume->used_bytes / (double)usable : 0;
	double then = usable ? (double)(volume->used_bytes + doctor->size_bytes) / (double)usable : 0;

	if (!volume->total_bytes) {
		finding_unavailable(finding, "the filesystem does not tell its size");
	} else if (doctor->size_bytes > volume->free_bytes) {
		finding_set(finding, FINDING_WARNING, "%s of %s free: %s do not fit", left, all, size);
		finding_advise(finding, "give a smaller --size or another --dir");
	} else if (then > FULL) {
		finding_set(finding, FINDING_WARNING, "%.0f%% full, %.0f%% with %s of data: free space is in pieces",
			    100 * used, 100 * then, size);
		finding_advise(finding, "make room, or use a filesystem of its own for the runs");
	} else {
		finding_set(finding, FINDING_OK, "%s of %s free, %.0f%% full; %s to write", left, all, 100 * used,
			    size);
	}
}

/* Filesystems whose figures are not those of a disk alone. A name that ends in '.' stands for all of that kind. */
static const struct {
	const char *type;
	enum finding_level level;
	const char *what, *advice;
} kinds[] = {
    {"tmpfs", FINDING_WARNING, "it is memory", "for figures of a disk give another --dir"},
    {"ramfs", FINDING_WARNING, "it is memory", "for figures of a disk give another --dir"},
    {"overlay", FINDING_WARNING, "a layer above other filesystems is measured with them",
     "give a --dir on a volume or on the filesystem below"},
    {"aufs", FINDING_WARNING, "a layer above other filesystems is measured with them",
     "give a --dir on a volume or on the filesystem below"},
    {"ecryptfs", FINDING_NOTE, "encryption above another filesystem is measured with it", NULL},
    {"nfs", FINDING_NOTE, "network and server are measured", NULL},
    {"nfs4", FINDING_NOTE, "network and server are measured", NULL},
    {"cifs", FINDING_NOTE, "network and server are measured", NULL},
    {"smb3", FINDING_NOTE, "network and server are measured", NULL},
    {"ceph", FINDING_NOTE, "network and servers are measured", NULL},
    {"glusterfs", FINDING_NOTE, "network and servers are measured", NULL},
    {"lustre", FINDING_NOTE, "network and servers are measured", NULL},
    {"9p", FINDING_NOTE, "the host's filesystem is measured through this one", NULL},
    {"virtiofs", FINDING_NOTE, "the host's filesystem is measured through this one", NULL},
    {"vboxsf", FINDING_NOTE, "the host's filesystem is measured through this one", NULL},
    {"fuse", FINDING_NOTE, "a process stands between kernel and data", NULL},
    {"fuseblk", FINDING_NOTE, "a process stands between kernel and data", NULL},
    {"fuse.", FINDING_NOTE, "a process stands between kernel and data", NULL},
    {"btrfs", FINDING_NOTE, "copy on write: it gets slower as files are overwritten",
     "begin all sides with a fresh filesystem"},
    {"bcachefs", FINDING_NOTE, "copy on write: it gets slower as files are overwritten",
     "begin all sides with a fresh filesystem"},
    {"zfs", FINDING_NOTE, "copy on write, with a cache of its own that drop-caches leaves",
     "begin all sides with a fresh filesystem"},
};

void check_filesystem(const struct doctor *doctor, struct finding *finding)
{
	const struct volume *volume = &doctor->volume;
	g_autofree char *where = NULL;

	if (!volume->type) {
		finding_unavailable(finding, "the kernel does not list what is mounted there");
		return;
	}
	where = g_strdup_printf("%s on %s at %s", volume->type, volume->source ? volume->source : "nothing",
				volume->target ? volume->target : "?");
	if (volume->is_readonly) {
		finding_set(finding, FINDING_WARNING, "%s is read-only: nothing can be written", where);
		finding_advise(finding, "give another --dir");
		return;
	}
	finding_set(finding, FINDING_OK, "%s", where);
	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (!g_str_equal(volume->type, kinds[i].type) &&
		    !(g_str_has_suffix(kinds[i].type, ".") && g_str_has_prefix(volume->type, kinds[i].type)))
			continue;
		finding_set(finding, kinds[i].level, "%s: %s", where, kinds[i].what);
		if (kinds[i].advice)
			finding_advise(finding, "%s", kinds[i].advice);
	}
}

/* Mount options that a reader of the figures should know of; one that ends in '=' stands for all values.
 * source: mount(8), Documentation/filesystems/ext4, xfs(5), btrfs(5) */
static const struct {
	const char *option;
	enum finding_level level;
	const char *what;
} mount_options[] = {
    {"sync", FINDING_NOTE, "each write waits for the disk"},
    {"dirsync", FINDING_NOTE, "each change of a directory waits for the disk"},
    {"dax", FINDING_NOTE, "data pass the page cache by"},
    {"dax=always", FINDING_NOTE, "data pass the page cache by"},
    {"discard", FINDING_NOTE, "removing a run's files makes work for the disk in the next run"},
    {"discard=sync", FINDING_NOTE, "removing a run's files makes work for the disk in the next run"},
    {"nobarrier", FINDING_WARNING, "a sync does not flush the disk's cache"},
    {"barrier=0", FINDING_WARNING, "a sync does not flush the disk's cache"},
    {"data=journal", FINDING_NOTE, "all data are written twice"},
    {"data=writeback", FINDING_NOTE, "metadata do not wait for data: other than the usual data=ordered"},
    {"compress", FINDING_NOTE, "data that can be compressed look fast"},
    {"compress=", FINDING_NOTE, "data that can be compressed look fast"},
    {"compress-force=", FINDING_NOTE, "data that can be compressed look fast"},
    {"compress_algorithm=", FINDING_NOTE, "data that can be compressed look fast"},
    {"nodatacow", FINDING_NOTE, "data are overwritten in place, without checksums"},
    {"usrquota", FINDING_NOTE, "quotas are kept"},
    {"grpquota", FINDING_NOTE, "quotas are kept"},
    {"prjquota", FINDING_NOTE, "quotas are kept"},
};

static gboolean is_option(const char *option, const char *row)
{
	return g_str_equal(option, row) || (g_str_has_suffix(row, "=") && g_str_has_prefix(option, row));
}

void check_mount(const struct doctor *doctor, struct finding *finding)
{
	g_auto(GStrv) options = g_strsplit(doctor->volume.options ? doctor->volume.options : "", ",", -1);
	const char *const *list = (const char *const *)options;
	gboolean relatime = g_strv_contains(list, "relatime"), noatime = g_strv_contains(list, "noatime");
	enum finding_level level = FINDING_OK;
	g_autoptr(GString) text = g_string_new(NULL);

	if (!doctor->volume.options) {
		finding_unavailable(finding, "the kernel does not list mount options");
		return;
	}
	g_string_append(text, noatime    ? "noatime"
			      : relatime ? "relatime"
					 : "strictatime: each read of a file is written down");
	if (!relatime && !noatime && !doctor->volume.is_readonly)
		level = FINDING_NOTE;
	for (char **option = options; *option; option++)
		for (gsize i = 0; i < G_N_ELEMENTS(mount_options); i++) {
			if (!is_option(*option, mount_options[i].option))
				continue;
			g_string_append_printf(text, "; %s: %s", *option, mount_options[i].what);
			level = MIN(level, mount_options[i].level);
		}
	finding_set(finding, level, "%s", text->str);
	if (level == FINDING_WARNING)
		finding_advise(finding, "mount it without that for figures that survive a power failure");
	else if (level == FINDING_NOTE)
		finding_advise(finding, "mount all sides alike, or make it a factor");
}

/* Block devices that stand on something other than a disk, by the beginning of their names. */
static const struct {
	const char *prefix;
	enum finding_level level;
	const char *what;
} layers[] = {
    {"loop", FINDING_WARNING, "a file of another filesystem, which is measured with it"},
    {"zram", FINDING_WARNING, "memory, and compressed"},
    {"ram", FINDING_WARNING, "memory"},
    {"pmem", FINDING_NOTE, "persistent memory"},
    {"nbd", FINDING_NOTE, "a disk behind the network"},
    {"rbd", FINDING_NOTE, "a disk behind the network"},
    {"drbd", FINDING_NOTE, "a disk that is mirrored over the network"},
    {"bcache", FINDING_NOTE, "a slow disk behind a fast one: what is cached depends on the past"},
    {"md", FINDING_NOTE, "an array"},
    {"dm-", FINDING_NOTE, "a mapped device"},
};

/* What is known of it beyond the name: LVM or encryption, the level of an array. */
static char *layer_detail(const struct doctor *doctor, const char *device)
{
	g_autofree char *uuid = file_text(doctor, "sys/block/%s/dm/uuid", device);
	char *level = file_text(doctor, "sys/block/%s/md/level", device);

	if (level)
		return level;
	if (!uuid)
		return NULL;
	if (g_str_has_prefix(uuid, "CRYPT-"))
		return g_strdup("encrypted: it takes CPU time");
	return g_str_has_prefix(uuid, "LVM-") ? g_strdup("LVM") : NULL;
}

void check_layers(const struct doctor *doctor, struct finding *finding)
{
	const char *device = doctor->volume.device;
	g_autofree char *detail = NULL, *below = NULL;
	gsize i = 0;

	if (!device) {
		finding_unavailable(finding, "no block device is behind the directory");
		return;
	}
	while (i < G_N_ELEMENTS(layers) && !(g_str_has_prefix(device, layers[i].prefix)))
		i++;
	if (i == G_N_ELEMENTS(layers)) {
		finding_set(finding, FINDING_OK, "directly on %s", device);
		return;
	}
	detail = layer_detail(doctor, device);
	below = g_strjoinv(", ", doctor->volume.disks);
	finding_set(finding, layers[i].level, "%s is %s%s%s%s%s%s", device, layers[i].what, detail ? " (" : "",
		    detail ? detail : "", detail ? ")" : "", *below && !g_str_equal(below, device) ? "; below: " : "",
		    *below && !g_str_equal(below, device) ? below : "");
	if (layers[i].level == FINDING_WARNING)
		finding_advise(finding, "for figures of a disk give a --dir directly on one");
}

/* One disk: what it says of itself. Returns whether it turns. */
static gboolean describe_disk(const struct doctor *doctor, const char *disk, GString *text)
{
	g_autofree char *schedulers = file_text(doctor, "sys/block/%s/queue/scheduler", disk);
	g_autofree char *cache = file_text(doctor, "sys/block/%s/queue/write_cache", disk);
	g_autofree char *scheduler = schedulers ? text_choice(schedulers) : NULL;
	gint64 rotational = 0;
	gboolean is_known = file_number(doctor, &rotational, "sys/block/%s/queue/rotational", disk);

	g_string_append_printf(text, "%s%s:%s%s%s%s%s", text->len ? "; " : "", disk,
			       !is_known    ? ""
			       : rotational ? " rotational,"
					    : " not rotational,",
			       scheduler ? " scheduler " : "", scheduler ? scheduler : "", cache ? ", cache " : "",
			       cache ? cache : "");
	return rotational != 0;
}

void check_disk(const struct doctor *doctor, struct finding *finding)
{
	g_autoptr(GString) text = g_string_new(NULL);
	gboolean turns = FALSE;

	for (char **disk = doctor->volume.disks; disk && *disk; disk++)
		turns |= describe_disk(doctor, *disk, text);
	if (!text->len) {
		finding_unavailable(finding, "no disk is behind the directory");
		return;
	}
	/* hypervisors say so of whatever is behind their disks */
	if (!turns || doctor_is_virtual(doctor)) {
		finding_set(finding, FINDING_OK, "%s", text->str);
		return;
	}
	finding_set(finding, FINDING_NOTE, "%s: speed depends on where on the disk data lie", text->str);
	finding_advise(finding, "begin all sides with a fresh filesystem, so that files lie at the same place");
}
