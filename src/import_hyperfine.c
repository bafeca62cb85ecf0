#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"
#include "import_json.h"
#include "import_notes.h"
#include "unit.h"

/* hyperfine's JSON (--export-json): each of a result's times is a run of its command. User and system time are there as
 * means only, which are no runs. */

struct result {
	const char *shown;                         /* the command, for messages */
	const json_t *times, *exit_codes, *memory; /* arrays; the last two may be NULL */
};

static const struct metric memory_metric = {.name = "memory", .unit = "B", .better = BETTER_LOWER};

/* An exit code is null where a signal ended the command. Where there are none, as in old versions, hyperfine had no
 * failure to tell of: it stops at the first unless told to ignore them. */
static gboolean has_failed(const struct result *result, gsize i)
{
	const json_t *code = json_array_get(result->exit_codes, i);

	return code && !(json_is_number(code) && json_number_value(code) == 0);
}

static double number_at(const json_t *array, gsize i)
{
	const json_t *number = json_array_get(array, i);

	return json_is_number(number) ? json_number_value(number) : NAN;
}

static void add_run(const struct json_document *document, const char *command, const struct result *result, gsize i)
{
	struct dataset *dataset = document->dataset;
	guint row = import_run(dataset, command);
	double time = number_at(result->times, i);

	import_metric(dataset, row, &run_metrics[RUN_ELAPSED]);
	if (has_failed(result, i)) {
		import_failed(dataset, row);
	} else if (!(time >= 0)) {
		json_warn(document, "time %zu of '%s' is none: taken for a missing value", i + 1, result->shown);
	} else {
		import_value(dataset, row, &run_metrics[RUN_ELAPSED], time);
		import_value(dataset, row, &memory_metric, number_at(result->memory, i));
	}
}

static void add_parameters(struct notes *notes, guint first, guint n, json_t *parameters)
{
	const char *name;
	json_t *value;

	json_object_foreach (parameters, name, value) {
		g_autofree char *number =
		    json_is_number(value) ? number_format_shortest(json_number_value(value)) : NULL;
		const char *level = number ? number : json_string_value(value);

		if (level)
			notes_set(notes, first, n, name, level, NOTE_ANY);
	}
}

static const json_t *array_of(const json_t *object, const char *key)
{
	const json_t *array = json_object_get(object, key);

	return json_is_array(array) ? array : NULL;
}

static gboolean add_result(const struct json_document *document, const json_t *object, struct notes *notes,
			   GError **error)
{
	const char *command = json_get_text(object, "command");
	g_autofree char *shown = import_quote(command ? command : "", command ? strlen(command) : 0);
	struct result result = {shown, array_of(object, "times"), array_of(object, "exit_codes"),
				array_of(object, "memory_usage_byte")};
	gsize n = json_array_size(result.times);
	guint first = document->dataset->n_runs;

	if (!command || n == 0) {
		json_warn(document, "a result without %s is left out: '%s'", command ? "times" : "a command", shown);
		return TRUE;
	}
	if (result.exit_codes && json_array_size(result.exit_codes) != n)
		return err_usage(error, "%s:%" G_GUINT64_FORMAT ": '%s' has %zu times and %zu exit codes",
				 document->path, document->line, shown, n, json_array_size(result.exit_codes));
	for (gsize i = 0; i < n; i++)
		add_run(document, command, &result, i);
	add_parameters(notes, first, (guint)n, json_object_get(object, "parameters"));
	return TRUE;
}

static gboolean take(const struct json_document *document, gpointer notes, GError **error)
{
	const json_t *results = json_object_get(document->root, "results"), *result;
	gsize i;

	if (!json_is_array(results))
		json_warn(document, "a document without results is left out");
	json_array_foreach (results, i, result)
		if (!add_result(document, result, notes, error))
			return FALSE;
	return TRUE;
}

/* A file without a single result is told from one of an unknown format. */
static gboolean import_hyperfine_detect(const char *head, gsize length)
{
	return json_head_has(head, "results") &&
	       (strstr(head, "\"command\"") ||
		g_regex_match_simple("\"results\"\\s*:\\s*\\[\\s*\\]", head, G_REGEX_RAW, 0));
}

static gboolean import_hyperfine_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct notes notes;
	gboolean ok;

	notes_init(&notes, path, dataset);
	ok = import_json(path, stream, dataset, NULL, take, &notes, error);
	if (ok)
		notes_finish(&notes, NOTES_ANYWHERE);
	notes_clear(&notes);
	return ok;
}

const struct importer import_hyperfine = {
    .name = "hyperfine",
    .summary = "JSON of hyperfine, a command a workload",
    .detect = import_hyperfine_detect,
    .read = import_hyperfine_read,
};
