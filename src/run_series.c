#include "run_series.h"

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
