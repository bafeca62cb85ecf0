#include "factor.h"

#include <string.h>

#include "err.h"
#include "setting.h"

static void append_settings(GString *names)
{
	for (const struct setting_kind *const *row = setting_table; *row; row++)
		g_string_append_printf(names, ", %s%s", (*row)->name, g_str_has_suffix((*row)->name, ":") ? "NAME" : "");
}

static gboolean read_name(struct factor *factor, GError **error)
{
	g_autoptr(GString) names = g_string_new("label, kernel, WORKLOAD.OPTION");
	const char *dot = strchr(factor->name, '.');

	factor->kind = FACTOR_LABEL;
	if (g_str_equal(factor->name, "label"))
		return TRUE;
	factor->kind = FACTOR_KERNEL;
	if (g_str_equal(factor->name, "kernel"))
		return TRUE;
	factor->kind = FACTOR_SETTING;
	factor->setting = setting_new(factor->name);
	if (factor->setting)
		return TRUE;
	factor->kind = FACTOR_OPTION;
	if (dot && dot > factor->name && !strchr(factor->name, ':')) {
		factor->workload = g_strndup(factor->name, (gsize)(dot - factor->name));
		factor->option = dot + 1;
		return TRUE;
	}
	append_settings(names);
	return err_usage(error, "no factor '%s': there are %s", factor->name, names->str);
}

static gboolean add_level(struct factor *factor, const char *level, GError **error)
{
	if (!*level)
		return err_usage(error, "factor '%s' has an empty level", factor->name);
	for (guint i = 0; i < factor->levels->len; i++)
		if (g_str_equal(factor->levels->pdata[i], level))
			return err_usage(error, "factor '%s' has the level '%s' twice", factor->name, level);
	if (factor->setting) {
		if (!factor->setting->kind->check(factor->setting->rest, level, error))
			return FALSE;
		g_ptr_array_add(factor->setting->levels, g_strdup(level));
	}
	g_ptr_array_add(factor->levels, g_strdup(level));
	return TRUE;
}

static gboolean read_levels(struct factor *factor, const char *text, GError **error)
{
	g_auto(GStrv) levels = factor->is_fixed ? NULL : g_strsplit(text, ",", -1);

	if (!*text || factor->is_fixed)
		return add_level(factor, text, error);
	for (char **level = levels; *level; level++)
		if (!add_level(factor, g_strstrip(*level), error))
			return FALSE;
	return TRUE;
}

struct factor *factor_parse(const char *text, gboolean is_fixed, GError **error)
{
	const char *equals = strchr(text, '=');
	struct factor *factor;

	if (!equals || equals == text || !g_utf8_validate(text, -1, NULL)) {
		err_usage(error, is_fixed ? "--set '%s' is not NAME=LEVEL" : "--factor '%s' is not NAME=LEVEL,LEVEL...", text);
		return NULL;
	}
	factor = g_new0(struct factor, 1);
	factor->name = g_strndup(text, (gsize)(equals - text));
	factor->levels = g_ptr_array_new_with_free_func(g_free);
	factor->is_fixed = is_fixed;
	if (read_name(factor, error) && read_levels(factor, equals + 1, error))
		return factor;
	factor_free(factor);
	return NULL;
}

void factor_free(struct factor *factor)
{
	g_ptr_array_unref(factor->levels);
	if (factor->setting)
		setting_free(factor->setting);
	g_free(factor->workload);
	g_free(factor->name);
	g_free(factor);
}
