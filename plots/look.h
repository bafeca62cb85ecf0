#ifndef LOOK_H
#define LOOK_H

#include <glib.h>

/* How things are told apart: by colour, by the shape of their points, by the dashes of their lines. No two of the first
 * 70 have both colour and shape in common. */

/* 0xRRGGBB of Okabe and Ito's palette, which the colour-blind can tell apart, without its yellow, too faint on white;
 * in such an order that neighbours differ in grey, too. */
guint32 look_colour(guint number);
/* gnuplot's point type and dash type; dots (3) are left for what stands beside the data. */
int look_shape(guint number);
int look_dash(guint number);

/* From dark (share 0) to bright (1), in even steps to the eye, also in grey and to the colour-blind; and the colour,
 * black or white, of letters that are readable on one. */
guint32 look_shade(double share);
guint32 look_on(guint32 colour);

/* The same name looks the same in all of a picture: numbers in the order in which names are first asked for. */
GHashTable *look_names_new(void);
guint look_of_name(GHashTable *names, const char *name);

#endif
