#include "report_json.h"

#include "aa.h"
#include "analyse.h"
#include "document.h"
#include "profile.h"

static json_t *test_of(const char *name, double statistic, double p)
{
	json_t *object = json_object();

	json_put(object, name, json_of_number(statistic));
	json_put(object, "p", json_of_number(p));
	return object;
}

static json_t *allan_of(const GArray *points)
{
	json_t *array = json_array();

	for (guint i = 0; i < points->len; i++) {
		const struct allan_point *point = &g_array_index(points, struct allan_point, i);
		json_t *object = json_object();

		json_put(object, "size", json_integer(point->size));
		json_put(object, "deviation", json_of_number(point->deviation));
		json_put(object, "pairs", json_integer(point->pairs));
		json_put(object, "sequential_pct", json_of_number(point->sequential_pct));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *advice_of(const struct profile *profile)
{
	json_t *object = json_object(), *pairs = json_array();

	for (guint i = 0; i < profile->advice->len; i++) {
		const struct advice *advice = &g_array_index(profile->advice, struct advice, i);
		json_t *row = json_object();

		json_put(row, "detect_pct", json_of_number(advice->pct));
		json_put(row, "pairs", json_of_whole(advice->pairs));
		json_array_append_new(pairs, row);
	}
	json_put(object, "block_size", json_integer(profile->block_size));
	json_put(object, "interleaved", pairs);
	json_put(object, "sequential_size", json_integer(profile->sequential_size));
	json_put(object, "sequential_pct", json_of_number(profile_sequential_pct(profile, G_MAXUINT)));
	json_put(object, "cross_sitting_pct", json_of_number(profile->sitting_pct));
	return object;
}

static json_t *profile_of(const struct profile *profile)
{
	json_t *object = json_of_subject(profile->workload, &profile->metric);

	json_put(object, "machine", json_of_text(profile->instrument));
	json_put(object, "n", json_integer(profile->n));
	json_put(object, "failed", json_integer(profile->failed));
	json_put(object, "sittings", json_integer(profile->n_sittings));
	json_put(object, "mean", json_of_number(profile->mean));
	json_put(object, "cv", json_of_number(profile->cv));
	json_put(object, "lag_one", test_of("r", profile->lag_one.statistic, profile->lag_one.p));
	json_put(object, "drift", test_of("tau", profile->tau, profile->drift.p));
	json_put(object, "modes", test_of("dip", profile->modes.statistic, profile->modes.p));
	json_put(object, "sitting_sd", json_of_number(profile->sitting_sd));
	json_put(object, "allan", allan_of(profile->allan));
	json_put(object, "advice", advice_of(profile));
	json_put(object, "flags", json_of_flags(profile->flags));
	return object;
}

void report_json_calibrate(const struct analysis *analysis, struct document *to)
{
	json_t *root = json_object(), *profiles = json_array();

	for (guint i = 0; i < analysis->profiles->len; i++)
		json_array_append_new(profiles, profile_of(g_ptr_array_index(analysis->profiles, i)));
	json_put(root, "schema", json_string(JSON_SCHEMA));
	json_put(root, "profiles", profiles);
	json_print(root, to->out);
}

static json_t *rates_of(const GArray *rates)
{
	json_t *array = json_array();

	for (guint i = 0; i < rates->len; i++) {
		const struct aa_rate *rate = &g_array_index(rates, struct aa_rate, i);
		json_t *object = json_object();

		json_put(object, "order", json_string(aa_order_name(rate->order)));
		json_put(object, "n", json_integer(rate->n));
		json_put(object, "comparisons", json_integer(rate->comparisons));
		json_put(object, "declared", json_integer(rate->declared));
		json_put(object, "false_alarms_pct", json_of_number(100.0 * rate->declared / rate->comparisons));
		json_array_append_new(array, object);
	}
	return array;
}

void report_json_aa(const struct aa_analysis *analysis, struct document *to)
{
	json_t *root = json_object(), *aa = json_of_subject(analysis->workload, &analysis->metric);
	json_t *detectable = json_object();

	json_put(aa, "n", json_integer(analysis->n_runs));
	json_put(aa, "failed", json_integer(analysis->failed));
	json_put(aa, "run_s", json_of_number(analysis->run_s));
	json_put(aa, "rates", rates_of(analysis->rates));
	json_put(detectable, "time_s", json_of_number(analysis->time_s));
	json_put(detectable, "runs_a_side", json_integer(analysis->runs_a_side));
	json_put(detectable, "sequential_pct", json_of_number(analysis->sequential_pct));
	json_put(detectable, "interleaved_pct", json_of_number(analysis->interleaved_pct));
	json_put(aa, "detectable", detectable);
	json_put(root, "schema", json_string(JSON_SCHEMA));
	json_put(root, "confidence", json_of_number(analysis->level));
	json_put(root, "aa", aa);
	json_print(root, to->out);
}
