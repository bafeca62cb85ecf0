#ifndef HARD_DATA_H
#define HARD_DATA_H

/* What the tests of data that nothing can deduplicate or compress share. */

#include "test_workload.h"

#include <gio/gio.h>

static inline guint page_hash(gconstpointer page)
{
	guint hash = 5381;

	for (gsize i = 0; i < 64; i++)
		hash = hash * 33 + ((const unsigned char *)page)[i];
	return hash;
}

static inline gboolean page_equal(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, 4096) == 0;
}

/* Fails where two whole 4 KiB blocks in the set are alike; adds those of data. */
static inline void assert_pages_differ(GHashTable *seen, unsigned char *data, gsize size)
{
	for (gsize at = 0; at + 4096 <= size; at += 4096)
		assert_true(g_hash_table_add(seen, data + at));
}

/* What deflate, whose window is 32 KiB, makes of the data, per its size. */
static inline double deflate_ratio(const unsigned char *data, gsize size)
{
	g_autoptr(GZlibCompressor) deflate = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_RAW, 6);
	gsize room = size + size / 8 + 1024, in, out;
	g_autofree unsigned char *packed = g_malloc(room);
	GConverterResult result = g_converter_convert(G_CONVERTER(deflate), data, size, packed, room,
						      G_CONVERTER_INPUT_AT_END, &in, &out, NULL);

	assert_int_equal(result, G_CONVERTER_FINISHED);
	return (double)out / (double)size;
}

#endif
