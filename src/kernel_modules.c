#include "kernel_modules.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "module_file.h"

/* What is built in; every modules directory has it, also one that depmod has not seen. */
#define BUILTIN "modules.builtin"

/* source: Documentation/arch/x86/boot.rst of Linux, "The Real-mode Kernel Header" */
#define HEADER_MAGIC_OFFSET 0x202
#define HEADER_VERSION_OFFSET 0x20e /* 16 bits: where the version text is, less 0x200; 0: nowhere */

/* The words up to the first blank: "6.1.0-57-cloud-amd64 (debian-kernel@...) #1 SMP ...". NULL with an error. */
static char *read_version(const char *image, GError **error)
{
	char buffer[0x10200 + 256];
	int fd = open(image, O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? -1 : pread(fd, buffer, sizeof buffer - 1, 0);
	int failure = errno;
	gsize start, length;

	if (fd >= 0)
		close(fd);
	if (size < 0) {
		err_errno(error, failure, "cannot read kernel image '%s'", image);
		return NULL;
	}
	buffer[size] = '\0';
	if (size < HEADER_VERSION_OFFSET + 2 || memcmp(buffer + HEADER_MAGIC_OFFSET, "HdrS", 4) != 0) {
		err_usage(error, "'%s' is not a Linux kernel image for x86 (vmlinuz or bzImage)", image);
		return NULL;
	}
	start = 0x200 + (guint8)buffer[HEADER_VERSION_OFFSET] + ((gsize)(guint8)buffer[HEADER_VERSION_OFFSET + 1] << 8);
	length = start > 0x200 && start < (gsize)size ? strcspn(buffer + start, " ") : 0;
	if (length == 0 || memchr(buffer + start, '/', length)) {
		err_usage(error, "kernel image '%s' does not say its version", image);
		return NULL;
	}
	return g_strndup(buffer + start, length);
}

/* The first of the directories that has a list of what is built in; NULL with an error that names them all. */
static char *find_modules(const char *real_image, const char *version, GError **error)
{
	static const char *const below[] = {"lib/modules", "usr/lib/modules"};
	g_autofree char *dir = g_path_get_dirname(real_image), *above = g_path_get_dirname(dir), *quoted = NULL;
	g_autofree char *arch = g_path_get_dirname(above);
	g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < G_N_ELEMENTS(below); i++) {
		g_ptr_array_add(places, g_build_filename(above, below[i], version, NULL));
		g_ptr_array_add(places, g_build_filename(dir, below[i], version, NULL));
	}
	/* /usr/lib/modules/VERSION/vmlinuz, and arch/x86/boot/bzImage of a source tree */
	g_ptr_array_add(places, g_strdup(dir));
	g_ptr_array_add(places, g_path_get_dirname(arch));
	for (guint i = 0; i < places->len; i++) {
		g_autofree char *list = g_build_filename(places->pdata[i], BUILTIN, NULL);

		if (access(list, R_OK) == 0)
			return g_strdup(places->pdata[i]);
	}
	g_ptr_array_add(places, NULL);
	quoted = g_strjoinv("', '", (char **)places->pdata);
	err_runtime(error, "cannot find the modules of kernel '%s' (version %s): no " BUILTIN " in '%s'", real_image, version,
		    quoted);
	return NULL;
}

gboolean kernel_open(const char *image, struct kernel *kernel, GError **error)
{
	char *real = realpath(image, NULL);

	*kernel = (struct kernel){.image = g_strdup(image)};
	if (!real)
		return err_errno(error, errno, "cannot find kernel image '%s'", image);
	kernel->version = read_version(image, error);
	if (kernel->version)
		kernel->modules_dir = find_modules(real, kernel->version, error);
	free(real);
	return kernel->modules_dir != NULL;
}

void kernel_clear(struct kernel *kernel)
{
	g_free(kernel->image);
	g_free(kernel->version);
	g_free(kernel->modules_dir);
	*kernel = (struct kernel){0};
}

/* The name by which a module is known, of its file: "crc32c_intel" of "kernel/arch/x86/crypto/crc32c-intel.ko.xz". NULL
 * for any other file. */
static char *module_name(const char *path)
{
	static const char *const suffixes[] = {".ko", ".ko.gz", ".ko.xz", ".ko.zst"};
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

	for (guint i = 0; i < G_N_ELEMENTS(suffixes); i++)
		if (g_str_has_suffix(base, suffixes[i]))
			return g_strdelimit(g_strndup(base, strlen(base) - strlen(suffixes[i])), "-", '_');
	return NULL;
}

struct search {
	const struct kernel *kernel;
	GHashTable *files;   /* name -> path */
	GHashTable *builtin; /* names */
	GHashTable *seen;    /* names that are in paths, or under way to it */
	GHashTable *aliases; /* alias of an algorithm -> names (GPtrArray); NULL until it is needed */
	GPtrArray *paths;
};

static gboolean read_builtin(struct search *search, GError **error)
{
	g_autofree char *path = g_build_filename(search->kernel->modules_dir, BUILTIN, NULL), *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, error))
		return FALSE;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		char *name = module_name(*line);

		if (name)
			g_hash_table_add(search->builtin, name);
	}
	return TRUE;
}

/* Whether the file at path goes before the other of the same name: what is in updates/ does, as for depmod. */
static gboolean is_preferred(const char *path, const char *other, const char *dir)
{
	gboolean update = g_str_has_prefix(path + strlen(dir), "/updates/");
	gboolean other_update = g_str_has_prefix(other + strlen(dir), "/updates/");

	return update != other_update ? update : strcmp(path, other) < 0;
}

/* All module files below the modules directory; its symlinks lead to sources and are not followed. */
static gboolean find_files(struct search *search, GError **error)
{
	char *roots[] = {search->kernel->modules_dir, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOSTAT | FTS_NOCHDIR, NULL);
	int failure = tree ? 0 : errno;
	FTSENT *entry;

	while (tree && !failure && (entry = fts_read(tree))) {
		g_autofree char *name = module_name(entry->fts_name);
		const char *other = name ? g_hash_table_lookup(search->files, name) : NULL;

		if (entry->fts_info == FTS_ERR || entry->fts_info == FTS_DNR)
			failure = entry->fts_errno;
		else if (name && entry->fts_info != FTS_D && entry->fts_info != FTS_DP &&
			 (!other || is_preferred(entry->fts_path, other, roots[0])))
			g_hash_table_replace(search->files, g_steal_pointer(&name), g_strdup(entry->fts_path));
	}
	if (tree)
		fts_close(tree);
	return !failure || err_errno(error, failure, "cannot read directory '%s'", roots[0]);
}

static GBytes *read_module(const char *path, GError **error)
{
	g_autoptr(GBytes) module = module_file_read(path, error);
	g_autoptr(GPtrArray) names = module ? module_file_info(module, "name") : NULL;

	if (module && !names)
		err_runtime(error, "'%s' is not a module of a 64-bit kernel", path);
	return names ? g_steal_pointer(&module) : NULL;
}

/* What algorithms the modules in directories named crypto offer. Only depmod's table, which may not be there, knows the
 * aliases of all others, and no soft dependency asks for those. */
static gboolean read_aliases(struct search *search, GError **error)
{
	GHashTableIter iter;
	gpointer name, path;

	search->aliases = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
	g_hash_table_iter_init(&iter, search->files);
	while (g_hash_table_iter_next(&iter, &name, &path)) {
		g_autoptr(GPtrArray) aliases = NULL;
		g_autoptr(GBytes) module = NULL;

		if (!strstr(path, "/crypto/"))
			continue;
		if (!(module = read_module(path, error)))
			return FALSE;
		aliases = module_file_info(module, "alias");
		for (guint i = 0; i < aliases->len; i++) {
			GPtrArray *names = g_hash_table_lookup(search->aliases, aliases->pdata[i]);

			if (!names) {
				names = g_ptr_array_new();
				g_hash_table_insert(search->aliases, g_strdup(aliases->pdata[i]), names);
			}
			g_ptr_array_add(names, name);
		}
	}
	return TRUE;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static gboolean add_module(struct search *search, const char *wanted, const char *by, GError **error);

/* A soft dependency: a module, or an algorithm that none or several modules offer. */
static gboolean add_soft(struct search *search, const char *target, const char *by, GError **error)
{
	g_autofree char *name = g_strdelimit(g_strdup(target), "-", '_');
	GPtrArray *names;

	if (g_hash_table_contains(search->files, name) || g_hash_table_contains(search->builtin, name))
		return add_module(search, name, by, error);
	if (!search->aliases && !read_aliases(search, error))
		return FALSE;
	names = g_hash_table_lookup(search->aliases, target);
	if (names)
		g_ptr_array_sort(names, compare_names);
	for (guint i = 0; names && i < names->len; i++)
		if (!add_module(search, names->pdata[i], by, error))
			return FALSE;
	return TRUE;
}

/* Those of all "pre: a b post: c" that stand behind the word: "pre:", "post:". */
static gboolean add_softs(struct search *search, const GPtrArray *softdeps, const char *when, const char *by, GError **error)
{
	for (guint i = 0; i < softdeps->len; i++) {
		g_auto(GStrv) words = g_strsplit_set(softdeps->pdata[i], " \t\n", -1);
		gboolean is_meant = FALSE;

		for (char **word = words; *word; word++) {
			if (g_str_has_suffix(*word, ":"))
				is_meant = g_str_equal(*word, when);
			else if (is_meant && **word && !add_soft(search, *word, by, error))
				return FALSE;
		}
	}
	return TRUE;
}

/* What a module must have before it, then itself, then what should follow it. */
static gboolean add_file(struct search *search, const char *name, const char *path, GError **error)
{
	g_autoptr(GBytes) module = read_module(path, error);
	g_autoptr(GPtrArray) depends = module ? module_file_info(module, "depends") : NULL;
	g_autoptr(GPtrArray) softdeps = module ? module_file_info(module, "softdep") : NULL;

	if (!module || !add_softs(search, softdeps, "pre:", name, error))
		return FALSE;
	for (guint i = 0; i < depends->len; i++) {
		g_auto(GStrv) names = g_strsplit(depends->pdata[i], ",", -1);

		for (char **other = names; *other; other++)
			if (**other && !add_module(search, *other, name, error))
				return FALSE;
	}
	g_ptr_array_add(search->paths, g_strdup(path));
	return add_softs(search, softdeps, "post:", name, error);
}

/* by: the module that depends on it; NULL: it is wanted for itself. */
static gboolean add_module(struct search *search, const char *wanted, const char *by, GError **error)
{
	g_autofree char *name = g_strdelimit(g_strdup(wanted), "-", '_');
	g_autofree char *reason = by ? g_strdup_printf(", on which '%s' depends", by) : NULL;
	const char *path = g_hash_table_lookup(search->files, name);

	if (g_hash_table_contains(search->seen, name) || g_hash_table_contains(search->builtin, name))
		return TRUE;
	g_hash_table_add(search->seen, g_strdup(name));
	if (path)
		return add_file(search, name, path, error);
	return err_runtime(error, "kernel '%s' (version %s) has no module '%s'%s: neither a file in '%s' nor in its " BUILTIN,
	                   search->kernel->image, search->kernel->version, name, reason ? reason : "",
	                   search->kernel->modules_dir);
}

gboolean kernel_modules_resolve(const struct kernel *kernel, const char *const *wanted, GPtrArray *paths, GError **error)
{
	struct search search = {.kernel = kernel, .paths = paths};
	gboolean ok;

	search.files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	search.builtin = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	search.seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	ok = read_builtin(&search, error) && find_files(&search, error);
	for (; ok && *wanted; wanted++)
		ok = add_module(&search, *wanted, NULL, error);
	g_clear_pointer(&search.aliases, g_hash_table_unref);
	g_hash_table_unref(search.seen);
	g_hash_table_unref(search.builtin);
	g_hash_table_unref(search.files);
	return ok;
}
