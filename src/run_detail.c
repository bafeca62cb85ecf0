#include "run_detail.h"

#include <math.h>

struct run_detail *run_detail_new(void)
{
	return g_rc_box_new0(struct run_detail);
}

struct run_detail *run_detail_ref(struct run_detail *detail)
{
	return g_rc_box_acquire(detail);
}

static void clear(gpointer data)
{
	struct run_detail *detail = data;

	g_clear_pointer(&detail->columns, g_array_unref);
	observation_clear(&detail->seen);
}

void run_detail_unref(struct run_detail *detail)
{
	if (detail)
		g_rc_box_release_full(detail, clear);
}

double *run_detail_add_row(struct run_detail *detail, GArray *columns, double at_s)
{
	struct series *series = &detail->seen.series;
	guint end;

	if (!detail->columns) {
		detail->columns = g_array_ref(columns);
		*series = (struct series){.columns = (const struct metric *)(const void *)columns->data,
					  .n_columns = columns->len,
					  .at_s = g_array_new(FALSE, FALSE, sizeof(double)),
					  .values = g_array_new(FALSE, FALSE, sizeof(double))};
	}
	g_array_append_val(series->at_s, at_s);
	end = series->values->len;
	g_array_set_size(series->values, end + series->n_columns);
	for (guint i = end; i < series->values->len; i++)
		g_array_index(series->values, double, i) = NAN;
	return &g_array_index(series->values, double, end);
}

void run_detail_add_message(struct run_detail *detail, const char *text)
{
	if (!detail->seen.messages)
		detail->seen.messages = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(detail->seen.messages, g_strdup(text));
}
