#ifndef OPERAND_H
#define OPERAND_H

#include <glib.h>

struct dataset;

/* Operands of the commands that read: labels in the store, files, and NAME=LEVEL filters. */
struct operands {
	struct dataset *dataset; /* everything that was named: all of the store where neither label nor file was */
	GPtrArray *names;   /* char *: the labels and files in order, the names of sides */
	GPtrArray *groups;  /* GArray of guint *: the rows behind each name, filters applied */
	GArray *rows;       /* guint: all rows behind the names (all of the store where none), filters applied */
};
typedef struct operands Operands;

/* An operand that is an existing file is read as such; one with '=' is a filter (several of one name: any of them; of different
 * names: all of them; numbers compare as numbers); all else is a label. Usage errors name what was not found and list what
 * there is. */
struct operands *operands_load(char **operands, const char *store_path, GError **error);
void operands_free(struct operands *operands);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Operands, operands_free)

#endif
