#ifndef TRIAL_H
#define TRIAL_H

#include <glib.h>

#include "flag.h"
#include "witness.h"

struct environment;
struct plan;
struct probes;
struct reset;
struct run_result;

/* One run of a plan on the machine on which this process is: settings, reset, pause, run, and what looks on. */
struct trial {
	const struct plan *plan;
	const struct reset *reset;
	struct environment *environment;
	struct probes *probes;                      /* beside the run; NULL: none */
	double settle_s;                            /* between reset and run */
	double timeout_s;                           /* of a run; 0: none */
	void (*tick)(void *data);                   /* about once a second while a run is under way; NULL: none */
	void (*warn)(void *data, const char *text); /* of what is odd and yet no failure */
	void *data;
	/* the trial's own */
	struct witness witness;
	guint64 nonce;
};

/* The fields before its own are the caller's. */
gboolean trial_init(struct trial *trial, GError **error);
void trial_clear(struct trial *trial);

/* plan->runs[index]. *made is false where we were asked to stop before the run began, and there is no result then; it
 * may be true where something failed after the run. */
gboolean trial_run(struct trial *trial, guint index, gboolean *made, struct run_result *result, GError **error);

#endif
