#ifndef AXIS_H
#define AXIS_H

#include <glib.h>

enum axis_scale { AXIS_LINEAR, AXIS_LOG2, AXIS_LOG10 };

/* A range with its divisions. Of values that are all alike, or none, it still has a length: gnuplot draws it without a
 * word, and nothing becomes NaN. */
struct axis {
	enum axis_scale scale;
	double low, high;
	double step; /* a factor where the scale is logarithmic */
	char format[16];
	guint columns; /* of its widest number */
};

/* Widens [*low, *high] to value; false where no axis can hold it: it is to be left out. Begin with INFINITY and
 * -INFINITY. */
gboolean axis_see(enum axis_scale scale, double value, double *low, double *high);

/* An axis that holds [low, high], room at either end, none below 0 where no value is; as many divisions as have room
 * for their numbers in so many columns of text. low > high: there is no value. */
struct axis axis_make(enum axis_scale scale, double low, double high, guint columns);

/* Numbers of an axis that stands upright: lines is how many lines of text it is high. */
struct axis axis_make_upright(enum axis_scale scale, double low, double high, guint lines);

/* No divisions between whole numbers. */
void axis_make_whole(struct axis *axis);

/* "set xrange", "set logscale x" and "set xtics" of the axis that is named by its letter. */
void axis_set(const struct axis *axis, char letter, GString *script);

/* "bandwidth (MB/s), higher is better": plain text, newly allocated. */
struct metric;
char *axis_label(const struct metric *metric);

#endif
