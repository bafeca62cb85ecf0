#include "boot_loader.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "tool.h"

#define IMAGES "/boot"

static char *unusable(void)
{
	g_autofree char *program = tool_find("kexec", "kexec-tools", NULL), *text = NULL;

	if (!program)
		return g_strdup("kexec is not installed");
	/* source: Documentation/admin-guide/sysctl/kernel.rst of Linux, and kernel/kexec_core.c, which alone makes it */
	if (!g_file_get_contents("/proc/sys/kernel/kexec_load_disabled", &text, NULL, NULL))
		return g_strdup("this kernel has no kexec");
	return *text == '1' ? g_strdup("kernel.kexec_load_disabled is 1") : NULL;
}

static int compare(gconstpointer a, gconstpointer b)
{
	return strcmp((*(struct boot_entry *const *)a)->id, (*(struct boot_entry *const *)b)->id);
}

static GPtrArray *entries(GError **error)
{
	g_autoptr(GDir) directory = g_dir_open(IMAGES, 0, error);
	g_autoptr(GPtrArray) found = boot_entries_new();
	const char *name;

	while (directory && (name = g_dir_read_name(directory))) {
		g_autofree char *path = g_build_filename(IMAGES, name, NULL);

		if (boot_image_release(name))
			g_ptr_array_add(found, boot_entry_new(path, NULL, boot_image_release(name)));
	}
	g_ptr_array_sort(found, compare);
	return directory ? g_steal_pointer(&found) : NULL;
}

/* The kernel with its initramfs, where there is one, and the command line that this one was booted with. */
static gboolean choose(const struct boot_entry *entry, GError **error)
{
	g_autofree char *program = tool_find("kexec", "kexec-tools", error);
	g_autofree char *initramfs = g_strdup_printf(IMAGES "/initrd.img-%s", entry->release);
	g_autofree char *option = g_strconcat("--initrd=", initramfs, NULL);
	char *const argv[] = {program,
			      (char[]){"-l"},
			      entry->id,
			      (char[]){"--reuse-cmdline"},
			      access(initramfs, R_OK) == 0 ? option : NULL,
			      NULL};

	return program && tool_run(argv, AT_FDCWD, error);
}

static gboolean forget(GError **error)
{
	g_autofree char *program = tool_find("kexec", "kexec-tools", error);
	char *const argv[] = {program, (char[]){"-u"}, NULL};

	return program && tool_run(argv, AT_FDCWD, error);
}

const struct boot_loader boot_kexec = {
    .name = "kexec", .verb = "kexec", .unusable = unusable, .entries = entries, .choose = choose, .forget = forget};
