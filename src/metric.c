#include "metric.h"

#include <string.h>

const struct metric run_metrics[] = {
    [RUN_ELAPSED] = {"elapsed", "s", BETTER_LOWER, "wall time: of the timed window, or of the command"},
    [RUN_USER] = {"user", "s", BETTER_LOWER, "CPU time in user mode"},
    [RUN_SYSTEM] = {"system", "s", BETTER_LOWER, "CPU time in the kernel on behalf of the process"},
    [RUN_CPU] = {"cpu", "%", BETTER_NONE, "user and system time per elapsed time"},
    [RUN_MAJOR_FAULTS] = {"major_faults", "", BETTER_LOWER, "page faults that needed input"},
    [RUN_MINOR_FAULTS] = {"minor_faults", "", BETTER_LOWER, "page faults that needed none"},
    [RUN_CTX_SWITCHES] = {"ctx_switches", "", BETTER_LOWER, "context switches, wanted and not"},
    [RUN_METRICS] = {0},
};

static const struct suffix {
	const char *ending, *unit;
} suffixes[] = {
    {"_Bps", "B/s"},       {"_kBps", "kB/s"},   {"_KBps", "kB/s"},   {"_MBps", "MB/s"},     {"_GBps", "GB/s"},
    {"_KiBps", "KiB/s"},   {"_MiBps", "MiB/s"}, {"_GiBps", "GiB/s"}, {"_kbitps", "kbit/s"}, {"_Mbitps", "Mbit/s"},
    {"_Gbitps", "Gbit/s"}, {"_iops", "/s"},     {"_per_s", "/s"},    {"_s", "s"},           {"_ms", "ms"},
    {"_us", "us"},         {"_ns", "ns"},       {"_pct", "%"},       {"_B", "B"},           {"_bytes", "B"},
    {"_kB", "kB"},         {"_KB", "kB"},       {"_MB", "MB"},       {"_GB", "GB"},         {"_TB", "TB"},
    {"_KiB", "KiB"},       {"_MiB", "MiB"},     {"_GiB", "GiB"},     {"_TiB", "TiB"},
};

const char *better_name(enum better better)
{
	switch (better) {
	case BETTER_HIGHER:
		return "higher";
	case BETTER_LOWER:
		return "lower";
	default:
		return NULL;
	}
}

gboolean better_parse(const char *text, enum better *better)
{
	if (g_str_equal(text, "higher"))
		*better = BETTER_HIGHER;
	else if (g_str_equal(text, "lower"))
		*better = BETTER_LOWER;
	else
		return FALSE;
	return TRUE;
}

static gboolean unit_is_time(const char *unit, gsize length)
{
	static const char *const times[] = {"s", "ms", "us", "µs", "ns", "min", "h"};

	for (gsize i = 0; i < G_N_ELEMENTS(times); i++)
		if (strlen(times[i]) == length && !strncmp(unit, times[i], length))
			return TRUE;
	return FALSE;
}

enum better better_of_unit(const char *unit)
{
	const char *slash = strrchr(unit, '/');

	if (unit_is_time(unit, slash ? (gsize)(slash - unit) : strlen(unit)))
		return BETTER_LOWER;
	return slash && unit_is_time(slash + 1, strlen(slash + 1)) ? BETTER_HIGHER : BETTER_NONE;
}

struct metric metric_of_column(const char *column)
{
	const struct suffix *found = NULL;

	/* "_per_s" ends in "_s" too: the longest ending is the unit. */
	for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++)
		if (g_str_has_suffix(column, suffixes[i].ending) && strlen(column) > strlen(suffixes[i].ending) &&
		    (!found || strlen(suffixes[i].ending) > strlen(found->ending)))
			found = &suffixes[i];

	if (!found)
		return (struct metric){.name = g_intern_string(column), .unit = ""};

	g_autofree char *name = g_strndup(column, strlen(column) - strlen(found->ending));
	return (struct metric){
	    .name = g_intern_string(name), .unit = found->unit, .better = better_of_unit(found->unit)};
}

char *metric_column(const struct metric *metric)
{
	for (gsize i = 0; *metric->unit && i < G_N_ELEMENTS(suffixes); i++)
		if (g_str_equal(suffixes[i].unit, metric->unit))
			return g_strconcat(metric->name, suffixes[i].ending, NULL);
	return g_strdup(metric->name);
}
