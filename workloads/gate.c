#include "gate.h"

#include "../src/clock.h"

void gate_init(struct gate *gate)
{
	g_mutex_init(&gate->lock);
	g_cond_init(&gate->changed);
	gate->state = GATE_CLOSED;
	gate->n_waiting = 0;
}

void gate_clear(struct gate *gate)
{
	g_mutex_clear(&gate->lock);
	g_cond_clear(&gate->changed);
}

gboolean gate_pass(struct gate *gate)
{
	enum gate_state state;

	g_mutex_lock(&gate->lock);
	gate->n_waiting++;
	g_cond_broadcast(&gate->changed);
	while (gate->state == GATE_CLOSED)
		g_cond_wait(&gate->changed, &gate->lock);
	state = gate->state;
	g_mutex_unlock(&gate->lock);
	return state == GATE_OPEN;
}

void gate_await(struct gate *gate, guint n_threads)
{
	g_mutex_lock(&gate->lock);
	while (gate->n_waiting < n_threads)
		g_cond_wait(&gate->changed, &gate->lock);
	g_mutex_unlock(&gate->lock);
}

/* Returns when the state changed. */
static double set_state(struct gate *gate, enum gate_state state)
{
	double now_s;

	g_mutex_lock(&gate->lock);
	gate->state = state;
	now_s = clock_monotonic_s();
	g_cond_broadcast(&gate->changed);
	g_mutex_unlock(&gate->lock);
	return now_s;
}

double gate_open(struct gate *gate)
{
	return set_state(gate, GATE_OPEN);
}

void gate_cancel(struct gate *gate)
{
	set_state(gate, GATE_CANCELLED);
}
