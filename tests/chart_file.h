#ifndef CHART_FILE_H
#define CHART_FILE_H

/* Charts of a table, prepared as the command plot does it. */

#include "chart_case.h"

#include <math.h>

#include "../src/cmd_chart.h"
#include "../src/cmd_reading.h"

struct chart_file {
	char *path;
	char *operands[2];
	struct chart_options options;
	struct reading reading;
	struct chart_data data;
};

/* table: TSV; by: the option of that name, NULL: not given. Close it on an error, too. */
static inline gboolean chart_file_open(struct chart_file *file, const struct chart *chart, const char *table,
				       const char *by, GError **error)
{
	*file = (struct chart_file){.path = g_build_filename(folder, "table.tsv", NULL),
				    .options = {.by = g_strdup(by)},
				    /* so that no store that lies about is read */
				    .reading = {.store = g_build_filename(folder, "absent.db", NULL)}};
	file->operands[0] = file->path;
	assert_true(g_file_set_contents(file->path, table, -1, NULL));
	assert_true(reading_parse(&file->reading, file->operands, NULL));
	return chart_data_prepare(&file->data, chart->needs, &file->reading, &file->options, error);
}

static inline void chart_file_close(struct chart_file *file)
{
	chart_data_clear(&file->data);
	chart_options_clear(&file->options);
	reading_clear(&file->reading);
	g_unlink(file->path);
	g_free(file->path);
}

/* Draws and reads back; with the picture itself, to be cleared. */
static inline void chart_file_draw(const char *name, const char *table, const char *by, struct svg *svg,
				   struct picture *picture)
{
	const struct chart *chart = chart_named(name);
	struct chart_file file;
	g_autoptr(GError) error = NULL;

	if (!chart_file_open(&file, chart, table, by, &error))
		fail_msg("%s: %s", name, error->message);
	draw_data(chart, &file.data, svg);
	picture_init(picture, PICTURE_PAGE);
	assert_true(chart->draw(&file.data, picture, NULL));
	chart_file_close(&file);
}

#endif
