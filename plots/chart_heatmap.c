#include "chart.h"

#include <math.h>
#include <string.h>

#include "../src/analyse_effects.h"
#include "../src/err.h"
#include "../src/unit.h"
#include "axis.h"
#include "label.h"
#include "look.h"
#include "picture.h"
#include "rows.h"

#define ROW_HEIGHT 34
#define BAR_COLUMNS 16 /* at the right, for the scale of colours with its numbers */
#define BAR_STEPS 64
#define INSET 0.06 /* of a cell, from its edge to its outline */
#define EMPTY 0xeeeeee
#define NAMED_MAX 8 /* combinations without a run */

enum { ROWS, COLUMNS };

/* One grid: the first factor's levels are rows. */
struct grid {
	const struct effects *effects;
	struct rows *rows;
	guint n_rows, n_columns;
	guint cell;       /* columns of text that a cell holds */
	gboolean named;   /* the columns' levels have room below them; else they are numbered */
	double low, high; /* of the means */
};

static const char *level_at(const struct effects *effects, guint factor, guint i)
{
	return g_array_index(effects->levels[factor], struct effects_level, i).level;
}

static const struct effects_cell *cell_at(const struct effects *effects, guint row, guint column)
{
	for (guint i = 0; i < effects->cells->len; i++) {
		const struct effects_cell *cell = &g_array_index(effects->cells, struct effects_cell, i);

		if (cell->at[ROWS] == row && cell->at[COLUMNS] == column)
			return cell;
	}
	return NULL;
}

static void grid_init(struct grid *grid, const struct effects *effects, struct rows *rows)
{
	const struct picture *picture = rows->frame.picture;
	guint all = picture_columns(picture, picture->width), beside = rows->left + rows->right + 6;

	*grid = (struct grid){.effects = effects,
			      .rows = rows,
			      .n_rows = effects->levels[ROWS]->len,
			      .n_columns = effects->levels[COLUMNS]->len,
			      .low = INFINITY,
			      .high = -INFINITY};
	for (guint i = 0; i < effects->cells->len; i++)
		axis_see(AXIS_LINEAR, g_array_index(effects->cells, struct effects_cell, i).mean, &grid->low,
			 &grid->high);
	grid->cell = (all - MIN(all, beside)) / grid->n_columns;
	grid->named = TRUE;
	for (guint i = 0; i < grid->n_columns; i++) {
		g_autofree char *printable = text_printable(level_at(effects, COLUMNS, i));

		grid->named &= text_width(printable) < grid->cell;
	}
}

/* From 0 to 1 along the scale of colours, also of values whose difference a double cannot hold. */
static double share_of(const struct grid *grid, double mean)
{
	double width = grid->high / 2 - grid->low / 2;

	return width > 0 ? (mean / 2 - grid->low / 2) / width : 0.5;
}

static char *cell_text(const struct grid *grid, const struct effects_cell *cell)
{
	gboolean is_text = grid->rows->frame.picture->size == PICTURE_TEXT;
	g_autofree char *mean = number_format(cell->mean);

	return g_strconcat(mean, cell->is_best ? " *" : is_text && cell->is_as_good ? " =" : "", NULL);
}

static gboolean has_room(const struct grid *grid)
{
	for (guint i = 0; i < grid->effects->cells->len; i++) {
		g_autofree char *text = cell_text(grid, &g_array_index(grid->effects->cells, struct effects_cell, i));

		if (strlen(text) >= grid->cell)
			return FALSE;
	}
	return TRUE;
}

static void add_outline(struct picture *picture, guint row, guint column, guint32 colour, double width)
{
	char left[G_ASCII_DTOSTR_BUF_SIZE], right[G_ASCII_DTOSTR_BUF_SIZE];
	char top[G_ASCII_DTOSTR_BUF_SIZE], bottom[G_ASCII_DTOSTR_BUF_SIZE], lines[G_ASCII_DTOSTR_BUF_SIZE];
	double half = 0.5 - INSET;

	if (picture->size == PICTURE_TEXT)
		return;
	g_string_append_printf(
	    picture->script,
	    "set object rectangle from first %s, first %s to first %s, first %s front fs empty "
	    "border lc rgb '#%06x' lw %s\n",
	    g_ascii_dtostr(left, sizeof left, column + 1 - half), g_ascii_dtostr(top, sizeof top, row + 1 - half),
	    g_ascii_dtostr(right, sizeof right, column + 1 + half),
	    g_ascii_dtostr(bottom, sizeof bottom, row + 1 + half), colour, g_ascii_dtostr(lines, sizeof lines, width));
}

static void add_cell(const struct grid *grid, guint row, guint column, GString *boxes, gboolean with_text)
{
	struct picture *picture = grid->rows->frame.picture;
	const struct effects_cell *cell = cell_at(grid->effects, row, column);
	guint32 colour = cell ? look_shade(share_of(grid, cell->mean)) : EMPTY, on = look_on(colour);
	g_autofree char *text = cell ? with_text       ? cell_text(grid, cell)
				       : cell->is_best ? g_strdup("*")
						       : g_strdup("")
				     : g_strdup("–");
	g_autofree char *at = g_strdup_printf("first %u, first %u", column + 1, row + 1);
	g_autofree char *style =
	    picture->size == PICTURE_TEXT ? g_strdup("center") : g_strdup_printf("center front tc rgb '#%06x'", on);

	picture_record(boxes, (double[]){column + 1, row + 1, column + 0.5, column + 1.5, row + 0.5, row + 1.5, colour},
		       7);
	picture_text(picture, text, MAX(1, grid->cell), at, style);
	if (cell && cell->is_as_good)
		add_outline(picture, row, column, on, cell->is_best ? 4 : 1.5);
}

/* Below the grid, by pixels: there are no divisions to do it. */
static void name_columns(const struct grid *grid, guint bottom)
{
	const struct effects *effects = grid->effects;
	struct picture *picture = grid->rows->frame.picture;
	g_autofree char *names = picture_from_top(picture, bottom + 0.75 * picture->line);
	g_autofree char *label = picture_from_top(picture, bottom + 1.9 * picture->line);
	g_autofree char *middle = g_strdup_printf("graph 0.5, %s", label);
	g_autofree char *text =
	    g_strdup_printf("rows: %s; columns: %s", effects->factor[ROWS], effects->factor[COLUMNS]);

	for (guint i = 0; i < grid->n_columns; i++) {
		g_autofree char *number = g_strdup_printf("%u", i + 1);
		g_autofree char *at = g_strdup_printf("first %u, %s", i + 1, names);

		picture_text(picture, grid->named ? level_at(effects, COLUMNS, i) : number, MAX(1, grid->cell), at,
			     "center");
	}
	picture_text(picture, text, rows_columns(grid->rows), middle, "center");
}

/* The scale of colours at the right, with the least and the greatest mean. */
static void add_bar(const struct grid *grid, guint top, guint bottom)
{
	struct picture *picture = grid->rows->frame.picture;
	double left = picture->width - grid->rows->frame.right + 2 * picture->column, step;
	double edge = 0.35 * picture->line, ends[] = {bottom - edge, top + edge}, values[] = {grid->low, grid->high};
	g_autofree char *from = picture_from_left(picture, left);
	g_autofree char *to = picture_from_left(picture, left + 2.5 * picture->column);
	g_autofree char *numbers = picture_from_left(picture, left + 3.5 * picture->column);

	if (picture->size == PICTURE_TEXT || grid->low > grid->high)
		return;
	/* each strip reaches to the top, so that nothing shines through between two */
	step = (bottom - top) / (double)BAR_STEPS;
	for (guint i = 0; i < BAR_STEPS; i++) {
		g_autofree char *below = picture_from_top(picture, bottom - i * step);
		g_autofree char *above = picture_from_top(picture, top);

		g_string_append_printf(picture->script,
				       "set object rectangle from %s, %s to %s, %s fs solid noborder fc rgb '#%06x'\n",
				       from, below, to, above, look_shade((i + 0.5) / BAR_STEPS));
	}
	for (guint i = 0; i < 2; i++) {
		g_autofree char *height = picture_from_top(picture, ends[i]);
		g_autofree char *at = g_strdup_printf("%s, %s", numbers, height), *text = number_format(values[i]);

		picture_text(picture, text, BAR_COLUMNS, at, "left");
	}
}

static void draw_grid(const struct grid *grid)
{
	const struct effects *effects = grid->effects;
	struct frame *frame = &grid->rows->frame;
	struct picture *picture = frame->picture;
	g_autoptr(GString) boxes = g_string_new(NULL), elements = g_string_new(NULL);
	g_autofree char *label = axis_label(&effects->metric);
	g_autofree char *title = g_strdup_printf("%s%s%s", effects->workload, *effects->workload ? ": " : "", label);
	gboolean with_text = has_room(grid);
	guint bottom;

	rows_panel(grid->rows, title, grid->n_rows);
	bottom = frame->top - frame_axis_height(picture);
	g_string_append_printf(picture->script, "unset logscale x\nset xrange [0.5:%u.5]\nunset xtics\nunset xlabel\n",
			       grid->n_columns);
	for (guint i = 0; i < grid->n_rows; i++) {
		rows_text(grid->rows, i + 1, level_at(effects, ROWS, i), "", NULL);
		for (guint j = 0; j < grid->n_columns; j++)
			add_cell(grid, i, j, boxes, with_text);
	}
	name_columns(grid, bottom);
	add_bar(grid, bottom - grid->n_rows * grid->rows->row_height - frame->extra, bottom);
	if (picture->size != PICTURE_TEXT)
		picture_plot(picture, elements, boxes, "column row left right top bottom colour",
			     "1:2:3:4:5:6:7 with boxxyerror fs solid noborder lc rgb variable");
	frame_plot(frame, elements);
}

static void note_count(const struct effects *effects, GPtrArray *notes)
{
	guint low = G_MAXUINT, high = 0;
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < effects->cells->len; i++) {
		guint n = g_array_index(effects->cells, struct effects_cell, i).n;

		low = MIN(low, n);
		high = MAX(high, n);
	}
	g_string_append_printf(text, "%s%s%s: n = ", effects->workload, *effects->workload ? ", " : "",
			       effects->metric.name);
	if (low < high)
		g_string_append_printf(text, "%u to ", low);
	g_string_append_printf(text, "%u %s%s a cell, %u in all", high, effects->unit, high == 1 ? "" : "s",
			       effects->n);
	if (effects->failed)
		g_string_append_printf(text, "; failed runs: %u", effects->failed);
	if (effects->is_log)
		g_string_append(text, "; geometric means");
	g_string_append_c(text, '.');
	g_ptr_array_add(notes, g_string_free(g_steal_pointer(&text), FALSE));
}

static void note_columns(const struct grid *grid, GPtrArray *notes)
{
	g_autoptr(GString) text = g_string_new("Columns: ");

	for (guint i = 0; i < grid->n_columns; i++)
		g_string_append_printf(text, "%s%u: %s", i ? "; " : "", i + 1, level_at(grid->effects, COLUMNS, i));
	g_string_append_c(text, '.');
	g_ptr_array_add(notes, g_string_free(g_steal_pointer(&text), FALSE));
}

static void note_without_runs(const struct effects *effects, GPtrArray *notes)
{
	g_autoptr(GString) text = g_string_new("No complete run: ");

	if (!effects->without_runs->len)
		return;
	for (guint i = 0; i < MIN(NAMED_MAX, effects->without_runs->len); i++)
		g_string_append_printf(text, "%s%s", i ? ", " : "", (char *)effects->without_runs->pdata[i]);
	if (effects->without_runs->len > NAMED_MAX)
		g_string_append_printf(text, " and %u more", effects->without_runs->len - NAMED_MAX);
	g_string_append_c(text, '.');
	g_ptr_array_add(notes, g_string_free(g_steal_pointer(&text), FALSE));
}

static GPtrArray *notes_of(const struct effects_analysis *analysis, const struct grid *grids)
{
	GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *percent = number_format(100 * analysis->level);
	gboolean is_text = grids->rows->frame.picture->size == PICTURE_TEXT, all_fit = TRUE, has_best = FALSE;
	guint64 flags = 0;

	for (guint i = 0; i < analysis->effects->len; i++)
		has_best |= grids[i].effects->metric.better != BETTER_NONE;
	if (has_best)
		g_ptr_array_add(notes, g_strdup_printf("*: the best. %s: cannot be told from it (Tukey, %s%%).",
						       is_text ? "=" : "Outlined", percent));
	if (!is_text)
		g_ptr_array_add(notes, g_strdup("Colour: mean, the brighter the greater. –: no value."));
	for (guint i = 0; i < analysis->effects->len; i++) {
		note_count(grids[i].effects, notes);
		note_without_runs(grids[i].effects, notes);
		if (!grids[i].named)
			note_columns(&grids[i], notes);
		all_fit &= has_room(&grids[i]);
		flags |= grids[i].effects->flags;
	}
	if (!all_fit)
		g_ptr_array_add(notes, g_strdup("Where cells are too narrow for their means 'effects' prints them."));
	for (guint i = 0; i < analysis->left_out->len; i++)
		g_ptr_array_add(notes, g_strdup_printf("Left out: %s.", (char *)analysis->left_out->pdata[i]));
	frame_add_caveats(notes, flags);
	return notes;
}

static gboolean check(const struct effects_analysis *analysis, const struct picture *picture, GError **error)
{
	for (guint i = 0; i < analysis->effects->len; i++) {
		const struct effects *effects = g_ptr_array_index(analysis->effects, i);
		guint most = picture_columns(picture, picture->width) / 6;

		if (effects->n_factors < 2)
			return err_usage(error, "a heat map is of two factors: name them with --by F1,F2");
		if (effects->levels[COLUMNS]->len > most)
			return err_usage(error,
					 "%u levels of '%s' are more than the %u that a picture holds side by side: "
					 "name it first in --by, or choose with NAME=LEVEL",
					 effects->levels[COLUMNS]->len, effects->factor[COLUMNS], most);
	}
	return TRUE;
}

static gboolean heatmap_draw(const struct chart_data *data, struct picture *picture, GError **error)
{
	const struct effects_analysis *analysis = data->effects;
	g_autofree struct grid *grids = g_new0(struct grid, analysis->effects->len);
	g_autofree char *bar = g_strnfill(picture->size == PICTURE_TEXT ? 0 : BAR_COLUMNS, '0');
	g_autoptr(GPtrArray) notes = NULL;
	struct rows rows;

	if (!check(analysis, picture, error))
		return FALSE;
	rows_init(&rows, picture, ROW_HEIGHT);
	for (guint i = 0; i < analysis->effects->len; i++) {
		const struct effects *effects = g_ptr_array_index(analysis->effects, i);

		for (guint j = 0; j < effects->levels[ROWS]->len; j++)
			rows_measure(&rows, level_at(effects, ROWS, j), bar);
	}
	for (guint i = 0; i < analysis->effects->len; i++)
		grid_init(&grids[i], g_ptr_array_index(analysis->effects, i), &rows);
	notes = notes_of(analysis, grids);
	if (!rows_begin(&rows, analysis->effects->len, notes, error))
		return FALSE;
	for (guint i = 0; i < analysis->effects->len; i++)
		draw_grid(&grids[i]);
	frame_end(&rows.frame);
	return TRUE;
}

const struct chart chart_heatmap = {
    .name = "heatmap",
    .summary = "means of all combinations of two factors (--by F1,F2) as colours, with the best ones marked",
    .needs = CHART_EFFECTS,
    .draw = heatmap_draw,
};
