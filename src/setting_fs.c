#include "err.h"
#include "place.h"
#include "setting.h"
#include "setting_kinds.h"

/* The filesystem of the runs and how it is mounted. It is made anew where the run before had another. */

static gboolean check(const char *rest, const char *level, GError **error)
{
	return place_check_fs(level, error);
}

static char *fact(const char *rest)
{
	return g_strdup("filesystem");
}

static gboolean begin(struct setting *setting, struct setting_env *env, GError **error)
{
	if (!env->place->device)
		return err_runtime(error, "setting 'fs' needs a filesystem of its own: --image or --device");
	for (guint i = 0; i < setting->levels->len; i++)
		if (!place_check_make(env->place, setting->levels->pdata[i], error))
			return FALSE;
	return TRUE;
}

static gboolean apply(struct setting *setting, const char *level, struct setting_env *env, GError **error)
{
	struct place *place = env->place;

	if ((place->is_stale || g_strcmp0(place->fs, level) != 0) && !place_make(place, level, error))
		return FALSE;
	g_free(setting->effective);
	setting->effective = g_strdup(place->fs);
	return TRUE;
}

/* What was made goes with the place. */
static gboolean end(struct setting *setting, struct setting_env *env, char **left, GError **error)
{
	return TRUE;
}

const struct setting_kind setting_fs = {
    .name = "fs",
    .summary = "the filesystem made on --image or --device, with mount options",
    .levels = "ext2|ext4|xfs|btrfs[+OPTION]...",
    .check = check,
    .fact = fact,
    .begin = begin,
    .apply = apply,
    .end = end,
};
