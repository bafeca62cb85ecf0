#ifndef RUNNER_H
#define RUNNER_H

#include <glib.h>


struct environment;
struct guests;
struct plan;
struct probes;
struct reset;
struct stopping_rule;
struct store;

/* Executes a plan: reset, pause, run, store; one run after the other. */
struct runner {
	const struct plan *plan;
	const gboolean *done; /* a run: it has its result already; NULL: none has */
	const struct reset *reset;
	struct probes *probes; /* beside every run; NULL: none */
	double settle_s;  /* between reset and run */
	double timeout_s; /* of a run; 0: none */
	double
	    max_time_s; /* of the plan; 0: none. A block that would not end in time is not begun, but for the first */
	const struct stopping_rule *rule; /* that ends a workload before its last block; NULL: none */
	struct environment *environment; /* of the runs; NULL with guests, which have their own */
	struct guests *guests;           /* runs take place in virtual machines; NULL: here */
	/* Ends before the first run of another boot than that of the first that it makes; unrecorded warm-up runs come before that
	 * one where the boot's own are done. */
	gboolean one_boot;
	struct store *store; /* its plan begun or resumed */
	gboolean quiet;
	void (*warn)(const char *format, ...) G_GNUC_PRINTF(1, 2);
};

struct runner_summary {
	guint done, failed;   /* runs finished now, whatever the outcome; of these, not ok */
	guint done_before;    /* in earlier sittings of a plan that was resumed */
	guint skipped;        /* runs that the rule made needless */
	gboolean out_of_time; /* what is left is pending for lack of time */
	GArray *decisions;    /* struct look: those that decided; NULL without a rule */
	guint64 undecided;    /* a bit a workload, the first 64: the rule had not seen enough at the last run */
	guint next_boot;      /* the first run of the next boot; 0: there is none, or more than one boot is allowed */
	const char *reboot;   /* how the machine is to be rebooted now (machine_reboot()); NULL: it is not */
	int stop_signal;      /* what asked us to stop, or 0 */
};

/* Runs whatever is left after a stop stay pending in the store. Errors end the plan; what was done is kept. */
gboolean runner_execute(const struct runner *runner, struct runner_summary *summary, GError **error);
void runner_summary_clear(struct runner_summary *summary);

#endif
