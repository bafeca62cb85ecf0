#include <errno.h>
#include <string.h>

#include "err.h"
#include "kernel_file.h"
#include "setting_file.h"
#include "setting_kinds.h"

#define LEVELS "always|madvise|never"

static int open_thp(const char *subject, int flags)
{
	return kernel_file_open("/sys/kernel/mm/transparent_hugepage", subject, flags);
}

static const struct setting_file_kind files = {.undo = &undo_thp, .has_choices = TRUE, .open = open_thp};

/* source: Documentation/admin-guide/mm/transhuge.rst of Linux */
static gboolean check(const char *rest, const char *level, GError **error)
{
	g_auto(GStrv) levels = g_strsplit(LEVELS, "|", -1);

	return g_strv_contains((const char *const *)levels, level) ||
	       err_usage(error, "setting 'thp' has no level '%s': there are " LEVELS, level);
}

static char *fact(const char *rest)
{
	return g_strdup("transparent_hugepage");
}

static gboolean begin(struct setting *setting, struct setting_env *env, GError **error)
{
	return setting_file_begin(setting, &files, "enabled", FALSE, env, error);
}

const struct setting_kind setting_thp = {
    .name = "thp",
    .summary = "transparent huge pages: for all memory, where a program asks for them, or not at all",
    .levels = LEVELS,
    .check = check,
    .fact = fact,
    .begin = begin,
    .apply = setting_file_apply,
    .changed = setting_file_changed,
    .end = setting_file_end,
};

static gboolean put_back(const struct undo *undo, gboolean *is_changed, char **left, GError **error)
{
	return setting_file_put_back(&files, undo, is_changed, left, error);
}

const struct undo_kind undo_thp = {.name = "transparent_hugepage", .put_back = put_back};
