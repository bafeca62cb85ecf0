#include "import_formats.h"

#include <math.h>
#include <string.h>

#include "dataset.h"
#include "err.h"
#include "import_common.h"
#include "text_reader.h"
#include "unit.h"

/* What dd says at its end, in any language: "268435456 bytes (268 MB, 256 MiB) copied, 0.412267 s, 651 MB/s", and that of
 * BSD, "268435456 bytes transferred in 0.412267 secs (...)". Only bytes and seconds are used: the rate is rounded. */

#define WORKLOAD "dd"

static const struct metric bandwidth_metric = {.name = "bandwidth", .unit = "MB/s", .better = BETTER_HIGHER};
static const struct metric bytes_metric = {.name = "bytes", .unit = "B", .better = BETTER_NONE};

struct patterns {
	GRegex *end;     /* 1: bytes, 2: seconds */
	GRegex *records; /* "256+0 records in", and out */
};

struct copy {
	double bytes, seconds;
};

struct dd {
	struct text_reader reader;
	struct dataset *dataset;
	struct patterns patterns;
	gboolean has_error; /* dd complained, and has not said yet how far it came */
	/* An end without the count of records before it: progress (status=progress) if that count comes now. */
	gboolean has_pending;
	struct copy pending;
	gboolean after_records;
};

static GRegex *compiled(const char *pattern)
{
	return g_regex_new(pattern, G_REGEX_OPTIMIZE, 0, NULL);
}

static void patterns_init(struct patterns *patterns)
{
	patterns->end = compiled("^(\\d+) [^\\d\\s]+ (?:\\([^()]*\\) )?[^\\d\\s,]+(?:,| in) "
				 "(\\d+(?:[.,]\\d+)?(?:e[-+]\\d+)?) (?:s|с|secs?|seconds?)\\b");
	patterns->records = compiled("^\\d+\\+\\d+ [^\\d\\s]");
}

static void patterns_clear(struct patterns *patterns)
{
	g_regex_unref(patterns->end);
	g_regex_unref(patterns->records);
}
