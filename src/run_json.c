#include "run_json.h"

#include <math.h>

#include "err.h"
#include "observe.h"
#include "run.h"

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text(const char *value)
{
	g_autofree char *valid = value ? g_utf8_make_valid(value, -1) : NULL;

	return valid ? json_string(valid) : json_null();
}

static json_t *numbers(const double *values, guint n)
{
	json_t *array = json_array();

	for (guint i = 0; i < n; i++)
		json_array_append_new(array, number(values[i]));
	return array;
}

static json_t *numbers_of(const GArray *values)
{
	return numbers(values ? (const double *)(const void *)values->data : NULL, values ? values->len : 0);
}

static json_t *flags_of(flag_set set)
{
	json_t *array = json_array();

	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (set & info->flag)
			json_array_append_new(array, json_string(info->name));
	return array;
}

static json_t *measurements_of(const GArray *measurements)
{
	json_t *object = json_object();

	for (guint i = 0; measurements && i < measurements->len; i++) {
		const struct measurement *measurement = &g_array_index(measurements, struct measurement, i);

		json_object_set_new(object, measurement->metric->name, number(measurement->value));
	}
	return object;
}

static json_t *messages_of(const GPtrArray *messages)
{
	json_t *array = json_array();

	for (guint i = 0; messages && i < messages->len; i++)
		json_array_append_new(array, text(messages->pdata[i]));
	return array;
}

json_t *run_result_to_json(const struct run_result *result)
{
	const struct observation *seen = &result->observation;
	json_t *object = json_object();

	json_object_set_new(object, "outcome", json_string(outcome_name(result->outcome)));
	json_object_set_new(object, "message", text(result->message));
	json_object_set_new(object, "flags", flags_of(result->flags));
	json_object_set_new(object, "started_us", json_integer(result->started_us));
	json_object_set_new(object, "values", numbers(result->values, RUN_METRICS));
	json_object_set_new(object, "own", numbers_of(result->own));
	json_object_set_new(object, "seen", measurements_of(seen->measurements));
	json_object_set_new(object, "series_at_s", numbers_of(seen->series.at_s));
	json_object_set_new(object, "series", numbers_of(seen->series.values));
	json_object_set_new(object, "messages", messages_of(seen->messages));
	return object;
}

static double value_of(const json_t *value)
{
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static GArray *read_numbers(const json_t *array)
{
	GArray *values = g_array_sized_new(FALSE, FALSE, sizeof(double), (guint)json_array_size(array));

	for (size_t i = 0; i < json_array_size(array); i++) {
		double value = value_of(json_array_get(array, i));

		g_array_append_val(values, value);
	}
	return values;
}

static const struct metric *find_metric(const char *name, const GArray *probed)
{
	for (const struct metric *metric = observe_metrics; metric->name; metric++)
		if (g_str_equal(metric->name, name))
			return metric;
	for (guint i = 0; probed && i < probed->len; i++)
		if (g_str_equal(g_array_index(probed, struct metric, i).name, name))
			return &g_array_index(probed, struct metric, i);
	return NULL;
}

/* What this version does not know of is left out. */
static void read_observation(const json_t *object, const GArray *probed, struct observation *seen)
{
	json_t *measurements = json_object_get(object, "seen"), *messages = json_object_get(object, "messages"), *value;
	const char *name;

	*seen = (struct observation){.measurements = g_array_new(FALSE, FALSE, sizeof(struct measurement)),
				     .messages = g_ptr_array_new_with_free_func(g_free)};
	json_object_foreach(measurements, name, value)
	{
		struct measurement measurement = {find_metric(name, probed), value_of(value)};

		if (measurement.metric)
			g_array_append_val(seen->measurements, measurement);
	}
	for (size_t i = 0; i < json_array_size(messages); i++)
		if (json_is_string(json_array_get(messages, i)))
			g_ptr_array_add(seen->messages, g_strdup(json_string_value(json_array_get(messages, i))));
	seen->series.columns = vmstat_columns;
	while (vmstat_columns[seen->series.n_columns].name)
		seen->series.n_columns++;
	seen->series.at_s = read_numbers(json_object_get(object, "series_at_s"));
	seen->series.values = read_numbers(json_object_get(object, "series"));
	if (seen->series.values->len != seen->series.at_s->len * seen->series.n_columns) {
		g_array_set_size(seen->series.at_s, 0);
		g_array_set_size(seen->series.values, 0);
	}
}

static flag_set read_flags(const json_t *array)
{
	flag_set set = 0;

	for (size_t i = 0; i < json_array_size(array); i++)
		if (json_is_string(json_array_get(array, i)))
			set |= flag_of_name(json_string_value(json_array_get(array, i)));
	return set;
}

gboolean run_result_from_json(const json_t *object, const GArray *probed, struct run_result *result, GError **error)
{
	const char *outcome = json_string_value(json_object_get(object, "outcome"));
	const json_t *values = json_object_get(object, "values");

	*result = (struct run_result){0};
	if (!outcome || !outcome_parse(outcome, &result->outcome) || json_array_size(values) != RUN_METRICS)
		return err_runtime(error, "cannot read the result of a run: it has no outcome or no values");
	result->message = g_strdup(json_string_value(json_object_get(object, "message")));
	result->flags = read_flags(json_object_get(object, "flags"));
	result->started_us = json_integer_value(json_object_get(object, "started_us"));
	for (guint i = 0; i < RUN_METRICS; i++)
		result->values[i] = value_of(json_array_get(values, i));
	result->own = read_numbers(json_object_get(object, "own"));
	read_observation(object, probed, &result->observation);
	return TRUE;
}
