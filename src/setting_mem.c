#include <unistd.h>

#include "cgroup.h"
#include "err.h"
#include "place.h"
#include "setting.h"
#include "setting_kinds.h"
#include "undo.h"
#include "unit.h"

#define SMALLEST_BYTES 4194304

/* How much memory a run may use, page cache included: its process starts in a cgroup that is made for it. Swap is not
 * limited. */

struct state {
	struct cgroup cgroup;
	struct undo *undo;
};

static gboolean parse_level(const char *level, guint64 *bytes, GError **error)
{
	if (!size_parse(level, bytes, error))
		return FALSE;
	return *bytes >= SMALLEST_BYTES ||
	       err_usage(error, "setting 'mem' takes a size of at least 4 MiB, not '%s'", level);
}

static gboolean check(const char *rest, const char *level, GError **error)
{
	guint64 bytes;

	return parse_level(level, &bytes, error);
}

static gboolean begin(struct setting *setting, struct setting_env *env, GError **error)
{
	struct state *state;

	if (geteuid() != 0)
		return err_runtime(error, "setting 'mem' needs root");
	state = setting->state = g_new0(struct state, 1);
	if (!cgroup_find(env->place->scratch.name, &state->cgroup, error)) {
		g_prefix_error(error, "setting 'mem' is not available here: ");
		return FALSE;
	}
	state->undo = undo_add(env->store, &undo_cgroup, state->cgroup.path, NULL, NULL, error);
	return state->undo != NULL;
}

static gboolean apply(struct setting *setting, const char *level, struct setting_env *env, GError **error)
{
	const struct state *state = setting->state;
	guint64 asked, bytes, page = (guint64)sysconf(_SC_PAGESIZE);

	if (!parse_level(level, &asked, error))
		return FALSE;
	bytes = asked;
	if (!cgroup_make(&state->cgroup, &bytes, &env->procs_fd, error))
		return FALSE;
	g_free(setting->effective);
	setting->effective = g_strdup_printf("%" G_GUINT64_FORMAT " KiB", bytes / 1024);
	/* limits are whole pages */
	return bytes == asked / page * page ||
	       err_runtime(error, "setting 'mem' did not take: the limit is %s, not %s", setting->effective, level);
}

static gboolean release(struct setting *setting, struct setting_env *env, GError **error)
{
	const struct state *state = setting->state;

	if (env->procs_fd)
		close(env->procs_fd);
	env->procs_fd = 0;
	return !state || !state->undo || cgroup_remove(state->cgroup.path, error);
}

static gboolean end(struct setting *setting, struct setting_env *env, char **left, GError **error)
{
	struct state *state = setting->state;
	gboolean done = !state || !state->undo || undo_one(env->store, state->undo, left, error);

	if (!state)
		return TRUE;
	cgroup_clear(&state->cgroup);
	undo_free(state->undo);
	g_free(state);
	setting->state = NULL;
	return done;
}

const struct setting_kind setting_mem = {
    .name = "mem",
    .summary = "the memory that a run may use, page cache included (a memory cgroup); with --reset vm all there is",
    .levels = "SIZE",
    .of_guest = TRUE,
    .check = check,
    .begin = begin,
    .apply = apply,
    .release = release,
    .end = end,
};
