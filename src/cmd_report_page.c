#include "cmd_report_page.h"

#include "analyse.h"
#include "analyse_effects.h"
#include "better.h"
#include "cmd.h"
#include "cmd_analyse.h"
#include "cmd_reading.h"
#include "dataset.h"
#include "err.h"
#include "export.h"
#include "names.h"
#include "operand.h"
#include "past_sitting.h"
#include "report_page.h"
#include "selection.h"
#include "shared.h"
#include "sides.h"
#include "store.h"
#include "unit.h"

#define TITLE_SIDES 3 /* that the title names */

/* The factor to compare by where none is named: NULL with a sentence where none offers itself. */
static char *choose_factor(struct operands *operands, char **why_not)
{
	g_autoptr(GPtrArray) factors = sides_factors(operands);
	g_autofree char *list = names_quoted(factors);

	if (names_have(factors, "label", NULL))
		return shared("label");
	if (factors->len == 1)
		return g_ptr_array_index(factors, 0);
	*why_not = factors->len
		       ? g_strdup_printf("Nothing is compared: these runs differ in %s, and --by says which of "
					 "these to compare.",
					 list)
		       : g_strdup("Nothing is compared: all runs are of one treatment. --by compares the levels of "
				  "a factor or of a numeric column.");
	return NULL;
}

/* Numbers of the sittings among the runs, as the store writes them. */
static GHashTable *sittings_among(const struct report_page *page)
{
	GHashTable *used = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < page->rows->len; i++) {
		const char *sitting = column_get(page->dataset->sitting, g_array_index(page->rows, guint, i));

		if (sitting)
			g_hash_table_add(used, shared(sitting));
	}
	return used;
}

static gboolean find_sittings(struct report_page *page, const struct reading *reading, GError **error)
{
	g_autoptr(Store) store = NULL;
	g_autoptr(GHashTable) used = NULL;

	if (!page->dataset->store_run) {
		page->sittings = g_ptr_array_new();
		return TRUE;
	}
	store = store_open(cmd_store_path(reading->store), STORE_READ, error);
	page->sittings = store ? store_past_sittings(store, error) : NULL;
	if (!page->sittings)
		return FALSE;
	used = sittings_among(page);
	for (guint i = page->sittings->len; i-- > 0;) {
		const struct past_sitting *sitting = g_ptr_array_index(page->sittings, i);
		g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, sitting->number);

		if (!g_hash_table_contains(used, number))
			g_ptr_array_remove_index(page->sittings, i);
	}
	return TRUE;
}

/* "B and C against A", "7 sides against A", "Runs of results.tsv". */
static char *title_of(const struct report_page *page, const struct reading *reading)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autofree char *list = NULL;

	if (!page->sides) {
		for (guint i = 0; i < reading->operands->names->len; i++)
			names_add(names, g_ptr_array_index(reading->operands->names, i));
		list = names->len ? names_join(names, ", ") : g_strdup(cmd_store_path(reading->store));
		return g_strdup_printf("Runs of %s", list);
	}
	for (guint i = 1; i < page->sides->len; i++)
		names_add(names, ((const struct selection *)g_ptr_array_index(page->sides, i))->name);
	list = names->len <= TITLE_SIDES ? names_join(names, " and ") : g_strdup_printf("%u sides", names->len);
	return g_strdup_printf("%s against %s", list, ((const struct selection *)page->sides->pdata[0])->name);
}

/* Nothing is compared: the options of a comparison are to be right all the same. */
static gboolean check_unused(struct reading *reading, const struct report_options *options, GError **error)
{
	if (options->baseline)
		return err_usage(error, "--baseline names a level of a factor: say which with --by");
	return !options->margin ||
	       percent_parse(options->margin, "--margin", 0, 100, &reading->analyse.margin_pct, error);
}

/* Compares as compare does. The default may find nothing that can be compared, which is no error: why_not says so. */
static gboolean find_verdicts(struct report_page *page, struct reading *reading, const struct report_options *options,
			      char **by, GError **error)
{
	struct operands *operands = reading->operands;
	struct compare_options compare = {
	    .by = by ? by[0] : NULL, .baseline = options->baseline, .margin = options->margin};
	gboolean is_by_name = !by && operands->names->len > 1, is_default = !by && !is_by_name;
	g_autoptr(GError) cause = NULL;

	if (!better_apply(operands->dataset, reading->better, error))
		return FALSE;
	if (is_default)
		compare.by = choose_factor(operands, &page->why_not);
	if (page->why_not)
		return check_unused(reading, options, error);
	if (!cmd_compare_check(reading, &compare, error))
		return FALSE;
	page->comparison = cmd_compare_analyse(reading, &compare, &cause);
	if (!page->comparison && is_default && !options->baseline && g_error_matches(cause, ERR, ERR_USAGE)) {
		page->why_not = g_strdup_printf("Nothing is compared: %s.", cause->message);
		return TRUE;
	}
	if (page->comparison)
		page->sides = is_by_name ? sides_by_name(operands, &cause)
					 : sides_by_factor(operands, compare.by, compare.baseline, &cause);
	if (!page->sides)
		g_propagate_error(error, g_steal_pointer(&cause));
	return page->sides != NULL;
}

/* By the two factors of --by, else by the only two that differ, of which nothing may be found. */
static gboolean find_effects(struct report_page *page, struct reading *reading, char **by, GError **error)
{
	g_autoptr(GPtrArray) factors = sides_factors(reading->operands);
	gboolean is_named = by && g_strv_length(by) > 1;
	char *names[] = {NULL, NULL, NULL};

	if (!is_named && factors->len != EFFECTS_FACTORS)
		return TRUE;
	for (guint i = 0; !is_named && i < EFFECTS_FACTORS; i++)
		names[i] = g_ptr_array_index(factors, i);
	page->effects = cmd_effects_analyse(reading, &(struct effects_options){.by = is_named ? by : names},
					    is_named ? error : NULL);
	return page->effects || !is_named;
}

gboolean report_page_make(struct report_page *page, struct reading *reading, const struct report_options *options,
			  gboolean is_full, GError **error)
{
	char *given[] = {options->by, NULL};
	g_auto(GStrv) by = options->by ? cmd_split_lists(given) : NULL;

	if (!reading_load(reading, error) || !find_verdicts(page, reading, options, by, error) ||
	    !find_effects(page, reading, by, error))
		return FALSE;
	page->dataset = reading->operands->dataset;
	page->rows = operands_rows(reading->operands);
	page->estimates = analyse_show(page->dataset, page->rows, &reading->analyse, error);
	if (!page->estimates || !find_sittings(page, reading, error))
		return FALSE;
	page->title = options->title ? g_strdup(options->title) : title_of(page, reading);
	page->made_us = g_get_real_time();
	if (is_full) {
		page->charts = report_charts_draw(page, reading);
		page->runs = g_string_new(NULL);
		exporter_find("json", NULL)->write(page->dataset, page->rows, page->runs);
	}
	return TRUE;
}

void report_page_clear(struct report_page *page)
{
	g_clear_pointer(&page->comparison, analysis_free);
	g_clear_pointer(&page->effects, effects_analysis_free);
	g_clear_pointer(&page->estimates, analysis_free);
	g_clear_pointer(&page->sides, g_ptr_array_unref);
	g_clear_pointer(&page->charts, g_ptr_array_unref);
	g_clear_pointer(&page->sittings, g_ptr_array_unref);
	if (page->runs)
		g_string_free(g_steal_pointer(&page->runs), TRUE);
	g_free(page->title);
	g_free(page->why_not);
}
