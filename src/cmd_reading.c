#include "cmd_reading.h"

#include "cmd.h"
#include "dataset.h"
#include "err.h"
#include "operand.h"
#include "report.h"

static char **split(char ***names)
{
	g_auto(GStrv) given = *names;

	return *names = cmd_split_lists(given);
}

gboolean reading_parse(struct reading *reading, char **operand, GError **error)
{
	struct analyse_options *analyse = &reading->analyse;

	reading->operand = operand;
	*analyse = (struct analyse_options){.level = 0.95,
					    .margin_pct = 5,
					    .metrics = split(&reading->metrics),
					    .workloads = split(&reading->workloads)};
	reading->report = report_find_for(reading->format ? reading->format : "text", reading->answer, error);
	return reading->report &&
	       (!reading->confidence || cmd_parse_confidence(reading->confidence, &analyse->level, error));
}

gboolean reading_load(struct reading *reading, GError **error)
{
	reading->operands = (reading->is_whole ? operands_load_whole : operands_load)(
	    reading->operand, cmd_store_path(reading->store), error);
	if (!reading->operands)
		return FALSE;
	for (guint i = 0; i < reading->operands->dataset->warnings->len; i++)
		cmd_warn("%s", (const char *)reading->operands->dataset->warnings->pdata[i]);
	return TRUE;
}

int reading_answer(struct reading *reading, char **operand,
		   gboolean (*answer)(struct reading *reading, const void *options, GError **error),
		   const void *options)
{
	g_autoptr(GString) out = g_string_new(NULL);
	GError *error = NULL;
	int status;

	document_of_terminal(&reading->to, out);
	reading->to.is_verbose = reading->is_verbose;
	if (!reading_parse(reading, operand, &error) || !answer(reading, options, &error))
		return cmd_fail(error);
	status = cmd_print(out);
	return status == EXIT_OK ? reading->status : status;
}

void reading_clear(struct reading *reading)
{
	g_strfreev(reading->metrics);
	g_strfreev(reading->workloads);
	g_strfreev(reading->better);
	g_free(reading->confidence);
	g_free(reading->format);
	g_free(reading->store);
	operands_free(reading->operands);
}
