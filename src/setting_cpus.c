#include <errno.h>
#include <sched.h>

#include "err.h"
#include "setting.h"
#include "setting_kinds.h"
#include "unit.h"

/* How many of the processors that this process may use its runs may use: the first ones, by the affinity that they
 * inherit. It ends with this process. In a virtual machine it is how many there are. */

#define LARGEST CPU_SETSIZE

static gboolean parse_level(const char *level, guint64 *cpus, GError **error)
{
	return count_parse(level, "setting 'cpus'", 1, LARGEST, cpus, error);
}

static gboolean check(const char *rest, const char *level, GError **error)
{
	guint64 cpus;

	return parse_level(level, &cpus, error);
}

static char *fact(const char *rest)
{
	return g_strdup("cpus");
}

static gboolean begin(struct setting *setting, struct setting_env *env, GError **error)
{
	cpu_set_t *all = setting->state = g_new0(cpu_set_t, 1);

	if (sched_getaffinity(0, sizeof *all, all) < 0)
		return err_errno(error, errno, "setting 'cpus' is not available here");
	for (guint i = 0; i < setting->levels->len; i++) {
		guint64 cpus;

		if (!parse_level(setting->levels->pdata[i], &cpus, error))
			return FALSE;
		if (cpus > (guint64)CPU_COUNT(all))
			return err_runtime(error, "setting 'cpus' cannot be %s: there are %d",
					   (char *)setting->levels->pdata[i], CPU_COUNT(all));
	}
	return TRUE;
}

static gboolean apply(struct setting *setting, const char *level, struct setting_env *env, GError **error)
{
	const cpu_set_t *all = setting->state;
	cpu_set_t some;
	guint64 cpus;

	if (!parse_level(level, &cpus, error))
		return FALSE;
	CPU_ZERO(&some);
	for (guint i = 0; i < CPU_SETSIZE && (guint64)CPU_COUNT(&some) < cpus; i++)
		if (CPU_ISSET(i, all))
			CPU_SET(i, &some);
	if (sched_setaffinity(0, sizeof some, &some) < 0 || sched_getaffinity(0, sizeof some, &some) < 0)
		return err_errno(error, errno, "setting 'cpus' did not take the level %s", level);
	g_free(setting->effective);
	setting->effective = g_strdup_printf("%d", CPU_COUNT(&some));
	return (guint64)CPU_COUNT(&some) == cpus ||
	       err_runtime(error, "setting 'cpus' did not take: there are %s, not %s", setting->effective, level);
}

static gboolean release(struct setting *setting, struct setting_env *env, GError **error)
{
	return !setting->state || sched_setaffinity(0, sizeof(cpu_set_t), setting->state) == 0 ||
	       err_errno(error, errno, "cannot give this process its processors back");
}

static gboolean end(struct setting *setting, struct setting_env *env, char **left, GError **error)
{
	g_clear_pointer(&setting->state, g_free);
	return TRUE;
}

const struct setting_kind setting_cpus = {
    .name = "cpus",
    .summary = "how many processors a run may use; with --reset vm how many there are",
    .levels = "NUMBER",
    .of_guest = TRUE,
    .check = check,
    .fact = fact,
    .begin = begin,
    .apply = apply,
    .release = release,
    .end = end,
};
