#ifndef BOOTSTRAP_H
#define BOOTSTRAP_H

#include <glib.h>

#include "../stats/bca.h"

/* The BCa interval of stats/bca.h, its replicates drawn by several threads. The same seed gives the same interval to
 * the last bit however many there are. x, y: as bca_prepare() takes them. threads 0: as many as there are processors
 * and the work is worth. */
struct estimate bootstrap_bca(enum bca_statistic statistic, const double *x, gsize nx, const double *y, gsize ny,
			      guint replicates, double level, guint64 seed, guint threads);

#endif
