#ifndef LABEL_H
#define LABEL_H

#include <glib.h>

/* Names in pictures. */

/* text made printable and at most limit columns wide (wide letters of East Asia take two): the middle gives way to
 * "…", since names mostly differ at an end. */
char *label_cut(const char *text, guint limit);

/* Columns that printable text takes. */
guint label_columns(const char *text);

#endif
