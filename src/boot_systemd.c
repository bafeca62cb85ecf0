#include "boot_loader.h"

#include <fcntl.h>
#include <jansson.h>
#include <sys/wait.h>

#include "err.h"
#include "exec.h"
#include "tool.h"

GPtrArray *boot_systemd_parse(const char *json, GError **error)
{
	g_autoptr(GPtrArray) entries = boot_entries_new();
	json_t *list = json_loads(json, 0, NULL);
	gboolean ok = json_is_array(list);

	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *item = json_array_get(list, i);
		const char *id = json_string_value(json_object_get(item, "id"));
		const char *title = json_string_value(json_object_get(item, "title"));
		const char *version = json_string_value(json_object_get(item, "version"));
		const char *image = json_string_value(json_object_get(item, "linux"));

		if (id)
			g_ptr_array_add(entries, boot_entry_new(id, title,
								version ? version
								: image ? boot_image_release(image)
									: NULL));
	}
	json_decref(list);
	if (ok)
		return g_steal_pointer(&entries);
	err_runtime(error, "cannot read the boot entries: 'bootctl list' printed something else");
	return NULL;
}

/* What bootctl prints; NULL on error. */
static char *ask(const char *what, const char *how, GError **error)
{
	g_autofree char *program = tool_find("bootctl", "systemd-boot", error);
	char *const argv[] = {program, (char *)(gsize)what, (char *)(gsize)how, NULL};
	const struct exec_watch watch = {0};
	g_autoptr(GString) output = g_string_new(NULL);
	struct exec_result result;

	if (!program || !exec_command(argv, AT_FDCWD, TRUE, output, &watch, &result, error))
		return NULL;
	if (WIFEXITED(result.status) && WEXITSTATUS(result.status) == 0)
		return g_string_free(g_steal_pointer(&output), FALSE);
	err_runtime(error, "bootctl %s failed: %s", what, g_strchomp(output->str));
	return NULL;
}

static char *unusable(void)
{
	g_autofree char *answer = ask("is-installed", NULL, NULL);

	return answer ? NULL : g_strdup("'bootctl is-installed' does not say yes");
}

static GPtrArray *entries(GError **error)
{
	g_autofree char *json = ask("list", "--json=short", error);

	return json ? boot_systemd_parse(json, error) : NULL;
}

static gboolean set_oneshot(char *id, GError **error)
{
	g_autofree char *program = tool_find("bootctl", "systemd-boot", error);
	char *const argv[] = {program, (char[]){"set-oneshot"}, id, NULL};

	return program && tool_run(argv, AT_FDCWD, error);
}

static gboolean choose(const struct boot_entry *entry, GError **error)
{
	return set_oneshot(entry->id, error);
}

static gboolean forget(GError **error)
{
	return set_oneshot((char[]){""}, error);
}

const struct boot_loader boot_systemd = {.name = "systemd-boot",
					 .verb = "reboot",
					 .unusable = unusable,
					 .entries = entries,
					 .choose = choose,
					 .forget = forget};
