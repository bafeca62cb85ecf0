#ifndef PAST_SITTING_H
#define PAST_SITTING_H

#include <glib.h>

/* How runs in the store were made: one invocation, with what its plan says. Texts are NULL where not known. */
struct past_sitting {
	gint64 number, plan; /* number: as in the dataset's column of sittings */
	gint64 started_us;   /* since 1970; of imported runs when they were imported */
	char *command;       /* the command line, for people */
	char *order, *seed;  /* order: "imported" where no plan laid out the runs: the rest says nothing then */
	char *reset, *boot_id;
	double settle_s, timeout_s; /* 0: none */
	guint repeat, warmup;
};

#endif
