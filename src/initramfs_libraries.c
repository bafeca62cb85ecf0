#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

#include "err.h"
#include "exec.h"
#include "initramfs_tree.h"
#include "unit.h"

/* The loader that an ELF file names (PT_INTERP) in *loader (newly allocated; NULL: it needs none, being static).
 * source: elf(5) */
static gboolean find_loader(const char *program, char **loader, GError **error)
{
	g_autoptr(GMappedFile) file = g_mapped_file_new(program, FALSE, error);
	const char *data = file ? g_mapped_file_get_contents(file) : NULL;
	gsize size = file ? g_mapped_file_get_length(file) : 0;
	Elf64_Ehdr elf;

	*loader = NULL;
	if (!file)
		return FALSE;
	if (size < sizeof elf || memcmp(data, ELFMAG, SELFMAG) != 0 || data[EI_CLASS] != ELFCLASS64)
		return err_runtime(error, "'%s' cannot be run in the guest: it is not a 64-bit program but a script or something else",
		                   program);
	memcpy(&elf, data, sizeof elf);
	for (guint i = 0; i < elf.e_phnum; i++) {
		guint64 start = elf.e_phoff + (guint64)i * sizeof(Elf64_Phdr);
		Elf64_Phdr header;

		if (elf.e_phoff > size || start + sizeof header > size)
			break;
		memcpy(&header, data + start, sizeof header);
		if (header.p_type == PT_INTERP && header.p_offset <= size && header.p_filesz <= size - header.p_offset)
			*loader = g_strndup(data + header.p_offset, header.p_filesz);
	}
	return TRUE;
}

/* The loader's list: "\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f...)", "\t/lib64/ld-linux-x86-64.so.2 (0x...)",
 * and "\tlinux-vdso.so.1 (0x...)", which is no file.
 * source: ldd(1) */
static gboolean add_line(GTree *tree, const char *line, const char *program, GError **error)
{
	const char *arrow = strstr(line, " => "), *end = strrchr(line, '(');
	const char *start = arrow ? arrow + strlen(" => ") : line + strspn(line, " \t");
	g_autofree char *path = g_strstrip(g_strndup(start, end && end > start ? (gsize)(end - start) : strlen(start)));

	if (g_str_equal(path, "not found")) {
		g_autofree char *name = g_strstrip(g_strndup(line, (gsize)(arrow - line)));

		return err_runtime(error, "'%s' cannot be run in the guest: the library '%s' that it needs is not found", program, name);
	}
	return *path != '/' || initramfs_tree_path(tree, path, error);
}

gboolean initramfs_tree_libraries(GTree *tree, const char *program, GError **error)
{
	const struct exec_watch watch = {0};
	g_autoptr(GString) output = g_string_new(NULL);
	g_autofree char *loader = NULL, *copy = g_strdup(program);
	g_auto(GStrv) lines = NULL;
	struct exec_result result;

	if (!find_loader(program, &loader, error))
		return FALSE;
	if (!loader)
		return TRUE;
	/* an empty path instead of $LD_LIBRARY_PATH, which the guest will not have */
	if (!exec_command((char *[]){loader, (char[]){"--library-path"}, (char[]){""}, (char[]){"--list"}, copy, NULL}, AT_FDCWD, TRUE,
	                  output, &watch, &result, error))
		return FALSE;
	if (!WIFEXITED(result.status) || WEXITSTATUS(result.status) != 0) {
		g_autofree char *text = text_printable(g_strchomp(output->str));

		return err_runtime(error, "cannot list the libraries of '%s': %s", program, text);
	}
	lines = g_strsplit(output->str, "\n", -1);
	for (char **line = lines; *line; line++)
		if (!add_line(tree, *line, program, error))
			return FALSE;
	return initramfs_tree_path(tree, loader, error);
}
