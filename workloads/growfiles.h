#ifndef GROWFILES_H
#define GROWFILES_H

#include "pool.h"

/* Files that are appended to, verified and truncated, one after the other, over and over. What the options mean is what
 * the flags of growfiles mean: -g -r -w -t -T -C -c -S -I -l -s.
 * source: testcases/kernel/fs/doio/growfiles.c of the Linux Test Project (behaviour only) */

enum growfiles_call { CALL_PLAIN, CALL_VECTOR, CALL_POSITIONED, CALLS, CALL_RANDOM = CALLS };

struct growfiles {
	int dirfd;
	guint64 nonce;
	guint64 files;
	guint64 grow_min, grow_max;                           /* bytes */
	guint64 shrink;                                       /* bytes */
	guint64 shrink_every, check_write_every, check_every; /* visits, of whichever file; 0: never */
	gboolean seek, lock, zero;
	enum growfiles_call call;
	guint64 random; /* state of the random numbers */

	struct pool pool; /* a part each for the next three */
	unsigned char *pattern, *data, *got;

	guint64 visits; /* so far */
	guint64 total;  /* bytes, holes counted, that the files hold together */
};

/* Opens the file of that number ("gf.1" is the first) and makes it where it is not there, lets it grow, verifies it and
 * truncates it as it is due, and closes it. Data that came back wrong is an error. */
gboolean growfiles_visit(struct growfiles *growfiles, guint64 number, GError **error);

#endif
