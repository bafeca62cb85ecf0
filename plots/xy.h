#ifndef XY_H
#define XY_H

#include <glib.h>

#include "axis.h"

struct picture;

/* Points and lines over two axes: a panel for each workload x metric, below each other, each with a legend of its own
 * between title and plot. */

struct xy {
	struct picture *picture;
	char *title, *x_label, *y_label; /* plain text; the y label stands above the axis, to be read upright */
	enum axis_scale x_scale, y_scale;
	gboolean has_whole_x;                /* numbers of runs: the x axis has no divisions between whole ones */
	double x_low, x_high, y_low, y_high; /* of what was seen; may be set, too */
	guint height;                        /* of the plot, pixels; 0: usual */
	const char *empty;                   /* what to say where nothing was seen: "no data" */
	GString *setup;                      /* further commands, after the axes are set and before the plot */
	GString *elements;
	GPtrArray *legend; /* struct xy_entry * */
};

/* Parts of the look that an entry of the legend shows. */
enum xy_look { XY_POINT = 1, XY_LINE = 2 };

struct xy *xy_new(struct picture *picture, const char *title, const char *x_label, const char *y_label);
void xy_free(struct xy *xy);

/* Widens the ranges to the point; false where the axes cannot hold it: it is to be left out. */
gboolean xy_see(struct xy *xy, double x, double y);
/* A line between x = before and the next whole number, from the axis to the top, in a text not beyond it. style: of an arrow
 * in gnuplot's words. */
void xy_divide(struct xy *xy, guint before, const char *style);
/* As picture_plot(). */
void xy_plot(struct xy *xy, const GString *records, const char *comment, const char *style);
/* The same of records x y, with the colour, shape and dashes of that number; with: "linespoints lw 2". */
void xy_plot_look(struct xy *xy, const GString *records, const char *comment, const char *with, guint number);
/* An entry of the legend: what it stands for, with n: "6.12 (n = 5)". */
void xy_legend(struct xy *xy, guint number, enum xy_look look, const char *text);
/* A cross at the x axis: what has no value there. */
void xy_cross(struct xy *xy, double x, guint number);

/* Fills the picture with panels (struct xy *). notes: const char *, wrapped. Usage errors: no panel, too many. */
gboolean xy_draw(const GPtrArray *panels, const GPtrArray *notes, struct picture *picture, GError **error);

#endif
