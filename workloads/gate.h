#ifndef GATE_H
#define GATE_H

#include <glib.h>

/* Lets threads that were started before the timed window go all at once. */

enum gate_state { GATE_CLOSED, GATE_OPEN, GATE_CANCELLED };

struct gate {
	GMutex lock;
	GCond changed;
	enum gate_state state;
	guint n_waiting;
};

void gate_init(struct gate *gate);
void gate_clear(struct gate *gate);

/* For a thread: waits until it may go; false where it is to end at once. */
gboolean gate_pass(struct gate *gate);

/* Waits until so many threads stand at the gate. */
void gate_await(struct gate *gate, guint n_threads);
/* Returns when it was opened, in seconds of the monotonic clock. */
double gate_open(struct gate *gate);
void gate_cancel(struct gate *gate);

#endif
