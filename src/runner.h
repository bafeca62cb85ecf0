#ifndef RUNNER_H
#define RUNNER_H

#include <glib.h>

struct plan;
struct reset;
struct scratch;
struct store;

/* Executes a plan: reset, pause, run, store; one run after the other. */
struct runner {
	const struct plan *plan;
	const struct reset *reset;
	double settle_s;  /* between reset and run */
	double timeout_s; /* of a run; 0: none */
	const struct scratch *scratch;
	struct store *store; /* its plan begun */
	gboolean quiet;
	void (*warn)(const char *format, ...) G_GNUC_PRINTF(1, 2);
};

struct runner_summary {
	guint done, failed; /* runs finished, whatever the outcome; of these, not ok */
	int stop_signal;    /* what asked us to stop, or 0 */
};

/* Runs whatever is left after a stop stay pending in the store. Errors end the plan; what was done is kept. */
gboolean runner_execute(const struct runner *runner, struct runner_summary *summary, GError **error);

#endif
