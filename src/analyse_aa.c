#include "aa.h"

#include <math.h>

#include "../stats/stream.h"
#include "analyse.h"
#include "analyse_sample.h"
#include "err.h"
#include "profile.h"
#include "shared.h"

#define COMPARISONS 1000

const char *aa_order_name(enum aa_order order)
{
	static const char *const names[] = {[AA_SEQUENTIAL] = "sequential", [AA_INTERLEAVED] = "interleaved"};

	return names[order];
}

/* One window at a time: 2 n runs, of which each comparison has a half. */
struct window {
	struct dataset *dataset;
	struct values *values;
	struct selection sides[2];
	GPtrArray *others;
	struct analyse_options options;
};

static void window_init(struct window *window, enum aa_order order, guint n, const struct dataset *calibration)
{
	const struct metric metric = {.name = "value", .unit = ""};
	const char *const names[] = {"A", "B"};

	*window = (struct window){
	    .dataset = dataset_new(),
	    .others = g_ptr_array_new(),
	    .options = {.level = 0.95, .margin_pct = 5, .verdict_only = TRUE, .calibration = calibration}};
	window->values = dataset_metric(window->dataset, &metric);
	if (order == AA_INTERLEAVED)
		window->dataset->block = column_new("block");
	for (guint row = 0; row < 2 * n; row++) {
		g_autofree char *block = g_strdup_printf("%u", row / 2 + 1);

		dataset_add_run(window->dataset);
		if (order == AA_INTERLEAVED)
			column_set(window->dataset->block, row, block);
	}
	for (guint side = 0; side < 2; side++)
		window->sides[side] =
		    (struct selection){.name = shared(names[side]), .rows = g_array_new(FALSE, FALSE, sizeof(guint))};
	g_ptr_array_add(window->others, &window->sides[1]);
}

static void window_clear(struct window *window)
{
	g_array_unref(window->sides[0].rows);
	g_array_unref(window->sides[1].rows);
	g_ptr_array_unref(window->others);
	dataset_free(window->dataset);
}

/* Which side each run is of. */
static void window_deal(struct window *window, enum aa_order order, guint n, struct stream *random)
{
	guint first = 0;

	g_array_set_size(window->sides[0].rows, 0);
	g_array_set_size(window->sides[1].rows, 0);
	for (guint row = 0; row < 2 * n; row++) {
		guint side = row >= n;

		if (order == AA_INTERLEAVED) {
			if (row % 2 == 0)
				first = (guint)(stream_bits(random) >> 63);
			side = row % 2 == 0 ? first : 1 - first;
		}
		g_array_append_val(window->sides[side].rows, row);
	}
}

static gboolean is_declared(const struct window *window)
{
	g_autoptr(Analysis) analysis =
	    analyse_compare(window->dataset, &window->sides[0], window->others, &window->options, NULL);
	const struct comparison *c = analysis ? g_ptr_array_index(analysis->comparisons, 0) : NULL;

	return c && (c->verdict == VERDICT_CHANGED || c->verdict == VERDICT_BETTER || c->verdict == VERDICT_WORSE);
}

struct aa_rate aa_rate(const GArray *values, enum aa_order order, guint n, double factor,
		       const struct dataset *calibration, guint64 seed)
{
	struct aa_rate rate = {.order = order, .n = n};
	struct stream random = stream_init(seed, n);
	guint starts = values->len >= 2 * n ? values->len - 2 * n + 1 : 0, step, again;
	struct window window;

	if (!starts || !n)
		return rate;
	step = MAX(1, starts / COMPARISONS);
	/* pairs can be dealt in other ways from the same place, a sequence cannot */
	again = order == AA_INTERLEAVED ? MAX(1, COMPARISONS / starts) : 1;
	window_init(&window, order, n, calibration);
	for (guint start = 0; start < starts; start += step)
		for (guint i = 0; i < again; i++) {
			window_deal(&window, order, n, &random);
			for (guint row = 0; row < 2 * n; row++)
				values_set(window.values, row, g_array_index(values, double, start + row));
			for (guint j = 0; j < n; j++) {
				guint row = g_array_index(window.sides[1].rows, guint, j);

				values_set(window.values, row, factor * values_get(window.values, row));
			}
			rate.declared += is_declared(&window);
			rate.comparisons++;
		}
	window_clear(&window);
	return rate;
}

void aa_analysis_clear(struct aa_analysis *analysis)
{
	g_clear_pointer(&analysis->rates, g_array_unref);
}

static gboolean add_detectable(struct aa_analysis *aa, const struct dataset *dataset, GError **error)
{
	const struct analyse_options options = {.level = aa->level, .margin_pct = 5};
	g_autoptr(Analysis) analysis = analyse_profile(dataset, NULL, NULL, &options, error);
	const struct profile *profile;

	if (!analysis)
		return FALSE;
	profile = g_ptr_array_index(analysis->profiles, 0);
	aa->runs_a_side = (guint)fmin(floor(aa->time_s / aa->run_s / 2), G_MAXUINT);
	aa->sequential_pct = profile_sequential_pct(profile, aa->runs_a_side);
	aa->interleaved_pct = profile_interleaved_pct(profile, aa->runs_a_side);
	return TRUE;
}

gboolean analyse_aa(const struct dataset *dataset, double run_s, double time_s, struct aa_analysis *analysis,
		    GError **error)
{
	static const guint sizes[] = {3, 5, 10, 20};
	const struct analyse_options options = {.level = 0.95, .margin_pct = 5};
	const char *workload = dataset->n_runs ? row_workload(dataset, 0) : "";
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autoptr(GPtrArray) metrics = NULL;
	struct sample sample;

	for (guint row = 0; row < dataset->n_runs; row++)
		g_array_append_val(rows, row);
	metrics = choose_metrics(dataset, rows, workload, &options, TRUE);
	*analysis =
	    (struct aa_analysis){.workload = workload, .run_s = run_s, .time_s = time_s, .level = options.level};
	if (!metrics->len)
		return err_runtime(error, "nothing was measured: no run was complete");
	analysis->metric = ((struct values *)g_ptr_array_index(metrics, 0))->metric;
	analysis->rates = g_array_new(FALSE, FALSE, sizeof(struct aa_rate));
	sample_init(&sample, dataset, rows, g_ptr_array_index(metrics, 0));
	analysis->n_runs = sample.values->len;
	analysis->failed = sample.failed;
	for (enum aa_order order = AA_SEQUENTIAL; order <= AA_INTERLEAVED; order++)
		for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
			struct aa_rate rate = aa_rate(sample.values, order, sizes[i], 1, NULL, 1);

			if (rate.comparisons)
				g_array_append_val(analysis->rates, rate);
		}
	sample_clear(&sample);
	return add_detectable(analysis, dataset, error);
}
