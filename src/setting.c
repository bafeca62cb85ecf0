#include "setting.h"

#include <string.h>

#include "setting_kinds.h"

const struct setting_kind *const setting_table[] = {
    &setting_sysctl,
    &setting_cpu,
    &setting_cpus,
    &setting_queue_scheduler,
    &setting_queue_nr_requests,
    &setting_queue,
    &setting_thp,
    &setting_fs,
    &setting_swap,
    &setting_mem,
    NULL,
};

static gboolean is_of(const struct setting_kind *kind, const char *name)
{
	gboolean takes_more = g_str_has_suffix(kind->name, ":");

	return g_str_has_prefix(name, kind->name) && takes_more == (name[strlen(kind->name)] != '\0');
}

static const char *behind_colon(const char *name)
{
	const char *colon = strchr(name, ':');

	return colon ? colon + 1 : name + strlen(name);
}

struct setting *setting_new(const char *name)
{
	for (const struct setting_kind *const *kind = setting_table; *kind; kind++) {
		struct setting *setting;

		if (!is_of(*kind, name))
			continue;
		setting = g_new0(struct setting, 1);
		setting->kind = *kind;
		setting->name = g_strdup(name);
		setting->rest = behind_colon(setting->name);
		setting->levels = g_ptr_array_new_with_free_func(g_free);
		return setting;
	}
	return NULL;
}

void setting_free(struct setting *setting)
{
	if (!setting)
		return;
	g_ptr_array_unref(setting->levels);
	g_free(setting->effective);
	g_free(setting->name);
	g_free(setting);
}
