#include "boot_loader.h"

#include <string.h>

#include "err.h"

const struct boot_loader *const boot_loader_table[] = {&boot_grub, &boot_systemd, &boot_kexec, NULL};

static void entry_free(gpointer data)
{
	struct boot_entry *entry = data;

	g_free(entry->id);
	g_free(entry->title);
	g_free(entry->release);
	g_free(entry);
}

struct boot_entry *boot_entry_new(const char *id, const char *title, const char *release)
{
	struct boot_entry *entry = g_new(struct boot_entry, 1);

	*entry = (struct boot_entry){g_strdup(id), g_strdup(title), g_strdup(release)};
	return entry;
}

GPtrArray *boot_entries_new(void)
{
	return g_ptr_array_new_with_free_func(entry_free);
}

const struct boot_loader *boot_loader_find(GError **error)
{
	g_autoptr(GString) reasons = g_string_new(NULL);

	for (const struct boot_loader *const *loader = boot_loader_table; *loader; loader++) {
		g_autofree char *reason = (*loader)->unusable();

		if (!reason)
			return *loader;
		g_string_append_printf(reasons, "%s%s: %s", reasons->len ? "; " : "", (*loader)->name, reason);
	}
	err_runtime(error, "cannot choose the kernel of the next boot: %s", reasons->str);
	return NULL;
}

const struct boot_entry *boot_entry_find(const GPtrArray *entries, const char *name)
{
	for (guint field = 0; field < 3; field++)
		for (guint i = 0; i < entries->len; i++) {
			const struct boot_entry *entry = entries->pdata[i];
			const char *const fields[] = {entry->id, entry->title, entry->release};

			if (g_strcmp0(fields[field], name) == 0)
				return entry;
		}
	return NULL;
}

const char *boot_image_release(const char *path)
{
	static const char *const prefixes[] = {"vmlinuz-", "vmlinux-", "kernel-"};
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (gsize i = 0; i < G_N_ELEMENTS(prefixes); i++)
		if (g_str_has_prefix(name, prefixes[i]) && name[strlen(prefixes[i])])
			return name + strlen(prefixes[i]);
	return NULL;
}
