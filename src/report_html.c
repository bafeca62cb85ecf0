#include "report_html.h"

#include <math.h>
#include <string.h>

#include "names.h"
#include "shared.h"
#include "unit.h"

/* A name is cut above this number of characters: its first and last so many remain. */
#define NAME_CHARACTERS 72
#define NAME_HEAD 44
#define NAME_TAIL 22
#define CELL_BYTES 30 /* of a cell's text on one line */

void html_add(struct html *html, const char *markup)
{
	g_string_append(html->out, markup);
}

void html_text(struct html *html, const char *text)
{
	g_autofree char *printable = text_printable(text);
	g_autofree gunichar *characters = g_utf8_to_ucs4_fast(printable, -1, NULL);

	for (const gunichar *c = characters; *c; c++)
		switch (*c) {
		case '<':
			g_string_append(html->out, "&lt;");
			break;
		case '>':
			g_string_append(html->out, "&gt;");
			break;
		case '&':
			g_string_append(html->out, "&amp;");
			break;
		case '"':
			g_string_append(html->out, "&quot;");
			break;
		case '\'':
			g_string_append(html->out, "&#39;");
			break;
		case 0xfffe:
		case 0xffff:
			/* not allowed in XML, in no way at all */
			g_string_append_printf(html->out, "\\u{%04x}", *c);
			break;
		default:
			g_string_append_unichar(html->out, *c);
		}
}

void html_element(struct html *html, const char *element, const char *text)
{
	g_string_append_printf(html->out, "<%s>", element);
	html_text(html, text);
	g_string_append_printf(html->out, "</%s>\n", element);
}

const char *html_name(struct html *html, const char *name)
{
	const char *found = g_hash_table_lookup(html->short_names, name);
	g_autofree char *valid = NULL, *head = NULL;
	glong length;
	char *cut;

	if (found)
		return found;
	valid = g_utf8_make_valid(name, -1);
	length = g_utf8_strlen(valid, -1);
	if (length <= NAME_CHARACTERS)
		return name;
	names_add(html->long_names, name);
	head = g_utf8_substring(valid, 0, NAME_HEAD);
	cut = g_strdup_printf("%s…%s [%u]", head, g_utf8_offset_to_pointer(valid, length - NAME_TAIL),
			      html->long_names->len);
	g_hash_table_insert(html->short_names, shared(name), cut);
	return cut;
}

void html_table_open(struct html *html, const char *caption, gboolean is_sortable)
{
	html_add(html, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
	html_text(html, caption);
	g_string_append_printf(html->out, "\"><table%s><caption>", is_sortable ? " data-sort=\"yes\"" : "");
	html_text(html, caption);
	html_add(html, "</caption>\n<thead><tr>");
}

void html_table_head(struct html *html, const char *text, enum html_align align)
{
	g_string_append_printf(html->out, "<th scope=\"col\"%s>", align == HTML_RIGHT ? " class=\"n\"" : "");
	html_text(html, text);
	html_add(html, "</th>");
}

void html_table_body(struct html *html)
{
	html_add(html, "</tr></thead>\n<tbody>\n");
}

void html_table_close(struct html *html)
{
	html_add(html, "</tbody></table></div>\n");
}

/* What is short stays on one line. */
static const char *width_class(const char *text)
{
	return strlen(text) > CELL_BYTES ? " class=\"long\"" : "";
}

void html_head(struct html *html, const char *text)
{
	g_string_append_printf(html->out, "<th scope=\"row\"%s>", width_class(text));
	html_text(html, text);
	html_add(html, "</th>");
}

void html_cell_over(struct html *html, const char *text, guint columns)
{
	g_string_append_printf(html->out, "<td colspan=\"%u\"%s>", columns, width_class(text));
	html_text(html, text);
	html_add(html, "</td>");
}

void html_cell(struct html *html, const char *text)
{
	g_string_append_printf(html->out, "<td%s>", width_class(text));
	html_text(html, text);
	html_add(html, "</td>");
}

void html_number(struct html *html, double value)
{
	g_autofree char *text = number_format(isfinite(value) ? value : NAN);
	g_autofree char *full = number_format_shortest(isfinite(value) ? value : NAN);

	g_string_append_printf(html->out, "<td class=\"n\" data-value=\"%s\">%s</td>", full,
			       isfinite(value) ? text : "–");
}

void html_count(struct html *html, guint64 count)
{
	g_string_append_printf(html->out, "<td class=\"n\">%" G_GUINT64_FORMAT "</td>", count);
}

void html_flags(struct html *html, flag_set flags)
{
	html_add(html, "<td class=\"flags\">");
	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (flags & info->flag)
			g_string_append_printf(html->out, "<a class=\"flag\" href=\"#flag-%s\">%s</a> ", info->name,
					       info->name);
	html_add(html, "</td>");
}

char *html_time(gint64 us)
{
	g_autoptr(GDateTime) time = us ? g_date_time_new_from_unix_utc(us / G_USEC_PER_SEC) : NULL;

	return time ? g_date_time_format(time, "%Y-%m-%d %H:%M:%S") : g_strdup("");
}
