#include <string.h>

#include "cmd.h"
#include "cmd_reading.h"
#include "cmd_report_page.h"
#include "err.h"
#include "report_page.h"
#include "unit.h"
#include "whole_file.h"

extern const struct command cmd_report;

static const char description[] =
    "Writes all that is to be said of the runs into one file: verdicts, what cannot be concluded, estimates, charts,\n"
    "the machine, every run, how they were made, and the data. The ending of FILE chooses the format:\n"
    "  .html  a page that is complete in itself, for a browser or to be printed; gnuplot draws its charts\n"
    "  .md    markdown, without charts and the table of runs\n"
    "  .txt   the same as plain text\n\n"
    "OPERANDs choose the runs as for show. Two or more labels or files are compared with the first; else the levels\n"
    "of --by are, or those of the label, or of the only factor that differs. Effects are told of the two factors of\n"
    "--by, or of the only two that differ.\n\n"
    "Examples:\n"
    "  vmstat-bench report -o report.html\n"
    "  vmstat-bench report 6.1 6.12 -o 6.12.html --margin 3\n"
    "  vmstat-bench report results.tsv swap_MB=200 --by kernel --baseline 2.4.13 -o swap.md";

/* How a report is written. */
static const struct format {
	const char *ending;
	void (*write)(const struct report_page *page, GString *out);
	gboolean is_full; /* with charts and data */
} formats[] = {
    {".html", report_html_page, TRUE},
    {".htm", report_html_page, TRUE},
    {".md", report_markdown_page, FALSE},
    {".txt", report_text_page, FALSE},
};

static const struct format *format_of(const char *output, GError **error)
{
	g_autofree char *lower = output ? g_ascii_strdown(output, -1) : NULL;

	for (gsize i = 0; lower && i < G_N_ELEMENTS(formats); i++)
		if (g_str_has_suffix(lower, formats[i].ending))
			return &formats[i];
	if (output)
		err_usage(error, "no report format for '%s': the name must end in .html, .md or .txt", output);
	else
		err_usage(error, "no name for the report: give -o FILE.html, FILE.md or FILE.txt");
	return NULL;
}

static gboolean write_report(struct reading *reading, const struct report_options *options, GError **error)
{
	const struct format *format = format_of(options->output, error);
	g_autoptr(GString) out = g_string_new(NULL);
	struct report_page page = {0};
	gboolean ok;

	if (!format)
		return FALSE;
	ok = report_page_make(&page, reading, options, format->is_full, error);
	if (ok)
		format->write(&page, out);
	report_page_clear(&page);
	return ok && whole_file_write(options->output, out->str, out->len, error);
}

static void options_clear(struct report_options *options)
{
	g_free(options->output);
	g_free(options->title);
	g_free(options->by);
	g_free(options->baseline);
	g_free(options->margin);
}

static int run(int argc, char **argv)
{
	struct report_options options = {0};
	struct reading reading = {0};
	const GOptionEntry entries[] = {
	    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "The report; .html, .md or .txt says its format",
	     "FILE"},
	    {"title", 0, 0, G_OPTION_ARG_FILENAME, &options.title, "Its heading (default: what is compared)", "TEXT"},
	    {"by", 0, 0, G_OPTION_ARG_FILENAME, &options.by,
	     "Compare the levels of the first factor or numeric column; effects are of both", "F1[,F2]"},
	    {"baseline", 0, 0, G_OPTION_ARG_FILENAME, &options.baseline,
	     "The level to compare with (default: the first)", "LEVEL"},
	    READING_SELECTED(&reading, "Report these", "metrics", "all, verdicts on each workload's primary"),
	    {"margin", 0, 0, G_OPTION_ARG_FILENAME, &options.margin,
	     "Smallest difference that matters, in % (default: 5)", "PCT"},
	    READING_CONFIDENCE(&reading, "As"),
	    READING_BETTER(&reading),
	    READING_STORE(&reading),
	    G_OPTION_ENTRY_NULL};
	GError *error = NULL;
	int status = EXIT_USAGE;

	if (cmd_parse(&cmd_report, "[OPERAND...] -o FILE", description, entries, &argc, &argv))
		status = reading_parse(&reading, argv + 1, &error) && write_report(&reading, &options, &error)
			     ? EXIT_OK
			     : cmd_fail(error);
	options_clear(&options);
	reading_clear(&reading);
	return status;
}

const struct command cmd_report = {"report", "write a report as a page for a browser, markdown or text", run};
