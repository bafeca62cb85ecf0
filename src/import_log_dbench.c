#include "import_log.h"

#include <string.h>

#include "unit.h"

/* dbench and tbench, all versions, and the charts of their results that people drew with asterisks.
 *
 *   1.x  Throughput 5.88569 MB/sec (NB=7.35711 MB/sec  58.8569 MBit/sec)  32 procs
 *   3.x  Throughput 812.35 MB/sec (sync open) 4 procs
 *   4.x  Throughput 1351.76 MB/sec  4 clients  4 procs  max_latency=9.727 ms
 *
 * The figures in brackets are the first one times 1.25 and times 10, and are not read. The throughput of 1.x is 132 x
 * procs divided by the elapsed time of the same run: where time(1) stands beside it the two are one measurement, and
 * the throughput is the primary one. What is printed each second is no sample: it says how far the run has come. */

static const struct metric throughput = {"throughput", "MB/s", BETTER_HIGHER, NULL};
static const struct metric max_latency = {"max_latency", "ms", BETTER_LOWER, NULL};

/* tbench prints the same lines. */
static const char *workload_of(const struct log *log)
{
	return g_strcmp0(log->runs.command.program, "tbench") == 0 ? "tbench" : "dbench";
}

static void set_procs(struct log_runs *runs, double procs)
{
	g_free(runs->run.command.procs);
	runs->run.command.procs = number_format_shortest(procs);
}

static gboolean take_started(struct log *log, const struct scanned *found)
{
	log_run_begin(&log->runs, STAGE_STARTED, &throughput);
	if (!log->runs.run.command.workload)
		log->runs.run.command.workload = g_strdup(workload_of(log));
	return TRUE;
}

static gboolean take_clients(struct log *log, const struct scanned *found)
{
	take_started(log, found);
	set_procs(&log->runs, found->number[0]);
	return TRUE;
}

/* What follows the rate, in words: of some versions, of some options. */
static void read_rest(struct log_runs *runs, char *rest)
{
	static const char *const forms[] = {"%*%n clients %n procs max_latency=%n ms", "%*%n clients %n procs",
					    "%*%n procs"};
	gboolean sync_open = strstr(rest, "(sync open)") != NULL, sync_dirs = strstr(rest, "(sync dirs)") != NULL;
	struct scanned found;
	guint form = 0;

	while (form < G_N_ELEMENTS(forms) && !scan_line(rest, forms[form], &found))
		form++;
	if (form < G_N_ELEMENTS(forms))
		set_procs(runs, found.number[form < 2]);
	/* more than one client a process: they are what makes the load */
	if (form < 2 && found.number[0] != found.number[1]) {
		g_autofree char *clients = number_format_shortest(found.number[0]);

		log_run_set_level(runs, LEVEL_CLIENTS, clients);
	}
	if (form == 0)
		log_run_result(runs, NULL, &max_latency, found.number[2]);
	if (sync_open || sync_dirs)
		log_run_set_level(runs, LEVEL_SYNC, !sync_open ? "dirs" : sync_dirs ? "open, dirs" : "open");
}

static gboolean take_throughput(struct log *log, const struct scanned *found)
{
	g_autofree char *rest = g_strdup(found->text[0]);

	log_run_result(&log->runs, workload_of(log), &throughput, found->number[0]);
	read_rest(&log->runs, rest);
	return TRUE;
}

/* A bar of a chart; its title was taken for the command. */
static gboolean take_bar(struct log *log, const struct scanned *found)
{
	if (!*found->text[0])
		return FALSE;
	log_run_close(&log->runs);
	log_run_result(&log->runs, workload_of(log), &throughput, found->number[0]);
	log_run_set_level(&log->runs, LEVEL_LABEL, found->text[0]);
	log_run_close(&log->runs);
	log->bars = log->nth;
	return TRUE;
}

static gboolean is_in_chart(struct log *log, const struct scanned *found)
{
	return log->bars && log->bars + 1 == log->nth;
}

const struct recogniser log_dbench[] = {
    {"Throughput %n MB/sec%r", .take = take_throughput, .kind = LINE_PROOF},
    {"Throughput %n%r", .kind = LINE_PART},
    {"%n clients started", .take = take_clients},
    {"dbench version %r", .kind = LINE_PROOF},
    {"releasing clients", .take = take_started, .kind = LINE_PROOF},
    {"%n %n %n MB/sec warmup %r", .kind = LINE_PROOF},
    {"%n %n %n MB/sec execute %r", .kind = LINE_PROOF},
    {"%* %b %n MB/sec", .take = take_bar, .kind = LINE_PROOF},
    {"%* %b%r", .take = is_in_chart, .kind = LINE_PART},
    {NULL},
};
