#ifndef SITTING_BOOTS_H
#define SITTING_BOOTS_H

#include <glib.h>

struct sitting;
struct sitting_options;

/* What a sitting's options say about boots; sitting->reset is known. */

/* How many runs a boot has, into the plan. Usage errors: options about boots with a reset that boots nothing. */
gboolean sitting_read_boots(struct sitting *sitting, const struct sitting_options *options, GError **error);

/* Adds the factor kernel to the plan: what the images or boot entries of --kernel are; where none is given, that of guests is
 * the running one, and this machine's is left to it. */
gboolean sitting_add_kernels(struct sitting *sitting, const struct sitting_options *options, GError **error);

#endif
