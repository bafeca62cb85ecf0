#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include <sqlite3.h>

#include "flag.h"
#include "process.h"
#include "store.h"

struct dataset;
struct metric;
struct observation;
struct workload_config;

/* What the store_*.c files share. */

#define STORE_APPLICATION_ID 0x766d7362 /* "vmsb" */
#define STORE_SCHEMA_VERSION 1

struct store {
	char *path;
	sqlite3 *db;
	enum store_mode mode;
	struct account trusted; /* store_undo_trust(); 0: root */
	/* of store_finish_run(), made at the first store_begin() */
	sqlite3_stmt *finish, *value, *flag, *series, *message, *metric;
	gboolean in_transaction;
	gint64 committed_us; /* monotonic */
	/* Of the plan begun: row numbers. */
	gint64 plan, sitting, boot, fact_set, first_run;
	GArray *run_workload;           /* guint a run: index into workload_metrics */
	GArray *workloads, *treatments; /* gint64: their rows, as the plan numbers them */
	GPtrArray *workload_metrics;    /* GArray of gint64 a workload: its metrics' rows, run_metrics first */
	GHashTable *metric_rows;        /* struct metric * -> row, of those that observers and probes measure */
};

extern const char store_schema[];

/* Fills *error from the connection's last error: "cannot <what> the store '<path>': <why>". Returns FALSE. */
gboolean store_fail(const struct store *store, const char *what, GError **error);
gboolean store_exec(const struct store *store, const char *sql, GError **error);
sqlite3_stmt *store_prepare(const struct store *store, const char *sql, GError **error);
/* Runs a statement that returns no row and makes it ready for the next time. */
gboolean store_step(const struct store *store, sqlite3_stmt *statement, GError **error);
/* Begins the transaction that store_flush() ends, where none is under way. */
gboolean store_begin_transaction(struct store *store, GError **error);
/* Takes back all since its begin. Returns FALSE. */
gboolean store_rollback(struct store *store);
/* The row of a metric, made where there is none. A usage error where it is kept with another direction. */
gboolean store_metric_row(const struct store *store, const struct metric *metric, gint64 *row, GError **error);
/* What observers and probes saw of a run. */
gboolean store_add_observation(struct store *store, gint64 run, const struct observation *seen, GError **error);
/* Adds to the dataset what was seen in the course of its runs. rows: number of a run in the store -> its row + 1. */
gboolean store_load_details(struct store *store, struct dataset *dataset, GHashTable *rows, GError **error);
/* What store_begin(), store_resume() and store_import() share: statements, a transaction begun, nothing known of any plan. */
gboolean store_begin_plan(struct store *store, GError **error);
gboolean store_boot_row(struct store *store, const char *boot_id, gint64 *row, GError **error);
gboolean store_add_flags(const struct store *store, gint64 run, flag_set flags, GError **error);
gboolean store_add_sitting(struct store *store, const struct store_sitting *sitting, gint64 now_us, GError **error);
/* The plan's last sitting goes on in this process and its boot. */
gboolean store_continue_sitting(struct store *store, const struct store_sitting *sitting, GError **error);
gboolean store_add_facts(struct store *store, GHashTable *facts, GError **error);
/* The rows of all metrics of a workload, appended to workload_metrics. */
gboolean store_add_metrics(struct store *store, const struct workload_config *config, GError **error);

/* A column's text, newly allocated; NULL as NULL. */
char *store_copy_text(sqlite3_stmt *row, int column);
/* Binds text, NULL as NULL. The text must last until the step. */
void store_bind_text(sqlite3_stmt *statement, int parameter, const char *text);

/* Calls each() for every row. */
typedef void (*store_each)(gpointer data, sqlite3_stmt *row);
gboolean store_for_rows(const struct store *store, sqlite3_stmt *statement, store_each each, gpointer data, GError **error);
/* A text of a row, "" where it is NULL: in a damaged file even a column that is never NULL can be. */
const char *store_text_at(sqlite3_stmt *row, int column);
/* What a row has of a metric: name, unit and direction in columns 1 to 3. */
struct metric store_metric_at(sqlite3_stmt *row);
/* A row number as the key of a table. */
gpointer store_key_at(sqlite3_stmt *row, int column);

typedef sqlite3_stmt Statement;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Statement, sqlite3_finalize)

#endif
