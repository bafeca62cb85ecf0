#include "guest_kit.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../workloads/workload.h"
#include "err.h"
#include "factor.h"
#include "initramfs.h"
#include "kernel_modules.h"
#include "place.h"
#include "plan.h"
#include "sitting.h"
#include "tool.h"
#include "unit.h"

/* Names and paths, each once. */
struct kit {
	GPtrArray *programs, *files, *modules;
};

static void kit_init(struct kit *kit)
{
	static const char *const usual[] = {"virtio_pci", "virtio_blk"};

	kit->programs = g_ptr_array_new_with_free_func(g_free);
	kit->files = g_ptr_array_new_with_free_func(g_free);
	kit->modules = g_ptr_array_new_with_free_func(g_free);
	for (gsize i = 0; i < G_N_ELEMENTS(usual); i++)
		g_ptr_array_add(kit->modules, g_strdup(usual[i]));
}

static void kit_clear(struct kit *kit)
{
	g_ptr_array_unref(kit->programs);
	g_ptr_array_unref(kit->files);
	g_ptr_array_unref(kit->modules);
}

static void add_once(GPtrArray *names, const char *name)
{
	if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
		g_ptr_array_add(names, g_strdup(name));
}

static gboolean add_tool(struct kit *kit, const char *program, const char *package, GError **error)
{
	g_autofree char *path = tool_find(program, package, error);

	if (path)
		add_once(kit->programs, path);
	return path != NULL;
}

static gboolean is_elf(const char *path)
{
	char magic[SELFMAG];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	gboolean is = fd >= 0 && read(fd, magic, sizeof magic) == SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

/* A file that may be a program, with all the libraries that it needs then. */
static void add_file(struct kit *kit, const char *path)
{
	add_once(g_file_test(path, G_FILE_TEST_IS_EXECUTABLE) && is_elf(path) ? kit->programs : kit->files, path);
}

/* What a shell's text may call: each word of it that is a program. */
static void add_words(struct kit *kit, const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\n;|&()<>{}`'\"$=", -1);

	for (char **word = words; *word; word++) {
		g_autofree char *found = **word ? g_find_program_in_path(*word) : NULL;
		g_autofree char *path = found ? g_canonicalize_filename(found, NULL) : NULL;

		if (path && g_file_test(path, G_FILE_TEST_IS_REGULAR))
			add_file(kit, path);
	}
}

/* A program, each of its arguments that is a file's absolute path, and what a shell is told to call; argv NULL:
 * nothing. */
static gboolean add_command(struct kit *kit, char *const *argv, GError **error)
{
	if (argv && g_str_equal(argv[0], "/bin/sh") && g_strcmp0(argv[1], "-c") == 0 && argv[2])
		add_words(kit, argv[2]);
	for (char *const *word = argv; word && *word; word++) {
		if (g_path_is_absolute(*word) && g_file_test(*word, G_FILE_TEST_IS_REGULAR))
			add_file(kit, *word);
		else if (word == argv)
			return err_runtime(error, "cannot take '%s' to a virtual machine: there is no such program",
					   *word);
	}
	return TRUE;
}

static gboolean add_workload(struct kit *kit, const struct workload_config *config, GError **error)
{
	return !config->workload->argv ||
	       (add_command(kit, config->prepare, error) && add_command(kit, config->workload->argv(config), error));
}

static gboolean add_filesystems(struct kit *kit, const struct plan *plan, guint64 image_bytes, GError **error)
{
	const struct factor *fs = plan_factor(plan, "fs");

	for (guint i = 0; fs && i < fs->levels->len; i++) {
		const char *level = fs->levels->pdata[i];
		struct place_fs_needs needs;

		if (!place_fs_find_needs(level, &needs, error) || !add_tool(kit, needs.program, needs.package, error))
			return FALSE;
		if (image_bytes < needs.smallest_bytes) {
			g_autofree char *smallest = size_format(needs.smallest_bytes);

			return err_usage(error, "--image: filesystem '%s' takes at least %s", level, smallest);
		}
		add_once(kit->modules, needs.module);
	}
	if (!plan_factor(plan, "swap"))
		return TRUE;
	add_once(kit->modules, "ext4");
	return add_tool(kit, "mkfs.ext4", "e2fsprogs", error) && add_tool(kit, "mkswap", "util-linux", error);
}

/* Schedulers are modules but for those that a kernel was built with. */
static void add_schedulers(struct kit *kit, const struct plan *plan)
{
	const struct factor *scheduler = plan_factor(plan, "queue:scheduler");

	for (guint i = 0; scheduler && i < scheduler->levels->len; i++) {
		const char *level = scheduler->levels->pdata[i];

		if (g_str_equal(level, "bfq"))
			add_once(kit->modules, "bfq");
		else if (g_str_equal(level, "kyber"))
			add_once(kit->modules, "kyber-iosched");
	}
}

static gboolean kit_fill(struct kit *kit, const struct sitting *sitting, GError **error)
{
	const struct plan *plan = sitting->plan;

	for (guint i = 0; i < plan->cells->len; i++)
		if (!add_workload(kit, g_array_index(plan->cells, struct plan_cell, i).config, error))
			return FALSE;
	for (char *const *file = sitting->guest_files; file && *file; file++) {
		if (!g_file_test(*file, G_FILE_TEST_IS_REGULAR))
			return err_usage(error, "--guest-file '%s': there is no such file", *file);
		add_file(kit, *file);
	}
	add_schedulers(kit, plan);
	if (!add_filesystems(kit, plan, sitting->place.image_bytes, error))
		return FALSE;
	g_ptr_array_add(kit->programs, NULL);
	g_ptr_array_add(kit->files, NULL);
	g_ptr_array_add(kit->modules, NULL);
	return TRUE;
}

static char *make_initramfs(const struct kit *kit, const char *image, GError **error)
{
	g_autoptr(GPtrArray) modules = g_ptr_array_new_with_free_func(g_free);
	struct kernel kernel;
	char *path = NULL;

	if (kernel_open(image, &kernel, error) &&
	    kernel_modules_resolve(&kernel, (const char *const *)kit->modules->pdata, modules, error)) {
		path = initramfs_make(&(struct initramfs_arg){.programs = (const char *const *)kit->programs->pdata,
							      .files = (const char *const *)kit->files->pdata,
							      .modules = modules},
				      error);
	}
	kernel_clear(&kernel);
	return path;
}

GPtrArray *guest_kit_make(const struct sitting *sitting, GError **error)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	struct kit kit;
	gboolean ok;

	kit_init(&kit);
	ok = kit_fill(&kit, sitting, error);
	for (char *const *image = sitting->kernels; ok && *image; image++) {
		char *path = make_initramfs(&kit, *image, error);

		ok = path != NULL;
		if (ok)
			g_ptr_array_add(paths, path);
	}
	kit_clear(&kit);
	return ok ? g_steal_pointer(&paths) : NULL;
}

char *guest_kit_options(const struct sitting *sitting)
{
	const struct factor *kernel = plan_factor(sitting->plan, "kernel");
	g_autoptr(GStrvBuilder) names = g_strv_builder_new();
	struct sitting_options options = {0};
	char *text;

	g_assert(kernel && sitting_options_decode(sitting->options, &options));
	for (guint i = 0; i < kernel->levels->len; i++)
		g_strv_builder_add(names, kernel->levels->pdata[i]);
	g_strfreev(options.kernels);
	options.kernels = g_strv_builder_end(names);
	text = sitting_options_encode(&options);
	sitting_options_clear(&options);
	return text;
}
