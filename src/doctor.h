#ifndef DOCTOR_H
#define DOCTOR_H

#include <glib.h>

#include "doctor_activity.h"
#include "doctor_volume.h"

/* What on this machine will make results noisy or wrong, and what to do about it. */

enum finding_level {
	FINDING_WARNING, /* it will disturb */
	FINDING_NOTE,    /* good to know */
	FINDING_OK,
	FINDING_UNAVAILABLE /* it cannot be told here */
};
const char *finding_level_name(enum finding_level level);

/* What a check found. Both texts are one line without a full stop and of any origin: print them through
 * text_printable(). */
struct finding {
	enum finding_level level;
	char *text;   /* what is true, with its values */
	char *advice; /* what to do; NULL: nothing */
};
void finding_set(struct finding *finding, enum finding_level level, const char *format, ...) G_GNUC_PRINTF(3, 4);
void finding_advise(struct finding *finding, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The text becomes "not available here: why". */
void finding_unavailable(struct finding *finding, const char *why);
void finding_clear(struct finding *finding);

/* What is looked at. Checks only read it: a test makes its own. */
struct doctor {
	int rootfd;               /* "/": /proc, /sys, /etc and /boot are read below it */
	struct volume volume;     /* behind --dir */
	guint64 size_bytes;       /* that will be written there */
	struct activity activity; /* of all others */
	gboolean is_root;
};

/* Opens the directory, looks at its filesystem and for half a second at what the machine does. Errors name the
 * directory. */
gboolean doctor_open(struct doctor *doctor, const char *dir, guint64 size_bytes, GError **error);
void doctor_close(struct doctor *doctor);

struct check {
	const char *name; /* a word of at most 11 characters */
	/* Sets level and text, and advice where something can be done. What cannot be read is no error. */
	void (*look)(const struct doctor *doctor, struct finding *finding);
};
extern const struct check check_table[]; /* ends with a NULL name */

/* All checks: a struct finding for each row of the table, in its order. */
GArray *doctor_examine(const struct doctor *doctor);

#endif
