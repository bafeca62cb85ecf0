#include "bootstrap.h"

/* Replicates that a thread takes at a time: so few that none waits long for the last. */
#define CHUNK 64
/* Values drawn in the time that starting a thread takes, many times over. */
#define DRAWS_PER_THREAD 1000000

struct work {
	const struct bca *bca;
	double *replicates;
	guint n;
	gint next; /* replicate that nobody has taken yet; atomic */
};

static gpointer resample(gpointer data)
{
	struct work *work = data;
	g_autofree guint32 *counts = work->bca->statistic == BCA_MEDIAN ? g_new(guint32, work->bca->nx) : NULL;

	for (;;) {
		guint first = (guint)g_atomic_int_add(&work->next, CHUNK);

		if (first >= work->n)
			return NULL;
		bca_resample(work->bca, first, MIN(first + CHUNK, work->n), work->replicates, counts);
	}
}

static guint threads_for(const struct bca *bca, guint replicates)
{
	gsize worth = 1 + (bca->nx + bca->ny) * replicates / DRAWS_PER_THREAD;

	return (guint)MIN(worth, g_get_num_processors());
}

struct estimate bootstrap_bca(enum bca_statistic statistic, const double *x, gsize nx, const double *y, gsize ny,
			      guint replicates, double level, guint64 seed, guint threads)
{
	g_autofree double *prepared = g_new(double, nx + ny + 1), *drawn = g_new(double, replicates + 1);
	struct bca bca = bca_prepare(statistic, x, nx, y, ny, seed, prepared);
	struct work work = {.bca = &bca, .replicates = drawn, .n = bca.flags ? 0 : replicates};
	g_autoptr(GPtrArray) others = g_ptr_array_new();

	for (guint i = 1; i < (threads ? threads : threads_for(&bca, work.n)); i++) {
		/* Where the system has no thread to give, the others do the work. */
		GThread *thread = g_thread_try_new("bootstrap", resample, &work, NULL);

		if (thread)
			g_ptr_array_add(others, thread);
	}
	resample(&work);
	for (guint i = 0; i < others->len; i++)
		g_thread_join(g_ptr_array_index(others, i));
	return bca_interval(&bca, drawn, work.n, level);
}
