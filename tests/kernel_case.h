#ifndef KERNEL_CASE_H
#define KERNEL_CASE_H

#include "check.h"

#include <elf.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/err.h"
#include "../src/kernel_modules.h"

/* Kernels and modules as they are on disk: small ones made here, and Debian's, which tests/get-kernels fetches. */

#define VERSION_TEXT "9.8.7-test"

static inline void write_at(const char *root, const char *path, const char *data, gsize size)
{
	g_autofree char *full = g_build_filename(root, path, NULL), *dir = g_path_get_dirname(full);

	assert_int_equal(g_mkdir_with_parents(dir, 0700), 0);
	assert_true(g_file_set_contents(full, data, (gssize)size, NULL));
}

/* The header of a bzImage, and behind it the version text. source: Documentation/arch/x86/boot.rst */
static inline void write_image(const char *root, const char *path, const char *version)
{
	char image[0x400] = {0};

	memcpy(image + 0x202, "HdrS", 4);
	image[0x20e] = 0x20; /* 0x320 - 0x200 = 0x120, low byte first */
	image[0x20f] = 0x01;
	g_snprintf(image + 0x320, 0xe0, "%s (someone@example.org) #1 SMP", version);
	write_at(root, path, image, sizeof image);
}

/* An ELF object with nothing but the section .modinfo: the strings, NUL between them. source: elf(5) */
static inline GBytes *make_module(const char *info, gsize size)
{
	static const char names[] = "\0.modinfo\0.shstrtab";
	Elf64_Ehdr elf = {.e_ident = ELFMAG, .e_shoff = sizeof elf, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3, .e_shstrndx = 2};
	Elf64_Shdr sections[3] = {{0}};
	GByteArray *module = g_byte_array_new();

	elf.e_ident[EI_CLASS] = ELFCLASS64;
	elf.e_ident[EI_DATA] = ELFDATA2LSB;
	sections[1].sh_name = 1;
	sections[1].sh_offset = sizeof elf + sizeof sections;
	sections[1].sh_size = size;
	sections[2].sh_name = 10;
	sections[2].sh_offset = sections[1].sh_offset + size;
	sections[2].sh_size = sizeof names;
	g_byte_array_append(module, (const guint8 *)&elf, sizeof elf);
	g_byte_array_append(module, (const guint8 *)sections, sizeof sections);
	g_byte_array_append(module, (const guint8 *)info, (guint)size);
	g_byte_array_append(module, (const guint8 *)names, sizeof names);
	return g_byte_array_free_to_bytes(module);
}

/* info: a string literal. */
#define write_module(root, path, info) write_module_of((root), (path), (info), sizeof(info))

static inline void write_module_of(const char *root, const char *path, const char *info, gsize size)
{
	g_autoptr(GBytes) module = make_module(info, size);

	write_at(root, path, g_bytes_get_data(module, NULL), g_bytes_get_size(module));
}

/* The image of Debian's kernel of that series; NULL where $VMSTAT_BENCH_KERNELS has none. */
static inline char *debian_image(const char *series)
{
	const char *given = g_getenv("VMSTAT_BENCH_KERNELS"), *kernels = given ? given : "/var/tmp/vmstat-bench-kernels";
	g_autofree char *boot = g_build_filename(kernels, series, "boot", NULL);
	g_autoptr(GDir) dir = g_dir_open(boot, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_prefix(name, "vmlinuz-"))
			return g_build_filename(boot, name, NULL);
	return NULL;
}

static inline void remove_tree(const char *root)
{
	char *argv[] = {(char[]){"/bin/rm"}, (char[]){"-rf"}, g_strdup(root), NULL};

	assert_true(g_spawn_sync(NULL, argv, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL));
	g_free(argv[2]);
}

#endif
