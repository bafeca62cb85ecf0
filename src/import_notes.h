#ifndef IMPORT_NOTES_H
#define IMPORT_NOTES_H

#include <glib.h>

struct dataset;

/* What a file says of its runs beside the numbers, as key and value. A key whose values differ becomes a factor, since
 * runs with different values are not alike; all others become facts, which say so where two files differ. */
struct notes {
	const char *path;
	struct dataset *dataset;
	GPtrArray *keys;   /* struct note_key *, in the order of their first values */
	GHashTable *index; /* name -> struct note_key * */
	gboolean has_told_of_keys;
};

void notes_init(struct notes *notes, const char *path, struct dataset *dataset);
void notes_clear(struct notes *notes);

/* NOTE_FACT: never a factor. */
enum note_kind { NOTE_ANY, NOTE_FACT };

/* Notes a value of n rows from that one on; the key's kind is that of the first call. Above 200 keys the rest is left
 * out, with a warning. */
void notes_set(struct notes *notes, guint row, guint n, const char *key, const char *value, enum note_kind kind);

/* Which values of a key have to differ for a factor: those of any two runs, or of two runs of one workload. The key
 * "label" always is one. */
enum notes_differ { NOTES_ANYWHERE, NOTES_IN_WORKLOAD };

/* Gives factors and facts to the dataset, whose workloads are known by now. */
void notes_finish(struct notes *notes, enum notes_differ differ);

#endif
