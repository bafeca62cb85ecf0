#include "run_output.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "../workloads/workload.h"
#include "dataset.h"
#include "import.h"
#include "run.h"
#include "unit.h"

#define LINE_MAX_LENGTH 200 /* bytes of a line that are shown */

gboolean run_output_wanted(const struct workload_config *config)
{
	return config->outputs->len > 0 || config->workload->output_format;
}

static void fail(struct run_result *result, char *message)
{
	result->outcome = OUTCOME_FAILED;
	result->message = message;
}

char *run_output_complaint(const struct workload *workload, const GString *output)
{
	g_autofree char *text = g_utf8_make_valid(output->str, (gssize)output->len);
	g_autoptr(GRegex) regex =
	    workload->complaint ? g_regex_new(workload->complaint, G_REGEX_MULTILINE, 0, NULL) : NULL;
	g_autoptr(GMatchInfo) match = NULL;
	char *line;

	if (regex && g_regex_match(regex, text, 0, &match)) {
		g_autofree char *found = g_match_info_fetch(match, 0);

		return g_strndup(g_strstrip(found), LINE_MAX_LENGTH);
	}
	g_strchomp(text);
	line = strrchr(text, '\n');
	return g_strndup(line ? line + 1 : text, LINE_MAX_LENGTH);
}

static void set_values(const struct workload *workload, const struct dataset *dataset, struct run_result *result)
{
	for (guint i = 0; workload->metrics[i].name; i++) {
		const struct metric *metric = &workload->metrics[i];
		const struct values *values = dataset_find_metric(dataset, metric->name);

		if (values && g_str_equal(values->metric.unit, metric->unit))
			g_array_index(result->own, double, i) = values_get(values, 0);
	}
}

void run_output_import(const struct workload_config *config, const GString *output, struct run_result *result)
{
	const struct workload *workload = config->workload;
	const struct importer *importer = importer_find(workload->output_format, NULL);
	g_autofree char *name = g_strdup_printf("output of %s", workload->name);
	g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_data(output->str, (gssize)output->len, NULL);
	g_autoptr(Dataset) dataset = dataset_new();
	g_autoptr(GError) error = NULL;

	g_assert(importer);
	if (!importer->read(name, stream, dataset, &error)) {
		fail(result, g_strdup(error->message));
	} else if (dataset->n_runs != 1) {
		fail(result, g_strdup_printf("%s: it tells of %u runs, not of one", name, dataset->n_runs));
	} else if (!dataset_ok(dataset, 0)) {
		g_autofree char *line = run_output_complaint(workload, output);

		fail(result, g_strdup_printf("%s tells of a failure: %s", name, line));
	} else {
		set_values(workload, dataset, result);
	}
}

/* The number in the first group of the regex's last match, or in the whole match where it has no group. */
static gboolean find_output(const struct output_metric *metric, const char *text, gsize length, double *value)
{
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *found = NULL;
	int group = g_regex_get_capture_count(metric->regex) > 0;

	g_regex_match_full(metric->regex, text, (gssize)length, 0, 0, &match, NULL);
	while (g_match_info_matches(match)) {
		g_free(found);
		found = g_match_info_fetch(match, group);
		if (!g_match_info_next(match, NULL))
			break;
	}
	return found && number_parse(g_strstrip(found), value);
}

void run_output_match(const struct workload_config *config, const GString *output, struct run_result *result)
{
	g_autofree char *text = g_utf8_make_valid(output->str, (gssize)output->len);
	guint first = result->own->len - config->outputs->len;

	for (guint i = 0; i < config->outputs->len; i++) {
		const struct output_metric *metric = config->outputs->pdata[i];

		if (find_output(metric, text, strlen(text), &g_array_index(result->own, double, first + i)))
			continue;
		fail(result, g_strdup_printf("metric '%s' not found in the output: nothing matches '%s' with a number",
					     metric->metric.name, g_regex_get_pattern(metric->regex)));
		return;
	}
}
