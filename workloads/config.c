#include "config.h"

#include <string.h>

#include "../src/err.h"
#include "../src/unit.h"
#include "workload.h"

#define COUNT_MAX (G_GUINT64_CONSTANT(1) << 32)

static guint count_options(const struct workload *workload)
{
	guint n = 0;

	while (workload->options && workload->options[n].name)
		n++;
	return n;
}

static int find_option(const struct workload *workload, const char *name)
{
	guint n = count_options(workload);

	for (guint i = 0; i < n; i++) {
		if (strcmp(workload->options[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

gboolean workload_has_option(const struct workload *workload, const char *option)
{
	return find_option(workload, option) >= 0;
}

static gboolean no_option(const struct workload *workload, const char *name, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);
	guint n = count_options(workload);

	for (guint i = 0; i < n; i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", workload->options[i].name);
	return err_usage(error, "workload '%s' has no option '%s': it has %s", workload->name, name,
			 n ? names->str : "none");
}

static gboolean read_size(const char *name, const char *text, guint64 *bytes, GError **error)
{
	if (!size_parse(text, bytes, error)) {
		g_prefix_error(error, "option '%s': ", name);
		return FALSE;
	}
	if (*bytes == 0)
		return err_usage(error, "option '%s': size '%s' is 0", name, text);
	return TRUE;
}

static gboolean read_duration(const char *name, const char *text, double *seconds, GError **error)
{
	if (!duration_parse(text, seconds, error)) {
		g_prefix_error(error, "option '%s': ", name);
		return FALSE;
	}
	if (*seconds == 0)
		return err_usage(error, "option '%s': duration '%s' is 0", name, text);
	return TRUE;
}

static gboolean read_bool(const char *name, const char *text, gboolean *flag, GError **error)
{
	*flag = strcmp(text, "yes") == 0;
	if (!*flag && strcmp(text, "no") != 0)
		return err_usage(error, "option '%s': '%s' is neither yes nor no", name, text);
	return TRUE;
}

static gboolean read_value(struct workload_config *config, guint i, const char *text, GError **error)
{
	const struct workload_option *option = &config->workload->options[i];
	union option_value *value = &config->values[i];
	g_autofree char *what = g_strdup_printf("option '%s'", option->name);

	if (*text == '\0')
		return err_usage(error, "option '%s' has no value", option->name);
	switch (option->type) {
	case OPTION_COUNT:
		return count_parse(text, what, 1, COUNT_MAX, &value->number, error);
	case OPTION_NUMBER:
		return count_parse(text, what, 0, COUNT_MAX, &value->number, error);
	case OPTION_SIZE:
		return read_size(option->name, text, &value->number, error);
	case OPTION_DURATION:
		return read_duration(option->name, text, &value->seconds, error);
	case OPTION_BOOL:
		return read_bool(option->name, text, &value->flag, error);
	case OPTION_TEXT:
		g_free(value->text);
		value->text = g_strdup(text);
		return TRUE;
	}
	g_assert_not_reached();
}

static gboolean set_option(struct workload_config *config, const char *name, const char *value, GError **error)
{
	int i = find_option(config->workload, name);

	return i < 0 ? no_option(config->workload, name, error) : read_value(config, (guint)i, value, error);
}

static gboolean resolve(struct workload_config *config, GError **error)
{
	return !config->workload->resolve || config->workload->resolve(config, error);
}

gboolean workload_config_set(struct workload_config *config, const char *option, const char *value, GError **error)
{
	return set_option(config, option, value, error) && resolve(config, error);
}

/* "name=value:name=value"; an option may come once. */
static gboolean read_options(struct workload_config *config, const char *text, GError **error)
{
	g_auto(GStrv) words = g_strsplit(text, ":", -1);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (char **word = words; *word; word++) {
		char *equals = strchr(*word, '=');

		if (!equals)
			return err_usage(error, "'%s' is not option=value", *word);
		*equals = '\0';
		if (!g_hash_table_add(seen, *word))
			return err_usage(error, "option '%s' is given twice", *word);
		if (!set_option(config, *word, equals + 1, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean read_defaults(struct workload_config *config, GError **error)
{
	guint n = count_options(config->workload);

	for (guint i = 0; i < n; i++) {
		const char *value = config->workload->options[i].value;

		if (value && !read_value(config, i, value, error))
			return FALSE;
	}
	return !config->workload->preset || read_options(config, config->workload->preset, error);
}

static gboolean no_workload(const char *name, const char *spec, GError **error)
{
	g_autoptr(GString) names = g_string_new(NULL);

	for (const struct workload *const *row = workload_table; *row; row++)
		g_string_append_printf(names, "%s%s", row == workload_table ? "" : ", ", (*row)->name);
	return err_usage(error, "no workload '%s' in spec '%s': there are %s", name, spec, names->str);
}

/* What stands behind the name: options, or for a workload that is any command the command. */
static gboolean read_rest(struct workload_config *config, const char *rest, GError **error)
{
	if (config->workload->whole)
		return set_option(config, config->workload->whole, rest ? rest : "", error);
	if (rest && *rest == '\0')
		return err_usage(error, "'' is not option=value");
	return !rest || read_options(config, rest, error);
}

struct workload_config *workload_config_parse(const char *spec, GError **error)
{
	const char *colon = strchr(spec, ':');
	g_autofree char *name = colon ? g_strndup(spec, (gsize)(colon - spec)) : g_strdup(spec);
	const struct workload *workload = workload_find(name);
	struct workload_config *config;

	if (!g_utf8_validate(spec, -1, NULL)) {
		err_usage(error, "spec '%s' is not UTF-8 text", spec);
		return NULL;
	}
	if (!workload) {
		no_workload(name, spec, error);
		return NULL;
	}
	config = g_new0(struct workload_config, 1);
	config->workload = workload;
	config->spec = g_strdup(spec);
	config->values = g_new0(union option_value, count_options(workload));
	config->outputs = g_ptr_array_new_with_free_func((GDestroyNotify)output_metric_free);
	if (!read_defaults(config, error) || !read_rest(config, colon ? colon + 1 : NULL, error) ||
	    !resolve(config, error)) {
		g_prefix_error(error, "spec '%s': ", spec);
		workload_config_free(config);
		return NULL;
	}
	return config;
}

void workload_config_free(struct workload_config *config)
{
	guint n = count_options(config->workload);

	for (guint i = 0; i < n; i++) {
		if (config->workload->options[i].type == OPTION_TEXT)
			g_free(config->values[i].text);
	}
	g_free(config->values);
	g_free(config->spec);
	g_strfreev(config->argv);
	g_strfreev(config->prepare);
	g_ptr_array_unref(config->outputs);
	g_free(config);
}

struct workload_config *workload_config_copy(const struct workload_config *config)
{
	struct workload_config *copy = g_memdup2(config, sizeof *config);
	guint n = count_options(config->workload);

	copy->spec = g_strdup(config->spec);
	copy->argv = g_strdupv(config->argv);
	copy->prepare = g_strdupv(config->prepare);
	g_ptr_array_ref(copy->outputs);
	copy->values = g_memdup2(config->values, n * sizeof *config->values);
	for (guint i = 0; i < n; i++)
		if (config->workload->options[i].type == OPTION_TEXT)
			copy->values[i].text = g_strdup(config->values[i].text);
	return copy;
}

const union option_value *workload_option_value(const struct workload_config *config, const char *option)
{
	int i = find_option(config->workload, option);

	if (i < 0)
		g_error("workload '%s' has no option '%s'", config->workload->name, option);
	return &config->values[i];
}

const char *workload_config_primary(const struct workload_config *config)
{
	const struct output_metric *first = config->outputs->len ? config->outputs->pdata[0] : NULL;

	if (config->primary)
		return config->primary;
	return first ? first->metric.name : config->workload->primary;
}

static void append_seconds(GString *text, double seconds)
{
	g_autofree char *number = number_format_shortest(seconds);

	g_string_append(text, number);
}

static gboolean is_unset(const struct workload_option *option, const union option_value *value)
{
	return option->type == OPTION_TEXT	 ? !value->text
	       : option->type == OPTION_DURATION ? value->seconds == 0
						 : option->type == OPTION_SIZE && value->number == 0;
}

char *workload_config_describe(const struct workload_config *config)
{
	GString *text = g_string_new(NULL);
	guint n = count_options(config->workload);

	for (guint i = 0; i < n; i++) {
		const struct workload_option *option = &config->workload->options[i];
		const union option_value *value = &config->values[i];

		if (!option->value && is_unset(option, value))
			continue;
		g_string_append_printf(text, "%s%s=", text->len ? " " : "", option->name);
		if (option->type == OPTION_TEXT)
			g_string_append(text, value->text);
		else if (option->type == OPTION_BOOL)
			g_string_append(text, value->flag ? "yes" : "no");
		else if (option->type == OPTION_DURATION)
			append_seconds(text, value->seconds);
		else
			g_string_append_printf(text, "%" G_GUINT64_FORMAT, value->number);
	}
	return g_string_free(text, FALSE);
}
