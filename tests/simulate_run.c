#include "simulate.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#define SEED 20240101

static void run_row(struct simulate_row *row, guint number, guint first, guint step)
{
	for (guint i = first; i < row->repetitions; i += step) {
		struct stream stream = stream_init(SEED + number, i);
		unsigned events = row->scenario->run(row->scenario, row->n, &stream);

		for (guint e = 0; e < EVENTS; e++)
			row->counts[e] += events >> e & 1;
	}
}

static gboolean transfer(int fd, gpointer data, gsize size, gboolean is_write)
{
	char *at = data;

	while (size > 0) {
		ssize_t done = is_write ? write(fd, at, size) : read(fd, at, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			errno = done ? errno : EPIPE;
			return FALSE;
		}
		at += done;
		size -= (gsize)done;
	}
	return TRUE;
}

static GArray *rows_of_table(guint repetitions)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct simulate_row));

	for (const struct scenario *scenario = simulate_scenarios; scenario->name; scenario++)
		for (gsize i = 0; i < G_N_ELEMENTS(scenario->sizes) && scenario->sizes[i]; i++) {
			struct simulate_row row = {
			    scenario, scenario->sizes[i], repetitions * MAX(scenario->times, 1), {0}};

			g_array_append_val(rows, row);
		}
	return rows;
}

static G_NORETURN void work(const GArray *rows, guint first, guint step, int fd)
{
	for (guint i = 0; i < rows->len; i++) {
		struct simulate_row row = g_array_index(rows, struct simulate_row, i);

		run_row(&row, i, first, step);
		if (!transfer(fd, row.counts, sizeof row.counts, TRUE))
			_exit(1);
	}
	_exit(0);
}

static gboolean collect(GArray *rows, const int *fds, guint processes, simulate_done_fn done, gpointer data)
{
	for (guint i = 0; i < rows->len; i++) {
		struct simulate_row *row = &g_array_index(rows, struct simulate_row, i);

		for (guint p = 0; p < processes; p++) {
			guint counts[EVENTS];

			if (!transfer(fds[p], counts, sizeof counts, FALSE))
				return FALSE;
			for (guint e = 0; e < EVENTS; e++)
				row->counts[e] += counts[e];
		}
		done(row, data);
	}
	return TRUE;
}

gboolean simulate(guint repetitions, guint processes, simulate_done_fn done, gpointer data)
{
	g_autoptr(GArray) rows = rows_of_table(repetitions);
	g_autofree int *fds = g_new(int, processes);
	g_autofree pid_t *pids = g_new(pid_t, processes);
	gboolean ok = TRUE;
	guint started;

	for (started = 0; started < processes && ok; started++) {
		int ends[2];

		ok = pipe(ends) == 0;
		if (!ok)
			break;
		fds[started] = ends[0];
		pids[started] = fork();
		if (pids[started] == 0) {
			close(ends[0]);
			work(rows, started, processes, ends[1]);
		}
		close(ends[1]);
		ok = pids[started] > 0;
	}
	ok = ok && collect(rows, fds, processes, done, data);
	for (guint p = 0; p < started; p++) {
		close(fds[p]);
		if (pids[p] > 0)
			waitpid(pids[p], NULL, 0);
	}
	return ok;
}

double simulate_percent(const struct simulate_row *row, const struct bound *bound)
{
	return 100.0 * row->counts[g_bit_nth_lsf(bound->event, -1)] / row->repetitions;
}
