#ifndef JSON_CASE_H
#define JSON_CASE_H

/* JSON in tests, written with ' for ", which needs no escaping in C. */

#include "import_report_case.h"

static inline char *json_text(const char *text)
{
	return g_strdelimit(g_strdup(text), "'", '"');
}

static inline struct dataset *import_json_text(const char *text)
{
	g_autofree char *json = json_text(text);

	return import_text(json);
}

static inline void check_json_refused(const char *text, const char *where, const char *what)
{
	g_autofree char *json = json_text(text);

	check_text_refused(json, where, what);
}

static inline void check_json_detected(const char *text, const struct importer *format)
{
	g_autofree char *json = json_text(text);

	check_detected(json, format);
}

static inline void check_json_hostile(const char *text, const struct importer *format)
{
	g_autofree char *json = json_text(text);

	check_hostile(format, json);
	check_long_numbers(format, json);
}

#endif
