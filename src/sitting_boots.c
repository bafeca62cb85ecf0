#include "sitting_boots.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "boot_loader.h"
#include "err.h"
#include "factor.h"
#include "kernel_modules.h"
#include "reset.h"
#include "sitting.h"
#include "unit.h"

static gboolean check_none(const struct sitting_options *options, GError **error)
{
	if (options->kernels)
		return err_usage(error, "--kernel '%s': only --reset vm and --reset reboot boot kernels", *options->kernels);
	return !options->runs_per_boot || err_usage(error, "--runs-per-boot: nothing is booted without --reset vm or reboot");
}

static gboolean check_guest(const struct sitting_options *options, GError **error)
{
	if (options->size && strstr(options->size, "xRAM"))
		return err_usage(error, "--size '%s': the memory of a virtual machine is another: give bytes, as 2G",
				 options->size);
	for (char *const *file = options->guest_files; file && *file; file++)
		if (!g_path_is_absolute(*file))
			return err_usage(
			    error, "--guest-file '%s': it is known to guests by its absolute path: give that", *file);
	return TRUE;
}

static gboolean check_machine(const struct sitting *sitting, const struct sitting_options *options, GError **error)
{
	if (sitting->plan->purpose != PURPOSE_RUN)
		return err_usage(error, "--reset reboot: only run and resume reboot this machine");
	if (options->device)
		return err_usage(error, "--device '%s': another disk may have the name after a reboot: give --image", options->device);
	if (options->max_time)
		return err_usage(error, "--max-time '%s': reboots take a time of their own: leave it out", options->max_time);
	return options->yes_reboot ||
	       err_usage(error, "--reset reboot reboots this machine, again and again: say --yes-reboot if that is meant");
}

/* What the options say about boots has to be about those of the reset. */
static gboolean check(const struct sitting *sitting, const struct sitting_options *options, GError **error)
{
	enum reset_boot boots = sitting->reset->boots;

	if (options->guest_files && boots != BOOT_GUEST)
		return err_usage(error, "--guest-file '%s': only --reset vm has guests", *options->guest_files);
	if (options->yes_reboot && boots != BOOT_MACHINE)
		return err_usage(error, "--yes-reboot: nothing is rebooted without --reset reboot");
	switch (boots) {
	case BOOT_GUEST:
		return check_guest(options, error);
	case BOOT_MACHINE:
		return check_machine(sitting, options, error);
	default:
		return check_none(options, error);
	}
}

gboolean sitting_read_boots(struct sitting *sitting, const struct sitting_options *options, GError **error)
{
	guint64 runs;

	if (!check(sitting, options, error))
		return FALSE;
	if (sitting->reset->boots == BOOT_NONE)
		return TRUE;
	if (!count_parse(options->runs_per_boot ? options->runs_per_boot : "1", "--runs-per-boot", 1, PLAN_RUNS_MAX, &runs,
			 error))
		return FALSE;
	/* the first run of a boot is unlike those after it: by default it only warms up */
	if (!options->warmup)
		sitting->plan->warmup = 1;
	sitting->plan->runs_per_boot = (guint)runs;
	sitting->guest_files = g_strdupv(options->guest_files);
	return TRUE;
}

/* What tells the kernels apart: their releases, or where two have the same one the files. */
static char **name_kernels(char *const *kernels, GError **error)
{
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	gboolean is_unique = TRUE;

	for (char *const *kernel = kernels; *kernel; kernel++) {
		struct kernel opened;
		gboolean ok = kernel_open(*kernel, &opened, error);

		if (ok) {
			g_strv_builder_add(builder, opened.version);
			is_unique &= g_hash_table_add(seen, g_strdup(opened.version));
		}
		kernel_clear(&opened);
		if (!ok)
			return NULL;
	}
	return is_unique ? g_strv_builder_end(builder) : g_strdupv((char **)(gsize)kernels);
}

/* The same of what a boot loader is to boot: the releases, or the names given. */
static char **name_entries(char *const *kernels, GError **error)
{
	const struct boot_loader *loader = boot_loader_find(error);
	g_autoptr(GPtrArray) entries = loader ? loader->entries(error) : NULL;
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	gboolean is_unique = TRUE;

	for (char *const *kernel = kernels; entries && *kernel; kernel++) {
		const struct boot_entry *entry = boot_entry_find(entries, *kernel);

		if (!entry || !entry->release) {
			err_usage(error, "--kernel '%s' is none of the boot entries of %s: give the release, id or title of one",
				  *kernel, loader->name);
			return NULL;
		}
		g_strv_builder_add(builder, entry->release);
		is_unique &= g_hash_table_add(seen, entry->release);
	}
	if (!entries)
		return NULL;
	return is_unique ? g_strv_builder_end(builder) : g_strdupv((char **)(gsize)kernels);
}

static char **running_kernel(GError **error)
{
	struct utsname names;
	g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
	g_autofree char *image = NULL;

	if (uname(&names) < 0) {
		err_errno(error, errno, "cannot tell the running kernel's release: give an image with --kernel");
		return NULL;
	}
	image = g_strconcat("/boot/vmlinuz-", names.release, NULL);
	if (access(image, R_OK) < 0) {
		err_errno(error, errno, "cannot read the running kernel's image '%s': give one with --kernel", image);
		return NULL;
	}
	g_strv_builder_add(builder, image);
	return g_strv_builder_end(builder);
}

static gboolean add_factor(struct plan *plan, char *const *names, GError **error)
{
	g_autofree char *text = g_strconcat("kernel=", *names, NULL);
	struct factor *factor = factor_parse(text, TRUE, error);

	if (!factor)
		return FALSE;
	g_ptr_array_add(plan->factors, factor);
	factor->is_fixed = !names[1];
	for (char *const *name = names + 1; *name; name++) {
		if (g_ptr_array_find_with_equal_func(factor->levels, *name, g_str_equal, NULL))
			return err_usage(error, "--kernel '%s' was given twice", *name);
		g_ptr_array_add(factor->levels, g_strdup(*name));
	}
	return TRUE;
}

gboolean sitting_add_kernels(struct sitting *sitting, const struct sitting_options *options, GError **error)
{
	g_auto(GStrv) names = NULL;

	/* without a choice this machine boots what it boots */
	if (sitting->reset->boots == BOOT_NONE || (sitting->reset->boots == BOOT_MACHINE && !options->kernels))
		return TRUE;
	if (options->in_guest) {
		names = g_strdupv(options->kernels);
	} else if (sitting->reset->boots == BOOT_MACHINE) {
		names = name_entries(options->kernels, error);
	} else {
		sitting->kernels = options->kernels ? g_strdupv(options->kernels) : running_kernel(error);
		names = sitting->kernels ? name_kernels(sitting->kernels, error) : NULL;
	}
	return names && add_factor(sitting->plan, names, error);
}
