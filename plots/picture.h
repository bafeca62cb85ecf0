#ifndef PICTURE_H
#define PICTURE_H

#include <glib.h>

/* What a picture is for: a page of a document or a screen; a slide, 16:9, on which letters are larger; a text of 78
 * columns, for a mail. */
enum picture_size { PICTURE_PAGE, PICTURE_SLIDE, PICTURE_TEXT };

#define PICTURE_HEIGHT_MAX 20000 /* pixels: cairo draws up to 32767 */

/* What a chart draws: plot commands, without terminal and output, and the numbers that they read from the file that
 * the variable data names. A chart lays out by width, column and line, and sets the height with picture_fit(). */
struct picture {
	enum picture_size size;
	GString *script, *data;
	guint n_blocks;      /* blocks in data so far, "index" of the next one */
	guint width, height; /* pixels of a 96 dpi screen; of a text: 10 a column and 20 a line */
	double column;       /* pixels of a letter of middling width */
	guint line;          /* pixels from one line of text to the next */
	char *title;         /* what it shows, one line of plain text, newly allocated; NULL: not said */
};
void picture_init(struct picture *picture, enum picture_size size);
void picture_clear(struct picture *picture);

/* Sets the height: as given on a page, in whole lines in a text; a slide keeps its shape, grows in both directions and
 * may be higher than asked for. False where no picture can be so high. */
gboolean picture_fit(struct picture *picture, guint height);

/* Columns of text that fit into so many pixels. */
guint picture_columns(const struct picture *picture, double pixels);

/* "screen F" with F so many pixels from the left, or from the top; newly allocated. */
char *picture_from_left(const struct picture *picture, double pixels);
char *picture_from_top(const struct picture *picture, double pixels);

/* A label: text as it is, cut to so many columns; at: gnuplot's words for the place, "graph 0, first 1"; style: what
 * follows, "left tc rgb '#444444'". */
void picture_text(struct picture *picture, const char *text, guint columns, const char *at, const char *style);
#define PICTURE_GREY " tc rgb '#444444'"

/* Appends numbers as one record, all digits, whatever the locale. */
void picture_record(GString *records, const double *value, guint n);

/* Adds the records as a block of data, and to elements, the comma list of a plot command, one that reads them: style is
 * all that follows "using" in gnuplot's words. Nothing where there is no record. comment names the columns. */
void picture_plot(struct picture *picture, GString *elements, const GString *records, const char *comment,
		  const char *style);

#endif
