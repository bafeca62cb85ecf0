#ifndef OPERAND_H
#define OPERAND_H

#include <glib.h>

struct column;
struct dataset;

/* Operands of the commands that read: labels in the store, files, and NAME=LEVEL filters. */
struct operands {
	struct dataset *dataset; /* everything that was named: all of the store where neither label nor file was */
	GPtrArray *names;        /* char *: the labels and files in order, the names of sides */
	GPtrArray *groups;       /* GArray of guint *: the rows behind each name, filters applied */
	GArray *rows;            /* operands_rows() */
	gboolean order_unknown;  /* rows come from more than one file or store: not in the order in which they ran */
};
typedef struct operands Operands;

/* An operand that is an existing file is read as such; one with '=' is a filter (several of one name: any of them; of
 * different names: all of them; levels of a numeric column compare as numbers, and the column becomes a factor); all
 * else is a label. Filters also know session (or sitting), block, boot, workload and outcome. Usage errors name what
 * was not found and list what there is. */
struct operands *operands_load(char **operands, const char *store_path, GError **error);
/* The same with the runs that are in no sample, of warm-up and calibration, and what was seen in the course of any. */
struct operands *operands_load_whole(char **operands, const char *store_path, GError **error);
void operands_free(struct operands *operands);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Operands, operands_free)

/* All rows (guint) behind the names (all of the store where there are none), each once, in the order of the dataset,
 * filters applied. Made when first asked for: those of a million runs are some memory. */
GArray *operands_rows(struct operands *operands);

/* The factor of that name, made from a numeric column where there is one. NULL with a usage error that lists the names
 * that there are. */
const struct column *operands_factor(struct operands *operands, const char *name, GError **error);

/* Whether a label can be told from other operands; a usage error where not. */
gboolean label_check(const char *label, GError **error);

/* Levels (const char *) of a column among the rows, in the order in which the data lists them. */
GPtrArray *levels_among(const struct column *column, const GArray *rows);
#endif
