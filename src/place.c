#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "loop.h"
#include "place_internal.h"
#include "setting_kinds.h"
#include "tree.h"
#include "undo.h"

#define IMAGE "image"

gboolean place_open_runs(struct place *place, int parent_fd, GError **error)
{
	if (mkdirat(parent_fd, PLACE_RUNS, 0700) < 0 && errno != EEXIST)
		return err_errno(error, errno, "cannot make the directory '%s'", place->path);
	place->dirfd = openat(parent_fd, PLACE_RUNS, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (place->dirfd >= 0)
		place->entries = tree_open(place->dirfd);
	if (place->entries)
		return TRUE;
	err_errno(error, errno, "cannot open the directory '%s'", place->path);
	place_close_runs(place);
	return FALSE;
}

void place_close_runs(struct place *place)
{
	if (place->entries)
		closedir(place->entries);
	if (place->dirfd >= 0)
		close(place->dirfd);
	place->entries = NULL;
	place->dirfd = -1;
}

/* So that what is mounted is seen by nobody else, and ends with us. What others mount is still seen here. */
static gboolean leave_namespace(GError **error)
{
	if (unshare(CLONE_NEWNS) < 0)
		return err_errno(error, errno, "cannot make a mount namespace");
	if (mount("none", "/", "none", MS_REC | MS_SLAVE, NULL) < 0)
		return err_errno(error, errno, "cannot keep mounts in this process's namespace");
	return TRUE;
}

static gboolean open_image(struct place *place, guint64 bytes, GError **error)
{
	const struct scratch *scratch = &place->scratch;
	g_autofree char *path = g_build_filename(scratch->path, IMAGE, NULL);
	int fd;

	if (!scratch_check_room(scratch, bytes, "an image", error))
		return FALSE;
	place->undo = undo_add(place->store, &undo_directory, scratch->path, NULL, NULL, error);
	if (!place->undo)
		return FALSE;
	fd = scratch_make_file(scratch, IMAGE, bytes, error);
	if (fd < 0)
		return FALSE;
	place->device_fd = loop_attach(fd, path, &place->device, error);
	close(fd);
	return place->device_fd >= 0;
}

/* All of a filesystem of its own but the filesystem. */
static gboolean open_device(struct place *place, const struct place_options *options, GError **error)
{
	if (mkdirat(place->scratch.fd, PLACE_MOUNT, 0700) < 0)
		return err_errno(error, errno, "cannot make a directory in '%s'", place->scratch.path);
	place->path = g_build_filename(place->scratch.path, PLACE_MOUNT, PLACE_RUNS, NULL);
	return options->device || open_image(place, options->image_bytes, error);
}

gboolean place_open(struct place *place, const struct place_options *options, struct store *store, GError **error)
{
	const char *what = options->device ? "a device" : options->image_bytes ? "an image" : NULL;
	gboolean ok = TRUE;

	*place = (struct place){.dirfd = -1, .device_fd = -1, .scratch = {.fd = -1, .parent_fd = -1}, .store = store};
	if (what && geteuid() != 0)
		return err_runtime(error, "%s needs root: a filesystem is made on it and mounted", what);
	if (options->device) {
		place->device_fd = place_claim_device(options->device, &place->device, error);
		ok = place->device_fd >= 0;
	}
	/* before the directory is opened: mounts belong to the namespace in which their place was looked up */
	ok = ok && (!what || leave_namespace(error)) && scratch_open(options->dir, &place->scratch, error);
	if (ok && what) {
		ok = open_device(place, options, error);
	} else if (ok) {
		place->path = g_build_filename(place->scratch.path, PLACE_RUNS, NULL);
		ok = place_open_runs(place, place->scratch.fd, error);
	}
	if (!ok)
		place_close(place, NULL);
	return ok;
}

gboolean place_empty(struct place *place, GError **error)
{
	int failure = tree_empty(place->entries);

	if (failure == EBUSY)
		return err_runtime(error, "cannot remove the files of a run in '%s': something is mounted in there",
				   place->path);
	return !failure || err_errno(error, failure, "cannot remove the files of a run in '%s'", place->path);
}

gboolean place_close(struct place *place, GError **error)
{
	gboolean ok = TRUE;
	g_autofree char *left = NULL;

	if (place->device && place->scratch.fd >= 0) {
		ok = place_unmount(place, error);
		if (!ok)
			place_abandon(place);
	}
	place_close_runs(place);
	if (place->device_fd >= 0)
		close(place->device_fd);
	if (place->scratch.fd >= 0)
		ok = scratch_remove(&place->scratch, ok ? error : NULL) && ok;
	if (place->undo)
		ok = undo_one(place->store, place->undo, &left, ok ? error : NULL) && ok;
	undo_free(place->undo);
	g_free(place->path);
	g_free(place->device);
	g_free(place->fs);
	*place = (struct place){.dirfd = -1, .device_fd = -1, .scratch = {.fd = -1, .parent_fd = -1}};
	return ok;
}

static gboolean put_back(const struct undo *undo, gboolean *is_changed, char **left, GError **error)
{
	struct scratch scratch;
	gboolean done = scratch_find(undo->subject, &scratch, left, error);

	*is_changed = done && scratch.fd >= 0;
	if (*is_changed)
		done = scratch_remove_found(&scratch, error);
	scratch_close(&scratch);
	return done;
}

const struct undo_kind undo_directory = {
    .name = "directory", .outlives_boot = TRUE, .is_private = TRUE, .put_back = put_back};
