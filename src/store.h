#ifndef STORE_H
#define STORE_H

#include <glib.h>

struct dataset;
struct look;
struct plan;
struct run_result;

/* The SQLite file that holds plans, runs and facts. Nothing else knows its format. */
struct store;
typedef struct store Store; /* for g_autoptr(Store) */

enum store_mode {
	STORE_READ, /* must exist; never written to, may lie in a read-only place */
	STORE_WRITE /* made where missing */
};

/* Errors name the path: not there, no store, of a newer version, a read-only place, no room. */
struct store *store_open(const char *path, enum store_mode mode, GError **error);
void store_close(struct store *store); /* flushes */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Store, store_close)

/* What a plan is stored with, beside the plan itself. */
struct store_sitting {
	const char *command; /* the command line, for people */
	const char *options; /* of the plan: sitting_options_encode(); NULL: it cannot be resumed */
	const char *cwd;     /* the directory it was given in */
	const char *reset;   /* name of the reset */
	double settle_s, timeout_s;
	GHashTable *facts; /* key -> value; NULL: told with each boot (store_enter_boot()) */
	const char *boot_id;
	gboolean continues; /* the plan's last sitting goes on, in another boot: no other is begun, facts are not compared */
};

/* Stores the plan, its runs as pending, and a sitting; durable on return. Later calls speak of this plan and sitting.
 */
gboolean store_begin(struct store *store, const struct plan *plan, const struct store_sitting *sitting, GError **error);

/* The number of the plan begun. */
gint64 store_plan_begun(const struct store *store);

/* A plan as it is stored. */
struct store_plan {
	gint64 number, created_us;
	char *purpose;         /* plan_purpose_name() */
	char *command;         /* of its first sitting, for people; NULL: not told */
	char *options, *cwd;   /* as in struct store_sitting */
	gboolean is_under_way; /* the process of its last sitting lives */
	guint runs, left;      /* of the latter those without a result, an interrupted one among them */
	guint failed, boots;   /* of those with one not ok; boots that runs were made in */
};
/* All, in the order in which they were begun: struct store_plan *. */
GPtrArray *store_plans(struct store *store, GError **error);
/* As store_begin(), but goes on with a stored plan, of which the plan must be an equal. done[runs] becomes TRUE for runs that
 * have a result, other than that they were interrupted. *changed (newly allocated, or NULL) lists the facts that differ from
 * those of its last sitting. */
gboolean store_resume(struct store *store, gint64 number, const struct plan *plan, const struct store_sitting *sitting,
		      gboolean *done, char **changed, GError **error);
/* The boot in which the next runs take place, and its facts; NULL, NULL: neither is known. */
gboolean store_enter_boot(struct store *store, const char *boot_id, GHashTable *facts, GError **error);
/* Every invocation that made or imported runs, in time order: struct past_sitting *. */
GPtrArray *store_past_sittings(struct store *store, GError **error);
/* The value of a metric that plan->runs[index] has in the store; NaN where it has none or is not ok. */
gboolean store_run_value(struct store *store, guint index, const char *metric, double *value, GError **error);
/* Whether there is no plan in it and nothing to put back. */
gboolean store_is_empty(struct store *store);

/* The result of plan->runs[index]. Runs that took under a second share one transaction a second; *durable (NULL: not
 * asked) is TRUE where it and all before it are on the disk. */
gboolean store_finish_run(struct store *store, guint index, const struct run_result *result, gboolean *durable,
			  GError **error);
/* A run of plan->runs that will not take place, and why. */
gboolean store_skip_run(struct store *store, guint index, const char *why, GError **error);
/* One look of the plan's stopping rule. */
gboolean store_look(struct store *store, const struct look *look, GError **error);
/* Makes every finished run durable. Does nothing where they are. */
gboolean store_flush(struct store *store, GError **error);

/* Stores the runs of a dataset as a plan that is done; durable on return, and nothing is stored on an error. */
gboolean store_import(struct store *store, const struct dataset *dataset, const char *command, GError **error);

/* All finished runs but those of warm-up and calibration, in time order, and the facts they ran under. only_last: of
 * the plan begun by this store handle, whatever its purpose. FLAG_STOPPED_EARLY stands on runs that a rule ended.
 * Columns: workload (spec), sitting, block ("plan/block"), boot, outcome, facts, factors from the treatments ("label"
 * first). */
struct dataset *store_load(struct store *store, gboolean only_last, GError **error);
/* The same of all plans with the runs of warm-up, which have no block. */
struct dataset *store_load_all(struct store *store, GError **error);
/* All finished runs, those of calibration too, with what was seen in their course (run_detail.h). */
struct dataset *store_load_whole(struct store *store, GError **error);
/* The same of the calibration runs. */
struct dataset *store_load_calibration(struct store *store, GError **error);

/* What was seen in the course of these rows (guint) of a dataset from this store: struct run_series *, in their order, of
 * those runs that have any. */
GPtrArray *store_load_series(struct store *store, const struct dataset *dataset, const GArray *rows, GError **error);

#endif
