#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "import_common.h"
#include "import_json.h"
#include "import_notes.h"
#include "shared.h"
#include "unit.h"

/* pyperf's JSON: benchmarks, each with the values of several processes ("runs"), of which some only calibrate and have
 * none. Values of one process are more alike than those of two (hash seed, memory layout), so that a process is a
 * sitting: from three on their means are compared. Source: pyperf's _bench.py and its documentation of the format. */

/* What the values of a unit are. */
static const struct {
	const char *unit;
	struct metric metric;
} kinds[] = {
    {"second", {.name = "elapsed", .unit = "s", .better = BETTER_LOWER}},
    {"byte", {.name = "memory", .unit = "B", .better = BETTER_LOWER}},
    {"integer", {.name = "value", .unit = "", .better = BETTER_NONE}},
};

/* What makes two results incomparable, or unlike; the rest (load, temperature, dates) differs from run to run. */
static const char *const machine_keys[] = {
    "hostname",        "platform", "cpu_model_name", "cpu_count",         "cpu_affinity",
    "cpu_config",      "aslr",     "python_version", "python_executable", "python_implementation",
    "python_compiler", "timer",    "perf_version",   "pyperf_version",
};

struct pyperf {
	struct notes notes;
	guint processes;
};

/* Metadata that all runs, or all benchmarks, have in common stand further up only. */
struct levels {
	const json_t *run, *benchmark, *suite;
};

/* "common_metadata" and "samples" are the names of pyperf before 0.9.6. */
static const json_t *metadata_of(const json_t *object)
{
	const json_t *metadata = json_object_get(object, "metadata");

	return metadata ? metadata : json_object_get(object, "common_metadata");
}

static const json_t *lookup(const struct levels *levels, const char *key)
{
	const json_t *const objects[] = {levels->run, levels->benchmark, levels->suite};
	const json_t *value = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(objects) && !value; i++)
		value = json_object_get(metadata_of(objects[i]), key);
	return value;
}

static const struct metric *metric_of(const struct json_document *document, const struct levels *levels)
{
	const char *unit = json_string_value(lookup(levels, "unit"));

	for (gsize i = 0; unit && i < G_N_ELEMENTS(kinds); i++)
		if (g_str_equal(unit, kinds[i].unit))
			return &kinds[i].metric;
	if (unit) {
		g_autofree char *shown = import_quote(unit, strlen(unit));

		json_warn(document, "unit '%s' is not known: values without a unit", shown);
		return &kinds[G_N_ELEMENTS(kinds) - 1].metric;
	}
	return &kinds[0].metric;
}

static void add_facts(struct notes *notes, const struct levels *levels, guint first, guint n)
{
	for (gsize i = 0; i < G_N_ELEMENTS(machine_keys); i++) {
		const json_t *value = lookup(levels, machine_keys[i]);
		g_autofree char *number =
		    json_is_number(value) ? number_format_shortest(json_number_value(value)) : NULL;
		const char *text = number ? number : json_string_value(value);

		if (text)
			notes_set(notes, first, n, machine_keys[i], text, NOTE_FACT);
	}
}

static void add_process(const struct json_document *document, struct pyperf *pyperf, const struct levels *levels,
			const char *name)
{
	struct dataset *dataset = document->dataset;
	const json_t *given = json_object_get(levels->run, "values"),
		     *values = given ? given : json_object_get(levels->run, "samples"), *value;
	const struct metric *metric = json_array_size(values) ? metric_of(document, levels) : NULL;
	g_autofree char *process = g_strdup_printf("%u", pyperf->processes + 1);
	const char *boot = json_string_value(lookup(levels, "boot_time"));
	guint first = dataset->n_runs;
	gsize i;

	if (!metric)
		return;
	pyperf->processes++;
	json_array_foreach (values, i, value) {
		guint row = import_run(dataset, name);
		double number = json_is_number(value) ? json_number_value(value) : NAN;

		if (!(number >= 0))
			json_warn(document, "value %zu of process %s is none: taken for a missing value", i + 1,
				  process);
		else
			import_value(dataset, row, metric, number);
	}
	column_fill(dataset->sitting, first, dataset->n_runs - first, process);
	if (boot)
		column_fill(dataset->boot, first, dataset->n_runs - first, boot);
	add_facts(&pyperf->notes, levels, first, dataset->n_runs - first);
}

static gboolean take(const struct json_document *document, gpointer data, GError **error)
{
	struct levels levels = {.suite = document->root};
	const json_t *benchmarks = json_object_get(document->root, "benchmarks");
	gsize i, j;

	if (!json_is_array(benchmarks))
		json_warn(document, "a document without benchmarks is left out");
	json_array_foreach (benchmarks, i, levels.benchmark) {
		const json_t *runs = json_object_get(levels.benchmark, "runs");

		json_array_foreach (runs, j, levels.run) {
			const char *name = json_string_value(lookup(&levels, "name"));

			add_process(document, data, &levels, name && *name ? name : "pyperf");
		}
	}
	return TRUE;
}

static gboolean import_pyperf_detect(const char *head, gsize length)
{
	return json_head_has(head, "benchmarks") && strstr(head, "\"runs\"");
}

static gboolean import_pyperf_read(const char *path, GInputStream *stream, struct dataset *dataset, GError **error)
{
	struct pyperf pyperf = {0};
	gboolean ok;

	dataset->sitting = column_new("sitting");
	dataset->boot = column_new("boot");
	notes_init(&pyperf.notes, path, dataset);
	ok = import_json(path, stream, dataset, NULL, take, &pyperf, error);
	if (ok)
		notes_finish(&pyperf.notes, NOTES_IN_WORKLOAD);
	notes_clear(&pyperf.notes);
	return ok;
}

const struct importer import_pyperf = {
    .name = "pyperf",
    .summary = "JSON of pyperf, a benchmark a workload and a process a sitting",
    .detect = import_pyperf_detect,
    .read = import_pyperf_read,
};
