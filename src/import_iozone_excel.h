#ifndef IMPORT_IOZONE_EXCEL_H
#define IMPORT_IOZONE_EXCEL_H

#include <glib.h>

struct dataset;
struct metric;
struct text_reader;

/* iozone's "Excel output" (-R): a table a test, file sizes down and record sizes across. Where the figures stand in no
 * other form, each cell is a run, which has a value from each table. */
struct iozone_excel {
	const char *name;   /* metric of the table that is being read; NULL: of none that is known */
	GPtrArray *records; /* char *: record sizes, those of its columns */
	GHashTable *rows;   /* "kB reclen" -> row + 1 */
};

void iozone_excel_init(struct iozone_excel *excel);
void iozone_excel_clear(struct iozone_excel *excel);

/* Forgets the cells: those that follow are of another report. */
void iozone_excel_begin(struct iozone_excel *excel);

/* Reads a line, which may be of no table. rate: unit and direction. */
gboolean iozone_excel_line(struct iozone_excel *excel, const struct text_reader *reader, struct dataset *dataset,
			   const struct metric *rate, char *line, GError **error);

#endif
