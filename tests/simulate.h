#ifndef SIMULATE_H
#define SIMULATE_H

#include <glib.h>

#include "../stats/stream.h"

/* How often the analysis is wrong, by drawing data whose truth is known. A repetition depends on its number and that of
 * its row only, so that a figure does not depend on how many processes shared the work. */

enum event {
	EVENT_DIFFERENT = 1u << 0, /* better, worse or changed; of a family: any of its comparisons */
	EVENT_SAME = 1u << 1,      /* the verdict same */
	EVENT_WITHIN = 1u << 2,    /* material is false: said to be within the margin, different or not */
	EVENT_COVERED = 1u << 3,   /* the interval holds the truth */
	EVENT_NAIVE = 1u << 4      /* what the scenario names as the usual mistake calls it a difference */
};
#define EVENTS 5

/* A figure in per cent and where it must lie; NAN: for information. */
struct bound {
	enum event event;
	const char *name;
	double low, high;
};

struct scenario;
typedef double (*draw_fn)(struct stream *stream, double spread);

struct scenario {
	const char *name;
	unsigned (*run)(const struct scenario *scenario, guint n, struct stream *stream); /* events of a repetition */
	guint sizes[3];         /* a row each; values a side, or of the baseline, or looks */
	guint n_other;          /* 0: as many as the baseline */
	guint n_others;         /* treatments beside the baseline; 0: one */
	draw_fn draw;           /* of one value, or one step of a series */
	double spread[2];       /* in the unit of the draw, of both sides; 0 for the second: the same */
	double ratio;           /* true, other / baseline; 0: 1 */
	double drift;           /* over the whole series, in the unit of the draw */
	double carried;         /* of one value's deviation to the next */
	guint times;            /* of the repetitions: a bound so near to the truth wants more of them; 0: one */
	struct bound bounds[2]; /* no figure where the event is 0 */
};

extern const struct scenario simulate_scenarios[]; /* ends with a NULL name */

/* One size of one scenario, done. */
struct simulate_row {
	const struct scenario *scenario;
	guint n, repetitions;
	guint counts[EVENTS];
};
typedef void (*simulate_done_fn)(const struct simulate_row *row, gpointer data);

/* Runs all rows with the processes given; done is called in the order of the table. FALSE with errno set where a
 * process or pipe failed. */
gboolean simulate(guint repetitions, guint processes, simulate_done_fn done, gpointer data);

double simulate_percent(const struct simulate_row *row, const struct bound *bound);

double draw_uniform(struct stream *stream); /* in (0, 1) */
double draw_standard(struct stream *stream);
double draw_normal(struct stream *stream, double spread);     /* mean 100 */
double draw_log_normal(struct stream *stream, double spread); /* median 100, spread of the logarithm */
double draw_bimodal(struct stream *stream, double spread);    /* 70% about 100 and 30% about 100 + 20 spread */

#endif
