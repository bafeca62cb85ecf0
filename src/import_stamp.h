#ifndef IMPORT_STAMP_H
#define IMPORT_STAMP_H

#include <glib.h>

/* A date and a time of day, the whole text, as microseconds since 1970: "2023-04-07 00:55:33.42+00:00",
 * "2021.01.01 3:00:00 +0100", "2022-12-16T08:00Z". Without a zone it is taken for UTC: times of one file are in one. */
gboolean stamp_parse(const char *text, gint64 *time_us);

#endif
