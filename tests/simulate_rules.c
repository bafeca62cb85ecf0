#include "simulate_rules.h"

#include <math.h>

#include "../src/analyse.h"
#include "../src/dataset.h"
#include "../stats/anytime.h"
#include "../stats/ttest.h"

#define SIDES_MAX 8
#define ALPHA 0.05

static const struct metric rate = {"rate", "MB/s", BETTER_HIGHER, NULL};
static const char *const labels[SIDES_MAX] = {"0", "1", "2", "3", "4", "5", "6", "7"};
static const struct analyse_options options = {.level = 1 - ALPHA, .margin_pct = 5, .verdict_only = TRUE};

/* Runs in the order in which they were made, as the store gives them. */
struct experiment {
	struct dataset *dataset;
	struct selection sides[SIDES_MAX];
	guint n_sides;
};

static struct experiment experiment_new(guint n_sides)
{
	struct experiment e = {.dataset = dataset_new(), .n_sides = n_sides};

	dataset_metric(e.dataset, &rate);
	dataset_factor(e.dataset, "label");
	for (guint i = 0; i < n_sides; i++)
		e.sides[i] = (struct selection){.name = g_strdup(labels[i]),
						.levels = g_array_new(FALSE, FALSE, sizeof(struct level)),
						.rows = g_array_new(FALSE, FALSE, sizeof(guint))};
	return e;
}

static void experiment_clear(struct experiment *e)
{
	for (guint i = 0; i < e->n_sides; i++) {
		g_free(e->sides[i].name);
		g_array_unref(e->sides[i].levels);
		g_array_unref(e->sides[i].rows);
	}
	dataset_free(e->dataset);
}

static guint experiment_add(struct experiment *e, guint side, double value)
{
	guint row = dataset_add_run(e->dataset);

	column_set(g_ptr_array_index(e->dataset->factors, 0), row, labels[side]);
	values_set(g_ptr_array_index(e->dataset->metrics, 0), row, value);
	g_array_append_val(e->sides[side].rows, row);
	return row;
}

static void set_unit(struct column **column, const char *name, guint row, guint number)
{
	char level[16];

	if (!*column)
		*column = column_new(name);
	g_snprintf(level, sizeof level, "%u", number);
	column_set(*column, row, level);
}

static unsigned events_of(const struct comparison *c, double truth)
{
	unsigned events = 0;

	if (c->verdict == VERDICT_BETTER || c->verdict == VERDICT_WORSE || c->verdict == VERDICT_CHANGED)
		events |= EVENT_DIFFERENT;
	if (c->verdict == VERDICT_SAME)
		events |= EVENT_SAME;
	if (c->verdict != VERDICT_UNTESTABLE && c->material == MATERIAL_NO)
		events |= EVENT_WITHIN;
	if (c->ratio.low <= truth && truth <= c->ratio.high)
		events |= EVENT_COVERED;
	return events;
}

/* What any of the comparisons with side 0 shows. */
static unsigned experiment_compare(const struct experiment *e, double truth)
{
	g_autoptr(GPtrArray) others = g_ptr_array_new();
	g_autoptr(Analysis) analysis = NULL;
	struct selection sides[SIDES_MAX];
	unsigned events = 0;

	for (guint i = 0; i < e->n_sides; i++)
		sides[i] = e->sides[i];
	for (guint i = 1; i < e->n_sides; i++)
		g_ptr_array_add(others, &sides[i]);
	analysis = analyse_compare(e->dataset, &sides[0], others, &options, NULL);
	g_assert(analysis && analysis->comparisons->len == others->len);
	for (guint i = 0; i < analysis->comparisons->len; i++)
		events |= events_of(g_ptr_array_index(analysis->comparisons, i), truth);
	return events;
}

static double truth_of(const struct scenario *s)
{
	return s->ratio > 0 ? s->ratio : 1;
}

static double spread_of(const struct scenario *s, guint side)
{
	return side && s->spread[1] > 0 ? s->spread[1] : s->spread[0];
}

/* A value of a side that no other value has anything to do with. */
static double draw_value(const struct scenario *s, guint side, struct stream *stream)
{
	return (side ? truth_of(s) : 1) * s->draw(stream, spread_of(s, side));
}

unsigned independent(const struct scenario *s, guint n, struct stream *stream)
{
	guint n_sides = MAX(s->n_others, 1) + 1, left[SIDES_MAX], n_left = n;
	struct experiment e = experiment_new(n_sides);
	unsigned events;

	left[0] = n;
	for (guint i = 1; i < n_sides; i++) {
		left[i] = s->n_other ? s->n_other : n;
		n_left += left[i];
	}
	for (; n_left > 0; n_left--) {
		guint at = stream_below(stream, (uint32_t)stream_bits(stream), n_left), side = 0;

		for (; at >= left[side]; side++)
			at -= left[side];
		left[side]--;
		experiment_add(&e, side, draw_value(s, side, stream));
	}
	events = experiment_compare(&e, truth_of(s));
	experiment_clear(&e);
	return events;
}

/* The machine's noise at successive runs. */
struct noise {
	double deviation; /* in spreads */
	guint i, n;
};

/* Stationary, with variance 1 and the autocorrelation that is carried over, on top of the drift. */
static double noise_next(const struct scenario *s, struct noise *noise, struct stream *stream)
{
	double fresh = draw_standard(stream), carried = s->carried;
	double drift = s->drift * noise->i / (noise->n - 1);

	noise->deviation = noise->i++ ? carried * noise->deviation + sqrt(1 - carried * carried) * fresh : fresh;
	return 100 + (noise->deviation + drift) * s->spread[0];
}

static void shuffle(guint *sides, guint n, struct stream *stream)
{
	for (guint i = n; i > 1; i--) {
		guint j = stream_below(stream, (uint32_t)stream_bits(stream), i), swapped = sides[j];

		sides[j] = sides[i - 1];
		sides[i - 1] = swapped;
	}
}

unsigned blocked(const struct scenario *s, guint n, struct stream *stream)
{
	guint n_sides = MAX(s->n_others, 1) + 1, sides[SIDES_MAX];
	struct experiment e = experiment_new(n_sides);
	struct noise noise = {.n = n * n_sides};
	unsigned events;

	for (guint block = 0; block < n; block++) {
		for (guint i = 0; i < n_sides; i++)
			sides[i] = i;
		shuffle(sides, n_sides, stream);
		for (guint i = 0; i < n_sides; i++) {
			double value = noise_next(s, &noise, stream) * (sides[i] ? truth_of(s) : 1);

			set_unit(&e.dataset->block, "block", experiment_add(&e, sides[i], value), block + 1);
		}
	}
	events = experiment_compare(&e, truth_of(s));
	experiment_clear(&e);
	return events;
}

static const double *values_of(const struct experiment *e)
{
	const struct values *values = g_ptr_array_index(e->dataset->metrics, 0);

	return (const double *)(gconstpointer)values->value->data;
}

#define BOOTS 3

unsigned boots(const struct scenario *s, guint n, struct stream *stream)
{
	struct experiment e = experiment_new(2);
	unsigned events;

	for (guint boot = 0; boot < 2 * BOOTS; boot++) {
		double level = s->spread[0] * draw_standard(stream);

		for (guint i = 0; i < n; i++) {
			guint row = experiment_add(&e, boot / BOOTS, s->draw(stream, s->spread[1]) + level);

			set_unit(&e.dataset->boot, "boot", row, boot);
		}
	}
	events = experiment_compare(&e, 1);
	if (welch(values_of(&e), BOOTS * n, values_of(&e) + BOOTS * n, BOOTS * n).p < ALPHA)
		events |= EVENT_NAIVE;
	experiment_clear(&e);
	return events;
}

#define FIRST_LOOK 3
#define EFFECT_VARIANCE 1 /* of the effects looked for, as the rule of 'run --until decided' has it */

unsigned until_decided(const struct scenario *s, guint n, struct stream *stream)
{
	g_autofree double *x = g_new(double, n), *y = g_new(double, n), *work = g_new(double, 2 * n);
	struct noise noise = {.n = 2 * n};
	unsigned events = 0;

	for (guint i = 0; i < n; i++) {
		double first = noise_next(s, &noise, stream), second = noise_next(s, &noise, stream);
		gboolean is_swapped = stream_bits(stream) >> 63;
		struct contrast c;

		x[i] = is_swapped ? second : first;
		y[i] = truth_of(s) * (is_swapped ? first : second);
		if (i + 1 < FIRST_LOOK)
			continue;
		c = paired_log(x, y, i + 1, work);
		if (anytime_t(&c, EFFECT_VARIANCE).p <= ALPHA)
			events |= EVENT_DIFFERENT;
		if (c.p < ALPHA)
			events |= EVENT_NAIVE;
	}
	return events;
}

unsigned shown(const struct scenario *s, guint n, struct stream *stream)
{
	struct experiment e = experiment_new(1);
	g_autoptr(Analysis) analysis = NULL;
	const struct estimate_row *row;
	unsigned events = 0;

	for (guint i = 0; i < n; i++)
		experiment_add(&e, 0, draw_value(s, 0, stream));
	analysis = analyse_show(e.dataset, e.sides[0].rows, &options, NULL);
	g_assert(analysis && analysis->estimates->len == 1);
	row = g_ptr_array_index(analysis->estimates, 0);
	if (row->ci.low <= 100 && 100 <= row->ci.high)
		events |= EVENT_COVERED;
	experiment_clear(&e);
	return events;
}
