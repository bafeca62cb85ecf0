#include "sitting_options.h"

#include <jansson.h>
#include <stddef.h>

/* Those that say what is run. */
static const struct {
	const char *name;
	size_t offset;
	gboolean is_list;
	const char *section; /* of a job file, whose keys are its items; NULL: it is a key itself */
} rows[] = {
    {"metric", offsetof(struct sitting_options, metrics), TRUE, "metrics"},
    {"factor", offsetof(struct sitting_options, factors), TRUE, "factors"},
    {"set", offsetof(struct sitting_options, sets), TRUE, "set"},
    {"workload", offsetof(struct sitting_options, workloads), TRUE, NULL},
    {"kernel", offsetof(struct sitting_options, kernels), TRUE, NULL},
    {"guest-file", offsetof(struct sitting_options, guest_files), TRUE, NULL},
    {"probe", offsetof(struct sitting_options, probes), TRUE, NULL},
    {"runs-per-boot", offsetof(struct sitting_options, runs_per_boot), FALSE, NULL},
    {"repeat", offsetof(struct sitting_options, repeat), FALSE, NULL},
    {"warmup", offsetof(struct sitting_options, warmup), FALSE, NULL},
    {"label", offsetof(struct sitting_options, label), FALSE, NULL},
    {"dir", offsetof(struct sitting_options, dir), FALSE, NULL},
    {"image", offsetof(struct sitting_options, image), FALSE, NULL},
    {"device", offsetof(struct sitting_options, device), FALSE, NULL},
    {"size", offsetof(struct sitting_options, size), FALSE, NULL},
    {"reset", offsetof(struct sitting_options, reset), FALSE, NULL},
    {"order", offsetof(struct sitting_options, order), FALSE, NULL},
    {"seed", offsetof(struct sitting_options, seed), FALSE, NULL},
    {"settle", offsetof(struct sitting_options, settle), FALSE, NULL},
    {"timeout", offsetof(struct sitting_options, timeout), FALSE, NULL},
    {"until", offsetof(struct sitting_options, until), FALSE, NULL},
    {"max-time", offsetof(struct sitting_options, max_time), FALSE, NULL},
};

static void *place_of(const struct sitting_options *options, guint row)
{
	return (char *)(gsize)options + rows[row].offset;
}

static char **text_of(const struct sitting_options *options, guint row)
{
	return place_of(options, row);
}

static char ***list_of(const struct sitting_options *options, guint row)
{
	return place_of(options, row);
}

void sitting_options_clear(struct sitting_options *options)
{
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (rows[i].is_list)
			g_strfreev(*list_of(options, i));
		else
			g_free(*text_of(options, i));
	}
	g_free(options->job);
	g_free(options->store);
	*options = (struct sitting_options){0};
}

char ***sitting_options_section(struct sitting_options *options, const char *section)
{
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		if (g_strcmp0(rows[i].section, section) == 0)
			return list_of(options, i);
	return NULL;
}

gboolean sitting_options_find(struct sitting_options *options, const char *name, char ***text, char ****list)
{
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		if (!rows[i].section && g_str_equal(rows[i].name, name)) {
			*text = rows[i].is_list ? NULL : text_of(options, i);
			*list = rows[i].is_list ? list_of(options, i) : NULL;
			return TRUE;
		}
	return FALSE;
}

void sitting_options_fill(struct sitting_options *options, struct sitting_options *others)
{
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (rows[i].is_list && !*list_of(options, i))
			*list_of(options, i) = g_steal_pointer(list_of(others, i));
		else if (!rows[i].is_list && !*text_of(options, i))
			*text_of(options, i) = g_steal_pointer(text_of(others, i));
	}
}

char *sitting_options_names(void)
{
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		if (!rows[i].section)
			g_string_append_printf(names, "%s%s", names->len ? ", " : "", rows[i].name);
	return g_string_free(names, FALSE);
}

char *sitting_options_encode(const struct sitting_options *options)
{
	json_t *object = json_object();
	char *dumped, *text;

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
		if (rows[i].is_list && *list_of(options, i)) {
			json_t *array = json_array();

			for (char **item = *list_of(options, i); *item; item++)
				json_array_append_new(array, json_string(*item));
			json_object_set_new(object, rows[i].name, array);
		} else if (!rows[i].is_list && *text_of(options, i)) {
			json_object_set_new(object, rows[i].name, json_string(*text_of(options, i)));
		}
	}
	dumped = json_dumps(object, JSON_COMPACT);
	text = g_strdup(dumped);
	free(dumped);
	json_decref(object);
	return text;
}

static gboolean decode_one(const json_t *value, guint row, struct sitting_options *options)
{
	GPtrArray *items;

	if (!rows[row].is_list) {
		*text_of(options, row) = g_strdup(json_string_value(value));
		return json_is_string(value);
	}
	items = g_ptr_array_new();
	for (size_t i = 0; i < json_array_size(value); i++)
		if (json_is_string(json_array_get(value, i)))
			g_ptr_array_add(items, g_strdup(json_string_value(json_array_get(value, i))));
	g_ptr_array_add(items, NULL);
	*list_of(options, row) = (char **)g_ptr_array_free(items, FALSE);
	return json_is_array(value) && g_strv_length(*list_of(options, row)) == json_array_size(value);
}

gboolean sitting_options_decode(const char *json, struct sitting_options *options)
{
	json_t *object = json_loads(json, 0, NULL);
	gboolean ok = json_is_object(object);

	for (guint i = 0; ok && i < G_N_ELEMENTS(rows); i++) {
		const json_t *value = json_object_get(object, rows[i].name);

		ok = !value || decode_one(value, i, options);
	}
	json_decref(object);
	return ok;
}
