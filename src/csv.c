#include "csv.h"

#include <string.h>

#include "unit.h"

void csv_field(GString *out, const char *text)
{
	if (out->len && out->str[out->len - 1] != '\n')
		g_string_append_c(out, ',');
	if (!strpbrk(text, ",\"\r\n#") && *text) {
		g_string_append(out, text);
		return;
	}
	g_string_append_c(out, '"');
	for (; *text; text++)
		g_string_append_len(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
	g_string_append_c(out, '"');
}

void csv_number(GString *out, double value)
{
	g_autofree char *text = number_format_full(value);

	csv_field(out, text);
}

void csv_count(GString *out, guint value)
{
	g_autofree char *text = g_strdup_printf("%u", value);

	csv_field(out, text);
}
