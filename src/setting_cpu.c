#include <errno.h>
#include <fcntl.h>

#include "err.h"
#include "kernel_file.h"
#include "setting_file.h"
#include "setting_kinds.h"

#define ROOT "/sys/devices/system/cpu"
#define PREFIX "cpu:"

static int open_cpu(const char *subject, int flags)
{
	return kernel_file_open(ROOT, subject, flags);
}

static const struct setting_file_kind files = {.undo = &undo_cpu, .open = open_cpu};

static gboolean check(const char *name, const char *level, GError **error)
{
	int fd = open_cpu(name, O_PATH);
	int failure = errno;

	if (fd < 0 && failure != EACCES)
		return err_usage(error, "setting '" PREFIX "%s' is not available here: there is no such file in '" ROOT "'", name);
	kernel_file_close(fd);
	return setting_file_check_level(PREFIX, name, level, error);
}

static gboolean begin(struct setting *setting, struct setting_env *env, GError **error)
{
	return setting_file_begin(setting, &files, setting->rest, FALSE, env, error);
}

/* source: Documentation/admin-guide/pm/cpufreq.rst, intel_pstate.rst and cpuidle.rst of Linux */
const struct setting_kind setting_cpu = {
    .name = PREFIX,
    .summary = "a file of the processors: cpu:cpufreq/policy0/scaling_governor, cpu:intel_pstate/no_turbo",
    .levels = "what the kernel takes",
    .check = check,
    .begin = begin,
    .apply = setting_file_apply,
    .changed = setting_file_changed,
    .end = setting_file_end,
};

static gboolean put_back(const struct undo *undo, gboolean *is_changed, char **left, GError **error)
{
	return setting_file_put_back(&files, undo, is_changed, left, error);
}

const struct undo_kind undo_cpu = {.name = "cpu", .put_back = put_back};
