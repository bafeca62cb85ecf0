#include <fcntl.h>
#include <unistd.h>

#include "err.h"
#include "place.h"
#include "setting.h"
#include "setting_kinds.h"
#include "swap_file.h"
#include "undo.h"
#include "unit.h"

#define SMALLEST_BYTES 1048576

/* How much swap the machine has in a run: none, or a file beside the runs that is made for each of them and so is
 * empty. */

static gboolean parse_level(const char *level, guint64 *bytes, GError **error)
{
	if (!size_parse(level, bytes, error))
		return FALSE;
	if (*bytes == 0 || *bytes >= SMALLEST_BYTES)
		return TRUE;
	return err_usage(error, "setting 'swap' takes 0 or a size of at least 1 MiB, not '%s'", level);
}

static gboolean check(const char *rest, const char *level, GError **error)
{
	guint64 bytes;

	return parse_level(level, &bytes, error);
}

static char *fact(const char *rest)
{
	return g_strdup("swap");
}

static gboolean check_no_swap(GError **error)
{
	g_autofree char *names = NULL;

	if (!swap_in_use(&names, error))
		return FALSE;
	return !*names ||
	       err_runtime(error,
			   "setting 'swap' cannot be 0, for swap is on (%s): turn it off first with 'swapoff -a'",
			   names);
}

static gboolean begin(struct setting *setting, struct setting_env *env, GError **error)
{
	const struct scratch *scratch = &env->place->scratch;
	g_autofree char *file = g_build_filename(scratch->path, SWAP_FILE, NULL);
	guint64 largest = 0;

	for (guint i = 0; i < setting->levels->len; i++) {
		guint64 bytes;

		if (!parse_level(setting->levels->pdata[i], &bytes, error) || (bytes == 0 && !check_no_swap(error)))
			return FALSE;
		largest = MAX(largest, bytes);
	}
	if (largest == 0)
		return TRUE;
	if (geteuid() != 0)
		return err_runtime(error, "setting 'swap' needs root");
	if (!swap_file_check(scratch, error) || !scratch_check_room(scratch, largest, "a swap file", error))
		return FALSE;
	setting->state = undo_add(env->store, &undo_swap, file, NULL, NULL, error);
	return setting->state != NULL;
}

/* The kernel keeps the first page for itself. */
static gboolean is_size(guint64 kib, guint64 bytes)
{
	guint64 page = (guint64)sysconf(_SC_PAGESIZE);

	return kib * 1024 == (bytes / page - 1) * page;
}

static gboolean apply(struct setting *setting, const char *level, struct setting_env *env, GError **error)
{
	guint64 bytes, kib = 0;

	if (!parse_level(level, &bytes, error))
		return FALSE;
	if (bytes == 0 ? !check_no_swap(error) : !swap_file_on(&env->place->scratch, bytes, &kib, error))
		return FALSE;
	g_free(setting->effective);
	setting->effective = g_strdup_printf("%" G_GUINT64_FORMAT " KiB", kib);
	if (bytes == 0 || is_size(kib, bytes))
		return TRUE;
	return err_runtime(error, "setting 'swap' did not take: the kernel made %s of %s", setting->effective, level);
}

static gboolean release(struct setting *setting, struct setting_env *env, GError **error)
{
	return !setting->state || swap_file_off(env->place->scratch.fd, error);
}

static gboolean end(struct setting *setting, struct setting_env *env, char **left, GError **error)
{
	gboolean done = !setting->state || undo_one(env->store, setting->state, left, error);

	undo_free(setting->state);
	setting->state = NULL;
	return done;
}

const struct setting_kind setting_swap = {
    .name = "swap",
    .summary = "a swap file of this size, made for each run; 0: none",
    .levels = "0|SIZE",
    .check = check,
    .fact = fact,
    .begin = begin,
    .apply = apply,
    .release = release,
    .end = end,
};

static gboolean put_back(const struct undo *undo, gboolean *is_changed, char **left, GError **error)
{
	g_autofree char *directory = g_path_get_dirname(undo->subject);
	struct scratch scratch;
	gboolean done = scratch_find(directory, &scratch, left, error);

	*is_changed = done && scratch.fd >= 0 && faccessat(scratch.fd, SWAP_FILE, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	if (*is_changed)
		done = swap_file_off(scratch.fd, error);
	scratch_close(&scratch);
	return done;
}

const struct undo_kind undo_swap = {.name = "swap", .outlives_boot = TRUE, .put_back = put_back};
