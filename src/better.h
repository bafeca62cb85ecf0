#ifndef BETTER_H
#define BETTER_H

#include <glib.h>

struct dataset;

/* Applies settings METRIC=higher or METRIC=lower (--better; NULL: none) to the metrics of the dataset. A usage error
 * for what is neither. */
gboolean better_apply(struct dataset *dataset, char *const *settings, GError **error);

#endif
