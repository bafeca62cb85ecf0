#ifndef SELECTION_H
#define SELECTION_H

#include <glib.h>

struct level {
	const char *factor, *level;
};

/* The runs of one side: a name and the rows of the dataset. */
struct selection {
	char *name;
	GArray *levels; /* struct level: what is compared; facts of these names are expected to differ */
	GArray *rows;   /* guint, in run order */
};

#endif
