#ifndef SVG_H
#define SVG_H

/* Reads back what gnuplot drew, with GLib's XML parser and nothing of ours. */

#include <glib.h>
#include <string.h>

/* Where a text stands: its base line's left end, middle or right end. */
struct svg_place {
	double x, y, size;
	char anchor; /* 's'tart, 'm'iddle or 'e'nd */
};

struct svg {
	GPtrArray *texts;    /* char *: what stands in each <text> */
	GArray *places;      /* struct svg_place, parallel */
	GArray *marks;       /* struct svg_mark: each point, in the order drawn */
	guint width, height; /* pixels */
	gboolean in_text;
	struct svg_place place; /* of the group that was begun last */
};

struct svg_mark {
	double x, y;
};

static inline void svg_start(GMarkupParseContext *context, const char *element, const char **names, const char **values,
			     gpointer data, GError **error)
{
	struct svg *svg = data;
	const char *at = NULL, *href = NULL;

	for (; *names; names++, values++) {
		if (!strcmp(element, "svg") && !strcmp(*names, "width"))
			svg->width = (guint)g_ascii_strtoull(*values, NULL, 10);
		if (!strcmp(element, "svg") && !strcmp(*names, "height"))
			svg->height = (guint)g_ascii_strtoull(*values, NULL, 10);
		if (!strcmp(*names, "transform") && g_str_has_prefix(*values, "translate("))
			at = *values + strlen("translate(");
		if (!strcmp(*names, "xlink:href"))
			href = *values;
		if (!strcmp(*names, "font-size"))
			svg->place.size = g_ascii_strtod(*values, NULL);
		if (!strcmp(*names, "text-anchor"))
			svg->place.anchor = **values;
	}
	if (!strcmp(element, "g") && at) {
		svg->place.x = g_ascii_strtod(at, NULL);
		svg->place.y = g_ascii_strtod(strchr(at, ',') + 1, NULL);
	}
	if (!strcmp(element, "use") && at && href) {
		struct svg_mark mark = {.x = g_ascii_strtod(at, NULL), .y = g_ascii_strtod(strchr(at, ',') + 1, NULL)};

		g_array_append_val(svg->marks, mark);
	}
	if (!strcmp(element, "text")) {
		svg->in_text = TRUE;
		g_ptr_array_add(svg->texts, g_strdup(""));
		g_array_append_val(svg->places, svg->place);
	}
}

static inline void svg_end(GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
	if (!strcmp(element, "text"))
		((struct svg *)data)->in_text = FALSE;
}

static inline void svg_text(GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
	struct svg *svg = data;
	gpointer *last = svg->in_text ? &svg->texts->pdata[svg->texts->len - 1] : NULL;

	if (last) {
		char *old = *last;

		*last = g_strdup_printf("%s%.*s", old, (int)length, text);
		g_free(old);
	}
}

/* False where the file is no well-formed XML. */
static inline gboolean svg_read(const char *path, struct svg *svg, GError **error)
{
	static const GMarkupParser parser = {.start_element = svg_start, .end_element = svg_end, .text = svg_text};
	g_autofree char *text = NULL;
	gsize length;

	*svg = (struct svg){.texts = g_ptr_array_new_with_free_func(g_free),
			    .places = g_array_new(FALSE, FALSE, sizeof(struct svg_place)),
			    .marks = g_array_new(FALSE, FALSE, sizeof(struct svg_mark))};
	if (!g_file_get_contents(path, &text, &length, error))
		return FALSE;

	g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, svg, NULL);
	return g_markup_parse_context_parse(context, text, (gssize)length, error) &&
	       g_markup_parse_context_end_parse(context, error);
}

static inline void svg_clear(struct svg *svg)
{
	g_ptr_array_unref(svg->texts);
	g_array_unref(svg->places);
	g_array_unref(svg->marks);
}

/* How often text stands in the picture, blanks at its ends aside. */
static inline guint svg_count(const struct svg *svg, const char *text)
{
	guint n = 0;

	for (guint i = 0; i < svg->texts->len; i++) {
		g_autofree char *got = g_strstrip(g_strdup(svg->texts->pdata[i]));

		n += !strcmp(got, text);
	}
	return n;
}

#endif
