#include "report_text.h"

#include <math.h>

#include "aa.h"
#include "analyse.h"
#include "document.h"
#include "profile.h"
#include "table.h"
#include "unit.h"

#define ALPHA 0.05

static char *p_text(double p)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	return p < 1e-4 ? g_strdup("p < 0.0001")
			: g_strdup_printf("p = %s", g_ascii_formatd(buffer, sizeof buffer, "%.4f", p));
}

static void append_line(struct document *to, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void append_line(struct document *to, const char *format, ...)
{
	g_autofree char *line = NULL;
	va_list args;

	va_start(args, format);
	line = g_strdup_vprintf(format, args);
	va_end(args);
	document_say(to, line);
}

/* What a test saw, or that it saw nothing; nothing at all where it could not look. */
static void append_test(struct document *to, const struct test *test, double effect, const char *seen, const char *effect_name,
			const char *unseen)
{
	g_autofree char *p = p_text(test->p), *value = number_format(effect);

	if (isnan(test->p))
		return;
	append_line(to, "%s: %s %s, %s", test->p < ALPHA ? seen : unseen, effect_name, value, p);
}

static void append_heading(struct document *to, const struct profile *profile)
{
	g_autofree char *mean = number_format(profile->mean), *cv = text_of_rough(100 * profile->cv);

	append_line(to, "%s%s%s: %u runs in %u sitting%s, mean %s%s%s, cv %s", profile->workload,
		    *profile->workload ? ", " : "", profile->metric.name, profile->n, profile->n_sittings,
		    profile->n_sittings == 1 ? "" : "s", mean, *profile->metric.unit ? " " : "", profile->metric.unit,
		    cv);
	if (profile->instrument)
		append_line(to, "on %s", profile->instrument);
	if (profile->failed)
		append_line(to, "%u more runs failed and are left out", profile->failed);
}

static void append_sittings(struct document *to, const struct profile *profile)
{
	g_autofree char *sd = text_of_rough(100 * profile->sitting_sd), *pct = text_of_rough(profile->sitting_pct);

	if (profile->n_sittings == 1)
		append_line(to,
			    "one sitting: how far two of them are apart is not known; calibrate again at another time");
	else if (isnan(profile->sitting_pct))
		append_line(to, "means of sittings spread by %s; from three on they are used: calibrate again", sd);
	else
		append_line(to, "means of sittings spread by %s: two sittings tell %s apart, and nothing below", sd,
			    pct);
}

static void append_allan(struct document *to, const struct profile *profile)
{
	g_autoptr(Table) table = table_new();

	table_column(table, "batch", TABLE_RIGHT);
	table_column(table, "pairs", TABLE_RIGHT);
	table_column(table, "Allan dev.", TABLE_RIGHT);
	table_column(table, "if white", TABLE_RIGHT);
	table_column(table, "A..AB..B finds", TABLE_RIGHT);
	for (guint i = 0; i < profile->allan->len; i++) {
		const struct allan_point *point = &g_array_index(profile->allan, struct allan_point, i);
		const struct allan_point *first = &g_array_index(profile->allan, struct allan_point, 0);
		g_autofree char *deviation = text_of_rough(100 * point->deviation),
				*found = text_of_rough(point->sequential_pct);
		g_autofree char *white = text_of_rough(100 * first->deviation / sqrt(point->size));

		table_count(table, point->size);
		table_count(table, point->pairs);
		table_cell(table, deviation);
		table_cell(table, white);
		table_cell(table, found);
	}
	document_table(to, table);
}

static void append_advice(struct document *to, const struct profile *profile)
{
	g_autofree char *sequential = text_of_rough(profile_sequential_pct(profile, G_MAXUINT));
	g_autoptr(GString) pairs = g_string_new(NULL);

	for (guint i = 0; i < profile->advice->len; i++) {
		const struct advice *advice = &g_array_index(profile->advice, struct advice, i);
		g_autofree char *pct = text_of_rough(advice->pct), *needed = text_of_count(advice->pairs);

		g_string_append_printf(pairs, "%s%s for %s", i ? ", " : "", needed, pct);
	}
	if (pairs->len)
		append_line(to, "interleaved, %u run%s of each in turn: pairs needed are %s", profile->block_size,
			    profile->block_size == 1 ? "" : "s", pairs->str);
	if (profile->sequential_size)
		append_line(to, "one after the other: batches of %u find %s at best", profile->sequential_size,
			    sequential);
}

void report_text_calibrate(const struct analysis *analysis, struct document *to)
{
	for (guint i = 0; i < analysis->profiles->len; i++) {
		const struct profile *profile = g_ptr_array_index(analysis->profiles, i);

		if (i)
			document_gap(to);
		append_heading(to, profile);
		append_test(to, &profile->lag_one, profile->lag_one.statistic, "a run is like the one before it",
			    "lag-1 autocorrelation", "runs do not depend on the one before");
		append_test(to, &profile->drift, profile->tau, "it drifts", "Kendall's tau", "no drift seen");
		append_test(to, &profile->modes, profile->modes.statistic, "more than one mode", "dip", "one mode");
		append_sittings(to, profile);
		document_gap(to);
		append_allan(to, profile);
		document_gap(to);
		append_advice(to, profile);
	}
	document_paragraph(to, "differences are those found with a power of 80% at a level of 5%");
}

void report_text_advice(const struct analysis *analysis, struct document *to)
{
	for (guint i = 0; i < analysis->profiles->len; i++) {
		const struct profile *profile = g_ptr_array_index(analysis->profiles, i);
		double pairs = profile_pairs(profile, analysis->margin_pct);
		g_autofree char *margin = percent_text(analysis->margin_pct / 100), *needed = text_of_count(pairs);

		if (isfinite(pairs))
			append_line(to, "%s calibrated: %s pairs of %u run%s a side find %s", profile->workload, needed,
				    profile->block_size, profile->block_size == 1 ? "" : "s", margin);
	}
}

static void append_rates(struct document *to, const struct aa_analysis *analysis)
{
	g_autoptr(Table) table = table_new();

	table_column(table, "order", TABLE_LEFT);
	table_column(table, "runs a side", TABLE_RIGHT);
	table_column(table, "comparisons", TABLE_RIGHT);
	table_column(table, "false alarms", TABLE_RIGHT);
	for (guint i = 0; i < analysis->rates->len; i++) {
		const struct aa_rate *rate = &g_array_index(analysis->rates, struct aa_rate, i);
		g_autofree char *percent = text_of_rough(100.0 * rate->declared / rate->comparisons);

		table_cell(table, aa_order_name(rate->order));
		table_count(table, rate->n);
		table_count(table, rate->comparisons);
		table_cell(table, percent);
	}
	document_table(to, table);
}

void report_text_aa(const struct aa_analysis *analysis, struct document *to)
{
	g_autofree char *run = duration_format(analysis->run_s), *time = duration_format(analysis->time_s);
	g_autofree char *sequential = text_of_rough(analysis->sequential_pct),
			*interleaved = text_of_rough(analysis->interleaved_pct);

	append_line(to, "A against A: %s, %s, %u runs of %s", analysis->workload, analysis->metric.name,
		    analysis->n_runs, run);
	if (analysis->failed)
		append_line(to, "%u more runs failed and are left out", analysis->failed);
	document_gap(to);
	append_rates(to, analysis);
	append_line(to, "5%% is promised: sequential is AAA..BBB, interleaved is pairs in random order");
	document_gap(to);
	append_line(to,
		    "in %s, %u runs a side, the smallest difference found is %s interleaved and %s one side after the "
		    "other (calibrated), with a power of 80%%",
		    time, analysis->runs_a_side, interleaved, sequential);
}
