#include "team.h"

#include "../src/err.h"
#include "gate.h"

struct worker {
	struct team *team;
	void *member;
	GThread *thread;
};

struct team {
	void (*body)(void *member);
	struct worker *workers;
	guint n;
	struct gate gate;
};

static gpointer work(gpointer data)
{
	const struct worker *worker = data;

	if (gate_pass(&worker->team->gate))
		worker->team->body(worker->member);
	return NULL;
}

static void join(struct team *team)
{
	for (guint i = 0; i < team->n; i++)
		g_clear_pointer(&team->workers[i].thread, g_thread_join);
}

struct team *team_new(void (*body)(void *member), void *members, gsize member_size, guint n, GError **error)
{
	struct team *team = g_new0(struct team, 1);

	gate_init(&team->gate);
	team->body = body;
	team->n = n;
	team->workers = g_new0(struct worker, n);
	for (guint i = 0; i < n; i++) {
		struct worker *worker = &team->workers[i];
		g_autoptr(GError) why = NULL;

		worker->team = team;
		worker->member = (char *)members + i * member_size;
		worker->thread = g_thread_try_new("stream", work, worker, &why);
		if (!worker->thread) {
			err_runtime(error, "cannot start stream %u of %u: %s", i + 1, n, why->message);
			team_free(team);
			return NULL;
		}
	}
	gate_await(&team->gate, n);
	return team;
}

double team_run(struct team *team)
{
	double start_s = gate_open(&team->gate);

	join(team);
	return start_s;
}

void team_free(struct team *team)
{
	if (!team)
		return;
	gate_cancel(&team->gate);
	join(team);
	gate_clear(&team->gate);
	g_free(team->workers);
	g_free(team);
}
