#include "panel.h"

#include <math.h>
#include <string.h>

#include "../src/analyse.h"
#include "../src/flag.h"
#include "../src/shared.h"
#include "axis.h"
#include "look.h"
#include "rows.h"

static void panel_free(gpointer data)
{
	struct panel *panel = data;

	g_ptr_array_unref(panel->rows);
	g_free(panel);
}

GPtrArray *panels_of(const struct analysis *analysis)
{
	GPtrArray *panels = g_ptr_array_new_with_free_func(panel_free);

	for (guint i = 0; i < analysis->estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(analysis->estimates, i);
		struct panel *panel = NULL;

		for (guint j = 0; j < panels->len && !panel; j++) {
			struct panel *other = g_ptr_array_index(panels, j);

			if (!strcmp(other->workload, row->workload) && !strcmp(other->metric.name, row->metric.name))
				panel = other;
		}
		if (!panel) {
			panel = g_new(struct panel, 1);
			*panel = (struct panel){row->workload, row->metric, g_ptr_array_new()};
			g_ptr_array_add(panels, panel);
		}
		g_ptr_array_add(panel->rows, shared(row));
	}
	return panels;
}

const char *panel_title(const struct panel *panel)
{
	return *panel->workload ? panel->workload : panel->metric.name;
}

const char *panel_treatment(const struct estimate_row *row)
{
	return *row->treatment ? row->treatment : "all runs";
}

char *panel_count(const struct estimate_row *row)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_printf(text, "n = %u", row->n);
	if (row->ci_method && g_str_has_prefix(row->ci_method, "t-"))
		g_string_append_printf(text, " in %zu %ss", row->ci.n, row->ci_method + 2);
	if (row->failed)
		g_string_append_printf(text, ", %u failed", row->failed);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

char *panel_legend(const struct estimate_row *row)
{
	g_autofree char *count = panel_count(row);

	return g_strdup_printf("%s (%s%s)", panel_treatment(row), count,
			       row->n > 1 && row->flags & EST_CONSTANT ? ", all alike" : "");
}

/* What the panels of one picture share. */
struct layout {
	const struct panel_style *style;
	struct rows rows;
	GHashTable *looks;
};

static void panel_draw(struct layout *layout, const struct panel *panel)
{
	struct rows *rows = &layout->rows;
	g_autoptr(GArray) drawn = g_array_new(FALSE, FALSE, sizeof(struct panel_row));
	g_autoptr(GString) elements = g_string_new(NULL);
	g_autofree char *label = axis_label(&panel->metric);
	double low = INFINITY, high = -INFINITY;
	struct axis axis;

	rows_panel(rows, panel_title(panel), panel->rows->len);
	for (guint i = 0; i < panel->rows->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(panel->rows, i);
		gboolean can = layout->style->range(row, &low, &high);
		guint look = look_of_name(layout->looks, row->treatment);
		struct panel_row mark = {row, i + 1, look_colour(look), look_shape(look)};
		g_autofree char *count = panel_count(row);

		if (can)
			g_array_append_val(drawn, mark);
		rows_text(rows, i + 1, panel_treatment(row), count,
			  can      ? NULL
			  : row->n ? "no finite value"
				   : "no data");
	}
	axis = axis_make(AXIS_LINEAR, low, high, rows_columns(rows));
	rows_axis(rows, &axis, label);
	if (drawn->len)
		layout->style->plot(drawn, rows->frame.picture, elements);
	else
		g_string_append(rows->frame.picture->script, "unset xtics\n");
	frame_plot(&rows->frame, elements);
}

GPtrArray *panels_notes(const struct analysis *analysis, const char *note)
{
	GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
	flag_set all = 0;

	g_ptr_array_add(notes, g_strdup(note));
	for (guint i = 0; i < analysis->estimates->len; i++)
		all |= ((const struct estimate_row *)g_ptr_array_index(analysis->estimates, i))->flags;
	frame_add_caveats(notes, all);
	return notes;
}

gboolean panels_draw(const struct analysis *analysis, const struct panel_style *style, const char *note,
		     struct picture *picture, GError **error)
{
	g_autoptr(GPtrArray) panels = panels_of(analysis), notes = panels_notes(analysis, note);
	g_autoptr(GHashTable) looks = look_names_new();
	struct layout layout = {.style = style, .looks = looks};

	rows_init(&layout.rows, picture, style->row_height);
	for (guint i = 0; i < analysis->estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(analysis->estimates, i);
		g_autofree char *count = panel_count(row);

		rows_measure(&layout.rows, panel_treatment(row), count);
	}
	if (!rows_begin(&layout.rows, panels->len, notes, error))
		return FALSE;
	for (guint i = 0; i < panels->len; i++)
		panel_draw(&layout, g_ptr_array_index(panels, i));
	frame_end(&layout.rows.frame);
	return TRUE;
}
