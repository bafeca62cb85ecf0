#ifndef TERMINAL_H
#define TERMINAL_H

#include <glib.h>

struct picture;

/* The formats of pictures, and gnuplot's terminals that make them: older or smaller builds lack some. */
struct terminal {
	const char *ending; /* of a file's name: ".png" */
	const char *name;   /* "pngcairo" */
	double scale;       /* pixels of the file for one of the picture, to be sharp */
	void (*set)(const struct terminal *terminal, const struct picture *picture, GString *script);
};

/* The ending of the name that is a format; NULL with a usage error that lists them. */
const char *terminal_ending(const char *output, GError **error);

/* The best terminal for a format that gnuplot has. Where it has none but one of another format, that one unless
 * is_strict. *note is what had to be done without, newly allocated, else NULL. Without gnuplot the first choice, so
 * that a script can be kept. An error where there is none, saying what to install. gnuplot is asked once a process. */
const struct terminal *terminal_choose(const char *ending, gboolean is_strict, char **note, GError **error);

/* Appends the command that sets it. */
void terminal_set(const struct terminal *terminal, const struct picture *picture, GString *script);

#endif
