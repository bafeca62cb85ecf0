#include "picture.h"

#include "gnuplot.h"
#include "label.h"

#define PAGE_WIDTH 1000
#define SLIDE_WIDTH 800
#define TEXT_COLUMNS 78
#define TEXT_COLUMN 10
#define TEXT_LINE 20

void picture_init(struct picture *picture, enum picture_size size)
{
	gboolean is_text = size == PICTURE_TEXT;

	*picture = (struct picture){
	    .size = size,
	    .script = g_string_new(NULL),
	    .data = g_string_new(NULL),
	    .width = is_text                 ? TEXT_COLUMNS * TEXT_COLUMN
		     : size == PICTURE_SLIDE ? SLIDE_WIDTH
					     : PAGE_WIDTH,
	    .column = is_text ? TEXT_COLUMN : 7.4,
	    .line = is_text ? TEXT_LINE : 19,
	};
}

void picture_clear(struct picture *picture)
{
	g_string_free(g_steal_pointer(&picture->script), TRUE);
	g_string_free(g_steal_pointer(&picture->data), TRUE);
	g_clear_pointer(&picture->title, g_free);
}

gboolean picture_fit(struct picture *picture, guint height)
{
	if (height > PICTURE_HEIGHT_MAX)
		return FALSE;
	if (picture->size == PICTURE_TEXT)
		height = (height + TEXT_LINE - 1) / TEXT_LINE * TEXT_LINE;
	if (picture->size == PICTURE_SLIDE) {
		picture->width = MAX(SLIDE_WIDTH, (height * 16 + 8) / 9);
		height = MAX(height, picture->width * 9 / 16);
	}
	picture->height = height;
	return TRUE;
}

guint picture_columns(const struct picture *picture, double pixels)
{
	return pixels > picture->column ? (guint)(pixels / picture->column) : 1;
}

static char *fraction(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	return g_strconcat("screen ", g_ascii_formatd(text, sizeof text, "%.6f", value), NULL);
}

/* gnuplot counts the cells of a text from the middle of the first to that of the last. */
static char *cell(double place, guint n)
{
	return fraction(CLAMP((place - 0.5) / (n - 1), 0, 1));
}

char *picture_from_left(const struct picture *picture, double pixels)
{
	if (picture->size == PICTURE_TEXT)
		return cell(pixels / picture->column + 0.5, picture_columns(picture, picture->width));
	return fraction(pixels / picture->width);
}

char *picture_from_top(const struct picture *picture, double pixels)
{
	double from_bottom = (double)picture->height - pixels;

	if (picture->size == PICTURE_TEXT)
		return cell(from_bottom / picture->line, picture->height / picture->line);
	return fraction(from_bottom / picture->height);
}

void picture_text(struct picture *picture, const char *text, guint columns, const char *at, const char *style)
{
	g_autofree char *cut = label_cut(text, columns);
	g_autofree char *quoted = gnuplot_quote(cut);

	g_string_append_printf(picture->script, "set label %s at %s noenhanced %s\n", quoted, at, style);
}

void picture_record(GString *records, const double *value, guint n)
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

void picture_plot(struct picture *picture, GString *elements, const GString *records, const char *comment,
		  const char *style)
{
	if (!records->len)
		return;
	/* Two empty lines end a block. */
	g_string_append_printf(picture->data, "%s# %s\n%s", picture->n_blocks ? "\n\n" : "", comment, records->str);
	g_string_append_printf(elements, "%sdata index %u using %s notitle", elements->len ? ", \\\n     " : "",
			       picture->n_blocks++, style);
}
