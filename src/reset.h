#ifndef RESET_H
#define RESET_H

#include <glib.h>

#include "flag.h"

struct place;

/* What is booted anew for each group of runs. */
enum reset_boot { BOOT_NONE, BOOT_GUEST, BOOT_MACHINE };

/* What is done before a run so that runs are alike. One row a reset. */
struct reset {
	const char *name;
	const char *summary;       /* one line */
	gboolean needs_filesystem; /* of its own: --image or --device */
	gboolean remakes;          /* the filesystem is made anew before every run */
	enum reset_boot boots;
	/* Applies it; flags says what did not go as asked, *warning (newly allocated, or NULL) tells it to a person. False where
	 * the run must not take place. */
	gboolean (*apply)(struct place *place, flag_set *flags, char **warning, GError **error);
};

extern const struct reset reset_table[]; /* ends with a NULL name */
/* Drops the clean pages of the regular files in the directory from the cache; needs no privilege. */
void reset_drop_files(int dirfd);
/* A usage error that lists what exists. */
const struct reset *reset_find(const char *name, GError **error);

#endif
