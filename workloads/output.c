#include "output.h"

#include <string.h>

#include "../src/err.h"

/* Room for the name as it stands in tables, JSON and on the command line. */
static gboolean name_is_valid(const char *name)
{
	if (!g_ascii_isalpha(*name) && *name != '_')
		return FALSE;
	for (; *name; name++) {
		if (!g_ascii_isalnum(*name) && !strchr("_.-", *name))
			return FALSE;
	}
	return TRUE;
}

static gboolean check_name(const char *name, const char *text, GError **error)
{
	if (!name_is_valid(name))
		return err_usage(error, "metric name '%s' in '%s' is not made of letters, digits, '_', '.' and '-'",
				 name, text);
	for (const struct metric *metric = run_metrics; metric->name; metric++) {
		if (strcmp(metric->name, name) == 0)
			return err_usage(error, "metric '%s' in '%s' is one that every run has: take another name",
					 name, text);
	}
	return TRUE;
}

/* "UNIT", "UNIT,higher" or "UNIT,lower". */
static gboolean read_unit(const char *text, struct metric *metric, GError **error)
{
	const char *comma = strchr(text, ',');
	g_autofree char *unit = comma ? g_strndup(text, (gsize)(comma - text)) : g_strdup(text);

	if (comma && !better_parse(comma + 1, &metric->better))
		return err_usage(error, "metric '%s': '%s' is neither higher nor lower", metric->name, comma + 1);
	for (const char *c = unit; *c; c++) {
		if (g_ascii_iscntrl(*c))
			return err_usage(error, "metric '%s': the unit holds a control character", metric->name);
	}
	if (!g_utf8_validate(unit, -1, NULL))
		return err_usage(error, "metric '%s': the unit is not UTF-8", metric->name);
	metric->unit = g_intern_string(unit);
	if (!comma)
		metric->better = better_of_unit(unit);
	return TRUE;
}

static GRegex *read_regex(const char *name, const char *pattern, GError **error)
{
	g_autoptr(GError) why = NULL;
	GRegex *regex = NULL;

	if (*pattern == '\0')
		err_usage(error, "metric '%s': the regular expression is empty", name);
	else if (!g_utf8_validate(pattern, -1, NULL))
		err_usage(error, "metric '%s': the regular expression is not UTF-8", name);
	else if (!(regex =
		       g_regex_new(pattern, G_REGEX_MULTILINE | G_REGEX_NEWLINE_ANYCRLF, 0, &why)))
		err_usage(error, "metric '%s': %s", name, why->message);
	return regex;
}

struct output_metric *output_metric_parse(const char *text, GError **error)
{
	const char *equals = strchr(text, '=');
	const char *colon = equals ? strchr(equals, ':') : NULL;
	g_autofree char *name = NULL, *unit = NULL;
	struct metric metric = {.help = NULL};
	struct output_metric *output;
	GRegex *regex;

	if (!colon) {
		err_usage(error, "metric '%s' is not NAME=UNIT[,higher|lower]:REGEX", text);
		return NULL;
	}
	name = g_strndup(text, (gsize)(equals - text));
	unit = g_strndup(equals + 1, (gsize)(colon - equals - 1));
	if (!check_name(name, text, error))
		return NULL;
	metric.name = g_intern_string(name);
	if (!read_unit(unit, &metric, error))
		return NULL;
	regex = read_regex(name, colon + 1, error);
	if (!regex)
		return NULL;
	output = g_new(struct output_metric, 1);
	*output = (struct output_metric){metric, regex};
	return output;
}

void output_metric_free(struct output_metric *output)
{
	g_regex_unref(output->regex);
	g_free(output);
}
