#include "run_series.h"

#include <math.h>

#include "run_detail.h"

static void line_free(gpointer data)
{
	struct series_line *line = data;

	g_array_unref(line->at_s);
	g_array_unref(line->value);
	g_free(line);
}

struct run_series *run_series_new(guint row, gint64 number)
{
	struct run_series *series = g_new(struct run_series, 1);

	*series = (struct run_series){row, number, g_ptr_array_new_with_free_func(line_free)};
	return series;
}

struct series_line *run_series_add(struct run_series *series, const struct metric *metric)
{
	struct series_line *line = g_new(struct series_line, 1);

	*line = (struct series_line){.metric = *metric,
				     .at_s = g_array_new(FALSE, FALSE, sizeof(double)),
				     .value = g_array_new(FALSE, FALSE, sizeof(double))};
	g_ptr_array_add(series->lines, line);
	return line;
}

void series_line_add(struct series_line *line, double at_s, double value)
{
	g_array_append_val(line->at_s, at_s);
	g_array_append_val(line->value, value);
}

struct run_series *run_series_of_detail(guint row, const struct run_detail *detail)
{
	const struct series *seen = &detail->seen.series;
	struct run_series *series = run_series_new(row, detail->number);

	for (guint column = 0; column < seen->n_columns; column++) {
		struct series_line *line = NULL;

		for (guint i = 0; i < seen->at_s->len; i++) {
			double value = g_array_index(seen->values, double, i * seen->n_columns + column);

			if (isnan(value))
				continue;
			if (!line)
				line = run_series_add(series, &seen->columns[column]);
			series_line_add(line, g_array_index(seen->at_s, double, i), value);
		}
	}
	return series;
}

void run_series_free(struct run_series *series)
{
	g_ptr_array_unref(series->lines);
	g_free(series);
}

const struct series_line *run_series_find(const struct run_series *series, const char *name)
{
	for (guint i = 0; i < series->lines->len; i++) {
		const struct series_line *line = g_ptr_array_index(series->lines, i);

		if (g_str_equal(line->metric.name, name))
			return line;
	}
	return NULL;
}
