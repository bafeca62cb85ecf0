#ifndef LABEL_H
#define LABEL_H

#include <glib.h>

#include "../src/table.h" /* text_width() */

/* Names in pictures. */

/* text made printable and at most limit columns wide (wide letters of East Asia take two): the middle gives way to
 * "…", since names mostly differ at an end. */
char *label_cut(const char *text, guint limit);

/* Printable text broken at blanks into lines (newly allocated, appended) of at most so many columns, those after the
 * first indented; a word that is longer is cut. */
void label_wrap(const char *text, guint columns, GPtrArray *lines);

#endif
