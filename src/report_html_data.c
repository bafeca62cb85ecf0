#include "report_html.h"

#include <gio/gio.h>

#include "report_page.h"

#define PLAIN_MAX 1000000 /* bytes above which data are compressed */

static GBytes *compressed(const GString *text)
{
	g_autoptr(GZlibCompressor) compressor = g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
	g_autoptr(GInputStream) plain = g_memory_input_stream_new_from_data(text->str, (gssize)text->len, NULL);
	g_autoptr(GInputStream) packed = g_converter_input_stream_new(plain, G_CONVERTER(compressor));
	g_autoptr(GOutputStream) out = g_memory_output_stream_new_resizable();

	/* from memory to memory: nothing but a lack of it can fail, and that ends the process */
	g_output_stream_splice(out, packed, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, NULL);
	return g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(out));
}

void html_data(struct html *html, const struct report_page *page)
{
	gboolean is_plain = page->runs->len <= PLAIN_MAX;
	g_autoptr(GBytes) bytes =
	    is_plain ? g_bytes_new_static(page->runs->str, page->runs->len) : compressed(page->runs);
	gsize size = g_bytes_get_size(bytes);
	g_autofree char *encoded = g_base64_encode(g_bytes_get_data(bytes, NULL), size);
	g_autofree char *length = g_format_size(size);
	const char *ending = is_plain ? "" : ".gz";

	g_string_append_printf(
	    html->out,
	    "<p><a class=\"download\" download=\"runs.json%s\" href=\"data:application/%s;base64,%s\">Download "
	    "runs.json%s</a> (%s): all runs with all digits, one JSON object a line. "
	    "<code>vmstat-bench show</code>, <code>compare</code> and <code>import</code> read it%s.</p>\n",
	    ending, is_plain ? "json" : "gzip", encoded, ending, length,
	    is_plain ? "" : " once <code>gunzip</code> has unpacked it");
}
