#ifndef PLAN_H
#define PLAN_H

#include <glib.h>

/* The ordered runs, and the seed that made the order. */

/* Inside a block all treatments x workloads come once, shuffled (random), as given (blocked), or as given and reversed
 * in turn (abba). */
enum plan_order { ORDER_RANDOM, ORDER_BLOCKED, ORDER_ABBA };
const char *plan_order_name(enum plan_order order);
gboolean plan_order_parse(const char *text, enum plan_order *order);

struct factor;

/* One combination of levels: parallel arrays of factor and level, "label" first. */
struct treatment {
	GPtrArray *factor; /* char * */
	GPtrArray *level;  /* char * */
};
struct treatment *treatment_new(void);
void treatment_free(struct treatment *treatment);
void treatment_add(struct treatment *treatment, const char *factor, const char *level);
/* NULL where the treatment does not say. */
const char *treatment_level(const struct treatment *treatment, const char *factor);

/* What is run once in each block: a workload under a treatment. */
struct plan_cell {
	guint workload, treatment;      /* indexes */
	struct workload_config *config; /* the workload with the levels that the treatment gives its options; owned */
};

/* Why the runs are made: to be compared, or to learn how a machine's noise behaves while nothing is changed. */
enum plan_purpose { PURPOSE_RUN, PURPOSE_CALIBRATE };
const char *plan_purpose_name(enum plan_purpose purpose);

struct planned_run {
	guint position;  /* from 1, over the whole plan, warm-up runs included */
	guint block;     /* from 1; 0 for warm-up runs before all blocks */
	guint workload;  /* index into plan->workloads */
	guint treatment; /* index into plan->treatments */
	guint cell;      /* index into plan->cells */
	gboolean warmup; /* run and stored, never in a sample */
};

#define PLAN_RUNS_MAX 1000000u

struct plan {
	GPtrArray *workloads;  /* struct workload_config *, owned */
	GPtrArray *factors;    /* struct factor *, owned: fixed ones as well */
	GPtrArray *treatments; /* struct treatment *, owned */
	GArray *cells;         /* struct plan_cell */
	int baseline;          /* index of the workload whose runs come first in every block; -1: none */
	GArray *runs;          /* struct planned_run, in order */
	enum plan_purpose purpose;
	enum plan_order order;
	guint64 seed;
	guint repeat, warmup;
	/* Runs of a cell that follow each other in a fresh boot, which the cell then has in every block, its warm-up runs first;
	 * 0: nothing is booted. */
	guint runs_per_boot;
};

struct plan *plan_new(void);
void plan_free(struct plan *plan);
typedef struct plan Plan; /* for g_autoptr(Plan) */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Plan, plan_free)

/* A treatment with the one level label = label, appended. */
void plan_add_label(struct plan *plan, const char *label);

/* Whether the run at index, and that before it, are meant for one boot. */
gboolean plan_continues_boot(const struct plan *plan, guint index);

/* The factor of that name, fixed or varied; NULL where the plan has none. */
const struct factor *plan_factor(const struct plan *plan, const char *name);

/* The level that a factor, fixed or varied, has under a treatment; NULL where the plan has no such factor. */
const char *plan_level(const struct plan *plan, const struct treatment *treatment, const char *name);

/* Crosses the one treatment there is with the levels of all factors. A factor that is another workload's option does not
 * concern a workload: it runs once for all its levels, under a treatment that leaves it out. Usage errors: an option that
 * no workload has or that a spec has settled, a level that it does not take. */
gboolean plan_cross(struct plan *plan, GError **error);

/* Lays out the runs from the fields above; cells are all workloads under all treatments where plan_cross() made none. A usage
 * error above PLAN_RUNS_MAX runs. */
gboolean plan_lay_out(struct plan *plan, GError **error);

#endif
