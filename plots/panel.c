#include "panel.h"

#include <math.h>
#include <string.h>

#include "../src/analyse.h"
#include "../src/err.h"
#include "../src/flag.h"
#include "../src/shared.h"
#include "label.h"

/* Pixels. */
#define WIDTH 1000
#define TITLE_HEIGHT 40
#define AXIS_HEIGHT 56
#define NOTE_HEIGHT 19
#define COLUMN 7.4 /* of a letter of middling width at the size that gnuplot_run() sets */
#define LEFT_MIN 100
#define RIGHT_MIN 90

#define LABEL_COLUMNS 40
#define TITLE_COLUMNS 90

/* Okabe & Ito's palette without its yellow, which is too faint on white; the shapes tell treatments apart without it.
 */
static const guint32 colours[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000};
static const int shapes[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

struct panel {
	const char *workload;
	struct metric metric;
	GPtrArray *rows; /* const struct estimate_row * */
};

/* What the panels of one picture share. */
struct layout {
	const struct panel_style *style;
	struct picture *picture;
	const GPtrArray *notes; /* char * */
	GHashTable *looks;      /* treatment -> its number in order of appearance */
	guint left, right;      /* margins */
	guint top;              /* of the panel being drawn */
};

struct axis {
	double low, high, step;
	char format[16];
};

static void panel_free(gpointer data)
{
	struct panel *panel = data;

	g_ptr_array_unref(panel->rows);
	g_free(panel);
}

/* In order of appearance. */
static GPtrArray *panels_of(const struct analysis *analysis)
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

static char *quote_cut(const char *text, guint limit)
{
	g_autofree char *cut = label_cut(text, limit);

	return gnuplot_quote(cut);
}

static char *treatment_name(const struct estimate_row *row)
{
	return label_cut(*row->treatment ? row->treatment : "all runs", LABEL_COLUMNS);
}

/* Runs, what they were put together by for the interval, and those that failed. */
static char *count_text(const struct estimate_row *row)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_printf(text, "n = %u", row->n);
	if (row->ci_method && g_str_has_prefix(row->ci_method, "t-"))
		g_string_append_printf(text, " in %zu %ss", row->ci.n, row->ci_method + 2);
	if (row->failed)
		g_string_append_printf(text, ", %u failed", row->failed);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

gboolean panel_widen(double value, double *low, double *high)
{
	/* Beyond this a double overflows where gnuplot adds or multiplies. */
	if (!(fabs(value) <= 1e300))
		return FALSE;
	*low = fmin(*low, value);
	*high = fmax(*high, value);
	return TRUE;
}

/* A step of 1, 2 or 5 times a power of ten that divides the axis into at most n, and numbers that tell steps apart. */
static void axis_divide(struct axis *axis, guint n)
{
	double least = (axis->high - axis->low) / n, power = pow(10, floor(log10(least))), mantissa = least / power;
	double largest = fmax(fabs(axis->low), fabs(axis->high));
	int exponent, digits;

	axis->step = power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
	/* log10() of a power of ten may fall short by a rounding error. */
	exponent = (int)floor(log10(axis->step) + 1e-9);
	digits = (int)floor(log10(largest)) - exponent + 1;
	if (largest < 1e7 && exponent >= -6)
		g_snprintf(axis->format, sizeof axis->format, "%%.%df", MAX(0, -exponent));
	else
		g_snprintf(axis->format, sizeof axis->format, "%%.%dg", CLAMP(digits, 1, 15));
}

/* Wide enough to have a length where all values are alike. */
static struct axis axis_make(double low, double high)
{
	double largest = fmax(fabs(low), fabs(high)), width = high - low;
	char number[G_ASCII_DTOSTR_BUF_SIZE];
	struct axis axis = {0};

	if (width <= 1e-9 * largest || width < 1e-290)
		width = largest > 1e-280 ? largest : 20;
	axis.low = low - 0.05 * width;
	axis.high = high + 0.05 * width;
	if (low >= 0 && axis.low < 0)
		axis.low = 0;
	axis_divide(&axis, 7);
	if (strlen(g_ascii_formatd(number, sizeof number, axis.format, axis.high)) > 8)
		axis_divide(&axis, 4);
	return axis;
}

void panel_record(GString *records, const double *value, guint n)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	for (guint i = 0; i < n; i++) {
		/* 15 digits read best, and mostly suffice to read the same number back. */
		g_ascii_formatd(text, sizeof text, "%.15g", value[i]);
		if (g_ascii_strtod(text, NULL) != value[i])
			g_ascii_formatd(text, sizeof text, "%.17g", value[i]);
		g_string_append_printf(records, "%s%s", i ? " " : "", text);
	}
	g_string_append_c(records, '\n');
}

void panel_plot_add(struct panel_plot *plot, const GString *records, const char *comment, const char *style)
{
	struct picture *picture = plot->picture;

	if (!records->len)
		return;
	/* Two empty lines end a block. */
	g_string_append_printf(picture->data, "%s# %s\n%s", picture->n_blocks ? "\n\n" : "", comment, records->str);
	g_string_append_printf(plot->elements, "%s'data.dat' index %u using %s notitle",
			       plot->elements->len ? ", \\\n     " : "", picture->n_blocks, style);
	picture->n_blocks++;
}

/* A fraction of the picture, as gnuplot's screen coordinates count. */
static void add_fraction(GString *script, const char *before, double fraction, const char *after)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append_printf(script, "%s%s%s", before, g_ascii_formatd(text, sizeof text, "%.6f", fraction), after);
}

static double from_top(const struct layout *layout, guint pixels)
{
	return 1 - (double)pixels / layout->picture->height;
}

static void add_title(const struct layout *layout, const struct panel *panel)
{
	GString *script = layout->picture->script;
	g_autofree char *name = quote_cut(*panel->workload ? panel->workload : panel->metric.name, TITLE_COLUMNS);

	g_string_append_printf(script, "set label %s at graph 0, ", name);
	add_fraction(script, "screen ", from_top(layout, layout->top + TITLE_HEIGHT - 14),
		     " left noenhanced font ',14'\n");
}

static void add_axis(const struct layout *layout, const struct panel *panel, const struct axis *axis)
{
	GString *script = layout->picture->script;
	const char *better = better_name(panel->metric.better);
	g_autofree char *unit = *panel->metric.unit ? g_strdup_printf(" (%s)", panel->metric.unit) : g_strdup("");
	g_autofree char *direction = better ? g_strdup_printf(", %s is better", better) : g_strdup("");
	g_autofree char *text = g_strconcat(panel->metric.name, unit, direction, NULL);
	g_autofree char *label = quote_cut(text, TITLE_COLUMNS);
	char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE], step[G_ASCII_DTOSTR_BUF_SIZE];

	g_string_append_printf(script, "set xlabel %s noenhanced\nset yrange [%u.5:0.5]\n", label, panel->rows->len);
	g_string_append_printf(script, "set xrange [%s:%s]\nset xtics %s format '%s' nomirror\n",
			       g_ascii_dtostr(low, sizeof low, axis->low),
			       g_ascii_dtostr(high, sizeof high, axis->high),
			       g_ascii_dtostr(step, sizeof step, axis->step), axis->format);
}

/* Names at the left and n at the right of each row, and the reason where a row has no mark. */
static void add_row_texts(GString *script, const struct estimate_row *row, guint y, gboolean drawn)
{
	g_autofree char *name = treatment_name(row);
	g_autofree char *quoted = gnuplot_quote(name);
	g_autofree char *count = count_text(row);

	g_string_append_printf(script, "set label %s at graph 0, first %u right offset -1,0 noenhanced\n", quoted, y);
	g_string_append_printf(
	    script, "set label '%s' at graph 1, first %u left offset 1,0 noenhanced tc rgb '#444444'\n", count, y);
	if (!drawn)
		g_string_append_printf(script,
				       "set label '%s' at graph 0.5, first %u center noenhanced tc rgb '#444444'\n",
				       row->n ? "no finite value" : "no data", y);
}

static struct panel_row row_look(const struct layout *layout, const struct estimate_row *row, guint y)
{
	guint look = GPOINTER_TO_UINT(g_hash_table_lookup(layout->looks, row->treatment));

	return (struct panel_row){
	    .estimate = row,
	    .y = y,
	    .colour = colours[look % G_N_ELEMENTS(colours)],
	    .shape = shapes[look % G_N_ELEMENTS(shapes)],
	};
}

/* At the foot of the picture. */
static void add_notes(const struct layout *layout)
{
	GString *script = layout->picture->script;
	const GPtrArray *notes = layout->notes;
	guint top = layout->picture->height - 8 - notes->len * NOTE_HEIGHT;

	for (guint i = 0; i < notes->len; i++) {
		g_autofree char *quoted = gnuplot_quote(g_ptr_array_index(notes, i));

		g_string_append_printf(script, "set label %s at ", quoted);
		add_fraction(script, "screen ", 16.0 / WIDTH, ", ");
		add_fraction(script, "screen ", from_top(layout, top + NOTE_HEIGHT / 2 + i * NOTE_HEIGHT),
			     " left noenhanced tc rgb '#444444' font ',11'\n");
	}
}

static void panel_draw(struct layout *layout, const struct panel *panel, gboolean last)
{
	GString *script = layout->picture->script;
	g_autoptr(GArray) drawn = g_array_new(FALSE, FALSE, sizeof(struct panel_row));
	g_autoptr(GString) elements = g_string_new(NULL);
	struct panel_plot plot = {layout->picture, elements};
	double low = INFINITY, high = -INFINITY;
	guint bottom = layout->top + TITLE_HEIGHT + panel->rows->len * layout->style->row_height;
	struct axis axis;

	g_string_append(script, "\nunset label\n");
	add_fraction(script, "set tmargin at screen ", from_top(layout, layout->top + TITLE_HEIGHT), "\n");
	add_fraction(script, "set bmargin at screen ", from_top(layout, bottom), "\n");
	add_title(layout, panel);
	for (guint i = 0; i < panel->rows->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(panel->rows, i);
		gboolean can = layout->style->range(row, &low, &high);
		struct panel_row look = row_look(layout, row, i + 1);

		if (can)
			g_array_append_val(drawn, look);
		add_row_texts(script, row, i + 1, can);
	}
	if (last)
		add_notes(layout);
	axis = drawn->len ? axis_make(low, high) : axis_make(0, 1);
	add_axis(layout, panel, &axis);
	if (drawn->len)
		layout->style->plot(drawn, &plot);
	else
		g_string_append(script, "unset xtics\n");
	/* Without a mark a line outside of the range makes gnuplot draw the frame. */
	g_string_append_printf(script, "plot %s\n", elements->len ? elements->str : "-1 notitle");
	layout->top = bottom + AXIS_HEIGHT;
}

/* Caveats that some estimate carries and that the picture does not show in another way. */
static GPtrArray *notes_of(const struct analysis *analysis, const char *note)
{
	GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
	flag_set shown = EST_TOO_FEW | EST_CONSTANT | FLAG_NO_DATA | FLAG_FAILURES, all = 0;

	g_ptr_array_add(notes, g_strdup(note));
	for (guint i = 0; i < analysis->estimates->len; i++)
		all |= ((const struct estimate_row *)g_ptr_array_index(analysis->estimates, i))->flags;
	for (const struct flag_info *info = flag_table; info->flag; info++)
		if (all & ~shown & info->flag)
			g_ptr_array_add(notes, g_strdup_printf("Caveat: %s (%s).", info->text, info->name));
	return notes;
}

static void measure(struct layout *layout, const struct analysis *analysis)
{
	guint left = 0, right = 0;

	for (guint i = 0; i < analysis->estimates->len; i++) {
		const struct estimate_row *row = g_ptr_array_index(analysis->estimates, i);
		g_autofree char *name = treatment_name(row);
		g_autofree char *count = count_text(row);

		left = MAX(left, label_columns(name));
		right = MAX(right, label_columns(count));
		if (!g_hash_table_contains(layout->looks, row->treatment))
			g_hash_table_insert(layout->looks, row->treatment,
					    GUINT_TO_POINTER(g_hash_table_size(layout->looks)));
	}
	layout->left = MAX(LEFT_MIN, (guint)(left * COLUMN) + 24);
	layout->right = MAX(RIGHT_MIN, (guint)(right * COLUMN) + 24);
}

static gboolean fits(const GPtrArray *panels, const struct analysis *analysis, guint height, GError **error)
{
	if (!panels->len)
		return err_usage(error, "nothing to plot");
	if (panels->len > PANELS_MAX)
		return err_usage(
		    error, "%u panels are more than the %d that a picture holds: choose with --metric or --workload",
		    panels->len, PANELS_MAX);
	if (height > PANEL_HEIGHT_MAX)
		return err_usage(
		    error, "%u rows are more than a picture holds: choose with --metric, --workload or NAME=LEVEL",
		    analysis->estimates->len);
	return TRUE;
}

gboolean panels_draw(const struct analysis *analysis, const struct panel_style *style, const char *note,
		     struct picture *picture, GError **error)
{
	g_autoptr(GPtrArray) panels = panels_of(analysis);
	g_autoptr(GPtrArray) notes = notes_of(analysis, note);
	g_autoptr(GHashTable) looks = g_hash_table_new(g_str_hash, g_str_equal);
	struct layout layout = {.style = style, .picture = picture, .notes = notes, .looks = looks};

	picture->width = WIDTH;
	picture->height = panels->len * (TITLE_HEIGHT + AXIS_HEIGHT) + analysis->estimates->len * style->row_height +
			  notes->len * NOTE_HEIGHT + 16;
	if (!fits(panels, analysis, picture->height, error))
		return FALSE;
	measure(&layout, analysis);
	g_string_append(picture->script, "set multiplot\nunset key\nunset ytics\n"
					 "set border 3 lc rgb '#444444'\nset grid xtics lt 1 lc rgb '#dddddd'\n");
	add_fraction(picture->script, "set lmargin at screen ", (double)layout.left / WIDTH, "\n");
	add_fraction(picture->script, "set rmargin at screen ", 1 - (double)layout.right / WIDTH, "\n");
	for (guint i = 0; i < panels->len; i++)
		panel_draw(&layout, g_ptr_array_index(panels, i), i + 1 == panels->len);
	g_string_append(picture->script, "unset multiplot\n");
	return TRUE;
}
