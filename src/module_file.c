#include "module_file.h"

#include <elf.h>
#include <gio/gio.h>
#include <lzma.h>
#include <string.h>
#include <zstd.h>

#include "err.h"

#define MODULE_BYTES_MAX (256u << 20)
#define STEP (1u << 20)

/* These take the packed file and return what was in it; NULL where it is damaged or larger than any module. */

static GBytes *unpack_xz(gconstpointer data, gsize size)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	g_autoptr(GByteArray) out = g_byte_array_new();
	lzma_ret result = lzma_stream_decoder(&stream, G_MAXUINT64, 0);

	stream.next_in = data;
	stream.avail_in = size;
	while (result == LZMA_OK && out->len < MODULE_BYTES_MAX) {
		guint old = out->len;

		g_byte_array_set_size(out, old + STEP);
		stream.next_out = out->data + old;
		stream.avail_out = STEP;
		result = lzma_code(&stream, LZMA_FINISH);
		g_byte_array_set_size(out, old + STEP - (guint)stream.avail_out);
	}
	lzma_end(&stream);
	return result == LZMA_STREAM_END ? g_byte_array_free_to_bytes(g_steal_pointer(&out)) : NULL;
}

static GBytes *unpack_zstd(gconstpointer data, gsize size)
{
	unsigned long long length = ZSTD_getFrameContentSize(data, size);
	g_autofree char *out = NULL;
	gsize got;

	/* also larger than that where the length is not known */
	if (length > MODULE_BYTES_MAX)
		return NULL;
	out = g_malloc(length + 1);
	got = ZSTD_decompress(out, length, data, size);
	return ZSTD_isError(got) ? NULL : g_bytes_new_take(g_steal_pointer(&out), got);
}

static GBytes *unpack_gz(gconstpointer data, gsize size)
{
	g_autoptr(GInputStream) packed = g_memory_input_stream_new_from_data(data, (gssize)size, NULL);
	g_autoptr(GConverter) converter = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
	g_autoptr(GInputStream) in = g_converter_input_stream_new(packed, converter);
	g_autofree char *out = g_malloc(MODULE_BYTES_MAX);
	gsize got;

	if (!g_input_stream_read_all(in, out, MODULE_BYTES_MAX, &got, NULL, NULL) || got == MODULE_BYTES_MAX)
		return NULL;
	return g_bytes_new(out, got);
}

GBytes *module_file_read(const char *path, GError **error)
{
	static const struct packing {
		const char *suffix;
		GBytes *(*unpack)(gconstpointer data, gsize size);
	} packings[] = {{".xz", unpack_xz}, {".zst", unpack_zstd}, {".gz", unpack_gz}};
	GBytes *module;
	char *data;
	gsize size;

	if (!g_file_get_contents(path, &data, &size, error))
		return NULL;
	for (guint i = 0; i < G_N_ELEMENTS(packings); i++) {
		if (!g_str_has_suffix(path, packings[i].suffix))
			continue;
		module = packings[i].unpack(data, size);
		g_free(data);
		if (!module)
			err_runtime(error, "cannot unpack '%s': it is damaged", path);
		return module;
	}
	return g_bytes_new_take(data, size);
}

/* The section's header; false where the file ends before it or before what it points to.
 * source: elf(5) */
static gboolean read_section(const char *data, gsize size, const Elf64_Ehdr *elf, guint index, Elf64_Shdr *section)
{
	guint64 start = elf->e_shoff + (guint64)index * sizeof *section;

	if (elf->e_shoff > size || index >= elf->e_shnum || start + sizeof *section > size)
		return FALSE;
	memcpy(section, data + start, sizeof *section);
	return section->sh_offset <= size && section->sh_size <= size - section->sh_offset;
}

/* The section of that name in *found. */
static gboolean find_section(const char *data, gsize size, const char *name, Elf64_Shdr *found)
{
	Elf64_Ehdr elf;
	Elf64_Shdr names;

	if (size < sizeof elf || memcmp(data, ELFMAG, SELFMAG) != 0 || data[EI_CLASS] != ELFCLASS64 || data[EI_DATA] != ELFDATA2LSB)
		return FALSE;
	memcpy(&elf, data, sizeof elf);
	if (elf.e_shentsize != sizeof names || !read_section(data, size, &elf, elf.e_shstrndx, &names))
		return FALSE;
	for (guint i = 1; i < elf.e_shnum; i++) {
		gsize length = strlen(name) + 1;

		if (read_section(data, size, &elf, i, found) && found->sh_name < names.sh_size &&
		    length <= names.sh_size - found->sh_name &&
		    memcmp(data + names.sh_offset + found->sh_name, name, length) == 0)
			return TRUE;
	}
	return FALSE;
}

GPtrArray *module_file_info(GBytes *module, const char *key)
{
	gsize size, length = strlen(key);
	const char *data = g_bytes_get_data(module, &size), *end;
	GPtrArray *values;
	Elf64_Shdr info;

	if (!find_section(data, size, ".modinfo", &info))
		return NULL;
	values = g_ptr_array_new_with_free_func(g_free);
	end = data + info.sh_offset + info.sh_size;
	for (const char *text = data + info.sh_offset; text < end; text += strnlen(text, (gsize)(end - text)) + 1)
		if ((gsize)(end - text) > length && memcmp(text, key, length) == 0 && text[length] == '=')
			g_ptr_array_add(values, g_strndup(text + length + 1, (gsize)(end - text) - length - 1));
	return values;
}
