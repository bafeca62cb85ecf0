#ifndef ANALYSE_FAMILY_H
#define ANALYSE_FAMILY_H

#include <glib.h>

#include "../stats/estimate.h"
#include "analyse.h"

struct layout;
struct pairing;

/* The sides of one workload and metric where all of them are compared at once, by Dunnett's, Tukey's or Games and
 * Howell's procedure, instead of two by two. */
struct family {
	enum correction correction;
	guint *place;        /* of each side among those that can be tested; FAMILY_NONE for another */
	guint k;             /* how many can be */
	struct layout *used; /* their replicates: logarithms where the pairing is_log; NULL where k < 2 */
	struct layout *raw;  /* their replicates as values */
	gboolean is_log;
	double last_alpha, last_df, last_t; /* what family_level() found: in a pooled design df is the same for all */
};
#define FAMILY_NONE G_MAXUINT

/* sides: struct sample, the baseline first. Chooses by design: in blocks Tukey's, else Games and Howell's, or Dunnett's
 * where asked for: Games and Howell's calls 4 to 6.2% of families of 3 or 5 equal sides different (n = 3 to 10), 4.9 to
 * 6.8% where one side has four times the spread of the others; Tukey's, with one variance, 7.4 to 13.7% there (4,000
 * simulations each). *pairing: that of all sides that can be tested. */
struct family *family_new(const struct dataset *dataset, const GArray *sides, gboolean use_dunnett,
			  struct pairing *pairing);
void family_free(struct family *family);

/* Whether both can be tested. */
gboolean family_has(const struct family *family, const guint sides[2]);
/* sides[1] minus sides[0]: the error is that of all sides, but for Games and Howell's. */
struct contrast family_contrast(const struct family *family, const guint sides[2], gboolean is_raw);
/* "pooled", "blocks" or "welch", with "-log" where not raw. */
const char *family_method(const struct family *family, gboolean is_raw);
/* p of a contrast, adjusted for all of the family. */
double family_p(const struct family *family, const guint sides[2], const struct contrast *contrast);
/* The level of the contrast's own interval that makes all of the family's right at once with probability 1 - alpha. */
double family_level(struct family *family, const guint sides[2], const struct contrast *contrast, double alpha);

#endif
