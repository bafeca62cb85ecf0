#ifndef DATASET_H
#define DATASET_H

#include <glib.h>

#include "column.h"
#include "flag.h"
#include "metric.h"
#include "run_detail.h"

/* Runs as a table, one row a run in run order, held by column: what the store and every importer produce and what the
 * analysis reads. Names and levels last as long as the process. */

/* A column of numbers; NaN where a run has no value. */
struct values {
	struct metric metric;
	GArray *value; /* double */
	gboolean only_by_name; /* of the machine beside the run: shown where it is asked for */
};

struct dataset {
	guint n_runs;
	/* NULL, or absent in a row, where not known. A sitting, block or boot is one and the same only where its text
	 * is: the maker sees to it that they do not clash between plans or files ("3/17" for block 17 of plan 3). */
	struct column *workload, *sitting, *block, *boot;
	struct column *outcome; /* NULL or absent: ok */
	struct column *message; /* why it is not ok */
	struct column *facts;   /* level: name of a fact set, a key of fact_sets */
	GArray *flags;          /* flag_set a run, of flag.h; NULL: none */
	GArray *started_us;     /* gint64 a run, microseconds since 1970; 0, past the end or NULL: not known */
	GArray *store_run;      /* gint64 a run: its number in the store; 0, past the end or NULL: not of a store */
	GPtrArray *details;     /* struct run_detail * a run; NULL, past the end or NULL for all: none */
	GPtrArray *factors;     /* struct column *: the treatment; a store's first one is "label" */
	GPtrArray *metrics;     /* struct values * */
	GHashTable *fact_sets;  /* name -> GHashTable of key -> value; all interned */
	GHashTable *primary;    /* workload (interned; "" where none) -> name of its primary metric */
	GPtrArray *warnings;    /* char *: what was odd about a file that could be read all the same, for people */
};

struct dataset *dataset_new(void);
typedef struct dataset Dataset; /* for g_autoptr(Dataset) */
void dataset_free(struct dataset *dataset);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Dataset, dataset_free)

/* Adds a warning: a complete sentence like an error's, that names file and line. The first 20 are kept. */
void dataset_warn(struct dataset *dataset, const char *format, ...) G_GNUC_PRINTF(2, 3);

guint dataset_add_run(struct dataset *dataset); /* adds a row with nothing in it and returns its number */

/* The factor of that name, made (absent in all rows so far) where there is none; find returns NULL then. */
struct column *dataset_factor(struct dataset *dataset, const char *name);
struct column *dataset_find_factor(const struct dataset *dataset, const char *name);
/* The metric of that name and unit, made (NaN in all rows so far) where there is none. Find takes the name, or the name
 * with the unit at its end as a table's column has it ("throughput_MBps"), and returns NULL where there is none. */
struct values *dataset_metric(struct dataset *dataset, const struct metric *metric);
struct values *dataset_add_metric(struct dataset *dataset, const struct metric *metric); /* one that there is none of */
struct values *dataset_find_metric(const struct dataset *dataset, const char *name);

/* Values may be shorter than n_runs, as columns may. */
void values_set(struct values *values, guint row, double value);
double values_get(const struct values *values, guint row);     /* NaN where absent */
gint64 dataset_started_us(const struct dataset *dataset, guint row); /* 0 where not known */
gint64 dataset_store_run(const struct dataset *dataset, guint row);  /* 0 where not of a store */
gboolean dataset_ok(const struct dataset *dataset, guint row); /* outcome is ok */
gboolean dataset_skipped(const struct dataset *dataset, guint row); /* left out or stopped by us: no failure */

/* The detail of a run, made where there is none; find returns NULL then. */
struct run_detail *dataset_detail(struct dataset *dataset, guint row);
struct run_detail *dataset_find_detail(const struct dataset *dataset, guint row);
gboolean dataset_in_sample(const struct dataset *dataset, guint row); /* neither warm-up nor calibration */

/* Appends all rows of other. Fact sets and primaries are merged; where both have one of a name the dataset's stays.
 * Metrics of one name and different units stay apart. */
void dataset_append(struct dataset *dataset, const struct dataset *other);

/* Makes the metric that dataset_find_metric() finds ("swap" or "swap_MB") a factor of the name asked for, its numbers
 * as shortest text. False where there is none. */
gboolean dataset_metric_to_factor(struct dataset *dataset, const char *name);

#endif
